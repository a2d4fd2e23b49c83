"""How a change of place is asked about, told when it is done, and told when it is not. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from aria_desktop.core.visible import visible_line
from aria_desktop.safety.paths import EntryKind, Placement, PlacementKind
from aria_desktop.tools.wording import counted


@dataclass(frozen=True, slots=True)
class Words:
    question: str
    allow: str
    refused: str
    done: str
    """A full sentence."""


def words(placement: Placement) -> Words:
    source, destination = visible_line(placement.source), visible_line(placement.destination)
    match placement.kind:
        case PlacementKind.MOVE:
            return _moved(placement, source)
        case PlacementKind.COPY:
            where = _where(placement)
            done = f"I copied {source} {where}{_replaced(placement)}."
            return Words(f"Copy {source} {where}?", "Allow copy", f"{source} was not copied", done)
        case PlacementKind.DELETE:
            folder = placement.seen is not None and placement.seen.kind is EntryKind.FOLDER
            what = f"the folder {source}{_with(placement)}" if folder else source
            done = f"I moved {what} to the trash."
            return Words(f"Delete {what}?", "Allow delete", f"{source} was not deleted", done)
        case PlacementKind.FOLDER:
            done = f"I made the folder {destination}."
            return Words(f"Make the folder {destination}?", "Allow make", f"{destination} was not made", done)


def _moved(placement: Placement, source: str) -> Words:
    here = PurePosixPath(placement.source).parent == PurePosixPath(placement.destination).parent
    verb, done = ("rename", "renamed") if here else ("move", "moved")
    where = _where(placement)
    return Words(
        question=f"{verb.capitalize()} {source} {where}?",
        allow=f"Allow {verb}",
        refused=f"{source} was not {done}",
        done=f"I {done} {source} {where}{_replaced(placement)}.",
    )


def _where(placement: Placement) -> str:
    """ "into archive" when the name stays, else "to" the new path."""
    source, destination = PurePosixPath(placement.source), PurePosixPath(placement.destination)
    if source.name != destination.name:
        return f"to {visible_line(placement.destination)}"
    folder = visible_line(str(destination.parent))
    return "into the workspace itself" if folder == "." else f"into {folder}"


def _replaced(placement: Placement) -> str:
    return ", and the file that was there to the trash" if placement.lost is not None else ""


def _with(placement: Placement) -> str:
    inside = placement.seen.inside if placement.seen is not None else ()
    return f" with {counted(len(inside), 'thing')} in it" if inside else ""
