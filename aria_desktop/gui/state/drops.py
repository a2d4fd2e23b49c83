"""What was dropped on the window: which of it can be tried as a sound file, and what is said about the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath

from aria_desktop.gui.state import figures
from aria_desktop.gui.state.shown import one_line
from aria_desktop.gui.state.translation import marks, tr


class DropKind(StrEnum):
    FILE = "file"
    FOLDER = "folder"
    MISSING = "missing"
    SPECIAL = "special"
    """A device, a pipe or a socket: reading it might never end."""


@dataclass(frozen=True, slots=True)
class Drop:
    files: tuple[str, ...]
    """Absolute paths, in the order dropped, each once. Whether they hold sound is told by their content later."""
    complaint: str
    """What is said about the rest; empty when all of it is taken."""
    hint: str


def sort_drop(paths: Sequence[str], foreign: int, room: int, kind: Callable[[str], DropKind]) -> Drop:
    """`foreign`: things dropped that are no files of this computer. `room`: how many files the queue takes."""
    unique = list(dict.fromkeys(paths))
    kinds = {path: kind(path) for path in unique}
    files = [path for path in unique if kinds[path] is DropKind.FILE]
    complaints = [_named([p for p in unique if kinds[p] is which], one, many) for which, one, many in _COMPLAINTS]
    if foreign:
        complaints.append(tr("Only files of this computer can be dropped."))
    if len(files) > room:
        complaints.append(
            tr("{files} too many at once.", files=figures.counted(len(files) - room, "file is", "files are"))
        )
    said = " ".join(part for part in complaints if part)
    hint = tr("Drop or choose sound files, such as WAV, MP3, M4A, OGG, FLAC or WebM.") if said else ""
    return Drop(tuple(files[:room]), said, hint)


_COMPLAINTS = (
    (DropKind.FOLDER, *marks("{name} is a folder.", "{name} are folders.")),
    (DropKind.MISSING, *marks("{name} is not there any more.", "{name} are not there any more.")),
    (DropKind.SPECIAL, *marks("{name} is no ordinary file.", "{name} are no ordinary files.")),
)


def _named(paths: Sequence[str], one: str, many: str) -> str:
    if not paths:
        return ""
    name = one_line(PurePath(paths[0]).name or paths[0])
    if len(paths) == 1:
        return tr(one, name=name)
    others = figures.counted(len(paths) - 1, "other", "others")
    return tr(many, name=tr("{name} and {others}", name=name, others=others))
