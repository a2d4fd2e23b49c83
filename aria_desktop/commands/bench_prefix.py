"""The time from a prompt to its first token in conversations: warm, cold, after a restart, and how often tokens that
never change are read again. Goes on where an earlier run with the same --records stopped."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from aria_desktop.commands.bench_arguments import add_case_arguments, count

if TYPE_CHECKING:
    from aria_desktop.evaluation.report import Report


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_case_arguments(parser)
    parser.add_argument("--sessions", type=count, default=10, metavar="N", help="conversations (default: 10)")
    parser.add_argument("--turns", type=count, default=6, metavar="N", help="turns of each (default: 6)")
    parser.add_argument("--quick", action="store_true", help="two conversations of three turns")


def measure(arguments: argparse.Namespace) -> Report:
    from aria_desktop.app import evaluated_model
    from aria_desktop.commands.bench_line import BenchLine
    from aria_desktop.evaluation import prefix
    from aria_desktop.evaluation.case_prompts import deciding
    from aria_desktop.evaluation.cases import read_cases
    from aria_desktop.evaluation.records import Records

    plan = prefix.Plan(2, 3) if arguments.quick else prefix.Plan(arguments.sessions, arguments.turns)
    cases = read_cases(arguments.cases)
    line = BenchLine()
    with evaluated_model(arguments.model, frozenset()) as model:
        settings = {"bench": "prefix", "turns": plan.turns, **deciding(model, cases)}
        records = Records(arguments.records, settings, fresh=arguments.fresh)
        return prefix.run(model, cases, plan, records, lambda done, of, left: line.show(done, of, 0, left))
