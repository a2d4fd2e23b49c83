"""An engine's options as they come from the settings, read strictly into the dataclass that declares them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar, cast

from aria_desktop.core.errors import EngineFailed
from aria_desktop.core.plain import from_plain

T = TypeVar("T")


def read_options(cls: type[T], engine: str, given: Mapping[str, str | int | float | bool]) -> T:
    """Raises EngineFailed for a name that `cls` does not declare and for a value of the wrong type."""
    try:
        return cast(T, from_plain(cls, given))
    except ValueError as error:
        raise EngineFailed(f"The engine {engine} is given options that do not fit: {error}") from error
