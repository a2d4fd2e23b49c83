"""The second question of a command: whether what it changed is kept. Asked only when it changed something.

All that would be different is shown, as text or by name and size, from values that were read once; what is kept is
compared with them again (`safety.taking_over`) and is one change of the journal, so that it is taken back as one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from aria_desktop.core.approval import Risk, RiskLevel
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import Outcome, ToolResult
from aria_desktop.core.visible import visible_line
from aria_desktop.safety.journaled import JournaledWorkspace
from aria_desktop.safety.stage import Stage
from aria_desktop.safety.staged import Changed, ChangedKind, Staged, TooMuchChanged
from aria_desktop.tools.languages.wording import ENGLISH, Wording
from aria_desktop.tools.tool import Proposal, ToolContext
from aria_desktop.tools.wording import counted

SAID_NAMES = 5
"""Of files, that an answer repeats."""
SHORT_CHARACTERS = 60
"""Of a command, where it only has to be known again."""
_LABELS = {
    ChangedKind.MADE: "Makes",
    ChangedKind.CHANGED: "Changes",
    ChangedKind.MOVED: "Moves",
    ChangedKind.DELETED: "Deletes",
    ChangedKind.RIGHTS: "Rights",
    ChangedKind.FOLDER_MADE: "New folders",
    ChangedKind.FOLDER_DELETED: "Deletes folders",
}
"""In the order in which they are shown."""
_ADDS = Risk(RiskLevel.LOW, "Nothing is lost. ARIA can undo this.")
_REPLACES = Risk(RiskLevel.MEDIUM, "ARIA keeps what is deleted or replaced, and can undo this.")
_LOSING = frozenset({ChangedKind.CHANGED, ChangedKind.DELETED})


@dataclass(frozen=True, slots=True)
class Done:
    """A command that has run."""

    command: str
    told: str
    """What the model is told of it."""
    said: str
    """What the user is told of it."""
    ended: str
    """How it ended, in the user's language, without a full stop."""
    shown: str
    """How it ended, as it is shown beside the question."""

    def result(self, more_told: str = "", more_said: str = "") -> ToolResult:
        return ToolResult(Outcome.DONE, _joined(self.told, more_told), answer=_joined(self.said, more_said))

    def too_much(self, wording: Wording) -> ToolResult:
        return self.result(ENGLISH.say("command_too_much"), wording.say("command_too_much"))


def kept_or_not(
    done: Done, stage: Stage, workspace: JournaledWorkspace, wording: Wording, cancel: CancelToken
) -> ToolResult | Proposal:
    """The question, which holds `stage` from then on; the result when there is nothing to ask. Raises Cancelled."""
    try:
        staged = workspace.staged(stage.layer.changes, cancel)
    except TooMuchChanged:
        return done.too_much(wording)
    if not staged.changes:
        return done.result(_not_kept(staged, ENGLISH), _not_kept(staged, wording))
    before, after = texts(staged.changes)
    return Proposal(
        question="Keep what the command changed?",
        allow_label="Allow changes",
        refused=wording.say("command_dropped", ended=done.ended),
        path=_place(staged.changes, workspace),
        before=before,
        after=after,
        facts=(("Command", done.command), ("Ended", done.shown), *facts(staged)),
        risk=_REPLACES if any(change.kind in _LOSING for change in staged.changes) else _ADDS,
        act=partial(_keep, done, stage, staged),
        untrusted=f'what the command "{_short(done.command)}" wrote',
        let_go=stage.close,
    )


def facts(staged: Staged) -> tuple[tuple[str, str], ...]:
    """Everything that is different, by name, and everything that is left out, with the reason."""
    told = []
    for kind, label in _LABELS.items():
        if lines := [_line(change) for change in staged.changes if change.kind is kind]:
            told.append((label, "\n".join(lines)))
    unread = [visible_line(c.to or c.path) for c in staged.changes if c.kind in _WITH_TEXT and c.old is c.new is None]
    if unread:
        told.append(("Not shown", "\n".join((*unread, "(no text, or too long to be shown)"))))
    if staged.left_out:
        told.append(("Left out", "\n".join(visible_line(one.reason) for one in staged.left_out)))
    return tuple(told)


