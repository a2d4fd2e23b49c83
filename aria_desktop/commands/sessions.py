"""List, show and delete earlier conversations. While a window is open, it answers."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aria_desktop.core.events import SessionsListed
    from aria_desktop.core.interfaces import Assistant
    from aria_desktop.core.records import CallRecord, SessionRecord, TurnRecord

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
    ):
        action = actions.add_parser(name, help=words)
        if name != "list":
            action.add_argument("session", metavar="ID", help="as `aria sessions list` prints it")
        action.add_argument("--json", action="store_true", help="print the answer as one JSON object with its event")


def run(arguments: argparse.Namespace) -> int:
    from aria_desktop.app import assistant_for

    with assistant_for(kind="sessions") as assistant:
        carry_out(arguments, assistant)
    return 0


def carry_out(arguments: argparse.Namespace, assistant: Assistant) -> None:
    """Ask `assistant` and print its answer. Raises AriaError, for an unknown id with the nearest ones."""
    from aria_desktop.commands.answers import answer_to, print_answer
    from aria_desktop.commands.turns import new_id
    from aria_desktop.core import events, requests

    listed = answer_to(assistant, requests.ListSessions(new_id()), events.SessionsListed)
    if arguments.action == "list":
        print_answer(listed, _overview(listed), as_json=arguments.json)
        return
    session = _known(listed, arguments.session)
    if arguments.action == "show":
        shown = answer_to(assistant, requests.ShowSession(new_id(), session.session_id), events.SessionShown)
        print_answer(shown, _story(shown.session, shown.turns), as_json=arguments.json)
    else:
        deleted = answer_to(assistant, requests.DeleteSession(new_id(), session.session_id), events.SessionDeleted)
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


def _overview(listed: SessionsListed) -> str:
    if not listed.sessions:
        return "no conversations yet"
    return "\n".join(
        f"{session.session_id}  {_time(session.updated)}  {_turns(session.turns):>9}  {_title(session)}"
        for session in listed.sessions
    )


def _turns(count: int) -> str:
    return "1 turn" if count == 1 else f"{count} turns"


def _title(session: SessionRecord) -> str:
    from aria_desktop.core.visible import visible_line

    title = visible_line(session.title) or "(no words)"
    return f"{title} (a question waits)" if session.waiting else title


def _time(seconds: float) -> str:
    """Local time."""
    from datetime import datetime

    return datetime.fromtimestamp(seconds).astimezone().strftime("%Y-%m-%d %H:%M")


def _story(session: SessionRecord, turns: tuple[TurnRecord, ...]) -> str:
    return "\n\n".join([f"{session.session_id}  {_title(session)}", *map(_turn, turns)])


def _turn(turn: TurnRecord) -> str:
    from aria_desktop.core.visible import visible, visible_line

    words = visible_line(turn.words) or "(not recognised)"
    lines = [f"{_time(turn.started)}  you ({turn.source}): {words}", *map(_call, turn.calls)]
    if turn.answer:
        lines.append(f"  aria: {_indented(visible(turn.answer))}")
    if turn.text:
        lines.append(f"  {turn.outcome or 'unfinished'}: {visible_line(turn.text)}")
    return "\n".join(lines)


def _call(call: CallRecord) -> str:
    from aria_desktop.commands.story import question
    from aria_desktop.core.visible import visible_line

    arguments = ", ".join(f"{name}={value!r}" for name, value in call.call.arguments.items())
    line = f"  {visible_line(call.call.tool)}({visible_line(arguments)}): {_STATES.get(call.state, call.state)}"
    if call.decision is not None:
        line += f" ({'allowed' if call.decision.allowed else 'refused'} by {visible_line(call.decision.by)})"
    if call.question is not None:
        line += f"\n    {_indented(question(call.question), '    ')}"
    return line


def _indented(text: str, margin: str = "        ") -> str:
    return text.replace("\n", f"\n{margin}")
