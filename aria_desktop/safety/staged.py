"""What a command changed and what of it can be kept, as values: read by `staged_reading`, done by `taking_over`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from aria_desktop.core.errors import AriaError


class TooMuchChanged(AriaError):
    """More than can be shown and decided about, so nothing of it is taken over."""

    code: ClassVar[str] = "too_much_changed"


class ChangedKind(StrEnum):
    """In the order in which they are carried out."""

    DELETED = "deleted"
    FOLDER_MADE = "folder made"
    MOVED = "moved"
    FOLDER_DELETED = "folder deleted"
    """Empty by then."""
    MADE = "made"
    CHANGED = "changed"
    RIGHTS = "rights"
    """Only the permission bits of a file are others."""


@dataclass(frozen=True, slots=True)
class Changed:
    """One file or folder that would be different. Paths are relative to the workspace, with /."""

    kind: ChangedKind
    path: str
    to: str = ""
    before: str = ""
    """Print of the file in the workspace, see `journal_tree.print_of`."""
    after: str = ""
    """Print of the file in the layer."""
    was_mode: int = 0
    """Permission bits in the workspace."""
    mode: int = 0
    """Permission bits in the layer."""
    was_size: int = 0
    size: int = 0
    """Bytes."""
    old: str | None = None
    """The whole text in the workspace, for showing; None when there is none, or it is no text, or too long."""
    new: str | None = None


@dataclass(frozen=True, slots=True)
class LeftOut:
    path: str
    reason: str
    """A sentence that names it."""


@dataclass(frozen=True, slots=True)
class Staged:
    changes: tuple[Changed, ...]
    """In the order in which they are carried out."""
    left_out: tuple[LeftOut, ...] = ()
    """What the command did and what will not be done."""
