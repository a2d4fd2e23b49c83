"""The figures of an evaluation, counted over its results, and summary.json, which holds them."""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from aria_desktop.core.chat import Outcome
from aria_desktop.core.errors import UsageError
from aria_desktop.core.plain import from_plain
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
    first_words_median: float | None
    """Seconds from the words to the first ones of the answer, in turns with a single call that was carried out."""
    first_words_turns: int
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
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise UsageError(f"There are no results of an evaluation in {folder}.", "Name its --out folder.") from error
    without = read_settings(folder / SETTINGS).get("without")
    left_out = f" without {', '.join(map(str, without))}" if isinstance(without, list) and without else ""
    return tuple(replace(model, model=model.model + left_out) for model in found)


def _figures(model: str, results: Sequence[CaseResult]) -> ModelFigures:
    replies = [reply for result in results for reply in result.replies if reply.reply]
    state = [result.state_ok for result in results if result.state_ok is not None]
    answer = [result.answer_ok for result in results if result.answer_ok is not None]
    seconds = sorted(result.seconds for result in results)
    first = [result.first_words_s for result in results if _is_single(result) and result.first_words_s is not None]
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
        first_words_median=round(statistics.median(first), 3) if first else None,
        first_words_turns=len(first),
        seconds_p95=round(seconds[math.ceil(0.95 * len(seconds)) - 1], 3),
        tokens=sum(result.tokens_generated for result in results),
    )


def _is_single(result: CaseResult) -> bool:
    """Whether its one call was carried out."""
    return [call.outcome for call in result.calls] == [Outcome.DONE]


def _by_kind(results: Sequence[CaseResult]) -> dict[str, KindFigures]:
    kinds = dict.fromkeys(result.kind for result in results)
    own = {kind: [result.passed for result in results if result.kind == kind] for kind in kinds}
    return {kind: KindFigures(len(passed), sum(passed)) for kind, passed in own.items()}
