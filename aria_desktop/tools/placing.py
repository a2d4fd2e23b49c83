"""Tools that change where whole files and folders are: move and rename, copy, delete to the trash, make a folder."""

from __future__ import annotations

from functools import partial
from pathlib import PurePosixPath

from aria_desktop.core.approval import Risk, RiskLevel
from aria_desktop.core.chat import Outcome, ToolResult
from aria_desktop.core.errors import ToolFailed
from aria_desktop.core.visible import visible_line
from aria_desktop.safety.names import quoted
from aria_desktop.safety.paths import EntryKind, Placement, PlacementKind, Workspace
from aria_desktop.tools.changes import given
from aria_desktop.tools.named import FILES, FILES_AND_FOLDERS, FOLDERS, existing, new_name
from aria_desktop.tools.placement_words import Words, words
from aria_desktop.tools.tool import OWN_WORDS, Limit, Proposal, ToolContext, tool
from aria_desktop.tools.wording import counted

_BARE_NAMES = frozenset({"makefile", "dockerfile", "readme", "license", "licence", "changelog", "authors", "notice"})
"""Names that files have without an ending."""


@tool(Limit.CHANGE, source=OWN_WORDS)
def move_file(context: ToolContext, source: str, destination: str) -> Proposal:
    """Rename or move a file or folder.

    Args:
        source: its name, as it is listed.
        destination: the new name with its ending, or the folder it goes into with "/" at the end.
    """
    named = existing(context, source, FILES_AND_FOLDERS)
    target = _destination(context.workspace, named.path, destination)
    return _proposed(context, context.workspace.plan_move(named.path, target), given(source, named.guessed))


@tool(Limit.CHANGE, source=OWN_WORDS)
def copy_file(context: ToolContext, source: str, destination: str) -> Proposal:
    """Copy or duplicate a file.

    Args:
        source: its name, as it is listed.
        destination: name of the copy, or the folder it goes into with "/" at the end.
    """
    named = existing(context, source, FILES)
    target = _destination(context.workspace, named.path, destination)
    return _proposed(context, context.workspace.plan_copy(named.path, target), given(source, named.guessed))


@tool(Limit.CHANGE, source=OWN_WORDS)
def delete_file(context: ToolContext, path: str) -> Proposal:
    """Delete a file or folder: it goes to the trash.

    Args:
        path: its name, as it is listed.
    """
    named = existing(context, path, FILES_AND_FOLDERS)
    return _proposed(context, context.workspace.plan_delete(named.path), given(path, named.guessed))


@tool(Limit.CHANGE, source=OWN_WORDS)
def make_folder(context: ToolContext, path: str) -> Proposal:
    """Make a new folder.

    Args:
        path: its name.
    """
    return _proposed(context, context.workspace.plan_folder(path), ())


def _destination(workspace: Workspace, source: str, destination: str) -> str:
    """The destination as it is meant. ToolFailed when a file would lose its ending, which is never meant."""
    meant = new_name(workspace, destination, FOLDERS)
    last = PurePosixPath(meant).name
    loses = bool(PurePosixPath(source).suffix) and "." not in last and last.casefold() not in _BARE_NAMES
    if not meant.strip() or meant.endswith("/") or not loses or workspace.kind_of(meant) is not None:
        return meant
    if workspace.kind_of(source) is not EntryKind.FILE:
        return meant
    ending = PurePosixPath(source).suffix
    raise ToolFailed(
        f'{quoted(meant)} has no ending. Write "{last}/" for a folder, or "{last}{ending}" for a new name.'
    )


def _proposed(context: ToolContext, placement: Placement, facts: tuple[tuple[str, str], ...]) -> Proposal:
    """What is shown of a change of place."""
    told = words(placement, context.wording)
    return Proposal(
        question=told.question,
        allow_label=told.allow,
        refused=told.refused,
        path=placement.full_path,
        before=placement.lost_text if placement.lost else placement.source_text,
        after=placement.source_text if placement.lost else None,
        facts=(*_facts(placement), *facts),
        risk=_risk(placement),
        act=partial(_done, placement, told),
    )


def _facts(placement: Placement) -> tuple[tuple[str, str], ...]:
    """Everything about the change that question, path and texts don't show."""
    facts: list[tuple[str, str]] = []
    if placement.kind in (PlacementKind.MOVE, PlacementKind.COPY):
        facts.append(("To", placement.destination))
    if placement.new_folders:
        facts.append(("New folders", ", ".join(placement.new_folders)))
    if placement.lost is not None:
        facts.append(("Replaces", f"{placement.destination}, {counted(placement.lost.size, 'byte')}"))
    seen = placement.seen
    if seen is not None and seen.kind is EntryKind.FOLDER:
        facts.append(("Holds", "\n".join(map(visible_line, seen.inside)) or "nothing"))
    elif seen is not None and placement.kind is PlacementKind.DELETE and placement.source_text is None:
        facts.append(("Size", counted(seen.size, "byte")))
    return tuple(facts)


def _risk(placement: Placement) -> Risk:
    if placement.lost is not None:
        name = visible_line(placement.destination)
        return Risk(RiskLevel.HIGH, f"The file {name} that is there now is replaced; it goes to ARIA's trash.")
    match placement.kind:
        case PlacementKind.MOVE:
            return Risk(RiskLevel.LOW, "Nothing is lost; it can be moved back.")
        case PlacementKind.COPY:
            return Risk(RiskLevel.LOW, "Something new; nothing is lost.")
        case PlacementKind.FOLDER:
            return Risk(RiskLevel.LOW, "A new folder; nothing is lost.")
        case PlacementKind.DELETE:
            return Risk(RiskLevel.MEDIUM, "It goes to ARIA's trash, where it is kept.")


def _done(placement: Placement, told: Words, context: ToolContext) -> ToolResult:
    _refuse_other_text(context.workspace, placement)
    context.workspace.carry_out(placement)
    fault = context.workspace.fault(placement)
    if fault:
        raise ToolFailed(fault)
    return ToolResult(Outcome.DONE, told.done, answer=told.done)


def _refuse_other_text(workspace: Workspace, placement: Placement) -> None:
    """The texts that were shown have to be there still: size and time of a file can be put back."""
    for name, shown in ((placement.source, placement.source_text), (placement.destination, placement.lost_text)):
        if shown is not None and workspace.text_or_none(name) != shown:
            raise ToolFailed(f"{quoted(name)} was changed meanwhile; nothing was done.")
