"""Microphone, language and key below the talk button: a menu each, by mouse and by keyboard, and refusals told."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QMenu

from aria_desktop.core.events import Problem
from aria_desktop.core.listings import MicrophonesListed, SettingChanged
from aria_desktop.core.requests import ChangeSetting, ListMicrophones
from tests.window.conftest import MakeStage, Stage
from tests.window.desk import TestDesk


@pytest.fixture
def opened(make_stage: MakeStage) -> Stage:
    return make_stage(expects=(), desk=TestDesk().desk())


def menu(stage: Stage) -> QMenu:
    stage.qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu), timeout=20_000)
    shown = QApplication.activePopupWidget()
    assert isinstance(shown, QMenu)
    return shown


def words(shown: QMenu) -> list[str]:
    return [action.text() for action in shown.actions()]


def microphones_wanted(stage: Stage) -> ListMicrophones:
    stage.assistant.expect(ListMicrophones)
    stage.click(stage.find("quick-microphone.device"))
    stage.qtbot.waitUntil(lambda: stage.assistant.missing == [], timeout=20_000)
    request = stage.assistant.last(ListMicrophones)
    assert isinstance(request, ListMicrophones)
    return request


def wished(stage: Stage) -> tuple[str, object]:
    stage.qtbot.waitUntil(lambda: stage.assistant.missing == [], timeout=20_000)
    request = stage.assistant.last(ChangeSetting)
    assert isinstance(request, ChangeSetting)
    return request.name, request.value


def test_the_language_is_changed_by_keyboard_and_the_row_says_so_when_it_holds(opened: Stage) -> None:
    row = opened.find("quick-microphone.language")
    assert row.accessibleName() == "Language: Automatic"
    opened.assistant.expect(ChangeSetting)
    row.setFocus()
    opened.desktop.key("space")
    shown = menu(opened)
    assert words(shown)[:3] == ["Automatic", "English", "Español"]
    assert [action.text() for action in shown.actions() if action.isChecked()] == ["Automatic"]
    opened.picture("1-language-menu")
    opened.desktop.key("Down", "Down", "Return")
    assert wished(opened) == ("microphone.language", "es")
    assert row.accessibleName() == "Language: Automatic", "until it holds"
    opened.assistant.publish(SettingChanged("elsewhere", "microphone.language", "es"))
    opened.qtbot.waitUntil(lambda: row.accessibleName() == "Language: Español", timeout=20_000)


def test_the_microphones_that_are_plugged_in_are_asked_for_when_the_menu_opens(opened: Stage) -> None:
    request = microphones_wanted(opened)
    opened.assistant.expect(ChangeSetting)
    opened.assistant.publish(MicrophonesListed(request.request_id, ("Headset & more", "Webcam")))
    assert words(menu(opened)) == ["As the system", "Headset && more", "Webcam"]
    opened.desktop.key("Down", "Return")
    assert wished(opened) == ("microphone.device", "Headset & more")


def test_without_a_sound_library_the_menu_opens_and_the_reason_is_told(opened: Stage) -> None:
    request = microphones_wanted(opened)
    opened.assistant.publish(Problem(request.request_id, "microphone_missing", "PortAudio is missing.", "Install it."))
    assert words(menu(opened)) == ["As the system"]
    opened.desktop.key("Escape")
    opened.wait_for("PortAudio is missing.")


def test_a_refused_choice_is_told_on_the_talk_page(opened: Stage) -> None:
    opened.assistant.expect(ChangeSetting)
    row = opened.find("quick-talk_key.mode")
    opened.click(row)
    assert words(menu(opened)) == ["Hold or tap", "Hold", "Tap", "Hands free"]
    opened.desktop.key("Down", "Down", "Return")
    assert wished(opened) == ("talk_key.mode", "toggle")
    request = opened.assistant.last(ChangeSetting)
    assert isinstance(request, ChangeSetting)
    opened.assistant.publish(Problem(request.request_id, "storage", "The disk is full.", "Make room."))
    opened.wait_for("The disk is full.")
    assert row.accessibleName() == "Key: Hold or tap"
