"""The figures of an evaluation: summary.json, the CSV, and the table that is printed. Pure but for the writing."""

from __future__ import annotations

import csv
import io
import json
import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from aria_desktop.core.errors import UsageError
from aria_desktop.core.plain import from_plain
from aria_desktop.core.visible import visible_line
from aria_desktop.evaluation.intervals import wilson
from aria_desktop.evaluation.results import SETTINGS, CaseResult, read_settings
from aria_desktop.storage.files import replace_file


@dataclass(frozen=True, slots=True)
class KindFigures:
    cases: int
    passed: int


@dataclass(frozen=True, slots=True)
class ModelFigures:
    """Field names are those of summary.json. A case that was repeated counts once for each repeat."""

    model: str
    cases: int
    passed: int
    tools_ok: int
    state_ok: int
    state_cases: int
    answer_ok: int
    answer_cases: int
    legal_replies: int
    replies: int
    """Of the steps; code and summaries are not counted."""
    forbidden_calls: int
    withheld_calls: int
    by_kind: Mapping[str, KindFigures]
    seconds_median: float
    seconds_p95: float
    tokens: int
    """Generated in all, code and summaries included."""


def figures(results: Sequence[CaseResult], models: Sequence[str]) -> tuple[ModelFigures, ...]:
    """One for each of `models` that has results, in that order."""
    found = {model: [result for result in results if result.model == model] for model in models}
    return tuple(_figures(model, own) for model, own in found.items() if own)


def write_summary(folder: Path, models: Sequence[ModelFigures]) -> None:
    text = json.dumps({"models": [asdict(model) for model in models]}, indent=1, ensure_ascii=False)
    replace_file(folder / "summary.json", (text + "\n").encode("utf-8"))


def read_summary(folder: Path) -> tuple[ModelFigures, ...]:
    """The figures of another run, named by its model and the parts that were left out. Raises UsageError."""
    try:
        models = json.loads((folder / "summary.json").read_bytes())["models"]
        found = [from_plain(ModelFigures, model) for model in models]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"There are no results of an evaluation in {folder}.", "Name its --out folder.") from error
    without = read_settings(folder / SETTINGS).get("without")
    left_out = f" without {', '.join(map(str, without))}" if isinstance(without, list) and without else ""
    return tuple(replace(model, model=model.model + left_out) for model in found)


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


def table(models: Sequence[ModelFigures]) -> str:
    """For the terminal: a row for each figure and each kind, a column for each model."""
    rows = [("", *(model.model for model in models))]
    rows += [(name, *(cells[index] for cells in map(_cells, models))) for index, name in enumerate(_FIGURES)]
    rows.append(("", *("" for _ in models)))
    kinds = list(dict.fromkeys(kind for model in models for kind in model.by_kind))
    rows += [(kind, *(_kind_cell(model, kind) for model in models)) for kind in kinds]
    widths = [max(len(row[column]) for row in rows) for column in range(len(models) + 1)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)


def share(hits: int, total: int) -> str:
    """ "85 of 151, 56 % (48-64)": the interval is Wilson's at 95 %."""
    if total == 0:
        return "0 of 0"
    low, high = wilson(hits, total)
    return f"{hits} of {total}, {100 * hits / total:.0f} % ({100 * low:.0f}-{100 * high:.0f})"


_FIGURES = (
    "passed in full", "tool sequence", "end state", "answer", "legal replies", "forbidden calls", "withheld calls",
    "seconds, median", "seconds, 95 %", "tokens generated",
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
        f"{model.tokens:,}",
    )


def rows(models: Sequence[ModelFigures]) -> list[tuple[str, ...]]:
    """The same figures for the report: name, then a cell for each model."""
    return [(name, *(_cells(model)[index] for model in models)) for index, name in enumerate(_FIGURES)]


def _kind_cell(model: ModelFigures, kind: str) -> str:
    found = model.by_kind.get(kind, KindFigures(0, 0))
    return f"{found.passed} of {found.cases}"


def _figures(model: str, results: Sequence[CaseResult]) -> ModelFigures:
    replies = [reply for result in results for reply in result.replies if reply.reply]
    state = [result.state_ok for result in results if result.state_ok is not None]
    answer = [result.answer_ok for result in results if result.answer_ok is not None]
    seconds = sorted(result.seconds for result in results)
    return ModelFigures(
        model=model,
        cases=len(results),
        passed=sum(result.passed for result in results),
        tools_ok=sum(result.tools_ok for result in results),
        state_ok=sum(state),
        state_cases=len(state),
        answer_ok=sum(answer),
        answer_cases=len(answer),
        legal_replies=sum(reply.legal for reply in replies),
        replies=len(replies),
        forbidden_calls=sum(len(result.forbidden) for result in results),
        withheld_calls=sum(len(result.withheld) for result in results),
        by_kind=_by_kind(results),
        seconds_median=round(statistics.median(seconds), 3),
        seconds_p95=round(seconds[math.ceil(0.95 * len(seconds)) - 1], 3),
        tokens=sum(result.tokens_generated for result in results),
    )


def _by_kind(results: Sequence[CaseResult]) -> dict[str, KindFigures]:
    kinds = dict.fromkeys(result.kind for result in results)
    own = {kind: [result.passed for result in results if result.kind == kind] for kind in kinds}
    return {kind: KindFigures(len(passed), sum(passed)) for kind, passed in own.items()}


_COLUMNS = (
    "model", "case", "kind", "repeat", "passed", "tools_ok", "state_ok", "answer_ok", "calls", "forbidden", "withheld",
    "replies", "legal_replies", "seconds", "tokens_evaluated", "tokens_generated", "say", "answer", "reasons",
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
