"""Commands of the terminal: always asked about, word for word, and always run in the cage.

No command is recognised as harmless: names of programs say nothing about what they do. What a command may reach is
bounded by `safety.cage` alone, and where there is no cage, nothing runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from aria_desktop.core.approval import Risk, RiskLevel
from aria_desktop.core.cancel import Cancelled
from aria_desktop.core.chat import Outcome, ToolResult
from aria_desktop.core.visible import spelled_out, visible_line
from aria_desktop.safety.cage import CageLimits, CommandRefused, Guarded, System
from aria_desktop.safety.cage_guards import guarded_in
from aria_desktop.safety.cage_probe import probe
from aria_desktop.safety.cage_run import Ran, run_command
from aria_desktop.safety.cage_system import find_system
from aria_desktop.safety.cage_watch import Ending
from aria_desktop.tools.languages.wording import ENGLISH, Wording
from aria_desktop.tools.tool import Limit, LongText, OnCancel, Proposal, ToolContext, tool

MOST_CHARACTERS = 10_000
"""Of a command; nobody reads more before answering."""
TOLD_LINES = 20
"""Of what was printed, that the model is shown; the last ones."""
TOLD_CHARACTERS = 1_500
SAID_LINES = 8
"""Printed lines that an answer repeats whole."""
SAID_CHARACTERS = 400
NAMED = 10
"""Protected files that a question names."""

_RISK = Risk(
    RiskLevel.HIGH,
    "It can change and delete every file of the workspace, which can't be taken back. It reaches nothing else.",
)


@tool(Limit.CHANGE, source='what the command "{command}" printed')
def run_terminal(context: ToolContext, command: LongText) -> Proposal:
    """Run a command line or a script in the terminal (bash, Linux), in the workspace. Only if the user asks for it.

    Args:
        command: the whole command line.
    """
    _refuse_unreadable(command)
    system = find_system()
    probe(system, context.cancel)
    limit = context.limits.command_s
    return Proposal(
        question="Run this command?",
        allow_label="Allow run",
        refused=context.wording.say("command_not_run"),
        path="",
        before=None,
        after=command,
        facts=(
            ("Runs in", str(context.workspace.root)),
            ("Network", "none"),
            ("Can change", "only the files of this folder"),
            ("Time", f"at most {limit:g} seconds"),
            *_oddities(command),
            *_protected(guarded_in(context.workspace.root)),
        ),
        risk=_RISK,
        act=partial(_run, system, command, limit),
        on_cancel=OnCancel.STOP,
    )


def _refuse_unreadable(command: str) -> None:
    if not command.strip():
        raise CommandRefused("The command is empty.")
    if len(command) > MOST_CHARACTERS:
        raise CommandRefused(
            f"The command is too long: {len(command):,} characters, {MOST_CHARACTERS:,} are the limit."
        )
    if "\0" in command:
        raise CommandRefused("The command contains a NUL character, which no command has.")
    try:
        command.encode()
    except UnicodeEncodeError as error:
        raise CommandRefused(f"The command can't be run: character {error.start} is broken.") from error


def _oddities(command: str) -> tuple[tuple[str, str], ...]:
    """What an eye that only looks at the first line could miss."""
    lines = len(command.strip().splitlines())
    several = (("Lines", f"{lines}; all of them are run"),) if lines > 1 else ()
    hides = spelled_out(command) != command
    return (*several, *((("Hidden", "characters that can't be seen are spelled out as <U+...>"),) if hides else ()))


def _protected(guarded: Guarded) -> tuple[tuple[str, str], ...]:
    """What lies in the workspace and the command does not reach, so that its failing there surprises nobody."""
    kept = (("Can't change", _named(guarded.read_only)),) if guarded.read_only else ()
    aliased = f"{_named(guarded.hidden)} (known under a second name, which may lie elsewhere)"
    return (*kept, *((("Can't read", aliased),) if guarded.hidden else ()))


def _named(paths: Sequence[str]) -> str:
    more = len(paths) - NAMED
    return ", ".join(map(visible_line, paths[:NAMED])) + (f" and {more:,} more" if more > 0 else "")


def _run(system: System, command: str, limit: float, context: ToolContext) -> ToolResult:
    limits = CageLimits(seconds=limit)
    ran = run_command(system, command, context.workspace.root, limits, context.progress, context.cancel)
    if ran.ending is Ending.CANCELLED:
        raise Cancelled
    return ToolResult(Outcome.DONE, told(ran, limits), answer=said(ran, limits, context.wording))


def told(ran: Ran, limits: CageLimits) -> str:
    """What the model is shown: how it ended, and the last that was printed."""
    head = f"Exit status {ran.status}." if ran.status is not None else f"{_stopped(ran, limits, ENGLISH)}."
    if not ran.printed.lines:
        return f"{head} It printed nothing."
    shown = _last_characters("\n".join(ran.printed.last[-TOLD_LINES:]), TOLD_CHARACTERS)
    left_out = ran.printed.lines - len(shown.split("\n"))
    return f"{head} It printed{f' {left_out:,} lines more, and then' if left_out else ''}:\n{shown}"


def said(ran: Ran, limits: CageLimits, wording: Wording = ENGLISH) -> str:
    """What the user is told. A status other than 0 is told as such: what it means, only the command knows."""
    printed, say = "\n".join(ran.printed.last), wording.say
    whole = ran.printed.lines <= SAID_LINES and len(printed) <= SAID_CHARACTERS
    if ran.status == 0:
        ended = say("command_ran")
    elif ran.status is not None:
        ended = say("command_ran_status", status=str(ran.status))
    else:
        ended = _stopped(ran, limits, wording)
    if not printed.strip():
        return say("printed_nothing", ended=ended)
    if whole:
        return say("printed", ended=ended, printed=printed)
    last = next(line for line in reversed(ran.printed.last) if line.strip())
    lines = wording.counted(ran.printed.lines, "line")
    return say("printed_lines", ended=ended, lines=lines, last=last[:SAID_CHARACTERS])


def _stopped(ran: Ran, limits: CageLimits, wording: Wording) -> str:
    """Without a full stop."""
    match ran.ending:
        case Ending.TIME:
            return wording.say("stopped_time", seconds=f"{limits.seconds:g}")
        case Ending.PROCESSES:
            return wording.say("stopped_processes", most=str(limits.processes))
        case Ending.MEMORY:
            return wording.say("stopped_memory", most=limits.memory >> 20)
        case Ending.OUTPUT:
            return wording.say("stopped_output", most=limits.printed >> 20)
        case Ending.CANCELLED | Ending.ITSELF:
            return wording.say("stopped_command")


def _last_characters(text: str, most: int) -> str:
    return text if len(text) <= most else "…" + text[-most:]
