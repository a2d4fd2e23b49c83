"""Take back what ARIA changed: shown first, asked about, and itself something that can be taken back.

Looking works at any time. While a window is open, it alone changes something: say or type "undo that" there.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aria_desktop.safety.journal import Action, Journal
    from aria_desktop.safety.journaled import JournaledWorkspace
    from aria_desktop.safety.undo import UndoPlan
    from aria_desktop.storage.audit import Audit

_LOOKING = ("list", "show", "trash")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what",
        nargs="?",
        default="last",
        metavar="list|show|last|redo|trash|restore|empty|N",
        help="list: all changes. show N: what undoing a change would do. last: the last change (the same as nothing). "
        "redo: take back the last undo. N: one change by its number. trash: what is kept. restore NAME: put something "
        "from the trash where it was. empty: remove all of the trash for good",
    )
    parser.add_argument("name", nargs="?", default="", metavar="N|NAME", help="for show and restore")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--turn", nargs="?", const="", metavar="ID", help="all of a turn; without ID, of the last one")
    which.add_argument("--file", metavar="PATH", help="the last change of a file")
    parser.add_argument("--yes", action="store_true", help="without asking")
    parser.add_argument("--json", action="store_true", help="print list and trash as JSON")


def run(arguments: argparse.Namespace) -> int:
    from aria_desktop.commands.undo_list import listed, shown_trash
    from aria_desktop.core.errors import ExitCode

    journal = _journal()
    match arguments.what:
        case "list":
            print(listed(journal.actions(), as_json=arguments.json))
        case "trash":
            print(shown_trash(journal, as_json=arguments.json))
        case "show":
            with _planned(journal, _chosen(journal.actions(), arguments)) as (workspace, plan):
                print(_preview(plan, workspace))
        case "restore" | "empty":
            with _alone() as audit:
                return _with_trash(journal, arguments, audit)
        case _:
            with _alone() as audit:
                return _undo(journal, arguments, audit)
    return ExitCode.OK


def _journal() -> Journal:
    from aria_desktop.app import journal_of
    from aria_desktop.storage.paths import find_paths
    from aria_desktop.storage.settings import load_settings

    paths = find_paths()
    return journal_of(paths.data, load_settings(paths.settings_file))


def _opened(folder: str, journal: Journal) -> JournaledWorkspace:
    """Raises UsageError, WorkspaceChanged when it is another folder than the one that was chosen, and AriaError."""
    from pathlib import Path

    from aria_desktop.storage.paths import find_paths
    from aria_desktop.storage.workspaces import Workspaces

    return Workspaces(find_paths()).opened(Path(folder), journal)


@contextmanager
def _alone() -> Iterator[Audit]:
    """Nobody else changes anything meanwhile. Raises DatabaseBusy."""
    from aria_desktop.core.errors import DatabaseBusy
    from aria_desktop.storage.audit import Audit
    from aria_desktop.storage.database import Database
    from aria_desktop.storage.lock import DatabaseLock
    from aria_desktop.storage.paths import find_paths

    paths = find_paths()
    try:
        lock = DatabaseLock.take(paths.lock, "undo")
    except DatabaseBusy as error:
        raise DatabaseBusy(error.text, 'In the window, say or type "undo that"; or close it first.') from error
    with lock, Database.open(paths.database, lock) as database:
        yield Audit(database)


def _chosen(actions: Sequence[Action], arguments: argparse.Namespace) -> tuple[Action, ...]:
    from aria_desktop.core.errors import UsageError
    from aria_desktop.safety import undo_choice

    word = arguments.name if arguments.what == "show" else arguments.what
    if arguments.turn is not None:
        return undo_choice.of_turn(actions, arguments.turn)
    if arguments.file is not None:
        return _of_file(actions, arguments.file)
    if word in ("", "last"):
        return undo_choice.last_change(actions)
    if word == "redo":
        return undo_choice.last_undo(actions)
    if word.isascii() and word.isdigit():
        return undo_choice.numbered(actions, int(word))
    raise UsageError(f"{word} is no change.", "`aria undo list` shows what can be taken back, by number.")


def _of_file(actions: Sequence[Action], path: str) -> tuple[Action, ...]:
    """`path` is absolute, or relative to the workspace in which the file was changed."""
    from pathlib import Path

    from aria_desktop.safety import undo_choice

    given = Path(path)
    if not given.is_absolute():
        return undo_choice.of_file(actions, path)
    inside = [action for action in actions if action.workspace and given.is_relative_to(action.workspace)]
    roots = sorted({action.workspace for action in inside}, key=len)
    if not roots:
        return undo_choice.of_file((), path)
    here = [action for action in inside if action.workspace == roots[-1]]
    return undo_choice.of_file(here, str(given.relative_to(roots[-1])))


@contextmanager
def _planned(journal: Journal, chosen: Sequence[Action]) -> Iterator[tuple[JournaledWorkspace, UndoPlan]]:

    from aria_desktop.core.errors import AriaError
    from aria_desktop.safety.journal import ActionState

    damaged = next((action for action in chosen if action.state is ActionState.DAMAGED), None)
    if damaged is not None:
        raise AriaError(f"The record of change {damaged.number} is damaged, so it can't be undone.")
    with _opened(chosen[0].workspace, journal) as workspace:
        yield workspace, workspace.plan_undo(chosen)


def _undo(journal: Journal, arguments: argparse.Namespace, audit: Audit) -> int:
    import uuid

    from aria_desktop.commands.undo_list import told_idle
    from aria_desktop.core.errors import ExitCode
    from aria_desktop.safety.journal import Deed

    chosen = _chosen(journal.actions(), arguments)
    with _planned(journal, chosen) as (workspace, plan):
        if not plan.back:
            workspace.take_back(plan)
            print(told_idle(plan))
            return ExitCode.FAILED if plan.refused else ExitCode.OK
        turn_id = f"undo-{uuid.uuid4().hex[:8]}"
        agreed = _agreed(_preview(plan, workspace, audit), arguments)
        audit.decided(turn_id, "undo", _fingerprint(plan, workspace), allowed=agreed, by=_by(arguments))
        if not agreed:
            return ExitCode.REFUSED
        taken = workspace.acting_for(Deed(turn_id, "", "undo")).take_back(plan)
        audit.ended(turn_id, "undo", "failed" if taken.fault else "done")
    print(f"undone: {len(taken.numbers)} of {len(chosen)}; `aria undo redo` makes it again")
    if taken.fault:
        print(taken.fault)
    return ExitCode.FAILED if taken.fault or plan.refused else ExitCode.OK


def _preview(plan: UndoPlan, workspace: JournaledWorkspace, audit: Audit | None = None) -> str:
    from aria_desktop.assistant.undo_question import question
    from aria_desktop.commands.story import question as printed
    from aria_desktop.commands.undo_list import told_idle

    if not plan.back:
        return told_idle(plan)
    return printed(question(plan, workspace, words="aria undo", remarks=_remarks(plan, workspace, audit)))


def _remarks(plan: UndoPlan, workspace: JournaledWorkspace, audit: Audit | None) -> list[str]:
    """What the same turns did without a record of how to take it back; of a command, what is not recorded did not
    happen. Not known while a window is open."""
    from aria_desktop.tools.terminal import run_terminal

    turns = {back.action.deed.turn_id for back in plan.back} - {""}
    known = {action.deed.call_id for action in workspace.journal.actions()}
    calls = audit.carried_out(turns) if audit is not None else []
    harmless = ("undo", run_terminal.name)
    return [f"what {tool} did" for call_id, tool in calls if call_id not in known and tool not in harmless]


def _fingerprint(plan: UndoPlan, workspace: JournaledWorkspace) -> str:
    from aria_desktop.assistant.undo_question import question

    return question(plan, workspace).fingerprint


def _agreed(shown: str, arguments: argparse.Namespace) -> bool:
    """Yes only for a whole "y" or "yes", typed at a terminal after it was shown."""
    import sys

    print(shown)
    if arguments.yes:
        return True
    if not sys.stdin.isatty():
        print("aria: nobody there to ask; `--yes` does it without asking", file=sys.stderr)
        return False
    print("Undo this? [y/N] ", end="", flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _by(arguments: argparse.Namespace) -> str:
    return "--yes" if arguments.yes else "you"


def _with_trash(journal: Journal, arguments: argparse.Namespace, audit: Audit) -> int:
    from aria_desktop.commands.undo_list import entry_named
    from aria_desktop.core.errors import ExitCode
    from aria_desktop.safety.trash_content import TrashContent

    content = TrashContent(journal.trash)
    if arguments.what == "restore":
        return _restore(journal, entry_named(content, arguments.name), audit)
    entries = content.entries()
    size = sum(entry.size for entry in entries)
    shown = f"{len(entries)} things in the trash, {size:,} bytes. They are removed for good, and can't be undone."
    if not entries or not _agreed(shown, arguments):
        return ExitCode.OK if not entries else ExitCode.REFUSED
    for entry in entries:
        content.remove(entry.name)
    audit.ended("", "empty_trash", "done")
    print(f"removed {len(entries)} things")
    return ExitCode.OK


def _restore(journal: Journal, name: str, audit: Audit) -> int:
    from pathlib import Path

    from aria_desktop.core.errors import AriaError, ExitCode
    from aria_desktop.safety.trash_content import TrashContent

    entry = next(entry for entry in TrashContent(journal.trash).entries() if entry.name == name)
    if not entry.workspace or not entry.path:
        raise AriaError(f"The note of {name} can't be read, so it is not known where it was.")
    with _opened(entry.workspace, journal) as workspace:
        workspace.restore(entry.name, entry.path)
    audit.ended("", "restore", "done")
    print(f"restored {Path(entry.workspace) / entry.path}")
    return ExitCode.OK
