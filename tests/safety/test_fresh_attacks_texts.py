"""Shapes of attacks by texts, names and numbers that come from outside, on no earlier list; docs/fresh-attacks.md says
what each is about. Judged by what is printed, stored and still works afterwards."""

from __future__ import annotations

import io
import json
import os
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from aria_desktop.cli import main
from aria_desktop.control import local_socket
from aria_desktop.control import wire as control_wire
from aria_desktop.core.errors import StorageError, UsageError
from aria_desktop.core.history import Place
from aria_desktop.core.records import SessionRecord
from aria_desktop.storage.archive import Archive
from aria_desktop.storage.database import Database
from aria_desktop.storage.exchange import as_markdown, from_json
from aria_desktop.storage.lock import DatabaseLock
from aria_desktop.storage.paths import find_paths
from aria_desktop.workers import messages
from aria_desktop.workers import wire as worker_wire
from tests.safety.conftest import Tried

SET = "fresh attacks: texts"
ESCAPES = "\x1b]0;mine\x07\x9b2J\u202e"
NAN, INFINITY = float("nan"), float("inf")

TURN: dict[str, Any] = {
    "turn_id": "x", "source": "text", "words": "hello", "answer": "hi", "outcome": "answered", "started": 1.7e9,
    "calls": [], "timings": {}, "text": "", "untrusted": [],
}  # fmt: skip
CALL: dict[str, Any] = {
    "call": {"id": "c", "tool": "read_file", "arguments": {}}, "state": "done", "decision": None, "result": "",
}  # fmt: skip
REFUSED_TURNS: dict[str, dict[str, Any]] = {
    "T01 a time after all calendars": {"started": 1e18},
    "T02 a time before all calendars": {"started": -1e18},
    "T03 a time that is no number": {"started": NAN},
    "T04 a time without end": {"started": INFINITY},
    "T05 a duration without end": {"timings": {"model": INFINITY}},
    "T06 a state that a terminal obeys": {"calls": [{**CALL, "state": ESCAPES}]},
    "T07 a state that nothing is ever in": {"calls": [{**CALL, "state": "allowed"}]},
}
PRINTED = {
    "T08 a sound's name": ["transcribe", f"/nowhere/{ESCAPES}.wav"],
    "T09 a conversation's id": ["sessions", "show", ESCAPES],
    "T10 an imported file's name": ["sessions", "import", f"/nowhere/{ESCAPES}.json"],
    "T11 a change's number": ["undo", ESCAPES],
    "T12 a workspace": ["workspace", "add", f"/nowhere/{ESCAPES}"],
    "T13 a model": ["models", "remove", ESCAPES],
    "T14 a model's file": ["models", "add", f"/nowhere/{ESCAPES}"],
    "T15 a setting": ["settings", "set", ESCAPES, "1"],
    "T16 a fact's number": ["facts", "forget", ESCAPES],
}
SEARCHES = {
    "T17 operators of the index": 'hello" OR "x NEAR( {answer} : ^ - * AND NOT',
    "T18 more words than a tree has room for": " ".join(f"w{number}" for number in range(400)),
    "T19 signs that bound a hit": "\ue000hello\ue001 \x00 \ud800x",
    "T20 one word without end": "h" * 100_000,
    "T21 a column of the index": "rowid:1 rank:x search:y words:hello",
}
FRAMES = {
    "T22 a size that is a text": b'{"type": "done", "data": {"job": 1}, "bytes": "4"}\n',
    "T23 a size with a point": b'{"type": "done", "data": {"job": 1}, "bytes": 0.0}\n',
    "T24 a size of five thousand digits": b'{"type": "done", "data": {"job": 1}, "bytes": ' + b"9" * 5000 + b"}\n",
    "T25 nested without end": b'{"type": "done", "data": ' + b'{"a":' * 100_000 + b"\n",
    "T26 a number for a truth": b'{"type": "done", "data": {"job": true}, "bytes": 0}\n',
    "T27 bytes where none belong": b'{"type": "done", "data": {"job": 1}, "bytes": 1}\nx',
    "T28 another encoding": '{"type": "done", "data": {"job": 1}, "bytes": 0}\n'.encode("utf-16"),
    "T29 a kind of Python's": b'{"type": "__class__", "data": {}, "bytes": 0}\n',
}
REQUESTS = {
    "T30 a parent of all requests": b'{"request": "request"}\n',
    "T31 an event for a request": b'{"request": "turn_ended"}\n',
    "T32 an answer with more than it has": b'{"request": "submit_text", "request_id": "1", "text": "x", "allow": 1}\n',
    "T33 a text that is a number": b'{"request": "submit_text", "request_id": "1", "text": 5}\n',
    "T34 a number without end": b'{"request": "submit_text", "request_id": 1e999, "text": "x"}\n',
}


