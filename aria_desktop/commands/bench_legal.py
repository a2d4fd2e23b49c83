"""Have the model reply to many commands and count the replies that the agent can't carry out. Goes on where an
earlier run with the same --records stopped."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from aria_desktop.commands.bench_arguments import add_case_arguments, count

if TYPE_CHECKING:
    from aria_desktop.evaluation.report import Report


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_case_arguments(parser)
    parser.add_argument("--count", type=count, default=2000, metavar="N", help="replies, half of them at temperature 1")


def measure(arguments: argparse.Namespace) -> Report:
    from aria_desktop.app import evaluated_model
    from aria_desktop.commands.bench_line import BenchLine
    from aria_desktop.evaluation import legal
    from aria_desktop.evaluation.case_prompts import deciding
    from aria_desktop.evaluation.cases import read_cases
    from aria_desktop.evaluation.records import Records

    cases = read_cases(arguments.cases)
    line = BenchLine("illegal")
    with evaluated_model(arguments.model, frozenset()) as model:
        settings = {"bench": "legal", **deciding(model, cases)}
        records = Records(arguments.records, settings, fresh=arguments.fresh)
        model.load()
        return legal.run(
            model, cases, arguments.count, records, lambda at: line.show(at.done, at.of, at.illegal, at.seconds_left)
        )
