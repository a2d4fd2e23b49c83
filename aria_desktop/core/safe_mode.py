"""Safe mode as a value: what the window is told when it starts with defaults because those before it crashed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

AGAIN = 65
"""Exit code of a window that has closed and is to be started again in the ordinary way; never that of a command."""


@dataclass(frozen=True, slots=True)
class SafeMode:
    unclean: int
    """So many windows in a row ended without closing."""
    leave: Callable[[], None] | None
    """Has the window's starter start it as usual after this one has closed; called on the Qt main thread. None where
    nobody can; then the user does."""
