"""What the composition root hands to the pages beside Talk. All are called on the Qt main thread and are short."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from aria_desktop.core.records import GivenLeave
from aria_desktop.storage.declarations import Settings


@dataclass(frozen=True, slots=True)
class Desk:
    settings: Settings
    """As they are when the window opens; changes come as events."""
    data_folder: str
    leaves: Callable[[], Sequence[GivenLeave]]
    """What was allowed for more than once and still holds. Raises AriaError."""
    revoke: Callable[[Sequence[str]], None]
    """By id. Raises AriaError."""
    log: Callable[[], str]
    """The end of the log; empty when nothing was logged. Raises AriaError."""
    diagnostics: Callable[[], str]
    """What helps to find a fault, with secrets removed. Raises AriaError."""
