"""`aria bench bfcl`: how often the right function is called with the right arguments, and how often none where none
fits. Our way to call functions and two others have the same model file, in the same run, on the same cases.

Every reply is written down as it came, with a hash of all that decides about it, before the next case is asked: a run
that was broken off goes on, and scoring anew costs nothing. The cases are 60 of each category of the leaderboard, so
the figures are no places on it.
"""

from __future__ import annotations

import hashlib
import json
import random
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from aria_desktop.catalog.catalog import load_catalogue
from aria_desktop.catalog.store import ModelStore
from aria_desktop.evaluation.bfcl_cases import CATEGORIES, IRRELEVANCE, Case
from aria_desktop.evaluation.bfcl_checker import fault
from aria_desktop.evaluation.bfcl_contestants import Contestant, Setting, Wrote, contestants
from aria_desktop.evaluation.bfcl_replies import typed
from aria_desktop.evaluation.evaluated import fingerprint
from aria_desktop.evaluation.intervals import difference, wilson
from aria_desktop.evaluation.report import Figure, Report, machine_line
from aria_desktop.storage.paths import find_paths
from aria_desktop.workers.host import LoadSpec

POINTS_AHEAD = 10.0
IRRELEVANCE_LEAST = 80.0
CASES_EACH = 60


@dataclass(frozen=True, slots=True)
class Reply:
    """One contestant's reply to one case."""

    key: str
    """Hash of everything that decides about it."""
    contestant: str
    case: str
    category: str
    raw: str
    error: str
    seconds: float
    answer_probability: float | None = None
    fault: str = ""
    """What the checker found wrong; empty: nothing. Never read from the record."""

    @property
    def right(self) -> bool:
        return not self.fault


class Record:
    """The replies so far, a JSON object a line; each is on disk before the next one is asked for."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, Reply] = {}
        text = path.read_text("utf-8", "replace") if path.exists() else ""
        for line in text.split("\n"):
            self._keep(line)
        self._before = "" if text.endswith("\n") or not text else "\n"
        """Ends the line in whose middle an earlier run was killed."""

    def _keep(self, line: str) -> None:
        try:
            reply = Reply(**json.loads(line))
        except (ValueError, TypeError):
            return  # The last line of a run that was killed while it wrote.
        self._known[reply.key] = reply

    def find(self, key: str) -> Reply | None:
        return self._known.get(key)

    def add(self, reply: Reply) -> None:
        self._known[reply.key] = reply
        data = {name: value for name, value in asdict(reply).items() if name != "fault"}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(self._before + json.dumps(data, ensure_ascii=False) + "\n")
        self._before = ""


def measure(
    cases: Sequence[Case],
    model: str,
    threads: int,
    answer_from: float,
    names: Sequence[str],
    replies: Path,
    tell: Callable[[str], None],
) -> Report:
    """The contestants that are named, on an installed model.

    Raises ModelMissing, ModelDamaged, EngineFailed and EngineDied.
    """
    paths = find_paths()
    place = ModelStore(paths.models, load_catalogue(paths.catalog)).open(model).path
    # Of a model in parts the first one is named, and names the others.
    setting = Setting(
        str(place if place.is_file() else min(place.glob("*.gguf"))), threads=threads, answer_from=answer_from
    )
    deciding = fingerprint(LoadSpec("llama.cpp", str(place), {"context_tokens": setting.context_tokens}))
    asked = [contestant for contestant in contestants(setting) if contestant.name in names]
    return run(cases, asked, deciding, Record(replies), tell)


def run(
    cases: Sequence[Case],
    asked: Sequence[Contestant],
    model: str,
    record: Record,
    tell: Callable[[str], None] = lambda _: None,
) -> Report:
    """
    Args:
        asked: ours first.
        model: what tells the model file and the setting from others.
        tell: takes a line for the user after each case.
    """
    replies: list[Reply] = []
    with ExitStack() as stack:
        running: set[str] = set()
        for number, case in enumerate(_mixed(cases), 1):
            for contestant in _shuffled(asked, case):
                key = _key(contestant, case, model)
                reply = record.find(key)
                if reply is None:
                    if contestant.name not in running:
                        stack.enter_context(contestant)
                        running.add(contestant.name)
                    reply = _asked(contestant, case, key)
                    record.add(reply)
                replies.append(judged(reply, contestant, case))
            told = " ".join(f"{r.contestant}:{r.fault or 'right'}" for r in replies[-len(asked) :])
            tell(f"{number}/{len(cases)} {case.id} {told}")
    return _report(replies, [contestant.name for contestant in asked])


def judged(reply: Reply, contestant: Contestant, case: Case) -> Reply:
    """What can't be read holds no call."""
    try:
        calls = tuple(contestant.calls(reply.raw))
    except (ValueError, KeyError, TypeError, AttributeError):
        calls = ()
    return replace(reply, fault=fault(case, typed(calls, case.functions)))


