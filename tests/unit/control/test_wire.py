"""Every request and event crosses; nothing that is not exactly one does."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from aria_desktop.control import wire
from aria_desktop.control.wire import WireError, event_line, lines, read_event, read_request, request_line
from aria_desktop.core.events import AnswerPiece, Problem
from aria_desktop.core.requests import StopListening, SubmitText
from tests.unit.core.test_plain import CROSSING, sample


@pytest.mark.parametrize("cls", CROSSING, ids=lambda cls: cls.__name__)
def test_every_request_and_event_is_one_line_there_and_back(cls: type[Any]) -> None:
    value = sample(cls)
    is_event = cls in wire.EVENTS.values()
    line = event_line(value) if is_event else request_line(value)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert (read_event(line) if is_event else read_request(line)) == value


def test_all_of_them_are_known_and_nothing_else() -> None:
    assert {*wire.REQUESTS.values(), *wire.EVENTS.values()} == set(CROSSING)


@pytest.mark.parametrize("cls", CROSSING, ids=lambda cls: cls.__name__)
def test_no_field_hides_the_name(cls: type[Any]) -> None:
    kind = "event" if cls in wire.EVENTS.values() else "request"
    assert kind not in cls.__dataclass_fields__


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"\n", "no JSON"),
        (b"hello\n", "no JSON"),
        (b"\xff\xfe\n", "no JSON"),
        (b"[]\n", "no JSON object"),
        (b'"submit_text"\n', "no JSON object"),
        (b"{}\n", "There is no request null"),
        (b'{"request": 5}\n', "There is no request 5"),
        (b'{"request": ["submit_text"]}\n', "There is no request"),
        (b'{"request": "submit_txt"}\n', "There is no request"),
        (b'{"request": "answer_piece", "turn_id": "t", "text": "x"}\n', "There is no request"),
        (b'{"request": "__class__"}\n', "There is no request"),
        (b'{"event": "stop_listening"}\n', "There is no request null"),
        (b'{"request": "submit_text", "request_id": "r"}\n', "words"),
        (b'{"request": "submit_text", "request_id": "r", "words": 5}\n', "words"),
        (b'{"request": "submit_text", "request_id": "r", "words": "w", "more": 1}\n', "more"),
        (b'{"request": "submit_text", "request_id": "r", "words": "\\ud800"}\n', "submit_text"),
        (b'{"request": "stop_listening", "x": NaN}\n', "NaN is no JSON"),
        (b"[" * 100_000 + b"\n", "no JSON"),
        (b'{"request":' * 100_000 + b"\n", "no JSON"),
    ],
)
def test_what_is_no_request_is_refused_in_words(line: bytes, said: str) -> None:
    with pytest.raises(WireError) as caught:
        read_request(line)
    assert said in str(caught.value)


def test_the_sender_of_a_bad_request_can_be_told_which_one() -> None:
    with pytest.raises(WireError) as caught:
        read_request(b'{"request": "submit_txt", "request_id": "r7"}\n')
    assert caught.value.request_id == "r7"


def test_text_that_is_no_utf8_is_sent_readable() -> None:
    assert read_event(event_line(AnswerPiece("t", "a\udcffb"))) == AnswerPiece("t", "a\ufffdb")


def test_too_long_is_refused_on_both_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "LINE_LIMIT", 100)
    with pytest.raises(WireError, match="too long") as caught:
        event_line(Problem("r1", "e", "x" * 100, ""))
    assert caught.value.request_id == "r1"
    fits = json.dumps("x" * 97).encode() + b"\n"
    assert list(lines(io.BytesIO(fits + b"{}\n"))) == [fits, b"{}\n"]
    with pytest.raises(WireError, match="more than 100 bytes"):
        list(lines(io.BytesIO(b"x" + fits)))
    with pytest.raises(WireError, match="breaks off"):
        list(lines(io.BytesIO(b'{"request')))
    assert list(lines(io.BytesIO(b""))) == []


def test_the_format_is_what_is_documented() -> None:
    assert json.loads(request_line(StopListening())) == {"request": "stop_listening"}
    assert json.loads(request_line(SubmitText("r", "grün"))) == {
        "request": "submit_text",
        "request_id": "r",
        "words": "grün",
        "session_id": "",
        "workspace": "",
        "speak": True,
        "foreign": "",
    }
