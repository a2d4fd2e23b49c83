"""One process owns the database; the others learn who that is.

The owner holds an operating system lock on a file beside the database, which the system takes back when the
process dies, however it dies. What is written in the file says who holds it and where its local socket is; it
means nothing while nobody holds the lock. The file is never deleted: a second process that creates it anew
would lock another file than the first.
"""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from aria_desktop.core import regular
from aria_desktop.core.errors import DatabaseBusy
from aria_desktop.storage.files import private_folder, storage_error

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_LOCKED_BYTE = 1 << 30
"""Windows keeps other processes from reading what is locked, so the lock lies far behind the words."""
_LOOK_AGAIN_S = 0.1


@dataclass(frozen=True, slots=True)
class Owner:
    pid: int
    kind: str
    """The sub-command that owns the database: "window", "fetching", "ask", "sessions"."""
    socket: str
    """Path of its local socket; empty when it has none."""


class DatabaseLock:
    """Held from `take` until `release` or the end of the process."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor: int | None = descriptor

    @classmethod
    def take(cls, path: Path, kind: str, socket: str = "") -> DatabaseLock:
        """Become the owner, at once or not at all.

        Raises DatabaseBusy, whose text says who has it; `read_owner` then gives its socket. StorageError when
        the file can't be written.
        """
        private_folder(path.parent)
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise storage_error("open", path, error) from error
        try:
            if not _try_lock(descriptor):
                raise busy(read_owner(path))
            _write(descriptor, Owner(os.getpid(), kind, socket))
        except OSError as error:
            os.close(descriptor)
            raise storage_error("lock", path, error) from error
        except DatabaseBusy:
            os.close(descriptor)
            raise
        return cls(path, descriptor)

    @classmethod
    def take_patiently(cls, path: Path, kind: str, socket: str, patience_s: float) -> DatabaseLock:
        """Like `take`, and waits for so long while somebody else owns the database who has no window."""
        end = time.monotonic() + patience_s
        while True:
            try:
                return cls.take(path, kind, socket)
            except DatabaseBusy:
                owner = read_owner(path)
                if time.monotonic() >= end or (owner is not None and owner.kind == "window"):
                    raise
                time.sleep(_LOOK_AGAIN_S)

    @property
    def held(self) -> bool:
        return self._descriptor is not None

    def release(self) -> None:
        """Any number of times."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.ftruncate(descriptor, 0)
            os.close(descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def read_owner(path: Path) -> Owner | None:
    """What the last owner wrote; only true of now when `take` was just refused. None when nothing can be read."""
    try:
        data = json.loads(regular.content(path))
        return Owner(int(data["pid"]), str(data["kind"]), str(data["socket"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def busy(owner: Owner | None) -> DatabaseBusy:
    """Who holds the database, and what can be done."""
    if owner is None:
        return DatabaseBusy("Another ARIA is using the conversations.", "Wait until it is done, or close it.")
    if owner.kind == "window":
        text = f"ARIA's window is using the conversations (process {owner.pid})."
        return DatabaseBusy(text, "Use the window, or close it and try again.")
    if owner.kind == "fetching":
        text = f"ARIA is in fetch mode, and nothing else of it runs meanwhile (process {owner.pid})."
        return DatabaseBusy(text, "Wait until its models are here, or close its window.")
    text = f"`aria {owner.kind}` is using the conversations (process {owner.pid})."
    return DatabaseBusy(text, "Wait until it is done, or stop it, and try again.")


def _write(descriptor: int, owner: Owner) -> None:
    os.ftruncate(descriptor, 0)
    os.write(descriptor, json.dumps(asdict(owner)).encode("ascii"))


if sys.platform == "win32":

    def _try_lock(descriptor: int) -> bool:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(descriptor, 0, os.SEEK_SET)
        return True

else:

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
