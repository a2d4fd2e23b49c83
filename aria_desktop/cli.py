"""The command line: which commands there are, and what their errors look like.

A command's module is imported only when it is called, and imports its own needs only when it runs: importing
this module must stay cheap, since every shell completion and every child process pays for it.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from types import ModuleType

from aria_desktop import __version__
from aria_desktop.core.errors import AriaError, ExitCode

COMMANDS = {
    "window": "open the window (the same as `aria` alone)",
    "ask": "carry out one command, given as text, as a sound file or through the microphone",
    "talk": "move the talk key of the open window: start, stop, toggle, cancel",
    "key": "which ways of hearing the talk key work here, and a page to try it on",
    "demo": "one spoken command through the whole chain, without microphone, display or network",
    "transcribe": "write down what is said in sound files",
    "models": "list, fetch, verify, add and remove models",
    "sessions": "list, find, show, name, export, import and delete earlier conversations",
    "facts": "list and remove what ARIA was told to remember",
    "undo": "take back what ARIA changed, restore from its trash, and empty that",
    "audit": "what was called, asked, decided and done, and by whom",
    "workspace": "which folders ARIA may work in: list, add, use, remove",
    "grants": "list and take back leave that was given for more than one action",
    "settings": "show, check and change settings",
    "doctor": "what this machine has and what is missing",
    "eval": "run commands with known outcomes and count what comes out right",
    "bench": "measure speed and memory on this machine",
}
INTERNAL = ("sealed_window", "fetching", "worker", "reach", "hotkey")
"""Started by the program itself; not shown in the help."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code, one of `core.errors.ExitCode`. Raises SystemExit for
    `--help` and wrong arguments, as argparse does.

    Without `argv` this is the program itself: it reads its own arguments, and closes its network door before the
    command runs. Whoever hands the words over keeps the process as it is.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    name = words[0] if words and (words[0] in COMMANDS or words[0] in INTERNAL) else ""
    if not name and not words:
        name, words = "window", ["window"]
    if not name:
        _overview().parse_args(words)
        return ExitCode.USAGE
    command = importlib.import_module(f"aria_desktop.commands.{name}")
    return _guarded(command, _parser(name, command).parse_args(words[1:]), close_door=argv is None)


def _close_door(command: ModuleType, arguments: argparse.Namespace) -> None:
    from aria_desktop.commands import door

    door.close(door.door_of(command, arguments, os.environ))


def _overview() -> argparse.ArgumentParser:
    width = max(map(len, COMMANDS)) + 2
    parser = argparse.ArgumentParser(
        prog="aria",
        usage="aria [COMMAND] [OPTIONS]",
        description="A voice assistant that acts on this computer and never talks to the internet.",
        epilog="Commands:\n"
        + "\n".join(f"  {name.ljust(width)}{words}" for name, words in COMMANDS.items())
        + "\n\n`aria COMMAND --help` tells more. Exit codes: docs/guide/command-line.md",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"ARIA Desktop {__version__}")
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND", help="one of those below")
    return parser


def _parser(name: str, command: ModuleType) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"aria {name}", description=command.__doc__)
    command.add_arguments(parser)
    return parser


def _guarded(command: ModuleType, arguments: argparse.Namespace, *, close_door: bool) -> int:
    try:
        if close_door:
            _close_door(command, arguments)
        code: int = command.run(arguments)
        return code
    except AriaError as error:
        from aria_desktop.core.visible import visible

        # What it is about has a name that somebody else may have chosen, and terminals obey escapes.
        print(f"aria: {visible(error.text)}", file=sys.stderr)
        if error.hint:
            print(f"      {visible(error.hint)}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("aria: stopped", file=sys.stderr)
        return ExitCode.CANCELLED
    except BrokenPipeError:
        # The reader of our output is gone (`aria ... | head`); Python would complain once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.OK
