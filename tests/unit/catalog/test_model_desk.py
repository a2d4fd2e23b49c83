"""Models looked after on request: listed, verified, added, removed and measured, with every answer an event."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar

import pytest

from aria_desktop.catalog.catalog import ModelEntry
from aria_desktop.catalog.model_desk import DeskParts, ModelDesk
from aria_desktop.catalog.speeds import Speeds, read_scores
from aria_desktop.catalog.store import ModelState, ModelStore
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.errors import EngineFailed
from aria_desktop.core.events import EngineRole, Event, Problem
from aria_desktop.core.listings import ModelsListed, ModelWorkDone, ModelWorkMoved
from aria_desktop.core.models import ModelFit, ModelPresence, ModelWork, ToolScore
from aria_desktop.core.requests import ListModels, StopModelWork, WorkOnModel
from tests.conftest import REPOSITORY
from tests.unit.catalog.makers import VOICE, VOICE_CONFIG, WEIGHTS, catalogue, entry, lay

LIMIT_S = 30
VOICE_FILES = {"joe.onnx": VOICE, "joe.onnx.json": VOICE_CONFIG}
Found = TypeVar("Found", bound=Event)


class Stage:
    def __init__(self, folder: Path) -> None:
        listed = catalogue(
            entry("tiny", {"tiny.gguf": WEIGHTS}),
            entry("joe", VOICE_FILES, role="voice", sources=[]),
        )
        self.store = ModelStore(folder / "models", listed)
        self.speeds = Speeds(folder / "data")
        self.measure: Callable[[ModelEntry, CancelToken], float] = lambda _entry, _cancel: 14.5
        self._events: SimpleQueue[Event] = SimpleQueue()
        self.desk = ModelDesk(
            DeskParts(
                make_store=lambda told: ModelStore(self.store.folder, listed, told),
                in_use=lambda: {EngineRole.LANGUAGE: "tiny", EngineRole.VOICE: "other"},
                measure=lambda entry, cancel: self.measure(entry, cancel),
                publish=self._events.put,
                speeds=self.speeds,
                scores={"tiny": ToolScore(3, 4)},
            )
        )

    def next(self, kind: type[Found]) -> Found:
        """Passes over what only tells how far work is, unless that is wanted."""
        event = self._events.get(timeout=LIMIT_S)
        while isinstance(event, ModelWorkMoved) and kind is not ModelWorkMoved:
            event = self._events.get(timeout=LIMIT_S)
        assert isinstance(event, kind), event
        return event

    def work(self, work: ModelWork, model_id: str = "", path: str = "") -> None:
        self.desk.take(WorkOnModel("r1", work, model_id, path))


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    made = Stage(tmp_path)
    yield made
    made.desk.close()


def test_the_list_tells_what_is_here_in_use_and_known(stage: Stage) -> None:
    lay(stage.store.folder_of("tiny"), {"tiny.gguf": WEIGHTS})
    stage.desk.take(ListModels("r0"))
    told = stage.next(ModelsListed)
    tiny, joe = told.models
    assert told.request_id == "r0"
    assert (tiny.presence, tiny.in_use, tiny.engine) == (ModelPresence.INSTALLED, True, "llama.cpp")
    assert (tiny.size, tiny.fit, tiny.tools) == (len(WEIGHTS), ModelFit.FITS, ToolScore(3, 4))
    assert tiny.sources == ("hub.invalid",)
    assert (joe.presence, joe.in_use, joe.sources) == (ModelPresence.MISSING, False, ())
    assert told.machine.memory_total > told.machine.memory_free > 0
    assert bool(told.machine.gpu) != bool(told.machine.reason)


def test_a_flipped_byte_is_found_and_a_whole_model_verified(stage: Stage) -> None:
    file = lay(stage.store.folder_of("tiny"), {"tiny.gguf": WEIGHTS}) / "tiny.gguf"
    stage.work(ModelWork.VERIFY, "tiny")
    assert stage.next(ModelWorkDone).model_ids == ("tiny",)
    file.write_bytes(WEIGHTS[:-1] + b"x")
    stage.work(ModelWork.VERIFY, "tiny")
    assert "SHA-256" in stage.next(Problem).text


def test_models_of_a_stick_are_added_and_what_is_none_is_refused(stage: Stage, tmp_path: Path) -> None:
    stick = lay(tmp_path / "stick" / "joe", VOICE_FILES).parent
    stage.work(ModelWork.ADD, path=str(stick))
    assert stage.next(ModelWorkDone).model_ids == ("joe",)
    assert stage.store.state("joe") is ModelState.INSTALLED
    empty = tmp_path / "empty"
    empty.mkdir()
    stage.work(ModelWork.ADD, path=str(empty))
    assert "no model" in stage.next(Problem).text
    stage.work(ModelWork.ADD, path="stick")
    assert "no whole path" in stage.next(Problem).text


def test_one_bad_model_on_a_stick_does_not_keep_the_others(stage: Stage, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    lay(stick / "joe", VOICE_FILES)
    lay(stick / "tiny", {"tiny.gguf": WEIGHTS[:-1] + b"x"})
    stage.work(ModelWork.ADD, path=str(stick))
    problem = stage.next(Problem)
    assert "SHA-256" in problem.text
    assert "Added: joe." in problem.text
    assert stage.store.state("joe") is ModelState.INSTALLED
    assert stage.store.state("tiny") is ModelState.MISSING


def test_what_is_in_use_is_not_removed_and_other_models_are(stage: Stage) -> None:
    lay(stage.store.folder_of("tiny"), {"tiny.gguf": WEIGHTS})
    stage.work(ModelWork.REMOVE, "tiny")
    assert "in use" in stage.next(Problem).text
    assert stage.store.state("tiny") is ModelState.INSTALLED
    lay(stage.store.folder_of("joe"), {**VOICE_FILES, "mine.txt": b"x"})
    stage.speeds.keep("joe", 3.0)
    stage.work(ModelWork.REMOVE, "joe")
    done = stage.next(ModelWorkDone)
    assert (done.model_ids, done.text) == (("joe",), "mine.txt was left there.")
    assert "joe" not in stage.speeds.all()


def test_a_measured_speed_is_kept_and_told(stage: Stage) -> None:
    stage.work(ModelWork.MEASURE, "tiny")
    assert stage.next(ModelWorkMoved).total == 0
    assert stage.next(ModelWorkDone).model_ids == ("tiny",)
    stage.desk.take(ListModels("r2"))
    speed = stage.next(ModelsListed).models[0].speed
    assert speed is not None
    assert speed.value == 14.5
    assert speed.at > 1_700_000_000


def test_trouble_while_measuring_is_told_and_nothing_kept(stage: Stage) -> None:
    def fail(_entry: ModelEntry, _cancel: CancelToken) -> float:
        raise EngineFailed("It does not load.", "Try another.")

    stage.measure = fail
    stage.work(ModelWork.MEASURE, "tiny")
    problem = stage.next(Problem)
    assert (problem.request_id, problem.text, problem.hint) == ("r1", "It does not load.", "Try another.")
    assert stage.speeds.all() == {}


def test_work_is_stopped_while_it_runs_and_before_its_turn(stage: Stage) -> None:
    def wait(_entry: ModelEntry, cancel: CancelToken) -> float:
        assert cancel.wait(LIMIT_S)
        cancel.raise_if_cancelled()
        return 0.0

    stage.measure = wait
    stage.work(ModelWork.MEASURE, "tiny")
    stage.next(ModelWorkMoved)
    stage.desk.take(WorkOnModel("r2", ModelWork.MEASURE, "joe"))
    stage.desk.take(StopModelWork("r2"))
    stage.desk.take(StopModelWork("r1"))
    first, second = stage.next(ModelWorkDone), stage.next(ModelWorkDone)
    assert [(each.request_id, each.model_ids) for each in (first, second)] == [("r1", ()), ("r2", ())]


def test_closing_stops_what_runs_and_takes_nothing_more(stage: Stage) -> None:
    def wait(_entry: ModelEntry, cancel: CancelToken) -> float:
        assert cancel.wait(LIMIT_S)
        cancel.raise_if_cancelled()
        return 0.0

    stage.measure = wait
    stage.work(ModelWork.MEASURE, "tiny")
    stage.next(ModelWorkMoved)
    stage.desk.close()
    assert stage.next(ModelWorkDone).model_ids == ()
    stage.desk.take(ListModels("r9"))
    stage.desk.close()
    assert stage._events.empty()


@pytest.mark.parametrize("content", ["", "[]", '{"tiny": 5}', '{"tiny": {"value": "x"}}'])
def test_speeds_that_can_not_be_read_are_none(tmp_path: Path, content: str) -> None:
    (tmp_path / "speeds.json").write_text(content)
    speeds = Speeds(tmp_path)
    assert speeds.all() == {}
    speeds.keep("tiny", 2.0)
    assert speeds.all()["tiny"].value == 2.0


def test_the_scores_that_ship_are_those_that_were_measured() -> None:
    measured = json.loads((REPOSITORY / "docs" / "benchmarks" / "eval.json").read_text("utf-8"))["models"]
    assert read_scores(REPOSITORY / "resources") == {
        each["model"]: ToolScore(each["tools_ok"], each["cases"]) for each in measured
    }
