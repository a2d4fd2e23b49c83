"""Bytes from one thread to another without a lock, so that an audio callback never waits for anybody.

Exactly one thread puts and exactly one takes. Each side moves only its own position, and only after its bytes are
copied; positions only grow, and a reference to an int is replaced in one step, so a stale one errs on the safe side.
"""

from __future__ import annotations


class Ring:
    """A fixed stretch of memory, filled and emptied in turn."""

    def __init__(self, size: int) -> None:
        self._memory = memoryview(bytearray(size))
        self._size = size
        self._written = 0
        self._read = 0

    @property
    def filled(self) -> int:
        """Bytes that can be taken."""
        return self._written - self._read

    @property
    def free(self) -> int:
        """Bytes that can be put."""
        return self._size - self.filled

    def put(self, data: bytes | memoryview) -> bool:
        """All of `data`, or nothing and False when there is no room for all of it."""
        length = len(data)
        if length > self.free:
            return False
        at = self._written % self._size
        first = min(length, self._size - at)
        self._memory[at : at + first] = data[:first]
        self._memory[: length - first] = data[first:]
        self._written += length
        return True

    def take(self, most: int | None = None) -> bytes:
        """What is there, oldest first; `most` bytes of it at most."""
        length = self.filled if most is None else min(most, self.filled)
        at = self._read % self._size
        first = min(length, self._size - at)
        data = bytes(self._memory[at : at + first]) + bytes(self._memory[: length - first])
        self._read += length
        return data
