"""How a change of place is asked about, told when it is done, and told when it is not. Pure.

Questions are the front ends' and English; what is told is in the user's language.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from aria_desktop.core.visible import visible_line
from aria_desktop.safety.paths import EntryKind, Placement, PlacementKind
from aria_desktop.tools.languages.wording import ENGLISH, Wording


@dataclass(frozen=True, slots=True)
class Words:
    question: str
    allow: str
    refused: str
    done: str
    """A full sentence."""


def words(placement: Placement, wording: Wording) -> Words:
    source, destination = visible_line(placement.source), visible_line(placement.destination)
    say = wording.say
    match placement.kind:
        case PlacementKind.MOVE:
            return _moved(placement, source, wording)
        case PlacementKind.COPY:
            where, replaced = _where(placement, wording), _replaced(placement, wording)
            done = say("copied", source=source, where=where, replaced=replaced)
            question = f"Copy {source} {_where(placement, ENGLISH)}?"
            return Words(question, "Allow copy", say("not_copied", name=source), done)
        case PlacementKind.DELETE:
            question = f"Delete {_named_for_deletion(placement, source)}?"
            done = _deleted(placement, source, wording)
            return Words(question, "Allow delete", say("not_deleted", name=source), done)
        case PlacementKind.FOLDER:
            done = say("folder_made", name=destination)
            return Words(f"Make the folder {destination}?", "Allow make", say("not_made", name=destination), done)


def _moved(placement: Placement, source: str, wording: Wording) -> Words:
    here = PurePosixPath(placement.source).parent == PurePosixPath(placement.destination).parent
    verb, done, refused = ("rename", "renamed", "not_renamed") if here else ("move", "moved", "not_moved")
    where, replaced = _where(placement, wording), _replaced(placement, wording)
    return Words(
        question=f"{verb.capitalize()} {source} {_where(placement, ENGLISH)}?",
        allow=f"Allow {verb}",
        refused=wording.say(refused, name=source),
        done=wording.say(done, source=source, where=where, replaced=replaced),
    )


def _where(placement: Placement, wording: Wording) -> str:
    """ "into archive" when the name stays, else "to" the new path."""
    source, destination = PurePosixPath(placement.source), PurePosixPath(placement.destination)
    if source.name != destination.name:
        return wording.say("to_name", name=visible_line(placement.destination))
    folder = visible_line(str(destination.parent))
    return wording.say("into_workspace") if folder == "." else wording.say("into_folder", folder=folder)


def _replaced(placement: Placement, wording: Wording) -> str:
    return wording.say("and_replaced") if placement.lost is not None else ""


def _named_for_deletion(placement: Placement, source: str) -> str:
    if not _is_folder(placement):
        return source
    inside = _inside(placement)
    return f"the folder {source} with {ENGLISH.counted(inside, 'thing')} in it" if inside else f"the folder {source}"


def _deleted(placement: Placement, source: str, wording: Wording) -> str:
    inside = _inside(placement)
    if not _is_folder(placement):
        return wording.say("deleted", source=source)
    if not inside:
        return wording.say("deleted_folder", source=source)
    return wording.say("deleted_full_folder", source=source, things=wording.counted(inside, "thing"))


def _is_folder(placement: Placement) -> bool:
    return placement.seen is not None and placement.seen.kind is EntryKind.FOLDER


def _inside(placement: Placement) -> int:
    """How many things the folder holds."""
    return len(placement.seen.inside) if placement.seen is not None else 0
