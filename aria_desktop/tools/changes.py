"""Tools that change the text of a file: a new one, more at its end, one place in it."""

from __future__ import annotations

import json
from functools import partial

from aria_desktop.core.approval import Risk, RiskLevel
from aria_desktop.core.chat import Outcome, ToolResult
from aria_desktop.core.errors import ToolFailed
from aria_desktop.core.visible import visible_line
from aria_desktop.safety.names import quoted
from aria_desktop.safety.paths import Change, ChangeKind
from aria_desktop.tools.edits import edited
from aria_desktop.tools.languages.wording import Wording
from aria_desktop.tools.named import FILES, existing, new_name
from aria_desktop.tools.tool import OWN_WORDS, AskFirst, Limit, LongText, Proposal, ToolContext, tool
from aria_desktop.tools.wording import counted

SPOKEN_CHARACTERS = 80
"""Of what was written, that an answer repeats."""
SPOKEN_ENDINGS = (".txt", ".md", ".csv", ".log")
"""Files whose lines can be read aloud."""


@tool(Limit.CHANGE, source=OWN_WORDS)
def create_file(context: ToolContext, path: str, content: LongText) -> Proposal:
    """Make a new file with text, a list, notes, a table or data in it. Replaces a file that exists.

    Args:
        path: name of the new file.
        content: all that the file will hold, in the form its ending asks for; you make it up if the user wants that.
    """
    name = new_name(context.workspace, path)
    change = context.workspace.plan_write(name, with_last_line_ended(content))
    if change.kind is ChangeKind.OVERWRITE and not content.strip():
        raise AskFirst(context.wording.say("exists_already", name=change.path))
    _refuse_broken(change)
    return proposed(context, change)


@tool(Limit.CHANGE, source=OWN_WORDS)
def append_file(context: ToolContext, path: str, content: LongText) -> Proposal:
    """Add a line, an item, a row or an entry at the end of a file that exists.

    Args:
        path: name of the file, as it is listed.
        content: only what is added, in the form that the file has.
    """
    named = existing(context, path, FILES)
    return proposed(context, context.workspace.plan_append(named.path, content), given(path, named.guessed))


@tool(Limit.CHANGE, source="the file {path}")
def edit_file(context: ToolContext, path: str, find: LongText, replace: LongText) -> Proposal:
    """Change or remove some words or a line in a file that exists.

    Args:
        path: name of the file, as it is listed.
        find: the text there now, only the part that changes.
        replace: the text instead of it; "" removes it.
    """
    named = existing(context, path, FILES)
    before = context.workspace.read_text(named.path)
    change = context.workspace.plan_edit(named.path, before, edited(before, find, replace, named.path))
    if _is_json(before):
        _refuse_broken(change)
    return proposed(context, change, given(path, named.guessed))


def given(path: str, guessed: bool) -> tuple[tuple[str, str], ...]:
    """The fact that another name was given than the file's."""
    return (("Name given", path),) if guessed else ()


def with_last_line_ended(content: str) -> str:
    return content + "\n" if content and not content.endswith("\n") else content


def proposed(
    context: ToolContext, change: Change, facts: tuple[tuple[str, str], ...] = (), remark: str = ""
) -> Proposal:
    """What is shown of a change to a text file.

    Args:
        remark: a sentence that is added to the answer once the change is made.
    """
    verb = _VERBS[change.kind]
    name = visible_line(change.path)
    folders = (("New folders", ", ".join(change.new_folders)),) if change.new_folders else ()
    return Proposal(
        question=f"{verb.capitalize()} {name}?",
        allow_label=f"Allow {verb.split()[0]}",
        refused=context.wording.say(_NOT_DONE[change.kind], name=name),
        path=change.full_path,
        before=change.before,
        after=change.after,
        facts=(*folders, *facts),
        risk=_RISKS[change.kind],
        act=partial(_made, change, remark),
    )


