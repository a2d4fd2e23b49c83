"""`aria bench legal`: of many replies to the agent's real prompts, how many can't be carried out.

A reply is legal when the agent's own strict reading takes it. One that the token limit cut off is not, whatever can
be read of it. Half are made at temperature 0, half at 1, where the model wanders and only the grammar holds it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.errors import UsageError
from aria_desktop.core.interfaces import Generation, GenerationEnd, LanguageModel
from aria_desktop.evaluation.case_prompts import asked_for, crossed, with_temperature
from aria_desktop.evaluation.cases import Case
from aria_desktop.evaluation.evaluated import EvaluatedModel
from aria_desktop.evaluation.intervals import wilson
from aria_desktop.evaluation.legality import is_legal
from aria_desktop.evaluation.records import Record, Records
from aria_desktop.evaluation.report import Figure, Report, machine_line

TEMPERATURES = (0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Standing:
    done: int
    of: int
    illegal: int
    seconds_left: float | None
    """None while nothing was measured."""


def run(
    model: EvaluatedModel, cases: Sequence[Case], count: int, records: Records, show: Callable[[Standing], None]
) -> Report:
    """Raises UsageError when no case reaches the model."""
    began, before = time.monotonic(), len(records.all)
    for number in range(count):
        key = str(number)
        if key not in records.all:
            records.add(key, _measured(model, cases, number))
            made = len(records.all) - before
            left = (time.monotonic() - began) / made * (count - len(records.all))
            show(Standing(len(records.all), count, _illegal(records), left))
    return report(model.name, records)


def _measured(model: EvaluatedModel, cases: Sequence[Case], number: int) -> Record:
    case, generation = _prompt(model, cases, number // len(TEMPERATURES))
    temperature = TEMPERATURES[number % len(TEMPERATURES)]
    text, end = generated(model.language, with_temperature(generation, temperature, number))
    return {
        "case": case.id,
        "temperature": temperature,
        "seed": number,
        "complete": end.complete,
        "legal": end.complete and is_legal(text),
        "tokens": end.tokens,
        "decode_steps": end.decode_steps,
        "full_checks": end.grammar_checks,
        "seconds": round(end.seconds, 3),
        "text": text,
    }


def _prompt(model: EvaluatedModel, cases: Sequence[Case], number: int) -> tuple[Case, Generation]:
    """Of this number; of the next one where code answers without the model."""
    for later in range(len(cases)):
        case = crossed(cases, number + later)
        generation = asked_for(model.make_agent, case)
        if generation is not None:
            return case, generation
    raise UsageError("No case is put to the model.", "Name other cases with --cases.")


def generated(language: LanguageModel, generation: Generation) -> tuple[str, GenerationEnd]:
    text = ""
    for piece in language.complete(generation, CancelToken()):
        if isinstance(piece, GenerationEnd):
            return text, piece
        text += piece
    raise AssertionError("cannot happen: a generation ends with its end")


def _illegal(records: Records) -> int:
    return sum(not record["legal"] for record in records.all.values())


def report(model: str, records: Records) -> Report:
    illegal, of = _illegal(records), len(records.all)
    low, high = wilson(illegal, of)
    cut = sum(not record["complete"] for record in records.all.values())
    figures = [
        Figure(f"{model}: replies", of, ""),
        Figure("illegal replies", illegal, "", limit=0),
        Figure("share of illegal replies", 100 * illegal / of, "%", interval=(100 * low, 100 * high)),
        Figure("of these cut off by the token limit", cut, ""),
    ]
    for temperature in TEMPERATURES:
        made = [record for record in records.all.values() if record["temperature"] == temperature]
        wrong = sum(not record["legal"] for record in made)
        figures.append(Figure(f"illegal of {len(made)} at temperature {temperature:g}", wrong, ""))
    return Report("legal", machine_line(), tuple(figures), tuple(records.all.values()))