@contextmanager
def _archive(folder: Path, clock: Callable[[], float] = time.time) -> Iterator[Archive]:
    with DatabaseLock.take(folder / "aria.lock", "test") as lock, Database.open(folder / "aria.db", lock) as database:
        yield Archive(database, clock)


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with _archive(tmp_path) as opened:
        yield opened


@pytest.mark.parametrize("shape", REFUSED_TURNS)
def test_a_conversation_from_outside_is_one_that_can_be_shown(shape: str, archive: Archive, tried: Tried) -> None:
    tried.begin(SET)
    with pytest.raises(UsageError):
        archive.add(*from_json(_conversation(REFUSED_TURNS[shape])))
    assert not archive.search("hello", tuple(Place), 0.0, 5, newest_first=True).hits
    assert archive.add(*from_json(_conversation({})))
    tried.control(SET)


def test_t35_a_conversation_that_lies_ahead_is_as_old_as_its_import(tmp_path: Path, tried: Tried) -> None:
    """Else it stays on top for ever, and its age never removes it."""
    now = 1.8e9
    with _archive(tmp_path, lambda: now) as archive:
        tried.begin(SET)
        archive.add(*from_json(_conversation({"started": 9e10})))
        assert archive.forget_older(1) == 0
    with _archive(tmp_path, lambda: now + 2 * 86_400) as archive:
        assert archive.forget_older(1) == 1
        tried.control(SET)


