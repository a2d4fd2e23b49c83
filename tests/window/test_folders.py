"""The folder to work in is chosen in the system's own dialog, and that is all the leave it needs."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu

from aria_desktop.core.errors import UsageError
from aria_desktop.core.requests import SubmitText
from tests.window.conftest import MakeStage, Stage


class Folders:
    def __init__(self, *known: str) -> None:
        self.known = list(known)
        self.wished: list[str] = []

    def names(self) -> tuple[str, ...]:
        return tuple(self.known)

    def grant(self, folder: str) -> str:
        self.wished.append(folder)
        if folder.endswith("/home"):
            raise UsageError(f"The folder {folder} can't be a workspace: it is your home.", "Choose one inside it.")
        self.known.append(folder)
        return folder


@pytest.fixture
def folders() -> Folders:
    return Folders("/home/you/aria/output", "/home/you/R&D")


@pytest.fixture
def stage(make_stage: MakeStage, folders: Folders) -> Stage:
    return make_stage(expects=(SubmitText,), known_folders=folders.names, grant_folder=folders.grant)


def menu(stage: Stage) -> QMenu:
    stage.click(stage.find("otherFolder"))
    stage.qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu), timeout=30_000)
    found = QApplication.activePopupWidget()
    assert isinstance(found, QMenu)
    return found


def click_in(stage: Stage, shown: QMenu, number: int) -> None:
    action = [action for action in shown.actions() if not action.isSeparator()][number]
    point = shown.mapToGlobal(shown.actionGeometry(action).center())
    stage.desktop.click(point.x(), point.y())


def works_in(stage: Stage) -> str:
    """What the next turn is told."""
    stage.click(stage.field)
    stage.desktop.type("hello")
    stage.desktop.key("Return")
    stage.qtbot.waitUntil(lambda: len(stage.assistant.received) == 1, timeout=30_000)
    request = stage.assistant.last(SubmitText)
    assert isinstance(request, SubmitText)
    return request.workspace


def test_one_that_was_chosen_before_is_a_click_away(stage: Stage, folders: Folders) -> None:
    shown = menu(stage)
    assert [action.text() for action in shown.actions()] == [
        "/home/you/aria/output",
        "/home/you/R&&D",
        "",
        "Choose a folder…",
    ]
    assert [action.isChecked() for action in shown.actions()] == [True, False, False, False]
    stage.picture("folders")
    click_in(stage, shown, 1)
    stage.wait_for("R&D")
    assert works_in(stage) == "/home/you/R&D"
    assert folders.wished == []


def test_another_one_is_picked_in_a_dialog(stage: Stage, folders: Folders, tmp_path: Path) -> None:
    (tmp_path / "picked").mkdir()
    click_in(stage, menu(stage), 2)
    stage.qtbot.waitUntil(lambda: isinstance(QApplication.activeWindow(), QFileDialog), timeout=30_000)
    stage.desktop.type(str(tmp_path / "picked"))
    stage.desktop.key("Return")
    stage.wait_for("picked")
    assert folders.wished == [str(tmp_path / "picked")]
    assert works_in(stage) == str(tmp_path / "picked")


def test_one_that_can_not_be_a_workspace_is_refused_with_the_reason(
    stage: Stage, folders: Folders, tmp_path: Path
) -> None:
    (tmp_path / "home").mkdir()
    stage.conductor._folder.choose(str(tmp_path / "home"))
    stage.wait_for(f"The folder {tmp_path / 'home'} can't be a workspace: it is your home.")
    assert folders.wished == [str(tmp_path / "home")]
    assert works_in(stage) == "/home/you/aria/output"


def test_without_somebody_who_grants_there_is_no_button(make_stage: MakeStage) -> None:
    assert not make_stage().visible("otherFolder")
