"""List and remove what ARIA was told to remember. While a window is open, it answers."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aria_desktop.core.interfaces import Assistant
    from aria_desktop.core.records import Fact


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(action="list", which="", yes=False)
    parser.add_argument("--json", action="store_true", help="print the answer as one JSON object with its event")
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    actions.default = "list"
    actions.add_parser("list", help="all that is remembered, the newest first (the same as no action)")
    forget = actions.add_parser("forget", help="forget one thing for good")
    forget.add_argument("which", metavar="N|TEXT", help="its number, or some of its words")
    clear = actions.add_parser("clear", help="forget everything for good")
    clear.add_argument("--yes", action="store_true", help="without asking")


def run(arguments: argparse.Namespace) -> int:
    from aria_desktop.app import assistant_for

    with assistant_for(kind="facts") as assistant:
        return carry_out(arguments, assistant)


def carry_out(arguments: argparse.Namespace, assistant: Assistant) -> int:
    """Ask `assistant` and print its answer. Raises UsageError when nothing, or more than one fact, is meant."""
    from aria_desktop.commands.answers import answer_to, print_answer
    from aria_desktop.commands.turns import new_id
    from aria_desktop.core.errors import ExitCode
    from aria_desktop.core.listings import FactsForgotten, FactsListed
    from aria_desktop.core.requests import ForgetFacts, ListFacts

    listed = answer_to(assistant, ListFacts(new_id()), FactsListed)
    if arguments.action == "list":
        print_answer(listed, _overview(listed.facts), as_json=arguments.json)
        return ExitCode.OK
    meant = (_meant(listed.facts, arguments.which),) if arguments.action == "forget" else listed.facts
    if arguments.action == "clear" and meant and not (arguments.yes or _agreed(len(meant))):
        return ExitCode.REFUSED
    if not meant:
        print_answer(listed, _overview(()), as_json=arguments.json)
        return ExitCode.OK
    request = ForgetFacts(new_id(), tuple(fact.number for fact in meant))
    forgotten = answer_to(assistant, request, FactsForgotten)
    print_answer(forgotten, _forgotten(forgotten.facts), as_json=arguments.json)
    return ExitCode.OK


def _meant(facts: Sequence[Fact], which: str) -> Fact:
    from aria_desktop.core.errors import UsageError

    number = int(which) if which.isascii() and which.isdigit() else None
    wanted = " ".join(which.casefold().split())
    found = [
        fact
        for fact in facts
        if fact.number == number or (number is None and wanted and wanted in " ".join(fact.text.casefold().split()))
    ]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f'"{which}" stands in {len(found)} facts.', "Name one by its number:\n" + _overview(found))
    raise UsageError(f'There is no fact "{which}".', "`aria facts` lists those there are.")


def _agreed(count: int) -> bool:
    """Asked on the terminal; without one the answer is no."""
    import sys

    from aria_desktop.commands.ask import at_a_terminal

    if not at_a_terminal():
        print("nothing was forgotten: nobody there to ask (--yes forgets without asking)", file=sys.stderr)
        return False
    print(f"Forget {_things(count)} for good? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _overview(facts: Sequence[Fact]) -> str:
    from aria_desktop.core import times
    from aria_desktop.core.visible import visible_line

    if not facts:
        return "nothing is remembered yet"
    width = max(len(str(fact.number)) for fact in facts)
    return "\n".join(f"{fact.number:>{width}}  {times.minute(fact.kept)}  {visible_line(fact.text)}" for fact in facts)


def _forgotten(facts: Sequence[Fact]) -> str:
    from aria_desktop.core.visible import visible_line

    return f"forgot: {visible_line(facts[0].text)}" if len(facts) == 1 else f"forgot {_things(len(facts))}"


def _things(count: int) -> str:
    return "1 thing" if count == 1 else f"{count} things"
