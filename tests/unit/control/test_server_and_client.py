"""Requests one way, events the other, over a real socket; and every odd way in which either end can go."""

from __future__ import annotations

import contextlib
import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from aria_desktop.control import outbox, wire
from aria_desktop.control.client import WINDOW_GONE, RemoteAssistant, connect
from aria_desktop.control.server import ControlServer
from aria_desktop.core.errors import DatabaseBusy
from aria_desktop.core.events import AnswerPiece, Event, FileRejected, Problem, WindowWanted
from aria_desktop.core.interfaces import Assistant
from aria_desktop.core.requests import ListSessions, ShowWindow, StopListening, SubmitText
from tests.unit.control.conftest import WAIT_S, Ear, RecordingAssistant, until

REQUEST = SubmitText("r1", "grün \u202e", speak=False)
GONE = Problem("", WINDOW_GONE, "The ARIA that was asked has ended.", "Run the command again.")


@contextlib.contextmanager
def raw_client(path: Path) -> Iterator[socket.socket]:
    """A client that can misbehave."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(WAIT_S)
        connection.connect(str(path))
        yield connection


def listening(remote: Assistant) -> Ear:
    ear = Ear()
    remote.subscribe(ear)
    return ear


def reached(assistant: RecordingAssistant, remote: RemoteAssistant) -> None:
    """The server knows the client by now, so that events reach it."""
    remote.submit(StopListening())
    assert assistant.next_asked() == StopListening()


def test_requests_arrive_as_they_were_sent_and_in_order(assistant: RecordingAssistant, remote: RemoteAssistant) -> None:
    remote.submit(REQUEST)
    remote.submit(ShowWindow())
    assert [assistant.next_asked(), assistant.next_asked()] == [REQUEST, ShowWindow()]


def test_every_client_hears_every_event_in_order(
    assistant: RecordingAssistant, remote: RemoteAssistant, socket_path: Path
) -> None:
    other = connect(socket_path)
    assert other is not None
    ears = [listening(remote), listening(remote), listening(other)]
    reached(assistant, remote)
    reached(assistant, other)
    told = [AnswerPiece("t", str(number)) for number in range(200)]
    for event in told:
        assistant.tell(event)
    for ear in ears:
        assert [ear.next() for _ in told] == told
    other.close()


def test_who_unsubscribed_hears_no_more(assistant: RecordingAssistant, remote: RemoteAssistant) -> None:
    first, second = Ear(), Ear()
    unsubscribe = remote.subscribe(first)
    remote.subscribe(second)
    reached(assistant, remote)
    unsubscribe()
    unsubscribe()
    assistant.tell(WindowWanted())
    assert second.next() == WindowWanted()
    assert first.silent


def test_when_the_server_goes_everybody_is_told(
    assistant: RecordingAssistant, server: ControlServer, remote: RemoteAssistant
) -> None:
    ear = listening(remote)
    reached(assistant, remote)
    assistant.tell(AnswerPiece("t", "last words"))
    server.close()
    assert [ear.next(), ear.next()] == [AnswerPiece("t", "last words"), GONE]
    assert listening(remote).next() == GONE
    remote.submit(ListSessions("r5"))
    answer = ear.next()
    assert isinstance(answer, Problem)
    assert (answer.request_id, answer.error) == ("r5", WINDOW_GONE)


def test_closing_the_client_tells_nobody_and_ends_only_itself(
    assistant: RecordingAssistant, server: ControlServer, remote: RemoteAssistant
) -> None:
    ear = listening(remote)
    reached(assistant, remote)
    remote.close()
    remote.close()
    assert ear.silent
    assert server
    assert assistant.listeners == 1


def test_a_listener_may_close_the_client(assistant: RecordingAssistant, remote: RemoteAssistant) -> None:
    ear = Ear()

    def hang_up(event: Event) -> None:
        remote.close()
        ear(event)

    remote.subscribe(hang_up)
    reached(assistant, remote)
    assistant.tell(WindowWanted())
    assert ear.next() == WindowWanted()


def test_a_bad_line_is_answered_to_its_sender_alone_and_the_next_one_works(
    assistant: RecordingAssistant, remote: RemoteAssistant, socket_path: Path
) -> None:
    ear = listening(remote)
    reached(assistant, remote)
    with raw_client(socket_path) as client, client.makefile("rb") as answers:
        client.sendall(b'{"request": "format_disk", "request_id": "r9"}\n{"request": "stop_listening"}\n')
        answer = json.loads(answers.readline())
        assert (answer["event"], answer["request_id"], answer["error"]) == ("problem", "r9", "bad_request")
        assert assistant.next_asked() == StopListening()
        assistant.tell(WindowWanted())
        assert json.loads(answers.readline()) == {"event": "window_wanted"}
    assert ear.next() == WindowWanted()


def test_an_error_of_the_assistant_goes_to_who_asked(assistant: RecordingAssistant, remote: RemoteAssistant) -> None:
    ear = listening(remote)
    assistant.refuse_with = DatabaseBusy("In use.", "Wait.")
    remote.submit(ListSessions("r3"))
    assert ear.next() == Problem("r3", "database_busy", "In use.", "Wait.")


def test_a_line_without_end_is_cut_off_and_harms_nobody(
    assistant: RecordingAssistant, remote: RemoteAssistant, socket_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "LINE_LIMIT", 1000)
    with raw_client(socket_path) as client, client.makefile("rb") as answers:
        client.sendall(b"x" * 1000)
        answer = json.loads(answers.readline())
        assert "more than 1000 bytes" in answer["text"]
        assert answers.readline() == b""
    reached(assistant, remote)


@pytest.mark.parametrize("last_words", [b"", b'{"request"', b'{"request": "stop_listening"}\n'])
def test_a_client_that_hangs_up_is_forgotten(
    assistant: RecordingAssistant, server: ControlServer, socket_path: Path, last_words: bytes
) -> None:
    with raw_client(socket_path) as client:
        client.sendall(b'{"request": "stop_listening"}\n' + last_words)
        assistant.next_asked()
    until(lambda: not server.clients)
    assistant.tell(WindowWanted())


def test_a_client_that_does_not_read_is_dropped_and_never_makes_the_assistant_wait(
    assistant: RecordingAssistant,
    server: ControlServer,
    remote: RemoteAssistant,
    socket_path: Path,
) -> None:
    ear = listening(remote)
    reached(assistant, remote)
    with raw_client(socket_path) as client:
        client.sendall(b'{"request": "stop_listening"}\n')
        assistant.next_asked()
        big = AnswerPiece("t", "x" * 1_000_000)
        for _ in range(outbox.CAPACITY // 1_000_000 + 10):
            assistant.tell(big)
            assert ear.next() == big
        until(lambda: server.clients == 1)
    assistant.tell(WindowWanted())
    assert ear.next() == WindowWanted()


def test_an_event_too_long_for_the_socket_is_a_problem_and_not_silence(
    assistant: RecordingAssistant, remote: RemoteAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    ear = listening(remote)
    reached(assistant, remote)
    monkeypatch.setattr(wire, "LINE_LIMIT", 300)
    assistant.tell(FileRejected("r1", "x" * 300, "e", "t", "h"))
    remote.submit(SubmitText("r2", "w" * 300))
    told = {(event.request_id, event.error) for event in (ear.next(), ear.next()) if isinstance(event, Problem)}
    assert told == {("r1", "answer_too_long"), ("r2", "bad_request")}


@pytest.mark.parametrize(
    "request_line",
    [
        {"request": "stop_listening", "request_id": "r" * 4_000_000},
        {"request": "stop_listening", **{f"key{number}": number for number in range(100_000)}},
        {"request": "x" * 4_000_000},
    ],
    ids=["id", "fields", "name"],
)
def test_the_answer_to_a_huge_bad_request_is_small(
    assistant: RecordingAssistant, server: ControlServer, socket_path: Path, request_line: dict[str, object]
) -> None:
    assert server
    with raw_client(socket_path) as client, client.makefile("rb") as answers:
        client.sendall(json.dumps(request_line).encode() + b'\n{"request": "stop_listening"}\n')
        answer = answers.readline()
        assert json.loads(answer)["error"] == "bad_request"
        assert len(answer) < 5000
        assert assistant.next_asked() == StopListening()


def test_an_event_of_another_version_is_said(socket_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(socket_path))
        server.listen()
        remote = connect(socket_path)
        assert remote is not None
        ear = listening(remote)
        connection, _ = server.accept()
        connection.sendall(b'{"event": "from_the_future", "request_id": "r1"}\n')
        problem = ear.next()
        assert isinstance(problem, Problem)
        assert (problem.error, problem.request_id) == ("not_understood", "r1")
        assert "another version" in problem.hint
        connection.close()
        assert ear.next() == GONE
        remote.close()


def test_a_request_to_a_process_that_stands_still_does_not_hang(
    socket_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("aria_desktop.control.client._SEND_S", 1)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(socket_path))
        server.listen()
        remote = connect(socket_path)
        assert remote is not None
        ear = listening(remote)
        remote.submit(SubmitText("r1", "x" * 4_000_000))
        errors = {problem.error for problem in (ear.next(), ear.next()) if isinstance(problem, Problem)}
        assert errors == {WINDOW_GONE}
        remote.close()


def test_closing_the_server_twice_or_unstarted_is_fine(
    assistant: RecordingAssistant, server: ControlServer, socket_path: Path
) -> None:
    server.close()
    server.close()
    assert assistant.listeners == 0
    assert not socket_path.exists()
    ControlServer(assistant, socket_path).close()


def test_a_client_that_reads_nothing_does_not_keep_the_server_from_closing(
    assistant: RecordingAssistant, server: ControlServer, socket_path: Path
) -> None:
    with raw_client(socket_path) as client:
        client.sendall(b'{"request": "stop_listening"}\n')
        assistant.next_asked()
        for _ in range(20):
            assistant.tell(AnswerPiece("t", "x" * 1_000_000))
        server.close()
    assert server.clients == 0
