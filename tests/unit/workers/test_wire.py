"""Frames survive the stream; whatever is no frame is an error and never the end."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aria_desktop.workers import wire
from aria_desktop.workers.wire import Frame, WireError, encode, read_frame

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(), lambda inner: st.lists(inner, max_size=3)
)


@given(st.lists(st.builds(Frame, st.text(), st.dictionaries(st.text(), JSON, max_size=3), st.binary(max_size=99))))
def test_frames_come_out_as_they_went_in(frames: list[Frame]) -> None:
    stream = io.BytesIO(b"".join(map(encode, frames)))
    assert [read_frame(stream) for _ in frames] == frames
    assert read_frame(stream) is None


@given(st.binary(max_size=200))
def test_random_bytes_are_an_error(noise: bytes) -> None:
    if noise:
        with pytest.raises(WireError):
            read_frame(io.BytesIO(noise))


WHOLE = encode(Frame("speech_chunk", {"job": 1}, b"12345678"))


@pytest.mark.parametrize("size", range(1, len(WHOLE)))
def test_a_frame_that_breaks_off_is_an_error(size: int) -> None:
    with pytest.raises(WireError, match=r"ended|not JSON"):
        read_frame(io.BytesIO(WHOLE[:size]))


@pytest.mark.parametrize(
    "header",
    [
        b"[]",
        b"7",
        b'"x"',
        b"{}",
        b'{"type":"a","data":{}}',
        b'{"type":"a","data":{},"bytes":0,"more":1}',
        b'{"type":1,"data":{},"bytes":0}',
        b'{"type":"a","data":[],"bytes":0}',
        b'{"type":"a","data":{},"bytes":-1}',
        b'{"type":"a","data":{},"bytes":true}',
        b'{"type":"a","data":{},"bytes":1.0}',
        b'{"type":"a","data":{},"bytes":"1"}',
        b'{"type":"a","data":{"x":NaN},"bytes":0}',
        b'{"type":"a","data":{"x":Infinity},"bytes":0}',
        b'{"type":"a","data":{},"bytes":99999999999999}',
        b"\xff\xfe",
        b"[" * 100_000,
        b"",
    ],
)
def test_a_wrong_header_is_an_error(header: bytes) -> None:
    with pytest.raises(WireError):
        read_frame(io.BytesIO(header + b"\n"))


def test_a_header_without_end_is_not_read_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "HEADER_LIMIT", 1000)
    stream = io.BytesIO(b"x" * 100_000)
    with pytest.raises(WireError, match="over the limit"):
        read_frame(stream)
    assert stream.tell() == 1001


def test_what_the_other_side_would_refuse_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "PAYLOAD_LIMIT", 8)
    assert encode(Frame("a", {}, b"12345678"))
    with pytest.raises(WireError, match="9 bytes"):
        encode(Frame("a", {}, b"123456789"))
    with pytest.raises(WireError, match="JSON"):
        encode(Frame("a", {"x": float("nan")}))


def test_a_header_is_one_line_whatever_it_holds() -> None:
    line, _, rest = encode(Frame("a", {"text": "one\ntwo\u2028three\x00\ud800"}, b"\n\n")).partition(b"\n")
    assert json.loads(line)["data"]["text"] == "one\ntwo\u2028three\x00\ud800"
    assert rest == b"\n\n"


class Dribble(io.RawIOBase):
    """Gives what it has byte by byte, as a pipe may."""

    def __init__(self, data: bytes) -> None:
        self._left = data

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        part, self._left = self._left[:1], self._left[1:]
        buffer[: len(part)] = part
        return len(part)


def test_bytes_that_come_one_by_one() -> None:
    frame = read_frame(io.BufferedReader(Dribble(WHOLE), buffer_size=1))
    assert frame == Frame("speech_chunk", {"job": 1}, b"12345678")
