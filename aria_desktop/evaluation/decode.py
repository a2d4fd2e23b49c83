"""`aria bench decode`: the time that a legal reply takes once its prompt is read, against two other ways to write it.

The same text is written three ways: by the program; by llama-cpp-python under its own grammar sampling, the grammar
made from the same schema but for the lengths of strings; and by llama-cpp-python without a grammar, led along the
text token by token. Each process has the model file once; the three take turns on each reply, in an order that
alternates, after the prompt has been evaluated, which is not counted. Where grammar sampling writes another text, its
time is no fair pair: such replies are counted, shown, and left out of its ratio.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from aria_desktop.core.errors import EngineFailed, UsageError
from aria_desktop.core.interfaces import Generation, LanguageModel
from aria_desktop.evaluation.case_prompts import asked_for
from aria_desktop.evaluation.cases import Case
from aria_desktop.evaluation.evaluated import EvaluatedModel
from aria_desktop.evaluation.fresh_engine import fresh_engine, gguf_of, on_processor
from aria_desktop.evaluation.intervals import ratio
from aria_desktop.evaluation.legal import generated
from aria_desktop.evaluation.legality import is_legal
from aria_desktop.evaluation.llama_peer import Do
from aria_desktop.evaluation.peer_process import PeerProcess
from aria_desktop.evaluation.records import Record, Records
from aria_desktop.evaluation.report import Figure, Report, machine_line
from aria_desktop.workers.host import LoadSpec

GRAMMAR_RATIO = 2.5
UNCONSTRAINED_RATIO = 0.8
STEPS_SAVED_PERCENT = 40
ROUNDS = 3
"""Fresh processes: what is measured in one is not independent."""

Show = Callable[[int, int, float | None], None]
"""Done, of how many, seconds left."""


@dataclass(frozen=True, slots=True)
class Arms:
    """The two processes of a round."""

    ours: LanguageModel
    peer: PeerProcess


def run(model: EvaluatedModel, cases: Sequence[Case], records: Records, show: Show) -> Report:
    """Raises UsageError when nothing could be paired."""
    began, before = time.monotonic(), len(records.all)
    for number in range(ROUNDS):
        missing = [case for case in cases[number::ROUNDS] if case.id not in records.all]
        if not missing:
            continue
        with _arms(model.spec) as arms:
            for case in missing:
                records.add(case.id, {"round": number, **measured(arms, asked_for(model.make_agent, case))})
                made = len(records.all) - before
                left = (time.monotonic() - began) / made * (len(cases) - len(records.all))
                show(len(records.all), len(cases), left)
    return report([record for record in records.all.values() if "ours" in record], len(records.all))


@contextmanager
def _arms(spec: LoadSpec) -> Iterator[Arms]:
    spec = on_processor(spec)
    with ExitStack() as stack:
        ours = stack.enter_context(fresh_engine(spec))
        threads = int(spec.options["threads"])
        yield Arms(ours.language, stack.enter_context(PeerProcess(gguf_of(spec), ours.context_tokens, threads)))


def measured(arms: Arms, generation: Generation | None) -> Record:
    if generation is None:
        return {"passed over": "no model is asked"}
    # Once unmeasured: both have then evaluated the prompt, and the text is known.
    text, end = generated(arms.ours, generation)
    if not end.complete:
        return {"passed over": "the reply was cut off", "text": text}
    ways: dict[str, Callable[[], Mapping[str, Any]]] = {
        "ours": lambda: _ours(arms.ours, generation),
        "grammar": lambda: _under_grammar(arms.peer, generation),
        "free": lambda: arms.peer.ask(Do.FOLLOW, generation.messages, text=text),
    }
    order = random.Random(text).sample(list(ways), len(ways))
    arms.peer.ask(Do.FIRST, generation.messages)
    # There and back: what drifts meets all three alike.
    found: dict[str, list[Mapping[str, Any]]] = {name: [] for name in ways}
    for name in [*order, *reversed(order)]:
        found[name].append(ways[name]())
    return {"text": text, **{name: _both(made) for name, made in found.items()}}


def _ours(language: LanguageModel, generation: Generation) -> Mapping[str, Any]:
    text, end = generated(language, generation)
    return {
        "text": text,
        "tokens": end.tokens,
        "steps": end.decode_steps,
        "full_checks": end.grammar_checks,
        "seconds": end.seconds - end.seconds_to_first,
    }


def _under_grammar(peer: PeerProcess, generation: Generation) -> Mapping[str, Any]:
    schema = without_lengths(generation.reply_schema)
    try:
        return peer.ask(Do.GRAMMAR, generation.messages, schema=schema, most=generation.max_tokens)
    except EngineFailed as error:
        return {"text": "", "error": error.text, "tokens": 0, "steps": 0, "seconds": 0.0}


def without_lengths(schema: object) -> Any:
    """llama-cpp-python 0.3.36 writes a string of 1,500 characters at most as so many nested options, and llama.cpp's
    parser of grammars overflows its stack on them. Without lengths its grammar has less to keep."""
    if isinstance(schema, Mapping):
        return {name: without_lengths(value) for name, value in schema.items() if name != "maxLength"}
    return [without_lengths(each) for each in schema] if isinstance(schema, list) else schema


def _both(made: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """The two measurements of one way: what they share, and the mean of their times."""
    return {**made[-1], "seconds": round(statistics.fmean(one["seconds"] for one in made), 5)}


def report(items: Sequence[Record], of: int) -> Report:
    if not items:
        raise UsageError("No reply could be measured.", "Name other cases with --cases.")
    same = [item for item in items if _way(item, "grammar")["text"] == item["text"]]
    figures = [
        Figure("replies measured", len(items), ""),
        Figure("cases passed over", of - len(items), ""),
        Figure("replies that grammar sampling wrote in other words", len(items) - len(same), ""),
        *_speed(items, same),
        *_counts(items),
    ]
    return Report("decode", machine_line(), tuple(figures), tuple(items))


def _speed(items: Sequence[Record], same: Sequence[Record]) -> Iterator[Figure]:
    if same:
        faster, interval = ratio(_pairs(same, "ours", "grammar"))
        yield Figure("times faster than grammar sampling", faster, "", least=GRAMMAR_RATIO, interval=interval)
    share, interval = ratio(_pairs(items, "free", "ours"))
    yield Figure("time over unconstrained generation", share, "", limit=UNCONSTRAINED_RATIO, interval=interval)
    for name, words in (("ours", "ours"), ("grammar", "grammar sampling"), ("free", "unconstrained")):
        yield Figure(f"{words}: seconds per valid call, median", _seconds_per_call(items, name), "s")


def _counts(items: Sequence[Record]) -> Iterator[Figure]:
    tokens, steps = _sum(items, "ours", "tokens"), _sum(items, "ours", "steps")
    yield Figure("ours: tokens", tokens, "")
    yield Figure("ours: decode steps", steps, "")
    yield Figure("ours: decode steps saved", 100 * (1 - steps / tokens), "%", least=STEPS_SAVED_PERCENT)
    yield Figure("ours: full grammar checks", _sum(items, "ours", "full_checks"), "")
    for name in ("grammar", "free"):
        yield Figure(f"{name}: decode steps", _sum(items, name, "steps"), "")


def _way(item: Record, name: str) -> Mapping[str, Any]:
    found = item[name]
    assert isinstance(found, Mapping)
    return found


def _sum(items: Sequence[Record], name: str, count: str) -> int:
    return sum(_way(item, name)[count] for item in items)


def _pairs(items: Sequence[Record], one: str, other: str) -> list[list[tuple[float, float]]]:
    """Times of both by round."""
    rounds = sorted({str(item["round"]) for item in items})
    return [
        [
            (_way(item, one)["seconds"], _way(item, other)["seconds"])
            for item in items
            if str(item["round"]) == number
        ]
        for number in rounds
    ]  # fmt: skip


def _seconds_per_call(items: Sequence[Record], name: str) -> float:
    """Over replies that the agent can carry out; infinite when there is none."""
    valid = [_way(item, name)["seconds"] for item in items if is_legal(_way(item, name)["text"])]
    return statistics.median(valid) if valid else float("inf")