_WITH_TEXT = (ChangedKind.MADE, ChangedKind.CHANGED, ChangedKind.DELETED)


def texts(changes: Sequence[Changed]) -> tuple[str | None, str | None]:
    """What is there now, and what would be there: of one file as it is, of several one under another. There, names
    stand at the edge and texts are indented, so that no text passes for a name."""
    shown = [change for change in changes if change.old is not None or change.new is not None]
    shown.sort(key=lambda change: change.path)
    if len(shown) <= 1:
        return (shown[0].old, shown[0].new) if shown else (None, None)
    return _stacked([(c.path, c.old) for c in shown]), _stacked([(c.path, c.new) for c in shown])


def _stacked(files: Sequence[tuple[str, str | None]]) -> str:
    parts = [f"{visible_line(path)}\n{_indented(text)}" for path, text in files if text is not None]
    return "".join(parts)


def _indented(text: str) -> str:
    return "".join(f"  {line}\n" for line in text.removesuffix("\n").split("\n"))


def _line(change: Changed) -> str:
    name = visible_line(change.path)
    match change.kind:
        case ChangedKind.MADE:
            return f"{name}, {counted(change.size, 'byte')}{', can be run' if change.mode & 0o111 else ''}"
        case ChangedKind.CHANGED:
            rights = "" if change.mode == change.was_mode else f", rights {_rights(change)}"
            return f"{name}, {change.was_size:,} to {counted(change.size, 'byte')}{rights}"
        case ChangedKind.DELETED:
            return f"{name}, {counted(change.was_size, 'byte')}"
        case ChangedKind.MOVED:
            return f"{name} to {visible_line(change.to)}"
        case ChangedKind.RIGHTS:
            return f"{name}, {_rights(change)}"
        case ChangedKind.FOLDER_MADE | ChangedKind.FOLDER_DELETED:
            return f"{name}/"


def _rights(change: Changed) -> str:
    return f"{change.was_mode:04o} to {change.mode:04o}"


def _keep(done: Done, stage: Stage, staged: Staged, context: ToolContext) -> ToolResult:
    workspace, wording = context.workspace, context.wording
    assert isinstance(workspace, JournaledWorkspace), "only such a workspace has layers"
    workspace.take_over(stage.layer.changes, staged, f"command {_short(done.command)}")
    kept = "\n".join((_kept(staged, ENGLISH), *(_line(change) for change in staged.changes[:SAID_NAMES])))
    return done.result(
        _joined(kept, _not_kept(staged, ENGLISH)), _joined(_kept(staged, wording), _not_kept(staged, wording))
    )


def _kept(staged: Staged, wording: Wording) -> str:
    return wording.say("command_kept", names=_names([c.to or c.path for c in staged.changes], wording))


def _not_kept(staged: Staged, wording: Wording) -> str:
    if not staged.left_out:
        return ""
    return wording.say("command_left_out", names=_names([one.path for one in staged.left_out], wording))


def _names(paths: Sequence[str], wording: Wording) -> str:
    shown = [visible_line(path) for path in dict.fromkeys(paths)]
    return wording.enumerated(shown[:SAID_NAMES], max(0, len(shown) - SAID_NAMES))


def _place(changes: Sequence[Changed], workspace: JournaledWorkspace) -> str:
    """The one file that is concerned, or the folder that all of them lie in."""
    return str(workspace.root / changes[0].path) if len(changes) == 1 else str(workspace.root)


def _short(command: str) -> str:
    line = visible_line(command)
    return line if len(line) <= SHORT_CHARACTERS else line[:SHORT_CHARACTERS] + "…"


def _joined(*sentences: str) -> str:
    """What comes after something that was printed gets a line of its own."""
    said = ""
    for sentence in filter(None, sentences):
        said += f"{'' if not said else ' ' if said.endswith('.') else chr(10)}{sentence}"
    return said
