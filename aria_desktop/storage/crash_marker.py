"""How many windows in a row ended without closing: by a crash, a kill, a power cut.

A file in the data folder says so from a window's start until its end. What ends a window in the ordinary way, an
error that is told included, removes it. Only the owner of the database may call these.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from aria_desktop.core import regular
from aria_desktop.core.errors import AriaError
from aria_desktop.storage.files import replace_file

NAME = "window-runs"
SAFE_AFTER = 2
"""So many unclean ends in a row, and the next window starts in safe mode."""
_MOST = 1_000
_log = logging.getLogger(__name__)


@contextmanager
def marked_run(data: Path) -> Iterator[int]:
    """For as long as a window runs. Yields how many before it, in a row, did not end in the ordinary way."""
    path = data / NAME
    unclean = _unclean(path)
    _write(path, unclean)
    try:
        yield unclean
    except AriaError:
        _remove(path)
        raise
    _remove(path)


def _unclean(path: Path) -> int:
    """A marker that can't be read was left by a window that ended in the middle of writing it, or by nobody's hand
    that we know: one."""
    try:
        text = regular.content(path, 16).decode("ascii")
    except FileNotFoundError:
        return 0
    except (OSError, ValueError):
        return 1
    return min(int(text), _MOST) + 1 if text.isdecimal() else 1


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        _log.warning("%s can't be removed, and the next window takes this one for crashed: %s", path, error)


def _write(path: Path, unclean: int) -> None:
    """Where nothing can be written the window opens all the same; then only this is not known."""
    try:
        replace_file(path, str(unclean).encode("ascii"))
    except AriaError as error:
        _log.warning("whether this window ends well will not be known: %s", error)