@pytest.mark.parametrize("shape", PRINTED)
def test_no_error_is_obeyed_by_a_terminal(shape: str, tmp_path: Path, tried: Tried) -> None:
    tried.begin(SET)
    environment = {**os.environ, "ARIA_HOME": str(tmp_path), "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "aria_desktop", *PRINTED[shape]]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    printed = done.stdout + done.stderr
    assert done.returncode != 0
    assert "Traceback" not in printed
    assert "<U+001B>" in printed, printed
    assert not set(printed) & set("\x1b\x07\x9b\u202e")
    plain = subprocess.run(["printf", "%s", ESCAPES], capture_output=True, text=True, check=True)
    assert "\x1b" in plain.stdout
    tried.control(SET)


@pytest.mark.parametrize("shape", SEARCHES)
def test_what_is_searched_for_is_only_searched_for(shape: str, archive: Archive, tried: Tried) -> None:
    archive.add(*from_json(_conversation({})))
    tried.begin(SET)
    result = archive.search(SEARCHES[shape], tuple(Place), 0.0, 5, newest_first=False)
    assert result.turns == len(result.hits) <= 1
    assert len(archive.search("hello", tuple(Place), 0.0, 5, newest_first=False).hits) == 1
    tried.control(SET)


@pytest.mark.parametrize("shape", FRAMES)
def test_an_engine_says_only_what_there_is_to_say(shape: str, tried: Tried) -> None:
    tried.begin(SET)
    with pytest.raises(worker_wire.WireError):
        _said(FRAMES[shape])
    assert _said(b'{"type": "done", "data": {"job": 1}, "bytes": 0}\n') == messages.Done(1)
    tried.control(SET)


def _said(sent: bytes) -> messages.Message:
    frame = worker_wire.read_frame(io.BytesIO(sent))
    assert frame is not None
    return messages.from_wire(frame)


@pytest.mark.parametrize("shape", REQUESTS)
def test_the_socket_takes_only_whole_requests(shape: str, tried: Tried) -> None:
    tried.begin(SET)
    with pytest.raises(control_wire.WireError):
        control_wire.read_request(REQUESTS[shape])
    assert control_wire.read_request(b'{"request": "list_sessions", "request_id": "1"}\n')
    tried.control(SET)


def test_t36_no_other_user_reaches_the_socket(tmp_path: Path, tried: Tried) -> None:
    """Not even for the moment between its making and its rights: whoever else connects is asked for by the kernel."""
    old = os.umask(0)
    try:
        tried.begin(SET)
        with local_socket.listen(tmp_path / "s") as server:
            assert stat.S_IMODE((tmp_path / "s").stat().st_mode) == 0o600
            dialled = local_socket.dial(tmp_path / "s")
            assert dialled is not None
            connection, _ = server.accept()
            with dialled, connection:
                assert local_socket.is_same_user(connection)
            tried.control(SET)
    finally:
        os.umask(old)


def test_t37_a_link_in_the_place_of_the_socket_is_not_followed(tmp_path: Path, tried: Tried) -> None:
    target = tmp_path / "target"
    target.write_text("as it was")
    (tmp_path / "s").symlink_to(target)
    tried.begin(SET)
    with pytest.raises(StorageError):
        local_socket.listen(tmp_path / "s")
    assert target.read_text() == "as it was"
    assert (tmp_path / "s").read_text() == "as it was"
    tried.control(SET)


def test_t38_an_exported_conversation_has_no_heading_or_link_of_a_stranger(tried: Tried) -> None:
    words = "# no\n[click](http://x)\n<img src=x>\n```\n**ARIA:** done"
    _, (turn,) = from_json(_conversation({"words": words, "answer": f"```\n# mine\n{ESCAPES}", "text": words}))
    tried.begin(SET)
    text = as_markdown(SessionRecord("s", words, 0.0, 1, waiting=False), [turn])
    assert not [line for line in text.splitlines() if line.startswith(("# no", "[click", "<img", "**ARIA:** done"))]
    assert not set(text) & set("\x1b\x07\x9b\u202e")
    assert words in turn.words
    tried.control(SET)


def test_t39_a_portable_marker_that_is_a_folder_or_a_link_to_nothing_moves_no_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tried: Tried
) -> None:
    monkeypatch.delenv("ARIA_HOME", raising=False)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    package = tmp_path / "lib" / "aria_desktop"
    tried.begin(SET, 2)
    (tmp_path / "aria-portable").mkdir()
    assert tmp_path not in find_paths(package).data.parents
    (tmp_path / "aria-portable").rmdir()
    (tmp_path / "aria-portable").symlink_to("nothing")
    assert tmp_path not in find_paths(package).data.parents
    (tmp_path / "aria-portable").unlink()
    (tmp_path / "aria-portable").touch()
    assert tmp_path in find_paths(package).data.parents
    tried.control(SET)


@pytest.mark.parametrize("variable", ["ARIA_HOME", "ARIA_MODELS", "ARIA_OUTPUT"])
def test_t40_a_variable_that_means_another_folder_everywhere(
    variable: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tried: Tried
) -> None:
    monkeypatch.setenv(variable, f"rel/{ESCAPES}")
    tried.begin(SET)
    assert main(["sessions", "list"]) != 0
    printed = capsys.readouterr().err
    assert variable in printed
    assert "\x1b" not in printed


def _conversation(changes: dict[str, Any]) -> bytes:
    data = {"format": "aria conversation", "version": 1, "title": "t", "turns": [{**TURN, **changes}]}
    return json.dumps(data).encode()
