"""`aria bench prefix`: the time from a prompt to its first token, warm against cold, in conversations as they happen.

A conversation is a row of the agent's real prompts: what the user says, with the turns before it; the same with the
result of a tool; now and then the writing of code, whose prompt begins with other words. Each prompt goes to four
processes in turn: the program; llama-cpp-python as it is, which reuses what its last prompt began with; the same with
its `LlamaRAMCache`; and the same made to forget before each prompt. All but the last have read the unchanging start
once before, as the program has when a conversation begins. Nothing is decoded but the first token, and without a
grammar, so that the four do the same.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from aria_desktop.core.errors import UsageError
from aria_desktop.core.interfaces import Generation, LanguageModel
from aria_desktop.evaluation.case_prompts import asked_for
from aria_desktop.evaluation.cases import Case, EarlierTurn
from aria_desktop.evaluation.evaluated import EvaluatedModel
from aria_desktop.evaluation.fresh_engine import fresh_engine, gguf_of, on_processor
from aria_desktop.evaluation.intervals import ratio
from aria_desktop.evaluation.legal import generated
from aria_desktop.evaluation.llama_peer import Do
from aria_desktop.evaluation.peer_process import PeerProcess
from aria_desktop.evaluation.records import Record, Records
from aria_desktop.evaluation.report import Figure, Report, machine_line
from aria_desktop.workers.host import LoadSpec

COLD_RATIO = 8
RESTART_S = 1.0
RESTARTS = 3
CACHE_BYTES = 2_000_000_000
PEERS = {"as it is": "llama-cpp-python as it is", "cache": "with LlamaRAMCache", "cold": "without any reuse"}

LOOKS = '{"calls":[{"tool":"list_files","folder":"."}],"then":"look"}'
WRITES = (
    '{"calls":[{"tool":"write_code","path":"a.py","language":"python","request":"print the numbers to ten"}],"then":""}'
)

Show = Callable[[int, int, float | None], None]
"""Done, of how many, seconds left."""


@dataclass(frozen=True, slots=True)
class Plan:
    sessions: int = 10
    turns: int = 6
    """Of each session."""


@dataclass(frozen=True, slots=True)
class _Arms:
    ours: LanguageModel
    peers: Mapping[str, PeerProcess]


def run(model: EvaluatedModel, cases: Sequence[Case], plan: Plan, records: Records, show: Show) -> Report:
    """Raises UsageError when there is no conversation to be made of the cases."""
    began, before = time.monotonic(), len(records.all)
    spec = on_processor(model.spec)
    missing = [number for number in range(plan.sessions) if f"session {number}" not in records.all]
    with tempfile.TemporaryDirectory(prefix="aria-prefix-") as folder:
        if missing:
            with ExitStack() as stack:
                arms = _started(on_processor(spec, folder), model, stack)
                for number in missing:
                    prompts = list(conversation(model, cases, plan.turns, number))
                    records.add(f"session {number}", {"prompts": [_measured(arms, *prompt) for prompt in prompts]})
                    left = (time.monotonic() - began) / (len(records.all) - before) * (plan.sessions - len(records.all))
                    show(len(records.all), plan.sessions, max(0.0, left))
        again = [key for key in (f"restart {number}" for number in range(RESTARTS)) if key not in records.all]
        if again and not missing:
            _keep_start(on_processor(spec, folder), model)
        for key in again:
            records.add(key, _restarted(spec, folder, model, cases))
    return report(records)


def _keep_start(spec: LoadSpec, model: EvaluatedModel) -> None:
    """What a conversation before the restart would have left in the folder."""
    with fresh_engine(spec) as engine:
        generated(engine.language, _stable(model))


def _started(spec: LoadSpec, model: EvaluatedModel, stack: ExitStack) -> _Arms:
    """All have read what never changes."""
    ours = stack.enter_context(fresh_engine(spec))
    start = _stable(model)
    generated(ours.language, start)
    threads = int(spec.options["threads"])
    made = {name: PeerProcess(gguf_of(spec), ours.context_tokens, threads) for name in PEERS}
    peers = {name: stack.enter_context(peer) for name, peer in made.items()}
    peers["cache"].ask(Do.REMEMBER, bytes=CACHE_BYTES)
    for peer in peers.values():
        peer.ask(Do.FIRST, start.messages)
    return _Arms(ours.language, peers)


def _stable(model: EvaluatedModel) -> Generation:
    stable = model.make_agent(model.language, ()).stable_messages()
    return Generation(stable, max_tokens=1, stable_messages=len(stable))


def conversation(
    model: EvaluatedModel, cases: Sequence[Case], turns: int, number: int
) -> Iterator[tuple[str, Generation]]:
    """Each prompt with its kind."""
    earlier: list[EarlierTurn] = []
    for turn in range(turns):
        case = cases[(number * turns + turn) % len(cases)].model_copy(update={"history": tuple(earlier)})
        replies: dict[str, tuple[str, ...]] = {"words": (), "result": (LOOKS,)}
        if turn % 3 == 1:
            replies = {"words": (), "code": (WRITES,), "result": (LOOKS,)}
        for kind, before in replies.items():
            generation = asked_for(model.make_agent, case, before)
            if generation is not None:
                yield kind, replace(generation, reply_schema=None, max_tokens=1)
        earlier.append(EarlierTurn(user=case.say, assistant="That is done."))


def _measured(arms: _Arms, kind: str, generation: Generation) -> Record:
    found: dict[str, object] = {"kind": kind, "ours": _ours(arms.ours, generation)}
    for name, peer in arms.peers.items():
        if name == "cold":
            peer.ask(Do.FORGET)
        found[name] = peer.ask(Do.FIRST, generation.messages)
    return found


def _ours(language: LanguageModel, generation: Generation) -> Mapping[str, object]:
    _, end = generated(language, generation)
    return {
        "prompt_tokens": end.prompt_tokens,
        "evaluated": end.prompt_tokens - end.reused_tokens,
        "evaluated_again": max(0, end.stable_tokens - end.reused_tokens),
        "stable_tokens": end.stable_tokens,
        "seconds": end.seconds,
    }


def _restarted(spec: LoadSpec, folder: str, model: EvaluatedModel, cases: Sequence[Case]) -> Record:
    """The engine's process started anew, without and with what an earlier one kept."""
    with fresh_engine(spec) as plain:
        without = plain.seconds_to_load
    with fresh_engine(on_processor(spec, folder)) as ours:
        first = next(iter(conversation(model, cases, 1, 0)), None)
        if first is None:
            raise UsageError("No case is put to the model.", "Name other cases with --cases.")
        return {"load": ours.seconds_to_load, "load_without": without, "first": _ours(ours.language, first[1])}


