"""List, find, show, name, keep, export, import and delete earlier conversations. While a window is open, it answers."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aria_desktop.core.history import SearchResult
    from aria_desktop.core.interfaces import Assistant
    from aria_desktop.core.listings import SessionShown, SessionsListed
    from aria_desktop.core.records import CallRecord, SessionRecord, TurnRecord

PLACES = ("words", "reply", "calls", "files")
_MOST = 50
"""Hits that are printed."""
_STATES = {
    "proposed": "not started",
    "waiting": "waits for an answer in ARIA's window",
    "running": "running",
    "unknown": "unknown, it may or may not have happened",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, words in (
        ("list", "all conversations, the newest first"),
        ("show", "what was said and done in one, with its questions that still wait"),
        ("delete", "remove one for good; files it made stay"),
        ("rename", "give one another title"),
        ("pin", "keep one on top, and from being removed by its age"),
        ("unpin", "let it go again"),
        ("search", "find turns by words of what was said, replies, tool calls and file names"),
        ("export", "write one to a file, to be read or to be imported again"),
        ("import", "bring in a conversation that was exported as JSON; nothing of it is trusted or carried out"),
    ):
        action = actions.add_parser(name, help=words)
        if name not in ("list", "search", "import"):
            action.add_argument("session", metavar="ID", help="as `aria sessions list` prints it")
        if name == "rename":
            action.add_argument("title", metavar="TITLE")
        if name == "search":
            action.add_argument("words", nargs="+", metavar="WORD", help="each has to begin a word of the turn")
            action.add_argument(
                "--in", dest="places", action="append", choices=PLACES, help="look only here; repeat it"
            )
            action.add_argument("--newest", action="store_true", help="the newest first, not the best match")
        if name == "export":
            action.add_argument("--format", choices=("markdown", "json"), default="markdown")
            action.add_argument(
                "--out", type=Path, metavar="FILE", help="write it here; an existing file is not touched"
            )
        if name == "import":
            action.add_argument("file", type=Path, metavar="FILE")
        if name != "export":
            action.add_argument(
                "--json", action="store_true", help="print the answer as one JSON object with its event"
            )


def run(arguments: argparse.Namespace) -> int:
    from aria_desktop.app import assistant_for

    with assistant_for(kind="sessions") as assistant:
        carry_out(arguments, assistant)
    return 0


def carry_out(arguments: argparse.Namespace, assistant: Assistant) -> None:
    """Ask `assistant` and print its answer. Raises AriaError, for an unknown id with the nearest ones."""
    from aria_desktop.commands.answers import answer_to, print_answer
    from aria_desktop.commands.turns import new_id
    from aria_desktop.core import listings, requests
    from aria_desktop.core.history import Place
    from aria_desktop.storage.exchange import from_json

    if arguments.action == "search":
        places = tuple(map(Place, arguments.places or PLACES))
        wanted = requests.SearchSessions(
            new_id(), " ".join(arguments.words), places, newest_first=arguments.newest, most=_MOST
        )
        found = answer_to(assistant, wanted, listings.SessionsFound)
        print_answer(found, _hits(found.result), as_json=arguments.json)
        return
    if arguments.action == "import":
        title, turns = from_json(_content(arguments.file))
        new = answer_to(assistant, requests.ImportSession(new_id(), title, turns), listings.SessionShown)
        print_answer(new, f"imported {_title(new.session)} as {new.session.session_id}", as_json=arguments.json)
        return
    listed = answer_to(assistant, requests.ListSessions(new_id()), listings.SessionsListed)
    if arguments.action == "list":
        print_answer(listed, _overview(listed), as_json=arguments.json)
        return
    session = _known(listed, arguments.session)
    if arguments.action == "show":
        shown = answer_to(assistant, requests.ShowSession(new_id(), session.session_id), listings.SessionShown)
        print_answer(shown, _story(shown.session, shown.turns), as_json=arguments.json)
    elif arguments.action == "export":
        shown = answer_to(assistant, requests.ShowSession(new_id(), session.session_id), listings.SessionShown)
        _export(arguments, shown)
    elif arguments.action == "rename":
        rename = requests.RenameSession(new_id(), session.session_id, arguments.title)
        changed = answer_to(assistant, rename, listings.SessionChanged)
        print_answer(changed, f"renamed to {_title(changed.session)}", as_json=arguments.json)
    elif arguments.action in ("pin", "unpin"):
        pin = requests.PinSession(new_id(), session.session_id, arguments.action == "pin")
        changed = answer_to(assistant, pin, listings.SessionChanged)
        print_answer(changed, f"{arguments.action}ned {_title(session)}", as_json=arguments.json)
    else:
        deleted = answer_to(assistant, requests.DeleteSession(new_id(), session.session_id), listings.SessionDeleted)
        print_answer(deleted, f"deleted {_title(session)}", as_json=arguments.json)


def _known(listed: SessionsListed, session_id: str) -> SessionRecord:
    """Raises UsageError when there is none of that id."""
    import difflib

    from aria_desktop.core.errors import UsageError

    sessions = {session.session_id: session for session in listed.sessions}
    if session_id in sessions:
        return sessions[session_id]
    near = difflib.get_close_matches(session_id, list(sessions), n=3)
    hint = f"The nearest: {', '.join(near)}." if near else "`aria sessions list` shows those there are."
    raise UsageError(f"There is no conversation {session_id}.", hint)


def _hits(result: SearchResult) -> str:
    from aria_desktop.core import times
    from aria_desktop.core.visible import visible_line

    if not result.turns:
        return "nothing found"
    lines = [
        f"{hit.session_id}  {times.minute(hit.at)}  {visible_line(hit.title)}\n    {hit.place}: "
        + visible_line(" ".join(hit.line.split()))
        for hit in result.hits
    ]
    conversations = "1 conversation" if result.sessions == 1 else f"{result.sessions} conversations"
    return "\n".join([*lines, f"{_turns(result.turns)} in {conversations}"])


def _content(path: Path) -> bytes:
    """Raises UsageError. No more is read than a conversation may have."""
    from aria_desktop.core import regular
    from aria_desktop.core.errors import UsageError
    from aria_desktop.storage.exchange import LARGEST

    try:
        return regular.content(path, LARGEST + 1)
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error.strerror}.", "Name a file that is there.") from error


def _export(arguments: argparse.Namespace, shown: SessionShown) -> None:
    """Raises UsageError for a file that is there already, StorageError and DiskFull."""
    from aria_desktop.core.errors import UsageError
    from aria_desktop.core.visible import visible_line
    from aria_desktop.storage.exchange import as_json, as_markdown
    from aria_desktop.storage.files import storage_error

    make = as_json if arguments.format == "json" else as_markdown
    text = make(shown.session, shown.turns)
    if arguments.out is None:
        print(text, end="")
        return
    try:
        with arguments.out.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise UsageError(f"{arguments.out} is there already.", "Name another file.") from error
    except OSError as error:
        raise storage_error("write", arguments.out, error) from error
    print(f"exported {_title(shown.session)} to {visible_line(str(arguments.out))}")


def _overview(listed: SessionsListed) -> str:
    from aria_desktop.core import times

    if not listed.sessions:
        return "no conversations yet"
    return "\n".join(
        f"{session.session_id}  {times.minute(session.updated)}  {_turns(session.turns):>9}  {_title(session)}"
        for session in listed.sessions
    )


def _turns(count: int) -> str:
    return "1 turn" if count == 1 else f"{count} turns"


def _title(session: SessionRecord) -> str:
    from aria_desktop.core.visible import visible_line

    title = visible_line(session.title) or "(no words)"
    title = f"{title} (pinned)" if session.pinned else title
    return f"{title} (a question waits)" if session.waiting else title


def _story(session: SessionRecord, turns: tuple[TurnRecord, ...]) -> str:
    return "\n\n".join([f"{session.session_id}  {_title(session)}", *map(_turn, turns)])


def _turn(turn: TurnRecord) -> str:
    from aria_desktop.core import times
    from aria_desktop.core.visible import visible, visible_line

    words = visible_line(turn.words) or "(not recognised)"
    lines = [f"{times.minute(turn.started)}  you ({turn.source}): {words}", *map(_call, turn.calls)]
    if turn.answer:
        lines.append(f"  aria: {_indented(visible(turn.answer))}")
    if turn.text:
        lines.append(f"  {turn.outcome or 'unfinished'}: {visible_line(turn.text)}")
    return "\n".join(lines)


def _call(call: CallRecord) -> str:
    from aria_desktop.commands.story import question
    from aria_desktop.core.visible import visible_line

    arguments = ", ".join(f"{name}={value!r}" for name, value in call.call.arguments.items())
    state = _STATES.get(call.state, visible_line(call.state))
    line = f"  {visible_line(call.call.tool)}({visible_line(arguments)}): {state}"
    if call.decision is not None:
        line += f" ({'allowed' if call.decision.allowed else 'refused'} by {visible_line(call.decision.by)})"
    if call.question is not None:
        line += f"\n    {_indented(question(call.question), '    ')}"
    return line


def _indented(text: str, margin: str = "        ") -> str:
    return text.replace("\n", f"\n{margin}")
