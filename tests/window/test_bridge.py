"""Events of other threads reach the Qt thread in order, complete, in batches, and not after the end."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import QThread
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from aria_desktop.core.events import AnswerPiece, Event
from aria_desktop.gui.bridge import Bridge
from tests.window.assistant_double import ScriptedAssistant


def test_order_and_batches(qtbot: QtBot, qapp: QApplication) -> None:
    assistant = ScriptedAssistant()
    bridge = Bridge(assistant)
    batches: list[list[Event]] = []
    threads: set[object] = set()

    def take(batch: list[Event]) -> None:
        batches.append(batch)
        threads.add(QThread.currentThread())

    bridge.events.connect(take)
    sent = [AnswerPiece("t1", str(number)) for number in range(2000)]
    assistant.publish(*sent)
    qtbot.waitUntil(lambda: sum(map(len, batches)) == len(sent), timeout=30_000)
    assert [event for batch in batches for event in batch] == sent
    assert len(batches) < len(sent) / 4
    assert threads == {qapp.thread()}
    bridge.close()
    assistant.close()


@pytest.mark.usefixtures("qapp")
def test_nothing_arrives_after_the_end(qtbot: QtBot) -> None:
    assistant = ScriptedAssistant()
    bridge = Bridge(assistant)
    seen: list[list[Event]] = []
    bridge.events.connect(seen.append)
    arrived = threading.Event()
    unsubscribe = assistant.subscribe(lambda _event: arrived.set())
    assistant.publish(AnswerPiece("t1", "late"))
    assert arrived.wait(5)
    bridge.close()
    qtbot.wait(100)
    assert seen == []
    unsubscribe()
    assert assistant.listeners == 0
    assistant.close()
