"""Commands of the terminal: always asked about, word for word, and always run in the cage.

No command is recognised as harmless: names of programs say nothing about what they do. What a command may reach is
bounded by `safety.cage` alone, and where there is no cage, nothing runs. No command changes the workspace: what it
changes waits in a layer over it and is asked about afterwards (`keeping`); where there are no layers, or nothing that
could take changes back, a command can only look.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial

from aria_desktop.core.approval import Risk, RiskLevel
from aria_desktop.core.cancel import Cancelled
from aria_desktop.core.chat import ToolResult
from aria_desktop.core.visible import spelled_out, visible_line
from aria_desktop.safety.cage import CageLimits, CommandRefused, Guarded
from aria_desktop.safety.cage_guards import guarded_in
from aria_desktop.safety.cage_probe import Proven, proven
from aria_desktop.safety.cage_run import Ran, run_command
from aria_desktop.safety.cage_system import find_systems
from aria_desktop.safety.cage_watch import Ending
from aria_desktop.safety.journaled import JournaledWorkspace
from aria_desktop.safety.stage import Stage
from aria_desktop.tools.keeping import Done, kept_or_not
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
    RiskLevel.LOW,
    "It can read every file of the workspace and reaches nothing else. Nothing is changed before you are asked again.",
)
_STAGED = "nothing yet: what it changes in this folder is shown first, and counts only if you allow it then"
_ONLY_LOOKS = "nothing: this needs bubblewrap 0.11, so that changes can be shown before they count"


@tool(Limit.CHANGE, source='what the command "{command}" printed')
def run_terminal(context: ToolContext, command: LongText) -> Proposal:
    """Run a command line or a script in the terminal (bash, Linux), in the workspace. Only if the user asks for it.

    Args:
        command: the whole command line.
    """
    _refuse_unreadable(command)
    cage = _cage(context)
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
            ("Can change", _STAGED if cage.staging else _ONLY_LOOKS),
            ("Time", f"at most {limit:g} seconds"),
            *_oddities(command),
            *_protected(guarded_in(context.workspace.root)),
        ),
        risk=_RISK,
        act=partial(_run, cage, command, limit),
        on_cancel=OnCancel.DROP,
    )


def _cage(context: ToolContext) -> Proven:
    """Raises CageMissing."""
    workspace = context.workspace
    staging = workspace.staging if isinstance(workspace, JournaledWorkspace) else None
    return proven(find_systems(workspace.root), staging, context.cancel)


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


def _run(cage: Proven, command: str, limit: float, context: ToolContext) -> ToolResult | Proposal:
    limits, workspace = CageLimits(seconds=limit), context.workspace
    with ExitStack() as held:
        layer = (stage := held.enter_context(Stage(cage.staging))).layer if cage.staging else None
        ran = run_command(cage.system, command, workspace.root, limits, context.progress, context.cancel, layer)
        if ran.ending is Ending.CANCELLED:
            raise Cancelled
        done = _done(command, ran, limits, context.wording)
        if layer is None or not isinstance(workspace, JournaledWorkspace):
            return done.result()
        if ran.ending is Ending.CHANGES:
            return done.too_much(context.wording)
        proposal = kept_or_not(done, stage, workspace, context.wording, context.cancel)
        if isinstance(proposal, Proposal):
            held.pop_all()
        return proposal


def _done(command: str, ran: Ran, limits: CageLimits, wording: Wording) -> Done:
    shown = _stopped(ran, limits, ENGLISH) if ran.status is None else f"exit status {ran.status}"
    return Done(command, told(ran, limits), said(ran, limits, wording), _ended(ran, limits, wording), shown)


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
    ended = _ended(ran, limits, wording)
    if not printed.strip():
        return say("printed_nothing", ended=ended)
    if whole:
        return say("printed", ended=ended, printed=printed)
    last = next(line for line in reversed(ran.printed.last) if line.strip())
    lines = wording.counted(ran.printed.lines, "line")
    return say("printed_lines", ended=ended, lines=lines, last=last[:SAID_CHARACTERS])


def _ended(ran: Ran, limits: CageLimits, wording: Wording) -> str:
    """Without a full stop."""
    if ran.status == 0:
        return wording.say("command_ran")
    if ran.status is not None:
        return wording.say("command_ran_status", status=str(ran.status))
    return _stopped(ran, limits, wording)


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
        case Ending.CHANGES:
            return wording.say("stopped_changes", most=limits.changed >> 20, files=limits.changed_files)
        case Ending.CANCELLED | Ending.ITSELF:
            return wording.say("stopped_command")


def _last_characters(text: str, most: int) -> str:
    return text if len(text) <= most else "…" + text[-most:]
