"""Carry out one command, given as text, as a sound file or through the microphone.

Whatever changes something is asked about on the terminal; without a terminal it is refused unless --allow
names the tool, or a running window asks there. A question that stands both here and in the window is settled by
the first answer.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aria_desktop.commands.elsewhere import Elsewhere
    from aria_desktop.core.approval import ApprovalRequest
    from aria_desktop.core.events import EngineRole, Event, TranscriptOffered, TurnEnded
    from aria_desktop.core.requests import Request


def add_arguments(parser: argparse.ArgumentParser) -> None:
    given = parser.add_mutually_exclusive_group(required=True)
    given.add_argument("words", nargs="?", help="the command as text")
    given.add_argument("--audio", metavar="FILE", help="the command as a sound file")
    given.add_argument("--last", action="store_true", help="what was said last and came to nothing, once more")
    given.add_argument("--mic", action="store_true", help="listen until you stop speaking")
    parser.add_argument("--session", default="", metavar="ID", help="go on with an earlier conversation")
    parser.add_argument("--workspace", default="", metavar="DIR", help="work on the files of this folder")
    parser.add_argument(
        "--allow", action="append", default=[], metavar="TOOL", help="allow this tool without asking; may be repeated"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a line, each with its event")
    parser.add_argument(
        "--speak",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="speak the reply (default: when the command was spoken)",
    )


def run(arguments: argparse.Namespace) -> int:
    from aria_desktop.commands.turns import exit_code, new_id, not_started
    from aria_desktop.core.errors import AriaError

    request_id = new_id()
    show = _printer(as_json=arguments.json)
    try:
        ended = _turn(arguments, request_id, show)
    except AriaError as error:
        if not arguments.json:
            raise
        ended = not_started(request_id, error)
        show(ended)
    if arguments.last and ended.outcome in ("answered", "asked", "refused"):
        from aria_desktop.storage.last_utterance import forget

        forget(_kept())
    return exit_code(ended)


def _turn(arguments: argparse.Namespace, request_id: str, show: Callable[[Event], None]) -> TurnEnded:
    from contextlib import closing

    from aria_desktop.app import assistant_for, carried_out_elsewhere
    from aria_desktop.commands.elsewhere import Elsewhere
    from aria_desktop.commands.turns import run_turn

    _check_tools(arguments.allow)
    request = _request(arguments, request_id)
    with assistant_for(kind="ask", prepare=_engines_for(arguments)) as assistant, closing(Elsewhere()) as settled:
        elsewhere = carried_out_elsewhere(assistant)
        answerer = Answerer(arguments.allow, settled, terminal=at_a_terminal(), elsewhere=elsewhere)
        return run_turn(assistant, request, request_id, show, answerer, settled.note, answerer.correct)


def _speak(arguments: argparse.Namespace) -> bool:
    spoken: bool = arguments.mic or arguments.last or arguments.audio is not None
    return spoken if arguments.speak is None else arguments.speak


def _engines_for(arguments: argparse.Namespace) -> list[EngineRole]:
    from aria_desktop.core.events import EngineRole

    needed = [EngineRole.LANGUAGE]
    if arguments.words is None:
        needed.append(EngineRole.SPEECH)
    if _speak(arguments):
        needed.append(EngineRole.VOICE)
    return needed


def _check_tools(names: list[str]) -> None:
    from aria_desktop.app import tool_names
    from aria_desktop.core.errors import UsageError

    known = tool_names()
    for name in names:
        if name not in known:
            raise UsageError(f"There is no tool called {name}.", f"Tools: {', '.join(known)}.")


def _request(arguments: argparse.Namespace, request_id: str) -> Request:
    from aria_desktop.core.errors import UsageError
    from aria_desktop.core.requests import ListenMode, StartListening, SubmitFile, SubmitText

    workspace = str(Path(arguments.workspace).absolute()) if arguments.workspace else ""
    if workspace and not Path(workspace).is_dir():
        raise UsageError(f"The folder {arguments.workspace} does not exist.", "Make it first, or name another one.")
    common = (arguments.session, workspace, _speak(arguments))
    if arguments.mic:
        return StartListening(request_id, ListenMode.UNTIL_SILENCE, *common)
    if arguments.last:
        return SubmitFile(request_id, str(_kept()), *common)
    if arguments.audio is not None:
        return SubmitFile(request_id, str(Path(arguments.audio).absolute()), *common)
    if not arguments.words.strip():
        raise UsageError("There are no words to carry out.", 'For instance: aria ask "List my files"')
    return SubmitText(request_id, arguments.words, *common)


def _kept() -> Path:
    """Where the sound of the last utterance lies. Raises UsageError when none is kept."""
    from aria_desktop.core.errors import UsageError
    from aria_desktop.storage.last_utterance import NAME
    from aria_desktop.storage.paths import find_paths

    path = find_paths().data / NAME
    if not path.is_file():
        raise UsageError("Nothing is kept of what was said last: its words were accepted.", "Say it again.")
    return path


class Answerer:
    """Answers by --allow where leave given before counts, then by the terminal; else it is another front end's
    question, or a no."""

    def __init__(self, allowed: list[str], settled: Elsewhere, *, terminal: bool, elsewhere: bool) -> None:
        """
        Args:
            settled: what other front ends do with the questions meanwhile.
            terminal: somebody can be asked here.
            elsewhere: another front end sees the questions too.
        """
        self._settled = settled
        self._allowed = allowed
        self._terminal = terminal
        self._elsewhere = elsewhere

    def __call__(self, request: ApprovalRequest) -> tuple[bool, str] | None:
        if request.tool in self._allowed and not request.fresh_only:
            return True, f"--allow {request.tool}"
        if self._terminal:
            from aria_desktop.commands.terminal_question import ask_on_terminal

            return ask_on_terminal(request, self._settled)
        return None if self._elsewhere else (False, "nobody there to ask")

    def correct(self, offered: TranscriptOffered) -> str | None:
        """Words that nobody here can look at are left to another front end, or dropped."""
        if self._terminal:
            from aria_desktop.commands.terminal_question import correct_on_terminal

            return correct_on_terminal(offered, self._settled)
        return None if self._elsewhere else ""


def at_a_terminal() -> bool:
    """Whether somebody can see a question and answer it here."""
    return sys.stdin.isatty() and sys.stderr.isatty()


class _JsonPrinter:
    def __call__(self, event: Event) -> None:
        import json

        from aria_desktop.core.events import LevelMeasured
        from aria_desktop.core.plain import to_plain, wire_name
        from aria_desktop.core.visible import visible_json

        if not isinstance(event, LevelMeasured):
            line = json.dumps({"event": wire_name(type(event)), **to_plain(event)}, ensure_ascii=False)
            print(visible_json(line), flush=True)


class _TextPrinter:
    def __init__(self) -> None:
        from aria_desktop.commands.story import Story

        self._story = Story(questions=False)

    def __call__(self, event: Event) -> None:
        from aria_desktop.core.chat import TurnOutcome
        from aria_desktop.core.events import TurnEnded

        self._story.show(event)
        if isinstance(event, TurnEnded) and event.outcome is TurnOutcome.ASKED:
            print(f'  answer with: aria ask --session {event.session_id} "..."')


def _printer(*, as_json: bool) -> _JsonPrinter | _TextPrinter:
    return _JsonPrinter() if as_json else _TextPrinter()
