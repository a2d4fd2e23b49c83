"""ARIA outside its window: overlay, tray, notifications, and the window's place, with real windows and real presses."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from jeepney import MessageType, new_method_return
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import Proxy, open_dbus_connection
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from aria_desktop.core import events, listings, requests
from aria_desktop.core.chat import ToolCall
from aria_desktop.gui.languages import read_language
from aria_desktop.gui.state.translation import ENGLISH, use
from aria_desktop.storage.declarations import Settings, WindowSettings
from aria_desktop.storage.window_place import WindowPlace
from tests.conftest import REPOSITORY
from tests.window import stories
from tests.window.conftest import MakeStage, Stage
from tests.window.desk import TestDesk
from tests.window.desktop import Desktop

LIMIT = 20_000


@contextmanager
def another_program(desktop: Desktop) -> Iterator[str]:
    """A window of another process in front; yields its X id. It prints what is typed into it."""
    command = [sys.executable, "-c", _OTHER]
    with subprocess.Popen(command, env=_environment(desktop), stdout=subprocess.PIPE, text=True) as process:
        try:
            window = desktop.wait_for_window(process.pid, "other program")
            desktop.act("windowactivate", "--sync", window)
            yield window
        finally:
            process.terminate()


_OTHER = """
from PySide6.QtWidgets import QApplication, QLineEdit
app = QApplication(["other"])
field = QLineEdit()
field.setWindowTitle("other program")
field.resize(300, 60)
field.show()
app.exec()
"""


def _environment(desktop: Desktop) -> dict[str, str]:
    return {**os.environ, **desktop.environment}


def overlay() -> QWidget | None:
    found = [widget for widget in QApplication.topLevelWidgets() if widget.objectName() == "overlay"]
    assert len(found) < 2
    return found[0] if found and found[0].isVisible() else None


def overlay_shows(text: str) -> bool:
    shown = overlay()
    return shown is not None and text in shown.accessibleName()


def listen(stage: Stage) -> None:
    stage.assistant.publish(
        events.ActivityChanged(events.Activity.LISTENING),
        events.ListeningStarted("USB microphone"),
        *(events.LevelMeasured(0.1 + at / 100, speech=True) for at in range(72)),
        events.WordsSoFar("r1", "add random jitter to the waits", 1.2, pausing=False),
    )


def press(stage: Stage, name: str) -> None:
    shown = overlay()
    assert shown is not None
    button = shown.findChild(QPushButton, name)
    assert isinstance(button, QPushButton)
    stage.click(button)


def test_with_our_window_in_front_there_is_no_overlay(stage: Stage) -> None:
    listen(stage)
    stage.wait_for("Listening")
    assert overlay() is None


def test_the_overlay_comes_up_takes_no_keyboard_and_forgets_by_a_press(stage: Stage) -> None:
    with another_program(stage.desktop) as other:
        stage.qtbot.waitUntil(lambda: not stage.window.isActiveWindow(), timeout=LIMIT)
        listen(stage)
        stage.qtbot.waitUntil(lambda: overlay_shows("add random jitter to the waits"), timeout=LIMIT)
        assert stage.desktop.active_window == other
        stage.picture("9-overlay-listening")
        stage.assistant.expect(requests.DropRecording)
        press(stage, "overlayEscape")
        stage.qtbot.waitUntil(lambda: bool(stage.assistant.received), timeout=LIMIT)
        assert stage.desktop.active_window == other
        stage.assistant.publish(events.ListeningEnded(1.0, "dropped"), events.ActivityChanged(events.Activity.IDLE))
        stage.qtbot.waitUntil(lambda: overlay() is None, timeout=LIMIT)


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_it_goes_with_the_turn_and_lingers(make_stage: MakeStage, theme: str) -> None:
    stage = make_stage(theme=theme)
    with another_program(stage.desktop):
        stage.qtbot.waitUntil(lambda: not stage.window.isActiveWindow(), timeout=LIMIT)
        listen(stage)
        stage.qtbot.waitUntil(lambda: overlay_shows("Listening"), timeout=LIMIT)
        stage.assistant.publish(
            events.ListeningEnded(2.0, "released"),
            stories.started("t1"),
            stories.heard("t1", "Add random jitter to the waits"),
            events.ActivityChanged(events.Activity.THINKING),
        )
        stage.qtbot.waitUntil(lambda: overlay_shows("Thinking"), timeout=LIMIT)
        stage.picture(f"9-overlay-thinking-{theme}")
        stage.assistant.publish(
            events.AnswerGiven("t1", "Saved. All four tests pass now."),
            events.ActivityChanged(events.Activity.SPEAKING),
        )
        stage.qtbot.waitUntil(lambda: overlay_shows("Saved."), timeout=LIMIT)
        stage.picture(f"9-overlay-speaking-{theme}")
        stage.assistant.publish(events.ActivityChanged(events.Activity.IDLE))
        stage.qtbot.waitUntil(lambda: overlay() is None, timeout=LIMIT)


def asks(stage: Stage) -> None:
    call = ToolCall("c1", "write_code", {"path": "retry.py"})
    stage.assistant.publish(
        stories.started("t1", "overwrite it"),
        events.ActivityChanged(events.Activity.CONFIRMING),
        events.ApprovalRequested(stories.question("t1", call, "old\n", "new\n", "overwrite it")),
    )


def test_a_question_is_only_opened_there_and_allow_is_not_armed_by_that(stage: Stage) -> None:
    stage.window.showMinimized()
    stage.qtbot.waitUntil(lambda: not stage.window.on_screen, timeout=LIMIT)
    with another_program(stage.desktop) as other:
        asks(stage)
        stage.qtbot.waitUntil(lambda: overlay_shows("Overwrite retry.py?"), timeout=LIMIT)
        assert stage.desktop.active_window == other
        assert not stage.visible("approvalDialog")
        shown = overlay()
        assert shown is not None
        offered = [button.text() for button in shown.findChildren(QPushButton) if button.isVisible()]
        assert offered == ["Open ARIA"]
        stage.picture("9-overlay-question")
        press(stage, "overlayOpen")
        stage.qtbot.waitUntil(lambda: overlay() is None and stage.shows("Allow overwrite"), timeout=LIMIT)
        stage.assistant.expect(requests.AnswerApproval)
        stage.desktop.key("Return")
        stage.qtbot.waitUntil(lambda: bool(stage.assistant.received), timeout=LIMIT)
    answer = stage.assistant.last(requests.AnswerApproval)
    assert isinstance(answer, requests.AnswerApproval)
    assert not answer.allowed


def test_the_overlay_can_be_switched_off_while_it_is_up(stage: Stage) -> None:
    with another_program(stage.desktop):
        stage.qtbot.waitUntil(lambda: not stage.window.isActiveWindow(), timeout=LIMIT)
        listen(stage)
        stage.qtbot.waitUntil(lambda: overlay_shows("Listening"), timeout=LIMIT)
        stage.assistant.publish(listings.SettingChanged("elsewhere", "window.overlay", False))
        stage.qtbot.waitUntil(lambda: overlay() is None, timeout=LIMIT)


def test_in_spanish(make_stage: MakeStage) -> None:
    use(read_language(REPOSITORY / "resources" / "words", "es"))
    try:
        stage = make_stage()
        with another_program(stage.desktop):
            stage.qtbot.waitUntil(lambda: not stage.window.isActiveWindow(), timeout=LIMIT)
            listen(stage)
            stage.qtbot.waitUntil(lambda: overlay_shows("Escuchando"), timeout=LIMIT)
            stage.picture("9-overlay-spanish")
    finally:
        use(ENGLISH)


def test_a_tray_that_comes_later_shows_aria_and_nothing_is_missing_before(stage: Stage) -> None:
    tray = stage.conductor._outside.tray
    assert not tray.there
    command = [sys.executable, "-m", "tests.window.tray_host"]
    environment = _environment(stage.desktop)
    with subprocess.Popen(command, cwd=REPOSITORY, env=environment, stdout=subprocess.PIPE, text=True) as host:
        try:
            assert host.stdout is not None
            assert host.stdout.readline() == "tray\n"
            stage.qtbot.waitUntil(lambda: tray.there, timeout=LIMIT)
            listen(stage)
            stage.qtbot.waitUntil(lambda: tray.icon.toolTip() == "ARIA: Listening", timeout=LIMIT)
            stage.picture("9-tray")
        finally:
            host.terminate()


def test_the_menu_of_the_tray_hides_shows_talks_and_ends(stage: Stage) -> None:
    tray = stage.conductor._outside.tray
    tray.hide_window.trigger()
    stage.qtbot.waitUntil(lambda: QApplication.focusWindow() is None, timeout=LIMIT)
    assert not stage.window.isVisible()
    tray.show_window.trigger()
    stage.qtbot.waitUntil(stage.window.isActiveWindow, timeout=LIMIT)
    assert tray.press.text() == "Listen"
    stage.assistant.expect(requests.StartListening)
    tray.press.trigger()
    stage.qtbot.waitUntil(lambda: bool(stage.assistant.received), timeout=LIMIT)
    listen(stage)
    stage.qtbot.waitUntil(lambda: tray.press.text() == "End and send", timeout=LIMIT)


def test_the_place_and_the_page_are_kept_when_it_closes(make_stage: MakeStage) -> None:
    kept: list[WindowPlace] = []
    desk = TestDesk().desk()
    first = make_stage(keep_place=kept.append, desk=desk)
    first.window.resize(900, 640)
    first.window.move(120, 90)
    first.desktop.key("ctrl+4")
    first.qtbot.waitUntil(lambda: first.window.pages.current.name == "SETTINGS", timeout=LIMIT)
    first.qtbot.waitUntil(lambda: first.window.pos().x() == 120, timeout=LIMIT)
    first.window.close()
    (place,) = kept
    assert place.page == "SETTINGS"
    second = make_stage(place=place, desk=desk)
    assert second.window.size() == first.window.size()
    second.qtbot.waitUntil(lambda: second.window.pos() == first.window.pos(), timeout=LIMIT)
    assert second.window.pages.current.name == "SETTINGS"


def test_a_place_that_is_broken_opens_as_usual(make_stage: MakeStage) -> None:
    stage = make_stage(place=WindowPlace(b"\0\xff nonsense", "NO SUCH PAGE"))
    assert stage.window.size().width() == 1280


def test_with_all_of_it_off_nothing_comes_up(make_stage: MakeStage) -> None:
    off = replace(Settings(), window=WindowSettings(overlay=False, tray=False, notify=False))
    stage = make_stage(desk=replace(TestDesk().desk(), settings=off))
    with another_program(stage.desktop):
        stage.qtbot.waitUntil(lambda: not stage.window.isActiveWindow(), timeout=LIMIT)
        listen(stage)
        stage.wait_for("Listening")
        assert overlay() is None
        assert not stage.conductor._outside.tray.icon.isVisible()


_BUS = ("dbus-daemon", "--session", "--nofork", "--print-address=1")


class NotificationService:
    """Takes the name of a desktop's notifications on a bus and answers one call."""

    def __init__(self, address: str) -> None:
        self._bus = open_dbus_connection(bus=address)
        Proxy(message_bus, self._bus).RequestName("org.freedesktop.Notifications")

    def take_one(self) -> tuple[object, ...]:
        while True:
            message = self._bus.receive(timeout=30)
            if message.header.message_type is MessageType.method_call:
                self._bus.send(new_method_return(message, "u", (7,)))
                return tuple(message.body)

    def close(self) -> None:
        self._bus.close()


def test_without_a_tray_the_desktop_is_told_over_its_bus_and_never_what_was_said(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    with subprocess.Popen(_BUS, stdout=subprocess.PIPE, text=True) as bus, another_program(stage.desktop):
        try:
            assert bus.stdout is not None
            address = bus.stdout.readline().strip()
            service = NotificationService(address)
            monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
            stage.qtbot.waitUntil(lambda: not stage.window.isActiveWindow(), timeout=LIMIT)
            stage.assistant.publish(*stories.finished_code_turn("t1")[:1], stories.ended("t1", "It is in secret.py."))
            stage.wait_for("It is in secret.py.")
            name, _, _, title, text, actions, hints, _ = service.take_one()
            assert (name, title, text, actions) == ("ARIA", "ARIA is done", "The answer is in the window.", [])
            assert "secret" not in repr(hints)
            service.close()
        finally:
            bus.terminate()
    stage.qtbot.waitUntil(
        lambda: "desktop-notice" not in {thread.name for thread in threading.enumerate()}, timeout=LIMIT
    )
