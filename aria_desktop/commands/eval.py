"""Run spoken commands with known outcomes through the real agent and count what it gets right. Goes on where an
earlier run with the same --out stopped. Ends with 0 when all cases were run, however many passed."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from aria_desktop.commands.bench_arguments import count

if TYPE_CHECKING:
    from aria_desktop.evaluation.cases import Case
    from aria_desktop.evaluation.eval_run import Outcome, Plan, Standing
    from aria_desktop.evaluation.eval_summary import ModelFigures

PARTS = ("grammar", "examples", "repair", "confidence", "rules")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--cases", type=Path, required=True, metavar="FILE", help="one JSON object a line")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="for results, summary and report")
    parser.add_argument("--cache", type=Path, metavar="DIR", help="for the models' replies (default: OUT/replies)")
    parser.add_argument("--repeat", type=count, default=1, metavar="N", help="run every case N times")
    parser.add_argument("--limit", type=count, metavar="N", help="only the first N cases of those chosen")
    parser.add_argument("--fresh", action="store_true", help="drop the results in OUT; cached replies stay")
    several = parser.add_argument_group("may be repeated")
    several.add_argument("--model", action="append", required=True, metavar="ID", help="an installed model")
    several.add_argument("--kind", action="append", default=[], metavar="KIND", help="only cases of this kind")
    several.add_argument("--case", action="append", default=[], metavar="ID", help="only this case")
    several.add_argument("--without", action="append", default=[], choices=PARTS, help="leave this part out")
    several.add_argument("--beside", action="append", default=[], type=Path, metavar="DIR", help="show that run too")


def run(arguments: argparse.Namespace) -> int:
    from aria_desktop.app import evaluated_model
    from aria_desktop.assistant.ablations import Ablation
    from aria_desktop.core.errors import ExitCode
    from aria_desktop.evaluation import eval_run
    from aria_desktop.evaluation.eval_summary import read_summary

    beside = [figures for folder in arguments.beside for figures in read_summary(folder)]
    plan = _plan(arguments)
    without = frozenset(map(Ablation, arguments.without))
    line = _Line()
    settings: dict[str, object] = {"without": sorted(without)}
    try:
        outcome = eval_run.run(plan, partial(evaluated_model, without=without), settings, line.show, line.say)
    except KeyboardInterrupt:
        line.say(f"What is done is kept in {plan.out}. The same command goes on from there.")
        raise
    line.clear()
    _report(arguments, plan, outcome, beside)
    return ExitCode.OK


def _report(arguments: argparse.Namespace, plan: Plan, outcome: Outcome, beside: list[ModelFigures]) -> None:
    from aria_desktop.evaluation.eval_report import read_look, write_report
    from aria_desktop.evaluation.eval_summary import figures, write_summary
    from aria_desktop.evaluation.eval_tables import failures, table, write_csv
    from aria_desktop.evaluation.report import machine_line
    from aria_desktop.storage.paths import find_paths

    found = figures(outcome.results, plan.models)
    left_out = ", ".join(sorted(set(arguments.without))) or "nothing"
    facts = {"Cases": str(arguments.cases), "Left out": left_out, "Machine": machine_line()}
    write_summary(plan.out, found)
    write_csv(plan.out, outcome.results)
    write_report(plan.out, [*found, *beside], outcome.results, facts, read_look(find_paths().resources))
    print(table([*found, *beside]))
    if failed := failures(outcome.results):
        print(f"\nFailed:\n{failed}")
    print(f"\nReplies: {outcome.misses} from the model, {outcome.hits} from {plan.cache}.")
    print(f"Results and report: {plan.out}")


def _plan(arguments: argparse.Namespace) -> Plan:
    from aria_desktop.evaluation.cases import read_cases
    from aria_desktop.evaluation.eval_run import Plan

    cases = _chosen(read_cases(arguments.cases), arguments)
    models = tuple(dict.fromkeys(arguments.model))
    cache = arguments.cache or arguments.out / "replies"
    return Plan(models, cases, arguments.repeat, arguments.out, cache, arguments.fresh)


def _chosen(cases: tuple[Case, ...], arguments: argparse.Namespace) -> tuple[Case, ...]:
    """Raises UsageError for a kind or an id that no case has."""
    _refuse_unknown("kind", arguments.kind, {case.kind for case in cases}, arguments.cases)
    _refuse_unknown("case", arguments.case, {case.id for case in cases}, arguments.cases)
    chosen = [
        case
        for case in cases
        if (not arguments.kind or case.kind in arguments.kind) and (not arguments.case or case.id in arguments.case)
    ]
    return tuple(chosen[: arguments.limit])


def _refuse_unknown(what: str, asked: list[str], there: set[str], file: Path) -> None:
    from aria_desktop.core.errors import UsageError

    for name in asked:
        if name not in there:
            known = ", ".join(sorted(there)) if what == "kind" else f"{min(there)} to {max(there)}"
            raise UsageError(f"There is no {what} {name} in {file}.", f"There are: {known}.")


class _Line:
    """How far it is, on standard error: one line that changes on a terminal, a line for each tenth elsewhere."""

    def __init__(self) -> None:
        self._changing = sys.stderr.isatty()
        self._tenth = -1

    def show(self, standing: Standing) -> None:
        text = _words(standing)
        tenth = standing.done * 10 // standing.of
        if self._changing:
            sys.stderr.write(f"\r\x1b[K{text} ")
        elif tenth != self._tenth:
            self._tenth = tenth
            sys.stderr.write(f"{text}\n")
        sys.stderr.flush()

    def say(self, text: str) -> None:
        """A line that stays."""
        self.clear()
        print(text, file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self._changing:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def _words(standing: Standing) -> str:
    from aria_desktop.commands.progress_line import duration

    left = "" if standing.seconds_left is None else f", {duration(standing.seconds_left)} left"
    return f"{standing.model} {standing.case}: {standing.done} of {standing.of} done, {standing.passed} passed{left}"
