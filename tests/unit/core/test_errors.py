"""An error keeps its class, and so its exit code, when it travels as a code."""

from __future__ import annotations

import pytest

from aria_desktop.core import errors
from aria_desktop.core.errors import AriaError, DiskFull, ExitCode, error_named


def families(parent: type[AriaError]) -> list[type[AriaError]]:
    return [parent, *(found for child in parent.__subclasses__() for found in families(child))]


CORE = [kind for kind in families(AriaError) if kind.__module__ == errors.__name__]


def test_no_two_errors_share_a_code() -> None:
    assert len({kind.code for kind in CORE}) == len(CORE)


@pytest.mark.parametrize("kind", CORE, ids=lambda kind: kind.__name__)
def test_each_is_found_by_its_code(kind: type[AriaError]) -> None:
    error = error_named(kind.code, "text", "hint")
    assert (type(error), error.text, error.hint) == (kind, "text", "hint")


def test_a_subclass_is_no_plain_storage_error() -> None:
    assert isinstance(error_named("disk_full", "x"), DiskFull)


def test_an_unknown_code_is_a_plain_error() -> None:
    error = error_named("from_the_future", "text")
    assert type(error) is AriaError
    assert error.exit_code is ExitCode.FAILED
