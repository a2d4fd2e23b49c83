"""The Settings page with real keys and clicks: found, changed at once, refused with a reason, and taken back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit

from aria_desktop.core import events, listings
from aria_desktop.core.requests import ChangeSetting, ListModels, ListSessions
from aria_desktop.core.seal import Reach, SealedProcess, SealReport
from aria_desktop.gui.languages import read_language
from aria_desktop.gui.pages.settings_page import SettingsPage
from aria_desktop.gui.state.pages import Page
from aria_desktop.gui.state.settings_page import Category
from aria_desktop.gui.state.translation import ENGLISH, tr, use
from aria_desktop.gui.theme import DARK
from tests.conftest import REPOSITORY
from tests.window.conftest import MakeStage, Stage
from tests.window.desk import TestDesk

GAP = "\N{NO-BREAK SPACE}"


def page(stage: Stage, category: Category = Category.HEARING) -> SettingsPage:
    stage.desktop.key("ctrl+4")
    stage.qtbot.waitUntil(lambda: stage.window.pages.current is Page.SETTINGS, timeout=20_000)
    (found,) = stage.window.findChildren(SettingsPage)
    if category is not Category.HEARING:
        found.open_category(category)
        stage.wait_for(tr(category.value))
    return found


def answer(stage: Stage, name: str, value: object) -> None:
    """What the assistant says to the last wish."""
    stage.qtbot.waitUntil(lambda: stage.assistant.missing == [], timeout=20_000)
    request = stage.assistant.last(ChangeSetting)
    assert isinstance(request, ChangeSetting)
    assert (request.name, request.value) == (name, value)
    stage.assistant.publish(listings.SettingChanged(request.request_id, request.name, request.value))


def field(stage: Stage, name: str) -> QLineEdit:
    (found,) = stage.find(f"setting-{name}").findChildren(QLineEdit)
    return found


@pytest.fixture
def desk() -> TestDesk:
    return TestDesk()


@pytest.fixture
def opened(make_stage: MakeStage, desk: TestDesk) -> Stage:
    return make_stage(expects=(), desk=desk.desk())


def test_pages_open_by_number_and_by_tab_and_talk_comes_back(opened: Stage) -> None:
    page(opened)
    opened.desktop.key("ctrl+1")
    opened.qtbot.waitUntil(opened.field.isVisible, timeout=20_000)
    opened.desktop.key("ctrl+comma")
    opened.qtbot.waitUntil(lambda: opened.window.pages.current is Page.SETTINGS, timeout=20_000)
    opened.window.top_bar.tabs.setFocus(Qt.FocusReason.TabFocusReason)
    opened.assistant.expect(ListModels, ListSessions)
    opened.desktop.key("Left")
    opened.qtbot.waitUntil(lambda: opened.window.pages.current is Page.MODELS, timeout=20_000)
    opened.desktop.key("Left")
    opened.qtbot.waitUntil(lambda: opened.window.pages.current is Page.HISTORY, timeout=20_000)
    opened.desktop.key("Left")
    opened.qtbot.waitUntil(lambda: opened.window.pages.current is Page.TALK, timeout=20_000)
    assert opened.window.top_bar.tabs.currentIndex() == 0


def test_a_figure_is_changed_by_keyboard_and_goes_back_to_its_default(opened: Stage) -> None:
    page(opened)
    opened.assistant.expect(ChangeSetting)
    opened.click(field(opened, "microphone.silence_ms"))
    opened.desktop.key("ctrl+a")
    opened.desktop.type("950")
    opened.desktop.key("Return")
    answer(opened, "microphone.silence_ms", 950)
    back = opened.find("default-microphone.silence_ms")
    opened.qtbot.waitUntil(back.isEnabled, timeout=20_000)
    assert back.toolTip() == f"Back to 800{GAP}ms"
    opened.assistant.expect(ChangeSetting)
    opened.click(back)
    answer(opened, "microphone.silence_ms", 800)
    opened.qtbot.waitUntil(lambda: field(opened, "microphone.silence_ms").text() == "800", timeout=20_000)
    assert not back.isEnabled()


def test_a_bad_value_stays_in_its_field_with_the_reason_beside_it(opened: Stage) -> None:
    page(opened)
    opened.click(field(opened, "microphone.silence_ms"))
    opened.desktop.key("ctrl+a")
    opened.desktop.type("12")
    opened.desktop.key("Tab")
    opened.wait_for(f"Use 200 to 5000{GAP}ms. Still using 800{GAP}ms.")
    assert field(opened, "microphone.silence_ms").text() == "12"
    assert opened.assistant.received == []
    opened.picture("settings-bad-value")


def test_what_the_assistant_refuses_is_told_beside_the_setting(opened: Stage) -> None:
    page(opened, Category.THINKING)
    opened.assistant.expect(ChangeSetting)
    number = field(opened, "language_model.max_tokens")
    number.setFocus()
    number.setText("30000")
    opened.desktop.key("Return")
    opened.qtbot.waitUntil(lambda: opened.assistant.missing == [], timeout=20_000)
    request = opened.assistant.last(ChangeSetting)
    assert isinstance(request, ChangeSetting)
    opened.assistant.publish(events.Problem(request.request_id, "settings", "That leaves no room.", "Change another."))
    opened.wait_for("That leaves no room. Change another.")
    assert number.text() == "512"
    assert not opened.visible("bannerText")


def test_the_theme_changes_at_once_also_from_elsewhere(opened: Stage) -> None:
    page(opened, Category.APPEARANCE)
    opened.assistant.publish(listings.SettingChanged("somebody else's", "window.theme", "dark"))
    opened.qtbot.waitUntil(lambda: opened.look.tokens is DARK, timeout=20_000)
    opened.assistant.publish(listings.SettingChanged("somebody else's", "window.font_percent", 120))
    opened.qtbot.waitUntil(lambda: opened.look.percent == 120, timeout=20_000)
    opened.desktop.key("ctrl+plus")
    opened.qtbot.waitUntil(lambda: opened.look.percent == 130, timeout=20_000)
    opened.desktop.key("ctrl+0")
    opened.qtbot.waitUntil(lambda: opened.look.percent == 120, timeout=20_000)


def test_a_search_shows_rows_of_all_categories_and_nothing_says_so(opened: Stage) -> None:
    found = page(opened)
    found.search.setFocus()
    opened.desktop.type("seconds")
    opened.qtbot.waitUntil(lambda: opened.visible("setting-limits.command_s"), timeout=20_000)
    assert opened.visible("setting-microphone.silence_ms")
    assert not opened.visible("setting-voice.speed")
    opened.picture("settings-search")
    opened.desktop.key("ctrl+a")
    opened.desktop.type("xyzzy")
    opened.wait_for("No setting found for 'xyzzy'.")


def test_leave_is_listed_with_its_end_and_revoked(opened: Stage, desk: TestDesk) -> None:
    page(opened, Category.PERMISSIONS)
    opened.wait_for("create_file for <b>notes</b>.md")
    opened.picture("settings-permissions")
    opened.click(opened.find("revoke-g1"))
    opened.qtbot.waitUntil(lambda: [given.id for given in desk.given] == ["g2"], timeout=20_000)
    opened.click(opened.find("revoke-g2"))
    opened.wait_for("Nothing is allowed for more than once.")


def test_a_disk_that_fails_is_told_and_breaks_nothing(opened: Stage, desk: TestDesk) -> None:
    desk.fails = True
    page(opened, Category.PERMISSIONS)
    opened.wait_for("The disk is gone. Put it back.")
    page(opened, Category.TROUBLE)
    opened.click(opened.find("showLog"))
    opened.wait_for("The disk is gone. Put it back.")


def test_the_log_is_shown_and_diagnostics_are_copied(opened: Stage) -> None:
    page(opened, Category.TROUBLE)
    opened.click(opened.find("copyDiagnostics"))
    opened.wait_for("Copied. Look at it before you pass it on.")
    assert QGuiApplication.clipboard().text() == "## ARIA Desktop\n1.0"
    opened.click(opened.find("showLog"))
    opened.qtbot.waitUntil(lambda: opened.visible("textSheet"), timeout=20_000)
    text = opened.find("sheetText")
    assert isinstance(text, QPlainTextEdit)
    assert text.toPlainText().endswith("it went wrong")
    opened.desktop.key("Escape")
    opened.qtbot.waitUntil(lambda: not opened.visible("textSheet"), timeout=20_000)


def test_what_can_leave_is_proved_on_demand(make_stage: MakeStage, desk: TestDesk) -> None:
    report = SealReport(Reach(False, True, False), "", (SealedProcess(4100, "aria window", 1, True, ()),))
    stage = make_stage(desk=desk.desk(), look_at_seal=lambda: report)
    page(stage, Category.LEAVE)
    stage.click(stage.find("proveSeal"))
    stage.wait_for("Connections that could be made: none.")
    stage.picture("settings-what-can-leave")


def test_the_sheet_of_keys_opens_with_f1_and_names_the_window_s_own(opened: Stage) -> None:
    opened.desktop.key("F1")
    opened.wait_for("To the text box")
    opened.picture("settings-keys")


def test_tab_reaches_every_control_of_the_page_and_comes_back(opened: Stage) -> None:
    found = page(opened)
    found.search.setFocus(Qt.FocusReason.TabFocusReason)
    seen = [QApplication.focusWidget()]
    for _ in range(40):
        opened.window.focusNextPrevChild(True)
        if QApplication.focusWidget() is found.search:
            break
        seen.append(QApplication.focusWidget())
    else:
        raise AssertionError("Tab never came back")
    names = {widget.objectName() for widget in seen if widget is not None}
    assert {"sideList", "pageTabs", "sealButton"} & names >= {"sideList", "pageTabs"}
    assert field(opened, "microphone.silence_ms") in seen


@pytest.fixture
def _spanish() -> Iterator[None]:
    use(read_language(REPOSITORY / "resources" / "words", "es"))
    yield
    use(ENGLISH)


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_pictures(make_stage: MakeStage, desk: TestDesk, theme: str) -> None:
    stage = make_stage(theme=theme, desk=desk.desk())
    page(stage)
    stage.wait_for("Silence that ends a sentence")
    stage.picture(f"6-settings-{theme}")


@pytest.mark.usefixtures("_spanish")
def test_picture_in_spanish(make_stage: MakeStage, desk: TestDesk) -> None:
    stage = make_stage(desk=desk.desk())
    page(stage, Category.THINKING)
    stage.wait_for("Dejar la memoria tras")
    stage.picture("6-settings-spanish")


def test_picture_at_twice_the_size(make_stage: MakeStage, desk: TestDesk) -> None:
    stage = make_stage(font_percent=200, desk=desk.desk())
    page(stage)
    stage.wait_for("Silence that ends a sentence")
    stage.picture("6-settings-200")
