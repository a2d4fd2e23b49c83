"""Write the replies to many commands three ways: as the program does, under llama-cpp-python's grammar sampling, and
without a grammar. Goes on where an earlier run with the same --records stopped."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from aria_desktop.commands.bench_arguments import add_case_arguments, count

if TYPE_CHECKING:
    from aria_desktop.evaluation.report import Report


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_case_arguments(parser)
    parser.add_argument("--limit", type=count, metavar="N", help="only the first N cases")


def measure(arguments: argparse.Namespace) -> Report:
    from aria_desktop.app import evaluated_model
    from aria_desktop.commands.bench_line import BenchLine
    from aria_desktop.evaluation import decode
    from aria_desktop.evaluation.case_prompts import deciding
    from aria_desktop.evaluation.cases import read_cases
    from aria_desktop.evaluation.records import Records

    cases = read_cases(arguments.cases)[: arguments.limit]
    line = BenchLine()
    with evaluated_model(arguments.model, frozenset()) as model:
        settings = {"bench": "decode", **deciding(model, cases)}
        records = Records(arguments.records, settings, fresh=arguments.fresh)
        return decode.run(model, cases, records, lambda done, of, left: line.show(done, of, 0, left))
