"""An undo as people read it before they allow it: each file that is concerned, and which lines come and go. Pure."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from aria_desktop.core.errors import ToolFailed
from aria_desktop.core.visible import spelled_out, visible_line
from aria_desktop.safety.entries import EntryKind
from aria_desktop.safety.journal import Action
from aria_desktop.safety.journal_tree import Things, print_of
from aria_desktop.safety.texts import decoded
from aria_desktop.safety.undo import UndoPlan

CONTEXT_LINES = 2
"""Unchanged lines around changed ones."""


class EffectKind(StrEnum):
    CHANGED = "changed"
    """A file gets other bytes."""
    GONE = "gone"
    """To the trash; an empty folder is removed."""
    BACK = "back"
    MOVED = "moved"
    RIGHTS = "rights"
    """A file gets other permission bits and keeps its bytes."""


@dataclass(frozen=True, slots=True)
class Effect:
    kind: EffectKind
    path: str
    to: str = ""
    folder: bool = False
    before: str = ""
    """Token of the file's bytes now."""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """One effect in words."""

    text: str
    """One line, without a full stop."""
    diff: str
    """Lines that go begin with -, lines that come with +; empty where there is no text to compare."""


def undo_title(action: Action) -> str:
    """What taking `action` back is called: "undo edit a.txt", and of that again "redo edit a.txt"."""
    for was, now in (("undo ", "redo "), ("redo ", "undo ")):
        if action.undoes and action.title.startswith(was):
            return now + action.title.removeprefix(was)
    return f"undo {action.title}"


def effects(plan: UndoPlan) -> tuple[Effect, ...]:
    """What is different afterwards, by path; a folder stands for all that is in it."""
    moved = tuple(_moved(plan))
    gone = _roots(_only(plan.before, plan.after), [effect.path for effect in moved])
    new = _roots(_only(plan.after, plan.before), [effect.to for effect in moved])
    found = [
        *moved,
        *(Effect(EffectKind.GONE, path, folder=_is_folder(plan.before, path)) for path in gone),
        *(Effect(EffectKind.BACK, path, folder=_is_folder(plan.after, path)) for path in new),
        *_changed(plan),
    ]
    return tuple(sorted(found, key=lambda effect: effect.path))


def shown(
    plan: UndoPlan, text_now: Callable[[str], bytes | None], text_kept: Callable[[str], bytes | None]
) -> list[Shown]:
    """All effects in words.

    Args:
        text_now: the bytes of a file of the workspace, by its path; None when they can't be read.
        text_kept: the same for an entry of the trash.
    """
    places = {item.token: path for path, item in plan.before.items() if item.kind is EntryKind.FILE}

    def content(token: str) -> str | None:
        found = text_now(places[token]) if token in places else text_kept(plan.sources.get(token, ""))
        try:
            return None if found is None else decoded(found, "").text
        except ToolFailed:
            return None

    return [Shown(_text(effect), _diff(effect, content)) for effect in effects(plan)]


def _text(effect: Effect) -> str:
    name = visible_line(effect.path)
    named = f"the folder {name}" if effect.folder else name
    match effect.kind:
        case EffectKind.CHANGED:
            return f"{name} gets the content that it had"
        case EffectKind.GONE:
            return f"{named} goes away" if effect.folder else f"{named} goes to the trash"
        case EffectKind.BACK:
            return f"{named} comes back"
        case EffectKind.MOVED:
            return f"{named} becomes {visible_line(effect.to)}"
        case EffectKind.RIGHTS:
            return f"{name} gets the rights that it had"


def _diff(effect: Effect, content: Callable[[str], str | None]) -> str:
    if effect.kind is not EffectKind.CHANGED:
        return ""
    before, after = content(effect.before), content(effect.after)
    if before is None or after is None:
        return ""
    lines = difflib.unified_diff(
        spelled_out(before).splitlines(), spelled_out(after).splitlines(), lineterm="", n=CONTEXT_LINES
    )
    return "\n".join(line for line in lines if not line.startswith(("--- ", "+++ ")))


def _only(here: Things, there: Things) -> list[str]:
    """What is here and not there, outermost first."""
    return sorted(path for path in here if path not in there)


def _roots(only: list[str], moved: list[str]) -> list[str]:
    """Without what lies in a folder that is listed, and without what was moved."""
    left = [path for path in only if not any(f"{path}/".startswith(f"{other}/") for other in moved)]
    return [path for path in left if path.rpartition("/")[0] not in left]


def _moved(plan: UndoPlan) -> Iterator[Effect]:
    """What holds the same under another name afterwards; an empty folder is not known again."""
    new, told = _only(plan.after, plan.before), ""
    for path in _only(plan.before, plan.after):
        inner = _inner(plan.before, path)
        folder = _is_folder(plan.before, path)
        if (told and path.startswith(told)) or (folder and len(inner) == 1):
            continue
        to = next((other for other in new if _print(plan.after, other) == print_of(inner)), None)
        if to is not None:
            new = [other for other in new if not f"{other}/".startswith(f"{to}/")]
            told = f"{path}/"
            yield Effect(EffectKind.MOVED, path, to, folder)


def _changed(plan: UndoPlan) -> Iterator[Effect]:
    for path, item in plan.before.items():
        after = plan.after.get(path)
        if after is not None and after.token != item.token:
            yield Effect(EffectKind.CHANGED, path, before=item.token, after=after.token)
        elif after is not None and item.kind is EntryKind.FILE and after.mode != item.mode:
            yield Effect(EffectKind.RIGHTS, path)


def _inner(things: Things, path: str) -> Things:
    start = f"{path}/"
    return {"": things[path], **{p[len(start) :]: item for p, item in things.items() if p.startswith(start)}}


def _print(things: Things, path: str) -> str:
    return print_of(_inner(things, path))


def _is_folder(things: Things, path: str) -> bool:
    return things[path].kind is EntryKind.FOLDER
