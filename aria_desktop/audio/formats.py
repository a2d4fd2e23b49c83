"""What kind of sound file is it? Told by its first bytes, never by its name. Pure functions over bytes.

Only what is recognised here is ever given to a decoder, and to which one is fixed here too: a text that
names other files or addresses (HLS, DASH, SDP, concat lists) is a text file, whatever it is called.
"""

from __future__ import annotations

import struct
from enum import StrEnum
from typing import BinaryIO

HEAD_BYTES = 64
"""As much as `container_of` needs to see."""

MOST_CHUNKS = 4096
"""A WAV file with more chunks before its data is taken for damaged."""

LARGEST_PAGE = 65_307
"""Bytes; as RFC 3533 has it."""

UNKNOWN_SIZE = 0x7FFF_0000
"""Writers that can't go back to the header leave 0 or a number from here on in it."""


class Container(StrEnum):
    """The values are the names people know."""

    WAV = "WAV"
    W64 = "Wave64"
    AIFF = "AIFF"
    CAF = "CAF"
    AU = "AU"
    FLAC = "FLAC"
    OGG = "OGG"
    MP3 = "MP3"
    MP4 = "MP4"
    WEBM = "WebM"


FFMPEG_DEMUXERS = {Container.MP4: "mov", Container.WEBM: "matroska"}
"""What libsndfile does not read, with the one demuxer FFmpeg may use for it; all others are libsndfile's."""

_STARTS: tuple[tuple[bytes, Container], ...] = (
    (b"riff\x2e\x91\xcf\x11", Container.W64),
    (b"caff", Container.CAF),
    (b".snd", Container.AU),
    (b"fLaC", Container.FLAC),
    (b"OggS", Container.OGG),
    (b"ID3", Container.MP3),
    (b"\x1a\x45\xdf\xa3", Container.WEBM),
)


def container_of(head: bytes) -> Container | None:
    """The kind of file that begins with `head`; None when it is none that ARIA reads."""
    if head[:4] in (b"RIFF", b"RIFX", b"RF64") and head[8:12] == b"WAVE":
        return Container.WAV
    if head[:4] == b"FORM" and head[8:12] in (b"AIFF", b"AIFC"):
        return Container.AIFF
    if head[4:8] == b"ftyp":
        return Container.MP4
    for start, container in _STARTS:
        if head.startswith(start):
            return container
    return Container.MP3 if _is_mpeg_frame(head) else None


def _is_mpeg_frame(head: bytes) -> bool:
    """Eleven set bits, then a version, layer, bit rate and sample rate that exist."""
    if len(head) < 4 or head[0] != 0xFF or head[1] & 0xE0 != 0xE0:
        return False
    version, layer = head[1] >> 3 & 3, head[1] >> 1 & 3
    bit_rate, sample_rate = head[2] >> 4, head[2] >> 2 & 3
    return version != 1 and layer != 0 and bit_rate not in (0, 15) and sample_rate != 3


def looks_like_text(head: bytes) -> bool:
    """True for printable UTF-8; `head` may end in the middle of a character."""
    try:
        text = head.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.end < len(head) or error.reason != "unexpected end of data":
            return False
        text = head[: error.start].decode("utf-8")
    return bool(text) and all(char.isprintable() or char in "\t\r\n\f\ufeff" for char in text)


def share_present(file: BinaryIO, container: Container) -> float | None:
    """How much of the sound that the file's own headers promise is really there: 1.0 all, 0.5 half.

    None when they promise nothing that can be measured here. Leaves the position anywhere.
    """
    match container:
        case Container.WAV | Container.AIFF:
            return _share_of_chunks(file)
        case Container.OGG:
            return _share_of_pages(file)
        case _:
            return None


def _share_of_chunks(file: BinaryIO) -> float | None:
    size = file.seek(0, 2)
    file.seek(0)
    order = "<" if file.read(4) in (b"RIFF", b"RF64") else ">"
    at = 12
    for _ in range(MOST_CHUNKS):
        file.seek(at)
        header = file.read(8)
        if len(header) < 8:
            return None
        name, length = struct.unpack(f"{order}4sI", header)
        if name in (b"data", b"SSND"):
            known = 0 < length < UNKNOWN_SIZE
            return min(1.0, (size - at - 8) / length) if known else None
        at += 8 + length + length % 2
    return None


def _share_of_pages(file: BinaryIO) -> float:
    """An Ogg file is a row of pages; in one that breaks off, the last page does."""
    size = file.seek(0, 2)
    file.seek(max(0, size - LARGEST_PAGE))
    tail = file.read()
    page = tail[tail.rfind(b"OggS") :] if b"OggS" in tail else b""
    parts = page[26] if len(page) > 26 else 255
    whole = 27 + parts + sum(page[27 : 27 + parts])
    return 1.0 if len(page) >= whole else (size - len(page)) / size


def mp3_states_its_length(file: BinaryIO) -> bool:
    """Whether the first MPEG frame is one of the headers (Xing, Info, VBRI) that count the frames to come.

    Without it every length is a guess from the first bit rate. Leaves the position anywhere.
    """
    file.seek(0)
    head = file.read(10)
    tag = sum((byte & 0x7F) << shift for byte, shift in zip(head[6:10], (21, 14, 7, 0), strict=False))
    file.seek(10 + tag if head.startswith(b"ID3") else 0)
    frame = file.read(1024)
    return any(name in frame for name in (b"Xing", b"Info", b"VBRI"))
