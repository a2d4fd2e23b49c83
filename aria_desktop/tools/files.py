"""Tools for the files of the workspace. All of them go through the file door and nowhere else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from aria_desktop.core.approval import Risk, RiskLevel
from aria_desktop.core.chat import Outcome, ToolResult
from aria_desktop.core.errors import ToolFailed
from aria_desktop.core.visible import visible_line
from aria_desktop.safety.names import quoted
from aria_desktop.safety.paths import Change, ChangeKind, Entry, EntryKind, FileMissing, Listing
from aria_desktop.tools.tool import AskFirst, Limit, Proposal, ToolContext, tool

NAMES_TOLD = 60
"""Entries of a folder that the model is shown."""
NAMES_SPOKEN = 12
"""Entries of a folder that an answer names one by one."""
SPOKEN_CHARACTERS = 80
"""Of what was written, that an answer repeats."""
SPOKEN_ENDINGS = (".txt", ".md", ".csv", ".log")
"""Files whose lines can be read aloud."""


@tool(Limit.READ)
def list_files(context: ToolContext, folder: str = ".") -> ToolResult:
    """Show which files and folders there are.

    Args:
        folder: name of the folder; "." is the whole workspace.
    """
    with _names_told(context):
        listing = context.workspace.listing(folder)
    return ToolResult(Outcome.DONE, _told(listing), answer=_spoken(listing))


@tool(Limit.READ)
def read_file(context: ToolContext, path: str) -> ToolResult:
    """Read a file.

    Args:
        path: name of the file.
    """
    with _names_told(context):
        text = context.workspace.read_text(path).removeprefix("\ufeff")
    if not text.strip():
        return ToolResult(Outcome.DONE, "The file is empty.", answer=f"{visible_line(path)} is empty.")
    limit = context.limits.result_characters
    if len(text) > limit:
        left_out = f"\n[{len(text) - limit:,} more characters are not shown; summarize_text reads them all]"
        return ToolResult(Outcome.DONE, text[:limit] + left_out)
    return ToolResult(Outcome.DONE, text, answer=text.strip())


@tool(Limit.CHANGE)
def create_file(context: ToolContext, path: str, content: str) -> Proposal:
    """Make a new file with text, a list, notes, a table or data in it. Replaces a file that exists.

    Args:
        path: name of the new file.
        content: all that the file will hold, in the form its ending asks for; you make it up if the user wants that.
    """
    change = context.workspace.plan_write(path, with_last_line_ended(content))
    if change.kind is ChangeKind.OVERWRITE and not content.strip():
        raise AskFirst(f"{change.path} exists already. Which new file do you want, and what goes into it?")
    _refuse_broken(change)
    return proposed(change)


@tool(Limit.CHANGE)
def append_file(context: ToolContext, path: str, content: str) -> Proposal:
    """Add a line, an item, a row or an entry at the end of a file that exists.

    Args:
        path: name of the file, as it is listed.
        content: only what is added, in the form that the file has.
    """
    with _names_told(context):
        return proposed(context.workspace.plan_append(path, content))


@contextmanager
def _names_told(context: ToolContext) -> Iterator[None]:
    """When there is no file of that name, the model is told which names there are."""
    try:
        yield
    except FileMissing as error:
        listing = context.workspace.listing()
        names = ", ".join(visible_line(entry.name) for entry in listing.entries[:NAMES_TOLD])
        raise FileMissing(f"{error.text} There is: {names or 'nothing'}.") from error


def _refuse_broken(change: Change) -> None:
    """ToolFailed for a file whose ending promises JSON that it does not hold."""
    if not change.path.casefold().endswith(".json") or not change.after.strip():
        return
    try:
        json.loads(change.after)
    except ValueError as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "it can't be read"
        raise ToolFailed(f"{quoted(change.path)} has to hold JSON, and the text is none: {reason}.") from error


def with_last_line_ended(content: str) -> str:
    return content + "\n" if content and not content.endswith("\n") else content


def proposed(change: Change) -> Proposal:
    """What is shown of a change to a text file."""
    verb = _VERBS[change.kind]
    name = visible_line(change.path)
    folders = (("New folders", ", ".join(change.new_folders)),) if change.new_folders else ()
    return Proposal(
        question=f"{verb.capitalize()} {name}?",
        allow_label=f"Allow {verb.split()[0]}",
        refused=f"{name} was not {_DONE[change.kind]}",
        path=change.full_path,
        before=change.before,
        after=change.after,
        facts=folders,
        risk=_RISKS[change.kind],
        act=partial(_made, change),
    )


_VERBS = {ChangeKind.CREATE: "create", ChangeKind.OVERWRITE: "replace", ChangeKind.APPEND: "add to"}
_DONE = {ChangeKind.CREATE: "created", ChangeKind.OVERWRITE: "replaced", ChangeKind.APPEND: "added to"}
_RISKS = {
    ChangeKind.CREATE: Risk(RiskLevel.LOW, "A new file; nothing is lost."),
    ChangeKind.OVERWRITE: Risk(RiskLevel.HIGH, "The text that is in the file now is lost."),
    ChangeKind.APPEND: Risk(RiskLevel.LOW, "Only adds at the end; the text that is there stays."),
}


def _made(change: Change, context: ToolContext) -> ToolResult:
    context.workspace.apply(change)
    answer = _said(change)
    return ToolResult(Outcome.DONE, answer, answer=answer)


def _said(change: Change) -> str:
    name = visible_line(change.path)
    match change.kind:
        case ChangeKind.CREATE:
            return f"I created {name} with {_content(change)}." if change.after else f"I created {name}, empty."
        case ChangeKind.OVERWRITE:
            return f"I replaced the text of {name} with {_content(change)}."
        case ChangeKind.APPEND:
            return f"I added {_content(change)} to the end of {name}."


def _content(change: Change) -> str:
    """What was written: one short line of plain text word for word, else how many lines."""
    kept = len(change.before or "") if change.kind is ChangeKind.APPEND else 0
    text = change.after[kept:].strip()
    short = "\n" not in text and len(text) <= SPOKEN_CHARACTERS
    return f'"{text}"' if short and change.path.casefold().endswith(SPOKEN_ENDINGS) else _lines(text)


def _lines(text: str) -> str:
    count = len(text.splitlines())
    return "1 line" if count == 1 else f"{count} lines"


def _told(listing: Listing) -> str:
    if not listing.entries:
        return "The folder is empty."
    lines = [_line(entry) for entry in listing.entries[:NAMES_TOLD]]
    left_out = listing.total - len(lines)
    return "\n".join(lines) + (f"\n[{left_out:,} more]" if left_out else "")


def _line(entry: Entry) -> str:
    match entry.kind:
        case EntryKind.FILE:
            return f"{visible_line(entry.name)} ({entry.size:,} bytes)"
        case EntryKind.FOLDER:
            return f"{visible_line(entry.name)}/"
        case EntryKind.OTHER:
            return f"{visible_line(entry.name)} (a link or device, not usable)"


def _spoken(listing: Listing) -> str:
    where = visible_line(listing.folder) if listing.folder else "The workspace"
    if not listing.entries:
        return f"{where} is empty."
    names = [visible_line(entry.name) for entry in listing.entries[:NAMES_SPOKEN]]
    left_out = listing.total - len(names)
    return f"{where} holds {_counted(listing)}: {_enumerated(names, left_out)}."


def _counted(listing: Listing) -> str:
    folders = sum(entry.kind is EntryKind.FOLDER for entry in listing.entries)
    files = listing.total - folders
    counts = [_number(files, "file")] if files or not folders else []
    return " and ".join(counts + ([_number(folders, "folder")] if folders else []))


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _enumerated(names: list[str], left_out: int) -> str:
    if left_out:
        return f"{', '.join(names)} and {left_out:,} more"
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
