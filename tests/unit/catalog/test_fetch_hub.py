"""Fetching from a hub that breaks off, lies, stalls and goes away."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from aria_desktop.catalog.fetch import Fetcher
from aria_desktop.catalog.progress import Progress, Stage
from aria_desktop.catalog.store import STAGING_NAME, ModelState, ModelStore
from aria_desktop.catalog.web import Web
from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.errors import DiskFull, FetchFailed, ModelDamaged
from tests.unit.catalog.hub_server import HubServer, Serve
from tests.unit.catalog.makers import WEIGHTS, catalogue, entry, sha256

MODEL = "tiny"
FILE = "tiny.gguf"
PATH = f"nobody/{MODEL}/resolve/r1/{FILE}"


@pytest.fixture
def hub() -> Iterator[HubServer]:
    with HubServer({PATH: WEIGHTS}) as server:
        yield server


class Run:
    """A store and one run of fetching, with all that was said."""

    def __init__(self, folder: Path, hub: HubServer, *, known: bool = True, stall_s: float = 5.0) -> None:
        self.said: list[str] = []
        self.progress: list[Progress] = []
        self.cancel = CancelToken()
        self.ended: Exception | None = None
        self.store = ModelStore(folder, catalogue(entry(MODEL, {FILE: WEIGHTS}, known=known), hub=hub.url))
        self.fetcher = Fetcher(
            self.store, self.cancel, self.progress.append, self.said.append, Web(connect_s=5, stall_s=stall_s)
        )

    def start(self) -> threading.Thread:
        """Fetch on a thread of its own; `ended` has the exception afterwards."""
        thread = threading.Thread(target=self._fetch)
        thread.start()
        return thread

    def _fetch(self) -> None:
        try:
            self.fetcher.fetch(MODEL)
        except Exception as error:
            self.ended = error

    def wait_for_part(self, length: int) -> None:
        """Return as soon as so many bytes have come."""
        deadline = time.monotonic() + 20
        while not (self.part.exists() and self.part.stat().st_size == length):
            assert time.monotonic() < deadline, "the part does not grow"
            self.cancel.wait(0.01)

    @property
    def file(self) -> Path:
        return self.store.folder_of(MODEL) / FILE

    @property
    def part(self) -> Path:
        return self.store.folder_of(MODEL) / STAGING_NAME / f"{FILE}.part"


@pytest.fixture
def run(tmp_path: Path, hub: HubServer) -> Run:
    return Run(tmp_path / "models", hub)


def test_a_model_arrives_verified_and_leaves_nothing_else(run: Run) -> None:
    arrived = run.fetcher.fetch(MODEL)
    assert run.file.read_bytes() == WEIGHTS
    assert arrived.brought == (FILE,)
    assert arrived.model.main_file == run.file
    assert not run.part.parent.exists()
    assert run.store.open(MODEL) == arrived.model


def test_what_is_here_is_not_asked_for(run: Run, hub: HubServer) -> None:
    run.fetcher.fetch(MODEL)
    assert run.fetcher.fetch(MODEL).brought == ()
    assert len(hub.asked) == 1


def test_progress_tells_bytes_and_the_host(run: Run) -> None:
    run.fetcher.fetch(MODEL)
    last = run.progress[-1]
    assert (last.stage, last.source, last.done, last.total) == (
        Stage.DOWNLOADING,
        "127.0.0.1",
        len(WEIGHTS),
        len(WEIGHTS),
    )


def test_a_broken_connection_keeps_what_came_and_the_next_run_asks_for_the_rest(
    tmp_path: Path, run: Run, hub: HubServer
) -> None:
    hub.then(Serve(stop_after=4000))
    with pytest.raises(FetchFailed, match=r"the connection ended after 4 kB of 10\.2 kB") as failure:
        run.fetcher.fetch(MODEL)
    assert "goes on from there" in failure.value.hint
    assert run.part.read_bytes() == WEIGHTS[:4000]
    assert run.store.state(MODEL) is ModelState.PARTIAL
    Run(tmp_path / "models", hub).fetcher.fetch(MODEL)
    assert run.file.read_bytes() == WEIGHTS
    assert hub.asked == [(PATH, ""), (PATH, "bytes=4000-")]


def test_a_host_that_failed_is_not_asked_again_in_the_same_run(run: Run, hub: HubServer) -> None:
    hub.then(Serve(stop_after=10))
    for words in ("the connection ended", "failed before and is not asked again"):
        with pytest.raises(FetchFailed, match=words):
            run.fetcher.fetch(MODEL)
    assert len(hub.asked) == 1


def test_a_host_without_ranges_sends_the_whole_file_again(tmp_path: Path, run: Run, hub: HubServer) -> None:
    hub.then(Serve(stop_after=4000), Serve(ranges=False))
    with pytest.raises(FetchFailed):
        run.fetcher.fetch(MODEL)
    Run(tmp_path / "models", hub).fetcher.fetch(MODEL)
    assert run.file.read_bytes() == WEIGHTS


def test_a_file_that_changed_meanwhile_starts_again(tmp_path: Path, hub: HubServer) -> None:
    """Its hash is not known, so nothing but the mark could tell old bytes from new ones."""
    hub.then(Serve(stop_after=4000))
    with pytest.raises(FetchFailed):
        Run(tmp_path, hub, known=False).fetcher.fetch(MODEL)
    hub.files[PATH] = changed = WEIGHTS[::-1]
    hub.then(Serve(etag='"two"'))
    run = Run(tmp_path, hub, known=False)
    run.fetcher.fetch(MODEL)
    assert run.file.read_bytes() == changed


def test_an_answer_with_another_range_is_refused(tmp_path: Path, run: Run, hub: HubServer) -> None:
    hub.then(Serve(stop_after=4000), Serve(shift=1))
    with pytest.raises(FetchFailed):
        run.fetcher.fetch(MODEL)
    with pytest.raises(FetchFailed, match="another piece of the file"):
        Run(tmp_path / "models", hub).fetcher.fetch(MODEL)
    assert run.part.read_bytes() == WEIGHTS[:4000]


def test_a_part_that_is_longer_than_the_file_on_the_hub_starts_again(tmp_path: Path, hub: HubServer) -> None:
    run = Run(tmp_path, hub, known=False)
    run.part.parent.mkdir(parents=True)
    run.part.write_bytes(WEIGHTS + b"more")
    run.fetcher.fetch(MODEL)
    assert run.file.read_bytes() == WEIGHTS
    assert [asked for _, asked in hub.asked] == [f"bytes={len(WEIGHTS) + 4}-", ""]


def test_a_complete_part_needs_no_network(run: Run, hub: HubServer) -> None:
    run.part.parent.mkdir(parents=True)
    run.part.write_bytes(WEIGHTS)
    run.fetcher.fetch(MODEL)
    assert run.file.read_bytes() == WEIGHTS
    assert hub.asked == []


@pytest.mark.parametrize("announce", [-1, 1])
def test_a_wrong_length_is_refused_and_deleted(run: Run, hub: HubServer, announce: int) -> None:
    hub.then(Serve(announce=announce))
    with pytest.raises(
        ModelDamaged, match=f"offers {len(WEIGHTS) + announce} bytes where {len(WEIGHTS)} were promised"
    ):
        run.fetcher.fetch(MODEL)
    assert not run.store.folder_of(MODEL).exists()


def test_a_flipped_byte_is_deleted_and_said(run: Run, hub: HubServer) -> None:
    hub.then(Serve(flip=5000))
    with pytest.raises(ModelDamaged, match=f"must have {sha256(WEIGHTS)}; it was deleted"):
        run.fetcher.fetch(MODEL)
    assert not run.store.folder_of(MODEL).exists()
    assert any("it was deleted" in text for text in run.said)


def test_a_file_that_is_not_there_is_said_and_does_not_condemn_the_host(run: Run, hub: HubServer) -> None:
    del hub.files[PATH]
    with pytest.raises(FetchFailed, match=r"answers 404 \(Not Found\)"):
        run.fetcher.fetch(MODEL)
    hub.files[PATH] = WEIGHTS
    assert run.fetcher.fetch(MODEL).brought == (FILE,)


def test_a_host_in_trouble_is_left_alone(run: Run, hub: HubServer) -> None:
    hub.then(Serve(status=503))
    with pytest.raises(FetchFailed, match="answers 503"):
        run.fetcher.fetch(MODEL)
    with pytest.raises(FetchFailed, match="failed before"):
        run.fetcher.fetch(MODEL)


def test_a_stalled_host_is_given_up_and_what_came_is_kept(tmp_path: Path, hub: HubServer) -> None:
    run = Run(tmp_path, hub, stall_s=0.2)
    hub.then(Serve(stall_after=3000))
    with pytest.raises(FetchFailed, match="nothing came for a while, after 3 kB"):
        run.fetcher.fetch(MODEL)
    assert run.part.read_bytes() == WEIGHTS[:3000]


def test_cancelling_ends_a_stalled_read_and_leaves_a_part_to_go_on_from(tmp_path: Path, hub: HubServer) -> None:
    run = Run(tmp_path, hub, stall_s=60)
    hub.then(Serve(stall_after=3000))
    fetching = run.start()
    run.wait_for_part(3000)
    run.cancel.cancel()
    fetching.join(20)
    assert isinstance(run.ended, Cancelled)
    assert run.part.read_bytes() == WEIGHTS[:3000]
    again = Run(tmp_path, hub)
    again.fetcher.fetch(MODEL)
    assert again.file.read_bytes() == WEIGHTS
    assert hub.asked[-1] == (PATH, "bytes=3000-")


def test_a_redirect_away_from_https_is_not_followed(run: Run, hub: HubServer) -> None:
    hub.then(Serve(redirect="http://192.0.2.1/evil"))
    with pytest.raises(FetchFailed, match=r"redirects to http://192\.0\.2\.1/evil, which is not https"):
        run.fetcher.fetch(MODEL)


def test_a_redirect_on_this_machine_is_followed(run: Run, hub: HubServer) -> None:
    hub.files["elsewhere"] = WEIGHTS
    hub.then(Serve(redirect=f"{hub.url}/elsewhere"))
    assert run.fetcher.fetch(MODEL).brought == (FILE,)


def test_nobody_listening_is_said(tmp_path: Path) -> None:
    with HubServer({}) as gone:
        run = Run(tmp_path, gone)
    with pytest.raises(FetchFailed, match=r"127\.0\.0\.1: Connection refused"):
        run.fetcher.fetch(MODEL)
    assert not run.store.folder_of(MODEL).exists()


def test_a_damaged_file_is_deleted_and_fetched_again(run: Run) -> None:
    run.fetcher.fetch(MODEL)
    run.file.write_bytes(WEIGHTS[:-1] + b"?")
    assert run.fetcher.fetch(MODEL).brought == (FILE,)
    assert run.file.read_bytes() == WEIGHTS
    assert "tiny: tiny.gguf has a wrong SHA-256. It is deleted and fetched again." in run.said


def test_an_unknown_hash_is_shown_and_pinned(tmp_path: Path, hub: HubServer) -> None:
    run = Run(tmp_path, hub, known=False)
    run.fetcher.fetch(MODEL)
    assert any(sha256(WEIGHTS) in text for text in run.said)
    run.file.write_bytes(b"GGUF something else")
    with pytest.raises(ModelDamaged, match="must have"):
        run.store.open(MODEL)


def test_the_disk_is_asked_before_the_network(run: Run, hub: HubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aria_desktop.catalog.space.free_bytes", lambda _: 5_000)
    with pytest.raises(DiskFull, match=r"10\.2 kB are needed, 5 kB are free"):
        run.fetcher.fetch(MODEL)
    assert hub.asked == []


def test_two_at_once_do_not_write_the_same_part(tmp_path: Path, run: Run, hub: HubServer) -> None:
    hub.then(Serve(stall_after=3000))
    first = run.start()
    hub.stalled.wait(20)
    with pytest.raises(FetchFailed, match="Another ARIA is fetching tiny"):
        Run(tmp_path / "models", hub).fetcher.fetch(MODEL)
    run.cancel.cancel()
    first.join(20)
    assert isinstance(run.ended, Cancelled)
