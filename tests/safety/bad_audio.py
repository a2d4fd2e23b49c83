"""The odd sound files of security.md 3.4, each made when it is wanted: refused with a reason, or decoded right."""

from __future__ import annotations

import io
import os
import random
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soundfile

RATE = 16_000
SECONDS = 1.0
PCM = (np.sin(np.arange(int(RATE * SECONDS)) / 6) * 9000).astype("<i2").tobytes()

Make = Callable[[Path], str]
"""Makes the file in an empty folder; returns the name to read."""
EITHER = None


@dataclass(frozen=True)
class OddSound:
    number: int
    name: str
    make: Make
    seconds: float | None
    """Of sound in it when it is decoded; 0: it must be refused. None: either is right."""


def chunk(name: bytes, content: bytes, size: int | None = None) -> bytes:
    return name + struct.pack("<I", len(content) if size is None else size) + content + bytes(len(content) % 2)


def fmt(tag: int = 1, channels: int = 1, rate: int = RATE, bits: int = 16, align: int | None = None) -> bytes:
    block = channels * bits // 8 if align is None else align
    packed = struct.pack(
        "<HHIIHH", tag, channels & 0xFFFF, rate, (rate * block) & 0xFFFFFFFF, block & 0xFFFF, bits & 0xFFFF
    )
    return chunk(b"fmt ", packed)


def wav(*chunks: bytes, riff: int | None = None) -> bytes:
    body = b"WAVE" + b"".join(chunks)
    return b"RIFF" + struct.pack("<I", len(body) if riff is None else riff) + body


DATA = chunk(b"data", PCM)
WHOLE = wav(fmt(), DATA)


def of(content: bytes, name: str = "talk.wav") -> Make:
    def make(folder: Path) -> str:
        (folder / name).write_bytes(content)
        return name

    return make


def encoded(container: str, coding: str) -> Make:
    def make(folder: Path) -> str:
        buffer = io.BytesIO()
        soundfile.write(buffer, np.frombuffer(PCM, "<i2"), RATE, format=container, subtype=coding)
        return of(buffer.getvalue())(folder)

    return make


def floats(value: float) -> Make:
    content = np.full(RATE, value, "<f4").tobytes()
    return of(wav(fmt(tag=3, bits=32), chunk(b"data", content)))


def extensible(guid: bytes) -> bytes:
    packed = struct.pack("<HHIIHHHHI", 0xFFFE, 1, RATE, RATE * 2, 2, 16, 22, 16, 0) + guid
    return wav(chunk(b"fmt ", packed), DATA)


def a_pipe(folder: Path) -> str:
    os.mkfifo(folder / "talk.wav")
    return "talk.wav"


def a_folder(folder: Path) -> str:
    (folder / "talk.wav").mkdir()
    return "talk.wav"


def a_link(folder: Path) -> str:
    (folder / "real").write_bytes(WHOLE)
    (folder / "talk.wav").symlink_to("real")
    return "talk.wav"


def a_hard_link(folder: Path) -> str:
    (folder / "real").write_bytes(WHOLE)
    os.link(folder / "real", folder / "talk.wav")
    return "talk.wav"


def named(name: str) -> Make:
    """There is no such file: what is asked for is only a name."""
    return lambda _: name


CUTS = (1, 4, 8, 11, 12, 16, 20, 30, 35, 40, 43, 20_000)
"""Bytes that are left."""
NOISE = random.Random(4).randbytes(2**20)
HLS = b"#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1:9/a.ts\n"
DASH = b"<?xml version='1.0'?><MPD><BaseURL>http://127.0.0.1:9/</BaseURL></MPD>"
SDP = b"v=0\no=- 0 0 IN IP4 127.0.0.1\nm=audio 9 RTP/AVP 0\n"
CONCAT = b"ffconcat version 1.0\nfile '/etc/passwd'\n"

