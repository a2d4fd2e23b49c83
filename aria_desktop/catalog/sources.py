"""What a source of model files promises, and how it says that it can't."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from aria_desktop.core.cancel import CancelToken


class SourceFailed(Exception):
    """This source does not deliver; the next one may. `str()` says why in words a user can read."""

    def __init__(self, words: str, *, host: str = "") -> None:
        super().__init__(words)
        self.host = host
        """The host to leave alone for the rest of the run; empty when the host is not to blame."""


class WrongBytes(SourceFailed):
    """The source delivered, but something else than was promised. What came is deleted."""


@contextmanager
def stop_counts_as_cancelled(cancel: CancelToken) -> Iterator[None]:
    """Stopping cuts connections, which then fail in many ways; all of them mean that the work was cancelled."""
    try:
        yield
    except SourceFailed:
        cancel.raise_if_cancelled()
        raise
