"""`aria eval`: every case on every model, as often as asked, going on where an earlier run stopped."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from aria_desktop import __version__
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.interfaces import Generation
from aria_desktop.evaluation.case_run import run_case
from aria_desktop.evaluation.cases import Case
from aria_desktop.evaluation.evaluated import EvaluatedModel
from aria_desktop.evaluation.reply_cache import CachedLanguageModel
from aria_desktop.evaluation.results import CaseResult, ResultFile

PACKAGE = Path(__file__).resolve().parent.parent
_DECIDING = ("assistant", "core", "engines/language", "evaluation", "safety", "tools")
"""Folders of the package whose code decides what comes out."""


@dataclass(frozen=True, slots=True)
class Plan:
    models: tuple[str, ...]
    cases: tuple[Case, ...]
    repeats: int
    out: Path
    cache: Path
    fresh: bool = False

    @property
    def runs(self) -> int:
        return len(self.models) * len(self.cases) * self.repeats


@dataclass(frozen=True, slots=True)
class Standing:
    """How far it is."""

    model: str
    case: str
    done: int
    of: int
    passed: int
    seconds_left: float | None
    """None while nothing was measured."""


@dataclass(frozen=True, slots=True)
class Outcome:
    results: tuple[CaseResult, ...]
    hits: int
    """Replies from the cache."""
    misses: int


def run(
    plan: Plan,
    open_model: Callable[[str], AbstractContextManager[EvaluatedModel]],
    settings: dict[str, object],
    show: Callable[[Standing], None],
    told: Callable[[str], None],
) -> Outcome:
    """Run what is not done yet.

    Args:
        open_model: the agent on one model; raises ModelMissing and ModelDamaged.
        settings: what beside cases, models and program decides the results.
        told: gets sentences about what was passed over.

    Raises UsageError when the folder holds results of other settings, KeyboardInterrupt with all kept that is done.
    """
    fixed = {**settings, **_settings(plan, open_model)}
    results = ResultFile(plan.out, fixed, fresh=plan.fresh)
    done = {result.key for result in results.results}
    clock = _Clock(plan, results, show)
    hits = misses = 0
    for name in plan.models:
        missing = [(case, repeat) for case, repeat in _order(plan) if (name, case.id, repeat) not in done]
        if not missing:
            continue
        with open_model(name) as model:
            get_ready = partial(_ready_for_turns, model)
            language = CachedLanguageModel(model.language, plan.cache, model.fingerprint, get_ready, told)
            for case, repeat in missing:
                clock.begins(name, case.id)
                results.add(run_case(case, repeat, name, language, model.make_agent))
                clock.ended()
        hits, misses = hits + language.hits, misses + language.misses
    return Outcome(tuple(results.results), hits, misses)


def _ready_for_turns(model: EvaluatedModel) -> int:
    """Load it and have it read the unchanging part of the prompt, as the program does before the first turn."""
    context = model.load()
    stable = model.make_agent(model.language, ()).stable_messages()
    for _ in model.language.complete(Generation(stable, max_tokens=1, stable_messages=len(stable)), CancelToken()):
        continue
    return context


def _order(plan: Plan) -> Iterator[tuple[Case, int]]:
    for repeat in range(1, plan.repeats + 1):
        for case in plan.cases:
            yield case, repeat


def _settings(plan: Plan, open_model: Callable[[str], AbstractContextManager[EvaluatedModel]]) -> dict[str, object]:
    found: dict[str, object] = {
        "cases": f"{len(plan.cases)} ({_hash(*(case.model_dump_json() for case in plan.cases))})",
        "models": list(plan.models),
        "repeats": plan.repeats,
        "program": f"{__version__} ({_program_hash()})",
    }
    for name in plan.models:
        with open_model(name) as model:
            found[f"files of {name}"] = _hash(model.fingerprint)
            found["settings"] = model.settings
            found["prompt"] = _hash(repr(model.make_agent(model.language, ()).stable_messages()))
    return found


def _program_hash() -> str:
    """Of the code that decides what comes out; the prompts are in the models' hashes."""
    files = [path for folder in _DECIDING for path in sorted((PACKAGE / folder).rglob("*.py"))]
    return _hash(*(f"{path.relative_to(PACKAGE).as_posix()}\n{path.read_text('utf-8')}" for path in files))


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


class _Clock:
    """Tells how far it is; time that is left goes by the runs of this call only."""

    def __init__(self, plan: Plan, results: ResultFile, show: Callable[[Standing], None]) -> None:
        self._plan, self._results, self._show = plan, results, show
        self._began = time.monotonic()
        self._before = len(results.results)
        self._now = ("", "")

    def begins(self, model: str, case: str) -> None:
        self._now = (model, case)
        self.ended()

    def ended(self) -> None:
        done = len(self._results.results)
        fresh = done - self._before
        each = (time.monotonic() - self._began) / fresh if fresh else None
        left = None if each is None else each * (self._plan.runs - done)
        passed = sum(result.passed for result in self._results.results)
        self._show(Standing(*self._now, done, self._plan.runs, passed, left))
