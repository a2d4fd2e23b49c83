"""The decoding child's messages."""

from __future__ import annotations

import io
import json

import pytest

from aria_desktop.audio.pipe import Kind, read_message, write_json, write_message


def test_messages_arrive_as_they_were_sent() -> None:
    stream = io.BytesIO()
    write_json(stream, Kind.LENGTH, seconds=2.5)
    write_message(stream, Kind.SOUND, b"\0\1\2\3")
    write_message(stream, Kind.END)
    stream.seek(0)
    length = read_message(stream)
    assert length is not None
    assert (length[0], json.loads(length[1])) == (Kind.LENGTH, {"seconds": 2.5})
    assert read_message(stream) == (Kind.SOUND, b"\0\1\2\3")
    assert read_message(stream) == (Kind.END, b"")
    assert read_message(stream) is None


@pytest.mark.parametrize("kept", range(9))
def test_a_stream_that_breaks_off_is_no_message(kept: int) -> None:
    stream = io.BytesIO()
    write_message(stream, Kind.SOUND, b"\0\1\2\3")
    assert read_message(io.BytesIO(stream.getvalue()[:kept])) is None


@pytest.mark.parametrize("foreign", [b"Traceback (most recent call last)", b"\x02\xff\xff\xff\xff"])
def test_foreign_bytes_are_refused(foreign: bytes) -> None:
    with pytest.raises(ValueError, match=r"message|Kind"):
        read_message(io.BytesIO(foreign))
