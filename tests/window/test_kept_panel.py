"""The right panel: files with a preview, earlier conversations, and how both are opened."""

from __future__ import annotations

import time

import pytest
from PySide6.QtWidgets import QPlainTextEdit

from aria_desktop.core import events, listings
from aria_desktop.core.requests import ListFiles, OpenSession, ShowFile
from aria_desktop.gui.kept_panel import KeptPanel
from tests.window import stories
from tests.window.conftest import Stage


@pytest.fixture
def panel(stage: Stage) -> KeptPanel:
    stage.qtbot.waitUntil(lambda: len(stage.assistant.looks) >= 2, timeout=20_000)
    stage.assistant.publish(*stories.kept(stage.assistant.looks, time.time()))
    panel = stage.window.side.kept
    stage.qtbot.waitUntil(lambda: panel.files.model().rowCount() == 4, timeout=20_000)
    return panel


def test_a_file_that_is_gone_to_shows_its_start(stage: Stage, panel: KeptPanel) -> None:
    stage.assistant.expect(ShowFile, ShowFile)
    panel.files.setFocus()
    stage.desktop.key("Down")
    stage.qtbot.waitUntil(lambda: len(stage.assistant.received) == 2, timeout=20_000)
    wanted = stage.assistant.last(ShowFile)
    assert isinstance(wanted, ShowFile)
    assert (wanted.name, wanted.workspace) == ("retry.py", "/home/you/aria/output")
    stage.assistant.publish(listings.FileShown(wanted.request_id, wanted.name, stories.RETRY, cut=True))
    stage.qtbot.waitUntil(lambda: stage.visible("previewText"), timeout=20_000)
    text = stage.find("previewText")
    assert isinstance(text, QPlainTextEdit)
    assert text.toPlainText() == stories.RETRY + "\n…"
    stage.picture("14-preview")


def test_a_file_that_cannot_be_shown_says_why_in_its_place(stage: Stage, panel: KeptPanel) -> None:
    stage.assistant.expect(ShowFile)
    panel.files.setFocus()
    stage.qtbot.waitUntil(lambda: bool(stage.assistant.received), timeout=20_000)
    wanted = stage.assistant.last(ShowFile)
    assert isinstance(wanted, ShowFile)
    stage.assistant.publish(events.Problem(wanted.request_id, "tool_failed", "summary.md is no text.", ""))
    stage.qtbot.waitUntil(lambda: stage.visible("previewText"), timeout=20_000)
    assert not stage.visible("banner")


def test_an_earlier_conversation_is_opened(stage: Stage, panel: KeptPanel) -> None:
    stage.assistant.expect(OpenSession)
    panel.conversations.setFocus()
    stage.desktop.key("Down")
    stage.desktop.key("Return")
    stage.qtbot.waitUntil(lambda: bool(stage.assistant.received), timeout=20_000)
    wanted = stage.assistant.last(OpenSession)
    assert isinstance(wanted, OpenSession)
    assert wanted.session_id == "s2"


@pytest.mark.usefixtures("panel")
def test_a_turn_that_ends_has_the_files_looked_at_again(stage: Stage) -> None:
    before = sum(isinstance(look, ListFiles) for look in stage.assistant.looks)
    stage.assistant.publish(*stories.plain_turn("t1"))
    stage.qtbot.waitUntil(
        lambda: sum(isinstance(look, ListFiles) for look in stage.assistant.looks) == before + 1, timeout=20_000
    )


def test_answers_to_others_are_passed_over(stage: Stage, panel: KeptPanel) -> None:
    stage.assistant.publish(listings.FilesListed("of-somebody-else", (), 0), *stories.plain_turn("t1"))
    stage.wait_for("What does exponential back-off mean?")
    assert panel.files.model().rowCount() == 4