def _asked(contestant: Contestant, case: Case, key: str) -> Reply:
    began = time.perf_counter()
    wrote: Wrote = contestant.ask(case)
    seconds = time.perf_counter() - began
    return Reply(
        key, contestant.name, case.id, case.category, wrote.raw, wrote.error, seconds, wrote.answer_probability
    )


def _key(contestant: Contestant, case: Case, model: str) -> str:
    parts = "\0".join((contestant.name, model, contestant.asked(case)))
    return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()


def _mixed(cases: Sequence[Case]) -> list[Case]:
    """The first of each category, then the second of each: a run that is broken off has some of all."""
    place: dict[str, int] = {}
    order = []
    for case in cases:
        place[case.category] = place.get(case.category, 0) + 1
        order.append((place[case.category], case.category, case))
    return [case for *_, case in sorted(order, key=lambda item: item[:2])]


def _shuffled(contestants: Sequence[Contestant], case: Case) -> list[Contestant]:
    """No contestant always comes first; the same order each time the case is asked."""
    return random.Random(case.id).sample(contestants, k=len(contestants))


def _report(replies: Sequence[Reply], names: Sequence[str]) -> Report:
    by_name = {name: [reply for reply in replies if reply.contestant == name] for name in names}
    figures = [figure for name in names for figure in _alone(name, by_name[name])]
    if names[0] == "ours" and len(names) > 1:
        figures += list(_compared(by_name, *names))
    return Report("bfcl", machine_line(), tuple(figures), tuple(asdict(reply) for reply in replies))


def _alone(name: str, replies: Sequence[Reply]) -> Iterator[Figure]:
    for category in CATEGORIES:
        if found := [reply.right for reply in replies if reply.category == category]:
            goal = IRRELEVANCE_LEAST if (category, name) == (IRRELEVANCE, "ours") else None
            yield _share(f"{name}: {category}, {len(found)} cases", found, goal)
    yield _share(f"{name}: all that need a call", [reply.right for reply in replies if reply.category != IRRELEVANCE])
    yield Figure(f"{name}: seconds per case, mean", statistics.fmean(reply.seconds for reply in replies), "s")
    yield Figure(f"{name}: replies cut off or failed", sum(bool(reply.error) for reply in replies), "")


def _share(name: str, right: Sequence[bool], least: float | None = None) -> Figure:
    low, high = wilson(sum(right), len(right))
    return Figure(name, 100 * sum(right) / max(1, len(right)), "%", least=least, interval=(100 * low, 100 * high))


def _compared(by_name: Mapping[str, Sequence[Reply]], ours: str, *others: str) -> Iterator[Figure]:
    """On the cases that need a call; only the better of the others decides about the goal."""
    right = {name: [r.right for r in replies if r.category != IRRELEVANCE] for name, replies in by_name.items()}
    best = max(others, key=lambda name: sum(right[name]))
    for name in others:
        ahead, (low, high) = difference(right[ours], right[name])
        goal = POINTS_AHEAD if name == best else None
        title = f"{ours} ahead of {name} where a call is needed"
        yield Figure(title, 100 * ahead, "points", least=goal, interval=(100 * low, 100 * high))