def report(records: Records) -> Report:
    sessions = [record["prompts"] for key, record in records.all.items() if key.startswith("session")]
    restarts = [record for key, record in records.all.items() if key.startswith("restart")]
    figures = [*_warm(sessions), *_restart(restarts)]
    return Report("prefix", machine_line(), tuple(figures), tuple(records.all.values()))


def _warm(sessions: Sequence[Any]) -> Iterator[Figure]:
    spoken = [[prompt for prompt in session if prompt["kind"] != "code"] for session in sessions]
    flat = [prompt for session in spoken for prompt in session]
    yield Figure("prompts measured", len(flat), "")
    yield Figure("time to first token, median", statistics.median(one["ours"]["seconds"] for one in flat), "s")
    for name, words in PEERS.items():
        pairs = [[(one["ours"]["seconds"], one[name]["seconds"]) for one in session] for session in spoken]
        faster, interval = ratio(pairs)
        goal = COLD_RATIO if name == "cold" else None
        yield Figure(f"times faster than {words}", faster, "", least=goal, interval=interval)
        evaluated = sum(one[name]["evaluated"] for one in flat)
        yield Figure(f"{words}: prompt tokens evaluated", evaluated, "")
    yield Figure("ours: prompt tokens evaluated", sum(one["ours"]["evaluated"] for one in flat), "")
    again = sum(one["ours"]["evaluated_again"] for one in flat)
    yield Figure("ours: tokens of the unchanging start evaluated again", again, "", limit=0)


def _restart(restarts: Sequence[Record]) -> Iterator[Figure]:
    more = [float(str(one["load"])) - float(str(one["load_without"])) for one in restarts]
    firsts = [one["first"] for one in restarts]
    yield Figure("restart: loading the kept start, median", max(0.0, statistics.median(more)), "s", limit=RESTART_S)
    yield Figure("restart: time to first token, median", statistics.median(_seconds(first) for first in firsts), "s")
    again = sum(int(str(first["evaluated_again"])) for first in firsts if isinstance(first, Mapping))
    yield Figure("restart: tokens of the unchanging start evaluated again", again, "", limit=0)


def _seconds(first: object) -> float:
    assert isinstance(first, Mapping)
    return float(first["seconds"])