SOUNDS: tuple[OddSound, ...] = tuple(
    OddSound(number, name, make, seconds)
    for number, (name, make, seconds) in enumerate(
        (
            ("empty", of(b""), 0),
            ("1 byte", of(b"R"), 0),
            ("header only", of(WHOLE[:44]), 0),
            *((f"cut after {left}", of(WHOLE[:left]), 0) for left in CUTS),
            ("RIFF of size 0", of(wav(fmt(), DATA, riff=0)), EITHER),
            ("RIFF of the largest size", of(wav(fmt(), DATA, riff=0xFFFFFFFF)), EITHER),
            ("RIFF of odd size", of(wav(fmt(), DATA, riff=len(PCM) + 37)), EITHER),
            ("data larger than the file", of(wav(fmt(), chunk(b"data", PCM, len(PCM) * 2))), 0),
            ("no fmt", of(wav(DATA)), 0),
            ("two fmt", of(wav(fmt(), fmt(), DATA)), EITHER),
            ("data before fmt", of(wav(DATA, fmt())), EITHER),
            ("0 channels", of(wav(fmt(channels=0, align=2), DATA)), 0),
            ("255 channels", of(wav(fmt(channels=255), DATA)), 0),
            ("0 Hz", of(wav(fmt(rate=0), DATA)), 0),
            ("1 Hz", of(wav(fmt(rate=1), DATA)), 0),
            ("4 GHz", of(wav(fmt(rate=4_000_000_000), DATA)), 0),
            *((f"{bits} bits", of(wav(fmt(bits=bits, align=2), DATA)), EITHER) for bits in (0, 1, 7, 64, 128)),
            ("A-law", encoded("WAV", "ALAW"), SECONDS),
            ("ADPCM", encoded("WAV", "IMA_ADPCM"), SECONDS),
            ("float", encoded("WAV", "FLOAT"), SECONDS),
            ("extensible of an unknown kind", of(extensible(bytes(range(16)))), 0),
            ("format tag 0xFFFF", of(wav(fmt(tag=0xFFFF), DATA)), 0),
            ("blocks of 0 bytes", of(wav(fmt(align=0), DATA)), EITHER),
            ("not a number", floats(float("nan")), SECONDS),
            ("infinite", floats(float("inf")), SECONDS),
            ("denormal", floats(1e-40), SECONDS),
            ("full scale", of(wav(fmt(), chunk(b"data", b"\xff\x7f" * RATE))), SECONDS),
            ("10 hours by its header", of(wav(fmt(), chunk(b"data", PCM, 36_000 * RATE * 2))), 0),
            ("RF64", encoded("RF64", "PCM_16"), SECONDS),
            ("W64", encoded("W64", "PCM_16"), SECONDS),
            ("chunks of no length", of(wav(fmt(), chunk(b"LIST", b"") * 5000, DATA)), EITHER),
            ("a million chunks", of(wav(fmt(), chunk(b"junk", b"") * 10**6, DATA)), EITHER),
            ("noise", of(NOISE), 0),
            ("text", of(b"milk, eggs and bread\n" * 50), 0),
            ("HLS", of(HLS), 0),
            ("DASH", of(DASH), 0),
            ("SDP", of(SDP), 0),
            ("ffconcat", of(CONCAT), 0),
            ("MP3 named wav", encoded("MP3", "MPEG_LAYER_III"), SECONDS),
            ("Ogg named wav", encoded("OGG", "VORBIS"), SECONDS),
            ("FLAC named wav", encoded("FLAC", "PCM_16"), SECONDS),
            ("pipe", a_pipe, 0),
            ("folder", a_folder, 0),
            ("symbolic link", a_link, SECONDS),
            ("hard link", a_hard_link, SECONDS),
            ("address of a page", named("http://127.0.0.1:9/a.wav"), 0),
            ("address of packets", named("udp://127.0.0.1:9"), 0),
            ("list of files", named("concat:/etc/passwd|/etc/hosts"), 0),
            ("part of a file", named("subfile,,start,0,end,0,,:/etc/passwd"), 0),
        ),
        1,
    )
)
"""Two more, a file that grows and one that is deleted while it is read, are tests of their own."""
