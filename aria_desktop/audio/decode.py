"""The child process that decodes one sound file: `python -m aria_desktop.audio.decode < FILE > messages`.

Decoders are native code that meets foreign bytes, and FFmpeg's libraries are large: neither the crash nor the
memory belongs in the main process. What must stay true:

- The file arrives as an open descriptor on standard input. No name is ever seen here, so no name can be taken
  for an address, a device or a list of files.
- What a decoder prints goes to standard error; standard output carries `audio.pipe` messages alone.
- Memory does not grow with the length of the file.
- A decoder that hangs ends this process after `HANG_S`, and one that takes more memory than `MOST_BYTES` fails.
- No socket of any kind can be opened here; the door is shut before the first byte is looked at.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from aria_desktop.audio.decoders import COPY_AGAIN, Samples, Sound, Unreadable, open_with_ffmpeg, open_with_libsndfile
from aria_desktop.audio.formats import (
    FFMPEG_DEMUXERS,
    HEAD_BYTES,
    Container,
    container_of,
    looks_like_text,
    share_present,
)
from aria_desktop.audio.pipe import Kind, write_json, write_message
from aria_desktop.core.audio import SPEECH
from aria_desktop.core.seal import Door
from aria_desktop.safety import airgap

HANG_S = 30.0
"""No block of half a second of sound takes nearly that long to decode."""

LONGEST_S = 4 * 3600.0
"""A header may promise years; what is longer than this is refused before anything is decoded."""

MOST_BYTES = 2**31
"""Of address space on top of what is mapped at the start; real files of every kind take a tenth of it."""

READABLE = "ARIA reads WAV, MP3, M4A, OGG, Opus, FLAC and WebM."


def recognise(file: BinaryIO) -> Container:
    """Raises Unreadable for everything that no decoder is to see."""
    head = file.read(HEAD_BYTES)
    if not head:
        raise Unreadable("is empty", COPY_AGAIN)
    container = container_of(head)
    if container is None:
        what = "is a text file, not a sound file" if looks_like_text(head) else "is no sound file that ARIA knows"
        raise Unreadable(what, READABLE)
    share = share_present(file, container)
    if share is not None and share < 1.0:
        raise Unreadable(f"breaks off: about {share:.0%} of it is there", COPY_AGAIN)
    file.seek(0)
    return container


def speech_samples(sound: Sound) -> Iterator[bytes]:
    """16 kHz, mono, 16-bit. Raises Unreadable when nothing or less than promised is there."""
    import numpy as np
    import soxr

    resampler = soxr.ResampleStream(sound.rate, SPEECH.rate, 1, dtype="float32")
    frames = 0
    for block in sound.blocks:
        faulthandler.dump_traceback_later(HANG_S, exit=True)
        frames += len(block)
        if frames > LONGEST_S * sound.rate:
            raise Unreadable(f"is longer than {LONGEST_S / 3600:.0f} hours", "Cut it into parts.")
        yield _to_int16(resampler.resample_chunk(np.nan_to_num(block, posinf=1.0, neginf=-1.0)))
    yield _to_int16(resampler.resample_chunk(np.zeros(0, dtype=np.float32), last=True))
    _check_length(frames / sound.rate, sound.promised_s)


def _to_int16(samples: Samples) -> bytes:
    import numpy as np

    scaled = np.rint(np.clip(samples, -1.0, 1.0) * 32767.0)
    return bytes(scaled.astype("<i2"))


def _check_length(seconds: float, promised_s: float | None) -> None:
    """Stated lengths are rounded and count a codec's padding, so a little less is still all of it."""
    if seconds == 0:
        raise Unreadable("holds no sound", COPY_AGAIN)
    if promised_s is not None and seconds < promised_s - max(0.5, 0.02 * promised_s):
        raise Unreadable(f"breaks off after {seconds:.1f} of {promised_s:.1f} seconds", COPY_AGAIN)


def decode(file: BinaryIO, out: BinaryIO) -> None:
    container = recognise(file)
    sound = (open_with_ffmpeg if container in FFMPEG_DEMUXERS else open_with_libsndfile)(file, container)
    if sound.promised_s is not None:
        if sound.promised_s > LONGEST_S:
            raise Unreadable(f"is longer than {LONGEST_S / 3600:.0f} hours", "Cut it into parts.")
        write_json(out, Kind.LENGTH, seconds=sound.promised_s)
    for samples in speech_samples(sound):
        if samples:
            # Whoever listens may take long over what it has; that is no hang.
            faulthandler.cancel_dump_traceback_later()
            write_message(out, Kind.SOUND, samples)
            faulthandler.dump_traceback_later(HANG_S, exit=True)
    write_message(out, Kind.END)


def _confine() -> None:
    """Raises SealFailed: then nothing is decoded. Where the system knows no such door, the rest still holds."""
    with contextlib.suppress(airgap.SealUnsupported):
        airgap.close(Door.SHUT)
    if sys.platform == "linux":
        import resource

        mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (mapped + MOST_BYTES, mapped + MOST_BYTES))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> int:
    faulthandler.dump_traceback_later(HANG_S, exit=True)
    _confine()
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with open(0, "rb", buffering=0, closefd=False) as file:
        try:
            decode(file, out)
        except Unreadable as error:
            write_json(out, Kind.ERROR, text=error.text, hint=error.hint)
        except MemoryError:
            write_json(out, Kind.ERROR, text="takes too much memory to decode", hint=COPY_AGAIN)
    faulthandler.cancel_dump_traceback_later()
    return 0


if __name__ == "__main__":
    sys.exit(main())
