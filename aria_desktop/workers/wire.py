"""Frames over a byte stream: one line of JSON, then raw bytes.

    {"type": "speech_chunk", "data": {"job": 3}, "bytes": 4096}\\n<4096 bytes>

The stream ends between two frames or not at all: anything else is `WireError`, never taken for the end.
Sizes are checked before memory is taken. Nothing that is read is ever executed; there is no pickle.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import IO, Any

HEADER_LIMIT = 16 * 1024 * 1024
"""Bytes of a header line; the longest are conversations for models with a very large context."""
PAYLOAD_LIMIT = 512 * 1024 * 1024
"""Bytes behind a header: four hours of recognisable audio."""

_NAMES = {"type", "data", "bytes"}


class WireError(Exception):
    """The other side sent something that is no frame, or broke off in the middle of one."""


@dataclass(frozen=True, slots=True)
class Frame:
    type: str
    data: Mapping[str, Any] = field(default_factory=dict)
    payload: bytes = b""


def encode(frame: Frame) -> bytes:
    """Raises WireError for a frame that the other side would refuse."""
    try:
        header = json.dumps({"type": frame.type, "data": frame.data, "bytes": len(frame.payload)}, allow_nan=False)
    except ValueError as error:
        raise WireError(f"a {frame.type!r} frame can't be written as JSON: {error}") from error
    line = header.encode("ascii") + b"\n"
    _check_size("header", len(line), HEADER_LIMIT)
    _check_size("payload", len(frame.payload), PAYLOAD_LIMIT)
    return line + frame.payload


def read_frame(stream: IO[bytes]) -> Frame | None:
    """The next frame; None when the stream ended after the last one. Raises WireError."""
    line = stream.readline(HEADER_LIMIT + 1)
    if not line:
        return None
    _check_size("header", len(line), HEADER_LIMIT)
    if not line.endswith(b"\n"):
        raise WireError(f"the stream ended inside a header of {len(line)} bytes")
    kind, data, size = _header(line)
    return Frame(kind, data, _exactly(stream, size))


def _check_size(what: str, size: int, limit: int) -> None:
    if size > limit:
        raise WireError(f"a {what} of {size} bytes is over the limit of {limit}")


def _header(line: bytes) -> tuple[str, dict[str, Any], int]:
    try:
        header = json.loads(line, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise WireError(f"a header is not JSON: {error}") from error
    if not isinstance(header, dict) or set(header) != _NAMES:
        raise WireError(f"a header has not exactly the names {sorted(_NAMES)}: {line[:80]!r}")
    kind, data, size = header["type"], header["data"], header["bytes"]
    if not isinstance(kind, str) or not isinstance(data, dict):
        raise WireError(f"a header's type or data is of the wrong kind: {line[:80]!r}")
    if type(size) is not int or size < 0:
        raise WireError(f"a header's size is not a count of bytes: {size!r}")
    _check_size("payload", size, PAYLOAD_LIMIT)
    return kind, data, size


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _exactly(stream: IO[bytes], size: int) -> bytes:
    """Exactly `size` bytes; what the stream delivers in pieces is joined."""
    parts: list[bytes] = []
    missing = size
    while missing:
        part = stream.read(min(missing, 1 << 20))
        if not part:
            raise WireError(f"the stream ended {missing} bytes before the end of a payload of {size}")
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)