_VERBS = {
    ChangeKind.CREATE: "create",
    ChangeKind.OVERWRITE: "replace",
    ChangeKind.APPEND: "add to",
    ChangeKind.EDIT: "change",
}
_NOT_DONE = {
    ChangeKind.CREATE: "not_created",
    ChangeKind.OVERWRITE: "not_replaced",
    ChangeKind.APPEND: "not_added",
    ChangeKind.EDIT: "not_changed",
}
_RISKS = {
    ChangeKind.CREATE: Risk(RiskLevel.LOW, "A new file; nothing is lost."),
    ChangeKind.OVERWRITE: Risk(
        RiskLevel.HIGH, "The text that is there now is replaced. ARIA keeps it and can undo this."
    ),
    ChangeKind.APPEND: Risk(RiskLevel.LOW, "Only adds at the end; the text that is there stays."),
    ChangeKind.EDIT: Risk(RiskLevel.MEDIUM, "Changes one place. ARIA can undo this."),
}


def _made(change: Change, remark: str, context: ToolContext) -> ToolResult:
    context.workspace.apply(change)
    _refuse_other_end(change, context.workspace.text_or_none(change.path))
    answer = f"{_said(change, context.wording)} {remark}".strip()
    return ToolResult(Outcome.DONE, answer, answer=answer)


def _refuse_other_end(change: Change, found: str | None) -> None:
    """What is on disk has to be what was shown; when it is not, that is said and nothing is claimed."""
    if found == change.after:
        return
    name = visible_line(change.path)
    if found is None:
        raise ToolFailed(f"{name} was written, but now there is no such file.")
    raise ToolFailed(f"{name} was written, but now it holds another text, of {counted(len(found), 'character')}.")


def _said(change: Change, wording: Wording) -> str:
    name, say = visible_line(change.path), wording.say
    match change.kind:
        case ChangeKind.CREATE if not change.after:
            return say("created_empty", name=name)
        case ChangeKind.CREATE:
            return say("created", name=name, content=_content(change, wording))
        case ChangeKind.OVERWRITE:
            return say("replaced", name=name, content=_content(change, wording))
        case ChangeKind.APPEND:
            return say("added", name=name, content=_content(change, wording))
        case ChangeKind.EDIT:
            return _said_of_edit(change, name, wording)


def _content(change: Change, wording: Wording) -> str:
    """What was written: one short line of plain text word for word, else how many lines."""
    kept = len(change.before or "") if change.kind is ChangeKind.APPEND else 0
    text = change.after[kept:].strip()
    return f'"{text}"' if _can_be_said(text, change.path) else wording.counted(len(text.splitlines()), "line")


def _can_be_said(text: str, path: str) -> bool:
    short = "\n" not in text and len(text) <= SPOKEN_CHARACTERS
    return short and path.casefold().endswith(SPOKEN_ENDINGS)


def _said_of_edit(change: Change, name: str, wording: Wording) -> str:
    """With the one line that is new, where it can be read aloud."""
    before = (change.before or "").splitlines()
    fresh = [line.strip() for line in change.after.splitlines() if line not in before]
    if len(fresh) == 1 and fresh[0] and _can_be_said(fresh[0], change.path):
        return wording.say("changed_to", name=name, line=fresh[0])
    removed = len(before) - len(change.after.splitlines())
    if removed > 0 and not fresh:
        return wording.say("changed_fewer", name=name, count=removed, lines=wording.counted(removed, "line"))
    return wording.say("changed", name=name)


def _refuse_broken(change: Change) -> None:
    """ToolFailed for a file whose ending promises JSON that it does not hold."""
    if not change.path.casefold().endswith(".json") or not change.after.strip():
        return
    try:
        json.loads(change.after.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "it can't be read"
        raise ToolFailed(f"{quoted(change.path)} has to hold JSON, and the text is none: {reason}.") from error


def _is_json(text: str) -> bool:
    try:
        json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return False
    return True
