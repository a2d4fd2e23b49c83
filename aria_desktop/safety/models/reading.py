"""Reading the head of a foreign file: nothing in it is believed before it was compared with what is there.

What must stay true: only regular files are opened, and opening never waits; no more is held in memory than
`MOST_HEAD_BYTES`; every length is checked against what is left of the file before it is used; whatever is wrong
comes out as `ModelDamaged`, with the file's name and the reason.
"""

from __future__ import annotations

import io
import os
import stat
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from aria_desktop.core.errors import ModelDamaged

MOST_HEAD_BYTES = 256 * 2**20
"""The largest vocabularies known take some tens of megabytes."""
WAY_OUT = "Fetch or copy it again, or choose another model. `aria models verify` checks all of them."

_STEP, _SHORT_STEP = 2**20, 2**14
"""Bytes read at once: of a head in one piece, and of one in many."""


def refused(name: str, reason: str, hint: str = WAY_OUT) -> ModelDamaged:
    """`reason` follows the name of the file, as in "holds no text"."""
    return ModelDamaged(f"Model refused: {name} {reason}.", hint)


@dataclass(frozen=True, slots=True)
class Identity:
    """Which file was looked at. Another one under the same name has another."""

    device: int
    inode: int
    size: int
    changed_ns: int

    @classmethod
    def of(cls, found: os.stat_result) -> Identity:
        return cls(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)


def require_same(path: Path, checked: Identity) -> None:
    """After native code opened `path` by its name: it must have been the file that was checked."""
    try:
        now = Identity.of(path.stat())
    except OSError as error:
        raise refused(path.name, "was taken away while it was loaded") from error
    if now != checked:
        raise refused(path.name, "was changed while it was loaded", "Leave it alone meanwhile, then start again.")


@contextmanager
def opened(path: Path, name: str = "") -> Iterator[Head]:
    """`name`: for the user, where the file's own says too little.

    Raises ModelDamaged for what is no regular file, leads out of its folder, or can't be read.
    """
    name = name or path.name
    if path.is_symlink() and path.resolve().parent != path.parent.resolve():
        raise refused(name, "is a link that leads out of its folder", "Add the model: aria models add PATH")
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise refused(name, f"can't be opened: {reason}", "Check its name and its permissions.") from error
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode):
        os.close(descriptor)
        raise refused(name, "is no ordinary file", "Put the model's file in its place.")
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        yield Head(file, Identity.of(found), name)


class Head:
    """A position in a file, and its bytes from the beginning, or from behind what was skipped last."""

    def __init__(self, file: io.FileIO, identity: Identity, name: str) -> None:
        self.identity, self.size, self.name = identity, identity.size, name
        self.at = 0
        self._file, self._step = file, _STEP
        self._bytes = bytearray()
        self._base = 0
        """Position of the first of them."""

    def fault(self, reason: str) -> ModelDamaged:
        return refused(self.name, reason)

    def take(self, count: int) -> bytes:
        start = self.pass_over(count) - self._base
        return bytes(self._bytes[start : start + count])

    def number(self, form: struct.Struct) -> int:
        (found,) = form.unpack_from(self._bytes, self.pass_over(form.size) - self._base)
        return int(found)

    def pass_over(self, count: int) -> int:
        """Returns the position before."""
        start, end = self.at, self.at + count
        self._reach(end)
        self.at = end
        return start

    def skip(self, count: int) -> None:
        """Go past what nobody looks at, without reading it. There is no way back then."""
        self._require(self.at + count)
        self.at += count
        if self.at > self._base + len(self._bytes):
            self._base, self._bytes = self.at, bytearray()
            self._step = _SHORT_STEP

    def pass_texts(self, count: int, length: struct.Struct) -> None:
        """Go past `count` texts, each after its length."""
        if count > (self.size - self.at) // length.size:
            raise self.fault("ends in the middle of its head")
        base, raw, read = self._base, self._bytes, length.unpack_from
        at = self.at - base
        for _ in range(count):
            if at + length.size > len(raw):
                self._reach(base + at + length.size)
            at += length.size + read(raw, at)[0]
        self._reach(base + at)
        self.at = base + at

    def _require(self, end: int) -> None:
        if end > self.size:
            raise self.fault("ends in the middle of its head")

    def _reach(self, end: int) -> None:
        """Have all bytes up to `end`."""
        self._require(end)
        if end > self._base + len(self._bytes):
            self._read_up_to(end)

    def _read_up_to(self, end: int) -> None:
        if end - self._base > MOST_HEAD_BYTES:
            raise self.fault(f"has a head of more than {MOST_HEAD_BYTES // 2**20} megabytes")
        have = self._base + len(self._bytes)
        self._file.seek(have)
        while have < end:
            more = self._file.read(max(self._step, end - have))
            if not more:
                raise self.fault("became shorter while it was read")
            self._bytes += more
            have += len(more)
