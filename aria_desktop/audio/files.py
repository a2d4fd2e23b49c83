"""Sound files in: any of the usual kinds becomes 16 kHz mono, decoded in a child process.

The file is opened here, once, and handed over as a descriptor; see `audio.decode` for why. A file that breaks
off is refused as a whole, also when some sound is left in it: half a command may mean the opposite.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Generator
from pathlib import Path
from typing import IO, BinaryIO, assert_never

from aria_desktop.audio.pipe import Kind, read_message
from aria_desktop.core.audio import SPEECH, AudioChunk
from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.errors import AudioUnreadable

PACKAGE_HOME = Path(__file__).resolve().parents[2]

ENDS_BYTES = 1 << 20
"""Of each end of a file that tell it from others."""

OnProgress = Callable[[float, float | None], None]
"""Called with the seconds decoded so far and, where the file states it, of how many."""


def read_audio(
    path: str | Path, cancel: CancelToken, on_progress: OnProgress = lambda _done, _total: None
) -> AudioChunk:
    """The whole sound in the file, in the format `core.audio.SPEECH`.

    Raises AudioUnreadable for what is no sound file, holds no sound, is damaged or breaks off; Cancelled.
    """
    pcm = bytearray()
    for piece in decoded(path, cancel, on_progress):
        pcm += piece
    return AudioChunk(SPEECH, bytes(pcm))


def decoded(path: str | Path, cancel: CancelToken, on_progress: OnProgress) -> Generator[bytes, None, None]:
    """The sound piece by piece, about half a second each. Raises like `read_audio`, at the latest at the end."""
    name = Path(path).name
    with _opened(Path(path)) as file, _decoder(file) as child:
        forget = cancel.on_cancel(child.kill)
        try:
            assert child.stdout is not None
            yield from _sound(child.stdout, name, on_progress)
        except _ChildDied:
            cancel.raise_if_cancelled()
            raise AudioUnreadable(
                f"{name} can't be read: decoding it failed (exit status {child.wait()}).",
                "The file is damaged, or made to break decoders.",
            ) from None
        finally:
            forget()
            child.kill()
    if cancel.cancelled:
        raise Cancelled


def identity(path: str | Path) -> str:
    """The same for files with the same content, whatever they are called, and another one for any other real file: of
    a long one the length, the beginning and the end are looked at. Raises AudioUnreadable."""
    with _opened(Path(path)) as file:
        size = os.fstat(file.fileno()).st_size
        digest = hashlib.sha256(f"{size}\n".encode() + file.read(ENDS_BYTES))
        file.seek(max(0, size - ENDS_BYTES))
        digest.update(file.read(ENDS_BYTES))
    return digest.hexdigest()


class _ChildDied(Exception):
    """The stream of messages ended without a last one."""


def _sound(stream: IO[bytes], name: str, on_progress: OnProgress) -> Generator[bytes, None, None]:
    total: float | None = None
    frames = 0
    while message := read_message(stream):
        kind, body = message
        match kind:
            case Kind.LENGTH:
                total = float(json.loads(body)["seconds"])
            case Kind.SOUND:
                frames += len(body) // SPEECH.frame_bytes
                yield body
            case Kind.END:
                return
            case Kind.ERROR:
                fault = json.loads(body)
                raise AudioUnreadable(f"{name} {fault['text']}.", fault["hint"])
            case _:
                assert_never(kind)
        on_progress(frames / SPEECH.rate, total)
    raise _ChildDied


def _opened(path: Path) -> BinaryIO:
    """Only regular files: a pipe or a device may never end. Opening must not wait for a writer either."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        raise AudioUnreadable(f"There is no file {path}.", "Check the name.") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise AudioUnreadable(f"{path} can't be opened: {reason}.", "Check its name and its permissions.") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise AudioUnreadable(f"{path} is not a file.", "Name a sound file.")
    return os.fdopen(descriptor, "rb", buffering=0)


def _decoder(file: BinaryIO) -> subprocess.Popen[bytes]:
    """In a session of its own, so that Ctrl+C reaches the parent alone and is a cancel, not a crash.

    `-P` keeps the current folder off the child's import path.
    """
    search = [str(PACKAGE_HOME), *filter(None, [os.environ.get("PYTHONPATH")])]
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "aria_desktop.audio.decode"],
        stdin=file,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(search)},
        start_new_session=True,
    )
