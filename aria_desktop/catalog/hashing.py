"""SHA-256 of big files, with progress and a way to stop."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from aria_desktop.core.cancel import CancelToken

CHUNK_BYTES = 1 << 20


def sha256_of(path: Path, cancel: CancelToken, counted: Callable[[int], None]) -> str:
    """Hash all of `path`; `counted` gets the length of each piece. Raises OSError, Cancelled."""
    digest = hashlib.sha256()
    update_from(digest, path, cancel, counted)
    return digest.hexdigest()


def update_from(digest: hashlib._Hash, path: Path, cancel: CancelToken, counted: Callable[[int], None]) -> None:
    buffer = memoryview(bytearray(CHUNK_BYTES))
    with path.open("rb", buffering=0) as file:
        while count := file.readinto(buffer):
            cancel.raise_if_cancelled()
            digest.update(buffer[:count])
            counted(count)
