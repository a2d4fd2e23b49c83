"""First bytes decide what a file is."""

from __future__ import annotations

import io
import struct

import pytest

from aria_desktop.audio.formats import (
    FFMPEG_DEMUXERS,
    Container,
    container_of,
    looks_like_text,
    mp3_states_its_length,
    share_present,
)


@pytest.mark.parametrize(
    ("head", "container"),
    [
        (b"RIFF\x24\x00\x00\x00WAVEfmt ", Container.WAV),
        (b"RIFX\x00\x00\x00\x24WAVEfmt ", Container.WAV),
        (b"RF64\xff\xff\xff\xffWAVEds64", Container.WAV),
        (b"riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb", Container.W64),
        (b"FORM\x00\x00\x00\x24AIFFCOMM", Container.AIFF),
        (b"caff\x00\x01\x00\x00", Container.CAF),
        (b".snd\x00\x00\x00\x18", Container.AU),
        (b"fLaC\x00\x00\x00\x22", Container.FLAC),
        (b"OggS\x00\x02", Container.OGG),
        (b"ID3\x03\x00\x00", Container.MP3),
        (b"\xff\xfb\x90\x64", Container.MP3),
        (b"\xff\xf3\x40\xc4", Container.MP3),
        (b"\x00\x00\x00\x20ftypM4A ", Container.MP4),
        (b"\x1a\x45\xdf\xa3\x9f\x42", Container.WEBM),
    ],
)
def test_sound_files_are_known_by_their_first_bytes(head: bytes, container: Container) -> None:
    assert container_of(head) is container


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"R",
        b"RIFF\x24\x00\x00\x00AVI LIST",
        b"RIFF",
        b"#EXTM3U\nhttp://example.org/a.ts",
        b"ffconcat version 1.0\nfile x.wav",
        b"v=0\no=- 0 0 IN IP4 127.0.0.1",
        b"<?xml version='1.0'?><MPD>",
        b"\xff\xf1\x50\x80",
        b"\xff\xff\xff\xff",
        b"\xff\xfb",
        b"\x89PNG\r\n\x1a\n",
        bytes(64),
    ],
)
def test_nothing_else_is_given_to_a_decoder(head: bytes) -> None:
    assert container_of(head) is None


def test_ffmpeg_gets_only_what_libsndfile_can_not_read() -> None:
    assert set(FFMPEG_DEMUXERS) == {Container.MP4, Container.WEBM}


@pytest.mark.parametrize(
    ("head", "text"),
    [
        (b"milk, eggs and bread\n", True),
        ("größer".encode(), True),
        ("grö".encode()[:-1], True),
        (b"\xef\xbb\xbfwith a mark", True),
        (b"", False),
        (b"\x00\x01\x02", False),
        (b"caf\xe9 au lait", False),
        (b"\xc3", False),
    ],
)
def test_text_is_told_from_bytes(head: bytes, text: bool) -> None:
    assert looks_like_text(head) is text


def wav(data_size: int, present: int, *, before: bytes = b"", order: str = "<") -> io.BytesIO:
    name = b"RIFX" if order == ">" else b"RIFF"
    return io.BytesIO(
        name + bytes(4) + b"WAVE" + before + struct.pack(f"{order}4sI", b"data", data_size) + bytes(present)
    )


@pytest.mark.parametrize(
    ("file", "share"),
    [
        (wav(1000, 1000), 1.0),
        (wav(1000, 1200), 1.0),
        (wav(1000, 250), 0.25),
        (wav(1000, 0), 0.0),
        (wav(1000, 500, order=">"), 0.5),
        (wav(1000, 500, before=b"LIST" + struct.pack("<I", 3) + b"abc\0"), 0.5),
        (wav(0xFFFFFFFF, 500), None),
        (wav(0x7FFFFFFF, 500), None),
        (wav(0, 500), None),
        (io.BytesIO(b"RIFF\x00\x00\x00\x00WAVE"), None),
        (io.BytesIO(b"RIFF\x00\x00\x00\x00WAVE" + b"zero\x00\x00\x00\x00" * 100_000), None),
    ],
)
def test_a_wav_file_is_measured_against_its_own_header(file: io.BytesIO, share: float | None) -> None:
    assert share_present(file, Container.WAV) == share


def page(*parts: int) -> bytes:
    return b"OggS" + bytes(22) + bytes([len(parts), *parts]) + bytes(sum(parts))


@pytest.mark.parametrize(
    ("content", "whole"),
    [
        (page(10, 20) + page(255, 255, 3), True),
        (page(10) + b"something behind it", True),
        ((page(10, 20) + page(255, 255, 3))[:-1], False),
        (page(10) + page(200)[:30], False),
        (page(10) + b"OggS", False),
        (b"OggS", False),
    ],
)
def test_an_ogg_file_ends_with_a_whole_page(content: bytes, whole: bool) -> None:
    assert (share_present(io.BytesIO(content), Container.OGG) == 1.0) is whole


def test_an_aiff_file_is_measured_like_a_wav_file() -> None:
    file = b"FORM" + bytes(4) + b"AIFF" + b"COMM" + struct.pack(">I", 18) + bytes(18)
    assert share_present(io.BytesIO(file + b"SSND" + struct.pack(">I", 100) + bytes(25)), Container.AIFF) == 0.25


def test_other_kinds_state_their_length_elsewhere() -> None:
    assert share_present(io.BytesIO(b"fLaC"), Container.FLAC) is None


def test_an_mp3_file_states_its_length_in_its_first_frame_only() -> None:
    assert mp3_states_its_length(io.BytesIO(b"\xff\xfb\x90\x64" + bytes(32) + b"Xing" + bytes(100)))
    tag = b"ID3\x03\x00\x00\x00\x00\x10\x00" + b"Xing" + bytes(2044)
    assert not mp3_states_its_length(io.BytesIO(tag + b"\xff\xfb\x90\x64" + bytes(2000)))
    assert mp3_states_its_length(io.BytesIO(tag + b"\xff\xfb\x90\x64" + bytes(20) + b"Info"))
