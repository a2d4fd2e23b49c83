"""Frozen values to plain JSON data and back, for the local socket, the worker pipe and `--json`.

Every class that crosses a boundary is a frozen dataclass; its wire name is its class name in snake case.
Reading is strict: unknown names, missing fields and wrong types are refused, nothing is converted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from pydantic import ConfigDict, TypeAdapter, with_config

_SURROGATES = re.compile("[\ud800-\udfff]")
_adapters: dict[type[Any], TypeAdapter[Any]] = {}


def _adapter(cls: type[Any]) -> TypeAdapter[Any]:
    if cls not in _adapters:
        _adapters[cls] = TypeAdapter(with_config(ConfigDict(extra="forbid"))(cls))
    return _adapters[cls]


def wire_name(cls: type[Any]) -> str:
    """`CallEnded` -> "call_ended"."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()


def well_formed(text: str) -> str:
    """`text` with U+FFFD for lone surrogates, which UTF-8 and JSON readers refuse. They come from file names and
    command lines that are not UTF-8, and from a model's escapes."""
    return _SURROGATES.sub("\ufffd", text)


def to_plain(value: Any) -> dict[str, Any]:
    """All fields of a frozen dataclass as JSON data; enums become their values, tuples lists."""
    plain: dict[str, Any] = _adapter(type(value)).dump_python(value, mode="json", fallback=_read_only, warnings=False)
    return plain


def _read_only(value: object) -> dict[Any, Any]:
    """A mapping that can't be changed is written like one that can."""
    if isinstance(value, Mapping):
        return dict(value)
    raise ValueError(f"a {type(value).__name__} can't be written as JSON")


def from_plain(cls: type[Any], data: Mapping[str, Any]) -> Any:
    """Raises ValueError naming each field that does not fit, and for numbers beyond all bounds, which JSON has none of
    but Python reads from 1e999."""
    return _adapter(cls).validate_json(json.dumps(dict(data), allow_nan=False), strict=True)
