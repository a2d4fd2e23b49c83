"""Cycles are collected on Qt's thread while the window runs, whichever thread makes the garbage."""

from __future__ import annotations

import gc
import threading

import pytest
from pytestqt.qtbot import QtBot

from aria_desktop.gui.garbage import collected_here


class _Cycle:
    """Unreachable as soon as it is made; tells which thread ends it."""

    ended_on: set[threading.Thread]

    def __init__(self, ended_on: set[threading.Thread]) -> None:
        self.ended_on = ended_on
        self.itself = self

    def __del__(self) -> None:
        self.ended_on.add(threading.current_thread())


@pytest.mark.usefixtures("qapp")
def test_cycles_of_other_threads_end_here(qtbot: QtBot) -> None:
    ended_on: set[threading.Thread] = set()

    def litter() -> None:
        for _ in range(20_000):
            _Cycle(ended_on)

    with collected_here():
        assert not gc.isenabled()
        other = threading.Thread(target=litter)
        other.start()
        other.join()
        assert ended_on == set()
        qtbot.waitUntil(lambda: ended_on != set(), timeout=30_000)
    assert ended_on == {threading.main_thread()}
    assert gc.isenabled()
