"""Python's garbage, collected on Qt's thread only.

Python looks for unreachable cycles on whatever thread happens to allocate. A cycle may hold Qt objects - a lambda
connected to a signal is enough - and ending those on a thread of the assistant can take the process along.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QTimer

_EVERY_MS = 500


@contextmanager
def collected_here() -> Iterator[None]:
    """For as long as it lasts, cycles are collected by the event loop of this thread, by Python's own thresholds."""
    timer = QTimer(interval=_EVERY_MS)
    timer.timeout.connect(_collect)
    timer.start()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        timer.stop()


def _collect() -> None:
    due = [count > threshold for count, threshold in zip(gc.get_count(), gc.get_threshold(), strict=True)]
    for generation in (2, 1, 0):
        if due[generation]:
            gc.collect(generation)
            return
