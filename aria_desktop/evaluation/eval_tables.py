"""An evaluation for people: the table that is printed, the list of what failed, and a CSV for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from aria_desktop.core.visible import visible_line
from aria_desktop.evaluation.eval_summary import KindFigures, ModelFigures
from aria_desktop.evaluation.intervals import wilson
from aria_desktop.evaluation.results import CaseResult
from aria_desktop.storage.files import replace_file


def table(models: Sequence[ModelFigures]) -> str:
    """For the terminal: a row for each figure and each kind, a column for each model."""
    kinds = list(dict.fromkeys(kind for model in models for kind in model.by_kind))
    lines = [
        ("", *(model.model for model in models)),
        *rows(models),
        ("", *("" for _ in models)),
        *((kind, *(_kind_cell(model, kind) for model in models)) for kind in kinds),
    ]
    widths = [max(len(line[column]) for line in lines) for column in range(len(models) + 1)]
    padded = ("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in lines)
    return "\n".join(line.rstrip() for line in padded)


def rows(models: Sequence[ModelFigures]) -> list[tuple[str, ...]]:
    """Of the figures over all kinds: a name, then a cell for each model."""
    return [(name, *(_cells(model)[index] for model in models)) for index, name in enumerate(_FIGURES)]


def share(hits: int, total: int) -> str:
    """ "85 of 151, 56 % (48-64)": the interval is Wilson's at 95 %."""
    if total == 0:
        return "0 of 0"
    low, high = wilson(hits, total)
    return f"{hits} of {total}, {100 * hits / total:.0f} % ({100 * low:.0f}-{100 * high:.0f})"


_FIGURES = (
    "passed in full", "tool sequence", "end state", "answer", "legal replies", "forbidden calls", "withheld calls",
    "seconds, median", "seconds, 95 %", "seconds to first words, one call", "tokens generated",
)  # fmt: skip


def _cells(model: ModelFigures) -> tuple[str, ...]:
    return (
        share(model.passed, model.cases),
        share(model.tools_ok, model.cases),
        share(model.state_ok, model.state_cases),
        share(model.answer_ok, model.answer_cases),
        f"{model.legal_replies} of {model.replies}",
        str(model.forbidden_calls),
        str(model.withheld_calls),
        f"{model.seconds_median:.2f}",
        f"{model.seconds_p95:.2f}",
        _first_words(model),
        f"{model.tokens:,}",
    )


def _first_words(model: ModelFigures) -> str:
    if model.first_words_median is None:
        return ""
    return f"{model.first_words_median:.2f} ({model.first_words_turns} turns)"


def _kind_cell(model: ModelFigures, kind: str) -> str:
    found = model.by_kind.get(kind, KindFigures(0, 0))
    return f"{found.passed} of {found.cases}"


def failures(results: Sequence[CaseResult]) -> str:
    """A line for each failed case, with the reasons."""
    failed = [result for result in results if not result.passed]
    return "\n".join(
        f"{result.case} ({result.kind}, {result.model}): {visible_line('; '.join(result.reasons))}" for result in failed
    )


def write_csv(folder: Path, results: Sequence[CaseResult]) -> None:
    """A line for each case and repeat; spreadsheets must not take a cell for a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for result in results:
        writer.writerow([_cell(value) for value in _row(result)])
    replace_file(folder / "results.csv", out.getvalue().encode("utf-8"))


_COLUMNS = (
    "model", "case", "kind", "repeat", "passed", "tools_ok", "state_ok", "answer_ok", "calls", "forbidden", "withheld",
    "replies", "legal_replies", "seconds", "first_words_s", "tokens_evaluated", "tokens_generated", "say", "answer",
    "reasons",
)  # fmt: skip


def _row(result: CaseResult) -> tuple[object, ...]:
    replies = [reply for reply in result.replies if reply.reply]
    return (
        result.model,
        result.case,
        result.kind,
        result.repeat,
        _yes_no(result.passed),
        _yes_no(result.tools_ok),
        _yes_no(result.state_ok),
        _yes_no(result.answer_ok),
        " ".join(call.tool for call in result.calls),
        len(result.forbidden),
        len(result.withheld),
        len(replies),
        sum(reply.legal for reply in replies),
        result.seconds,
        "" if result.first_words_s is None else result.first_words_s,
        result.tokens_evaluated,
        result.tokens_generated,
        result.say,
        result.answer,
        "; ".join(result.reasons),
    )


def _yes_no(value: bool | None) -> str:
    return "" if value is None else "yes" if value else "no"


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@\t\r" and value else value
