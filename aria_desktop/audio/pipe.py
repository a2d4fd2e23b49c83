"""What the decoding child tells its parent: messages of a kind, a length and a body, on one byte stream.

Zero or more LENGTH, SOUND in any number, then exactly one END or ERROR. A stream that stops without that last
message means that the child died, and is never taken for the end of the sound.
"""

from __future__ import annotations

import json
import struct
from enum import IntEnum
from typing import IO

_HEADER = struct.Struct("<BI")

MOST_BYTES = 1 << 24
"""No message is longer; more than that is not ours."""


class Kind(IntEnum):
    LENGTH = 1
    """JSON: {"seconds": the length that the file states}."""
    SOUND = 2
    """Raw samples, 16 kHz, mono, 16-bit little-endian."""
    END = 3
    ERROR = 4
    """JSON: {"text": what is wrong with the file, "hint": the way out}."""


def write_message(stream: IO[bytes], kind: Kind, body: bytes = b"") -> None:
    stream.write(_HEADER.pack(kind, len(body)))
    stream.write(body)
    stream.flush()


def write_json(stream: IO[bytes], kind: Kind, **fields: str | float) -> None:
    write_message(stream, kind, json.dumps(fields).encode())


def read_message(stream: IO[bytes]) -> tuple[Kind, bytes] | None:
    """The next message; None when the stream ends or breaks off. Raises ValueError for what is no message."""
    header = stream.read(_HEADER.size)
    if len(header) < _HEADER.size:
        return None
    kind, length = _HEADER.unpack(header)
    if length > MOST_BYTES:
        raise ValueError(f"a message of {length} bytes")
    body = stream.read(length)
    return (Kind(kind), body) if len(body) == length else None
