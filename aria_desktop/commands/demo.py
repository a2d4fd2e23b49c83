"""One spoken command through the whole chain, on the real models, without microphone, display or network.

The voice speaks the command into a sound file, then the ordinary turn runs on it in a fresh folder under
output/. What is printed are that turn's own events and times; the reply is written as a WAV file.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from aria_desktop.app import Program
    from aria_desktop.core.approval import ApprovalRequest
    from aria_desktop.core.events import Event, TurnEnded

COMMAND = "Create a file called shopping.txt with milk, eggs and bread."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    spoken = parser.add_mutually_exclusive_group()
    spoken.add_argument("--say", default=COMMAND, metavar="TEXT", help=f'what the voice says (default: "{COMMAND}")')
    spoken.add_argument("--audio", metavar="FILE", help="your own recording instead")
    parser.add_argument("--workspace", default="", metavar="DIR", help="work here instead of in a fresh folder")
    parser.add_argument("--ask", action="store_true", help="you answer the question instead of the scripted approver")


def run(arguments: argparse.Namespace) -> int:
    import time

    from aria_desktop.app import demo_program
    from aria_desktop.commands.turns import exit_code

    with demo_program(arguments.workspace) as program:
        print(f"folder: {program.workspace}")
        started = time.monotonic()
        program.wait_ready()
        print(f"models loaded in {time.monotonic() - started:.1f} s")
        command = _recording(arguments, program)
        changed = _Changed()
        ended = _turn(program, command, changed, ask=arguments.ask)
        _report(program, ended, changed.paths)
    return exit_code(ended)


def _recording(arguments: argparse.Namespace, program: Program) -> Path:
    from pathlib import Path

    if arguments.audio:
        return Path(arguments.audio).absolute()
    path = program.sounds / "command.wav"
    seconds = speak_into(path, arguments.say, program)
    print(f'said: "{arguments.say}" ({seconds:.1f} s, {path.name})')
    return path


def speak_into(path: Path, words: str, program: Program) -> float:
    """Have the program's voice speak `words` into a WAV file; its length in seconds."""
    from aria_desktop.audio.wav import write_wav
    from aria_desktop.core.audio import joined
    from aria_desktop.core.cancel import CancelToken
    from aria_desktop.core.errors import UsageError

    chunks = list(program.voice.synthesize(words, CancelToken()))
    if not chunks:
        raise UsageError("The text to say has no words in it.", 'For instance: aria demo --say "List my files."')
    speech = joined(chunks)
    write_wav(path, speech)
    return speech.seconds


class _Changed:
    """The files that a turn's finished calls have changed, in order."""

    def __init__(self) -> None:
        self.paths: list[Path] = []
        self._asked: dict[str, str] = {}

    def note(self, event: Event) -> None:
        from pathlib import Path

        from aria_desktop.core.chat import Outcome
        from aria_desktop.core.events import ApprovalRequested, CallEnded

        if isinstance(event, ApprovalRequested):
            self._asked[event.request.call_id] = event.request.path
        elif isinstance(event, CallEnded) and event.result.outcome is Outcome.DONE and event.call.id in self._asked:
            self.paths.append(Path(self._asked[event.call.id]))


def _turn(program: Program, command: Path, changed: _Changed, *, ask: bool) -> TurnEnded:
    from contextlib import closing

    from aria_desktop.commands.ask import Answerer, at_a_terminal
    from aria_desktop.commands.elsewhere import Elsewhere
    from aria_desktop.commands.story import Story
    from aria_desktop.commands.turns import new_id, run_turn
    from aria_desktop.core.requests import SubmitFile

    if ask and not at_a_terminal():
        print("nobody is at a terminal to ask: every question gets a no")
    request_id = new_id()
    request = SubmitFile(request_id, str(command), workspace=str(program.workspace), speak=True)
    story = Story(questions=not ask)

    def show(event: Event) -> None:
        changed.note(event)
        story.show(event)

    with closing(Elsewhere()) as settled:
        answerer = Answerer([], settled, terminal=at_a_terminal(), elsewhere=False) if ask else _scripted_yes
        return run_turn(program.session, request, request_id, show, answerer, settled.note)


def _scripted_yes(_: ApprovalRequest) -> tuple[bool, str]:
    return True, "the demo's scripted approver, which always says yes"


def _report(program: Program, ended: TurnEnded, changed: list[Path]) -> None:
    from aria_desktop.commands.story import file_lines, times

    for path in dict.fromkeys(changed):
        print(f"file: {path}\n{file_lines(path)}")
    reply = program.sounds / "reply.wav"
    if reply.is_file():
        print(f"spoken reply: {reply}")
    print(f"outcome: {ended.outcome}")
    print(f"times: {times(ended)}")
