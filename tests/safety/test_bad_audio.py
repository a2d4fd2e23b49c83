"""Odd sound files through the real decoding child: refused with a reason or decoded right, fast and small."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import av
import psutil
import pytest

from aria_desktop.audio import files
from aria_desktop.audio.files import PACKAGE_HOME, decoded, read_audio
from aria_desktop.core.audio import SPEECH, AudioChunk
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.errors import AudioUnreadable
from tests.safety.bad_audio import PCM, RATE, SECONDS, SOUNDS, WHOLE, OddSound, chunk, fmt, wav
from tests.safety.conftest import Tried

LONGEST_S = 10.0
"""Generous: a child starts on a machine that does other things."""
MOST_BYTES = 200 * 2**20


class Watched:
    """The largest memory that a child of this process had meanwhile."""

    def __init__(self) -> None:
        self.peak = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def _watch(self) -> None:
        while not self._ended.wait(0.01):
            for child in psutil.Process().children():
                try:
                    used = child.memory_info().rss
                    # A child that has not become its program yet is a copy of this process.
                    if "aria_desktop.audio.decode" in child.cmdline():
                        self.peak = max(self.peak, used)
                except psutil.Error:
                    continue

    def __enter__(self) -> Watched:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()


def outcome(name: str) -> AudioChunk | AudioUnreadable:
    try:
        return read_audio(name, CancelToken())
    except AudioUnreadable as error:
        return error


def test_there_are_as_many_as_were_promised() -> None:
    assert len({sound.name for sound in SOUNDS}) == 64  # and the two below that change while they are read


@pytest.mark.parametrize("sound", SOUNDS, ids=lambda sound: f"{sound.number}-{sound.name}")
def test_an_odd_file_is_refused_with_a_reason_or_decoded_right(
    sound: OddSound, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tried: Tried
) -> None:
    tried.begin("odd sound files")
    monkeypatch.chdir(tmp_path)
    name = sound.make(tmp_path)
    started = time.monotonic()
    with Watched() as watched:
        found = outcome(name)
    if isinstance(found, AudioUnreadable):
        assert found.text.endswith(".")
        assert found.hint
        assert "exit status" not in found.text, "the child crashed"
    assert time.monotonic() - started < LONGEST_S
    assert watched.peak < MOST_BYTES
    match sound.seconds:
        case 0:
            assert isinstance(found, AudioUnreadable)
        case float(seconds):
            assert isinstance(found, AudioChunk)
            assert found.seconds == pytest.approx(seconds, abs=0.15)


def test_a_file_that_grows_while_it_is_read_is_as_long_as_its_header_says(tmp_path: Path, tried: Tried) -> None:
    tried.begin("odd sound files")
    path = tmp_path / "talk.wav"
    path.write_bytes(wav(fmt(), chunk(b"data", PCM * 30)))
    pieces = decoded(path, CancelToken(), lambda _done, _total: None)
    seconds = len(next(pieces)) / 2 / SPEECH.rate
    with path.open("ab") as file:
        file.write(PCM * 30)
    seconds += sum(len(piece) / 2 / SPEECH.rate for piece in pieces)
    assert seconds == pytest.approx(30 * SECONDS, abs=0.1)


def test_a_file_that_is_deleted_while_it_is_read_is_read_to_the_end(tmp_path: Path, tried: Tried) -> None:
    tried.begin("odd sound files")
    path = tmp_path / "talk.wav"
    path.write_bytes(wav(fmt(), chunk(b"data", PCM * 30)))
    pieces = decoded(path, CancelToken(), lambda _done, _total: None)
    seconds = len(next(pieces)) / 2 / SPEECH.rate
    path.unlink()
    seconds += sum(len(piece) / 2 / SPEECH.rate for piece in pieces)
    assert seconds == pytest.approx(30 * SECONDS, abs=0.1)


def test_ffmpeg_alone_takes_a_name_for_a_way_to_another_file(tmp_path: Path, tried: Tried) -> None:
    """What must not happen to the last four names of the table happens without `audio.files`."""
    tried.begin("odd sound files")
    (tmp_path / "secret").write_bytes(WHOLE)
    name = f"subfile,,start,0,end,0,,:{tmp_path / 'secret'}"
    with av.open(name) as opened:
        assert opened.streams.audio[0].rate == RATE
    assert isinstance(outcome(name), AudioUnreadable)
    tried.control("odd sound files")


_INSIDE = """
import errno, os, socket, sys
from aria_desktop.audio import decode
{confine}
found = []
for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX):
    try:
        socket.socket(family).close()
        found.append("socket")
    except OSError:
        pass
try:
    with open(sys.argv[1], "wb") as file:
        file.write(b"x")
        file.flush()
    found.append("file")
except OSError:
    pass
try:
    bytearray(3 * 2**30)
    found.append("memory")
except MemoryError:
    pass
print(",".join(found))
"""


@pytest.mark.parametrize(("confine", "reached"), [("", "socket,socket,socket,file,memory"), ("decode._confine()", "")])
def test_the_child_has_no_sockets_writes_nothing_and_has_a_memory_limit(
    confine: str, reached: str, tmp_path: Path, tried: Tried
) -> None:
    """The first of the two is the control."""
    code = "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n" + _INSIDE.format(confine=confine)
    command = [sys.executable, "-c", code, str(tmp_path / "planted")]
    done = subprocess.run(command, cwd=PACKAGE_HOME, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == reached
    tried.control("odd sound files", bool(reached))


def test_whole_files_are_read_under_the_same_limits(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(WHOLE)
    assert files.read_audio(tmp_path / "a", CancelToken()).pcm == PCM
