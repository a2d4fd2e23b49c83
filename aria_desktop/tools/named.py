"""Which file or folder of the workspace a call means, when the name it gives is not quite that of any.

One good match is used, and whoever uses it says its name. Several are asked about. None is an error that tells the
model which names there are.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from aria_desktop.core.visible import visible_line
from aria_desktop.safety.names import quoted
from aria_desktop.safety.paths import EntryKind, FileMissing, Workspace
from aria_desktop.tools.near_names import near
from aria_desktop.tools.spoken_names import as_written
from aria_desktop.tools.tool import AskFirst, ToolContext
from aria_desktop.tools.wording import enumerated

NAMES_TOLD = 60
"""Names that the model is told when there is no such file."""
NAMES_ASKED = 5
"""Names that a question lists."""

FILES = frozenset({EntryKind.FILE})
FOLDERS = frozenset({EntryKind.FOLDER})
FILES_AND_FOLDERS = FILES | FOLDERS


@dataclass(frozen=True, slots=True)
class Named:
    path: str
    """Of something that there is, or the name as it was given when that has to be judged by the file door."""
    guessed: bool
    """It is not the name that was given, so it has to be said."""

    @property
    def shown(self) -> str:
        return visible_line(self.path)


def existing(context: ToolContext, said: str, kinds: Collection[EntryKind]) -> Named:
    """What `said` names among what there is of `kinds`. Raises AskFirst, FileMissing, PathRefused."""
    if context.workspace.kind_of(said) is not None:
        return Named(said, False)
    there = [entry.name for entry in context.workspace.entries() if entry.kind in kinds]
    found = near(said, there)
    if found.only:
        return Named(found.only, True)
    if found.names:
        names = [visible_line(name) for name in found.names]
        listed = context.wording.enumerated(names[:NAMES_ASKED], max(0, len(names) - NAMES_ASKED), "or")
        which = "which_folder" if kinds == FOLDERS else "which_file"
        raise AskFirst(context.wording.say(which, names=listed))
    raise FileMissing(f"There is no {_what(kinds)} {quoted(said)} in the workspace. There is: {_names(there)}.")


def new_name(workspace: Workspace, said: str, kinds: Collection[EntryKind] = FILES) -> str:
    """The name of something that may be new: `said` as it is written, or the one thing of `kinds` whose path differs
    from it in upper and lower case only. Nothing that some systems could not tell from it is made beside it."""
    said = as_written(said)
    if workspace.kind_of(said) is not None:
        return said
    wanted = said.rstrip("/").casefold()
    same = [e.name for e in workspace.entries() if e.kind in kinds and e.name.casefold() == wanted]
    return same[0] if len(same) == 1 else said


def _what(kinds: Collection[EntryKind]) -> str:
    return "file or folder" if len(kinds) > 1 else next(iter(kinds)).value


def _names(there: list[str]) -> str:
    left_out = max(0, len(there) - NAMES_TOLD)
    return enumerated([visible_line(name) for name in there[:NAMES_TOLD]], left_out) if there else "nothing"
