"""The two libraries that turn a sound file into samples, behind one shape. Only the decoding child imports this.

libsndfile reads what it can; FFmpeg's libraries see what is left, with the demuxer fixed by `audio.formats`, as an
open file object. Either is handed a file that was recognised before.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np
import soundfile
from numpy.typing import NDArray

from aria_desktop.audio.formats import FFMPEG_DEMUXERS, Container, mp3_states_its_length

Samples = NDArray[np.float32]

RATES = range(1_000, 768_001)
MOST_CHANNELS = 64

COPY_AGAIN = "Copy or record the file again."


class Unreadable(Exception):
    """The file can't be decoded; the words are for the user and follow the file's name."""

    def __init__(self, text: str, hint: str) -> None:
        super().__init__(text)
        self.text = text
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Sound:
    """An opened file."""

    rate: int
    promised_s: float | None
    """The length that the file states; None when it states none."""
    blocks: Iterator[Samples]
    """Mixed to one channel. Raises Unreadable where the file is damaged."""


def open_with_libsndfile(file: BinaryIO, container: Container) -> Sound:
    guessed = container is Container.MP3 and not mp3_states_its_length(file)
    file.seek(0)
    try:
        opened = soundfile.SoundFile(_through_a_pipe(file) if guessed else file.fileno(), closefd=False)
    except (soundfile.LibsndfileError, TypeError, ValueError, OSError) as error:
        raise Unreadable(f"is a damaged {container} file", COPY_AGAIN) from error
    length = opened.frames / opened.samplerate if 0 <= opened.frames < 1 << 60 and opened.samplerate else None
    _check(opened.samplerate, opened.channels, container)

    def blocks() -> Iterator[Samples]:
        while True:
            try:
                block = opened.read(opened.samplerate // 2, dtype="float32", always_2d=True)
            except soundfile.LibsndfileError as error:
                raise Unreadable(f"is a damaged {container} file", COPY_AGAIN) from error
            if not len(block):
                return
            yield block.mean(axis=1)

    return Sound(opened.samplerate, length, blocks())


def _through_a_pipe(file: BinaryIO) -> int:
    """libsndfile stops reading an MP3 file where it guesses its end; in a pipe it can't guess and reads on."""
    reading, writing = os.pipe()

    def feed() -> None:
        with contextlib.suppress(BrokenPipeError), os.fdopen(writing, "wb") as pipe:
            shutil.copyfileobj(file, pipe)

    threading.Thread(target=feed, daemon=True).start()
    return reading


def open_with_ffmpeg(file: BinaryIO, container: Container) -> Sound:
    import av

    try:
        opened = av.open(file, mode="r", format=FFMPEG_DEMUXERS[container])
    except (av.FFmpegError, ValueError, OSError) as error:
        raise Unreadable(f"is a damaged {container} file", COPY_AGAIN) from error
    if not opened.streams.audio:
        raise Unreadable("holds no sound", "Name a file with a sound track.")
    stream = opened.streams.audio[0]
    _check(stream.rate or 0, stream.codec_context.channels, container)
    to_mono = av.AudioResampler(format="flt", layout="mono", rate=stream.rate)

    def blocks() -> Iterator[Samples]:
        try:
            for frame in itertools.chain(opened.decode(stream), [None]):
                for mono in to_mono.resample(frame):
                    yield mono.to_ndarray()[0]
        except (av.FFmpegError, ValueError, OSError) as error:
            raise Unreadable(f"is a damaged {container} file", COPY_AGAIN) from error

    length = float(stream.duration * stream.time_base) if stream.duration else None
    if length is None and opened.duration:
        length = opened.duration / av.time_base
    return Sound(stream.rate, length, blocks())


def _check(rate: int, channels: int, container: Container) -> None:
    if rate not in RATES or not 1 <= channels <= MOST_CHANNELS:
        text = f"is a damaged {container} file: it states {rate} samples a second in {channels} channels"
        raise Unreadable(text, COPY_AGAIN)
