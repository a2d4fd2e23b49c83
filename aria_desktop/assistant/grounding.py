"""Whether a change is about what was said. Pure.

A small model names some file rather than none. Code can't know what was meant, but it can see that nothing said
speaks of the file that would be changed, or that it speaks of another one just as much. Then the user is asked which,
before anybody is asked to approve anything. Nothing here chooses a tool or a file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from aria_desktop.assistant.reply import Call
from aria_desktop.assistant.support import Utterance, shares_a_word
from aria_desktop.tools.languages.wording import Wording
from aria_desktop.tools.near_names import near

NAMES_ASKED = 5
"""That a question lists."""

_ON_A_FILE: Mapping[str, str] = {
    "append_file": "path",
    "copy_file": "source",
    "delete_file": "path",
    "edit_file": "path",
    "move_file": "source",
}
"""Tools that change or take what is there -> the argument that names it."""
_TO_A_PLACE = frozenset({"copy_file", "move_file"})


@dataclass(frozen=True, slots=True)
class Ground:
    """All that a change may rest on."""

    words: str
    earlier: str
    """What was said and answered in the turns before."""
    found: str
    """What this turn's calls brought to light."""
    names: Sequence[str]
    """What there is in the workspace; folders end in /."""
    said: Utterance = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "said", Utterance(self.words))

    def told(self, path: str) -> bool:
        """Whether the name stands in an earlier turn or in a result of this one."""
        name = path.rstrip("/").rpartition("/")[2].casefold()
        return any(name in text.casefold() for text in (self.earlier, self.found))

    def rests_on(self, text: str) -> bool:
        """Whether anything that tells something in `text` was said, now or earlier, or found."""
        return self.said.speaks_of(text) or shares_a_word(f"{self.earlier} {self.found}", text)

    @property
    def files(self) -> list[str]:
        return [name for name in self.names if not name.endswith("/")]

    @property
    def folders(self) -> list[str]:
        return [name for name in self.names if name.endswith("/")]


def question(calls: Sequence[Call], ground: Ground, wording: Wording) -> str:
    """What has to be asked before any of `calls` may be proposed; empty when nothing has."""
    wanted = [(call, _named(call, ground)) for call in calls if call.tool in _ON_A_FILE]
    targets = {path for _, path in wanted}
    for call, path in wanted:
        for doubt in (_which_file, _which_place, _which_text):
            if asked := doubt(call, path, targets, ground, wording):
                return asked
    return next((asked for call in calls if (asked := _which_new(call, ground, wording))), "")


def better(call: Call, ground: Ground) -> str:
    """A file that was named in full where the call is about another that was half named; empty when there is none."""
    path = str(call.arguments.get("path", call.arguments.get("source", "")))
    if path not in ground.files:
        return ""
    own = ground.said.support(path)
    if own.whole or not own.places or ground.told(path):
        return ""
    whole = [name for name in ground.files if ground.said.support(name).whole]
    return whole[0] if len(whole) == 1 and ground.said.support(whole[0]).places > own.places else ""


def _named(call: Call, ground: Ground) -> str:
    """The existing thing that the call means, as its tool will take it; what it says when that is none or several."""
    said = str(call.arguments[_ON_A_FILE[call.tool]])
    there = [name.rstrip("/") for name in ground.names]
    return near(said.rstrip("/"), there).only or said


def _which_file(call: Call, path: str, targets: set[str], ground: Ground, wording: Wording) -> str:  # noqa: ARG001
    there = {name.rstrip("/"): name for name in ground.names}
    if path not in there:
        return ""
    of_its_kind = ground.folders if there[path].endswith("/") else ground.files
    own = ground.said.support(path)
    if not own.places:
        if ground.told(path) or len(of_its_kind) == 1:
            return ""
        return _asked("which_file", of_its_kind, wording)
    rivals = [n for n in of_its_kind if n.rstrip("/") != path and ground.said.support(n).at_least(own)]
    if not rivals or ground.told(path):
        return ""
    if {name.rstrip("/") for name in rivals} <= targets and ground.said.means_several(path):
        return ""
    return _asked("which_file", sorted([there[path], *rivals]), wording)


def _which_place(call: Call, path: str, targets: set[str], ground: Ground, wording: Wording) -> str:  # noqa: ARG001
    if call.tool not in _TO_A_PLACE:
        return ""
    destination = str(call.arguments["destination"])
    if ground.said.support(destination).places or ground.told(destination):
        return ""
    folder = destination if destination.endswith("/") else destination + "/"
    if folder in ground.folders or destination.endswith("/"):
        others = [name for name in ground.folders if name != folder]
        return _asked("which_folder", ground.folders, wording) if others else ""
    return wording.say("which_name", name=path)


def _which_text(call: Call, path: str, targets: set[str], ground: Ground, wording: Wording) -> str:  # noqa: ARG001
    if call.tool != "edit_file":
        return ""
    find = str(call.arguments["find"])
    grounded = not find.strip() or find in ground.found or ground.rests_on(find)
    return "" if grounded else wording.say("which_text", name=path)


def _which_new(call: Call, ground: Ground, wording: Wording) -> str:
    """A new file whose name and text are both the model's own, or that would replace one that nothing speaks of."""
    if call.tool != "create_file":
        return ""
    path, content = str(call.arguments["path"]), str(call.arguments["content"])
    if path in ground.files:
        unsaid = not ground.said.support(path).places and not ground.told(path)
        return _which_file(call, path, {path}, ground, wording) or (wording.say("which_new_file") if unsaid else "")
    named = ground.said.support(path).places or Utterance(ground.earlier).support(path).places
    grounded = bool(named) or ground.rests_on(content)
    return "" if grounded else wording.say("which_new_file")


def _asked(key: str, names: Sequence[str], wording: Wording) -> str:
    shown = [name.rstrip("/") for name in names]
    return wording.say(key, names=wording.enumerated(shown[:NAMES_ASKED], max(0, len(shown) - NAMES_ASKED), "or"))
