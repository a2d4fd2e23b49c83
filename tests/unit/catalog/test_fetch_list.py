"""Several models in a row: paused, gone on with, failed beside others."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from aria_desktop.catalog.fetch_list import FetchList
from aria_desktop.catalog.store import STAGING_NAME, ModelState, ModelStore
from aria_desktop.core.fetch_mode import FetchLine, FetchState
from tests.unit.catalog.hub_server import HubServer, Serve
from tests.unit.catalog.makers import WEIGHTS, catalogue, entry

LIMIT_S = 30


@pytest.fixture
def hub() -> Iterator[HubServer]:
    with HubServer({f"nobody/{name}/resolve/r1/{name}.gguf": WEIGHTS for name in ("one", "two")}) as server:
        yield server


@pytest.fixture
def store(tmp_path: Path, hub: HubServer) -> ModelStore:
    entries = [entry(name, {f"{name}.gguf": WEIGHTS}) for name in ("one", "two")]
    return ModelStore(tmp_path / "models", catalogue(*entries, hub=hub.url))


class Heard:
    """What a listener was told, and a way to wait for a state."""

    def __init__(self) -> None:
        self.lines: list[FetchLine] = []
        self._told = threading.Condition()

    def __call__(self, line: FetchLine) -> None:
        with self._told:
            self.lines.append(line)
            self._told.notify_all()

    def wait_for(self, model_id: str, state: FetchState) -> FetchLine:
        def found() -> FetchLine | None:
            return next((line for line in self.lines if (line.model_id, line.state) == (model_id, state)), None)

        with self._told:
            assert self._told.wait_for(found, LIMIT_S), self.lines
            line = found()
        assert line is not None
        return line


def test_all_arrive_and_each_is_told(store: ModelStore) -> None:
    heard, fetching = Heard(), FetchList(store, ("one", "two"))
    assert [line.state for line in fetching.lines] == [FetchState.WAITING] * 2
    assert not fetching.running
    fetching.start(heard)
    heard.wait_for("two", FetchState.DONE)
    fetching.close()
    assert [line.state for line in fetching.lines] == [FetchState.DONE] * 2
    assert any(line.state is FetchState.DOWNLOADING and line.source == "127.0.0.1" for line in heard.lines)
    assert store.state("one") is store.state("two") is ModelState.INSTALLED


def test_a_pause_keeps_what_arrived_and_the_next_start_goes_on(store: ModelStore, hub: HubServer) -> None:
    hub.then(Serve(stall_after=4000))
    heard, fetching = Heard(), FetchList(store, ("one", "two"))
    fetching.start(heard)
    part = store.folder_of("one") / STAGING_NAME / "one.gguf.part"
    deadline = time.monotonic() + LIMIT_S
    while not (part.exists() and part.stat().st_size == 4000):
        assert time.monotonic() < deadline, "the part does not grow"
        time.sleep(0.01)
    fetching.pause()
    heard.wait_for("two", FetchState.PAUSED)
    fetching.close()
    assert [line.state for line in fetching.lines] == [FetchState.PAUSED] * 2
    assert part.read_bytes() == WEIGHTS[:4000]
    fetching.start(heard)
    heard.wait_for("two", FetchState.DONE)
    fetching.close()
    assert hub.asked[1][1] == "bytes=4000-"


def test_one_that_fails_does_not_keep_the_others_and_is_tried_again(store: ModelStore, hub: HubServer) -> None:
    hub.then(Serve(flip=100))
    heard, fetching = Heard(), FetchList(store, ("one", "two"))
    fetching.start(heard)
    failed = heard.wait_for("one", FetchState.FAILED)
    heard.wait_for("two", FetchState.DONE)
    fetching.close()
    assert "SHA-256" in failed.text
    assert store.state("one") is ModelState.MISSING
    fetching.start(heard)
    heard.wait_for("one", FetchState.DONE)
    fetching.close()
    assert [line.state for line in fetching.lines] == [FetchState.DONE] * 2


def test_without_a_network_it_says_so(tmp_path: Path) -> None:
    nowhere = catalogue(entry("one", {"one.gguf": WEIGHTS}), hub="http://127.0.0.1:9")
    heard, fetching = Heard(), FetchList(ModelStore(tmp_path / "models", nowhere), ("one",))
    fetching.start(heard)
    assert "127.0.0.1" in heard.wait_for("one", FetchState.FAILED).text
    fetching.close()
