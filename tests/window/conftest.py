"""An X server with a window manager for the whole session, and the window on it with a scripted assistant.

Real mouse and key events come from xdotool. A missing Xvfb, openbox or xdotool is an error, never a skip.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from aria_desktop.core.requests import Request
from aria_desktop.core.seal import Badge
from aria_desktop.gui.bridge import Bridge
from aria_desktop.gui.code_view import CodeView
from aria_desktop.gui.conductor import Conductor
from aria_desktop.gui.flow_text import FlowText
from aria_desktop.gui.look import Look
from aria_desktop.gui.main_window import MainWindow
from aria_desktop.gui.options import WindowOptions
from aria_desktop.gui.state.levels import Levels
from tests.conftest import REPOSITORY
from tests.window.accessible import nameless, tree
from tests.window.assistant_double import ScriptedAssistant
from tests.window.desktop import Desktop, start_desktop

ARTIFACTS = REPOSITORY / "artifacts" / "window"


@pytest.fixture(scope="session")
def desktop() -> Iterator[Desktop]:
    """Xvfb and openbox on a display of their own, for as long as the session lasts."""
    with start_desktop() as desktop:
        yield desktop


@pytest.fixture(scope="session")
def qapp_args() -> list[str]:
    return ["aria-desktop"]


@pytest.fixture(scope="session")
def qapp(desktop: Desktop, qapp_args: list[str]) -> Iterator[QApplication]:
    """The session's one QApplication, on the test's own X server."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in desktop.environment.items():
            patch.setenv(name, value)
        patch.delenv("WAYLAND_DISPLAY", raising=False)
        app = QApplication(qapp_args)
        yield app
        # Before the X server goes: Qt ends the process when its connection breaks.
        app.shutdown()


class Stage:
    """A window on the screen, its assistant, and ways to look at it and act on it like a user."""

    def __init__(
        self, qtbot: QtBot, desktop: Desktop, look: Look, options: WindowOptions, expects: tuple[type[Request], ...]
    ) -> None:
        self.qtbot = qtbot
        self.desktop = desktop
        self.look = look
        self.assistant = ScriptedAssistant()
        self.assistant.expect(*expects)
        levels = Levels()
        self.window = MainWindow(look, options, levels)
        self.bridge = Bridge(self.assistant, self.window)
        self.conductor = Conductor(look, self.window, self.bridge, options, levels)

    def open(self) -> None:
        self.window.show()
        self.qtbot.waitUntil(self.window.isActiveWindow, timeout=20_000)

    def close(self) -> None:
        self.window.close()
        self.bridge.close()
        self.assistant.close()
        self.window.deleteLater()
        self.look.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

    def centre(self, widget: QWidget) -> tuple[int, int]:
        """Of a widget, in pixels of the screen."""
        point = widget.mapToGlobal(widget.rect().center())
        return point.x(), point.y()

    def click(self, widget: QWidget) -> None:
        """A real click into its middle, once it has come to rest there."""
        places = [self.centre(widget)]
        self.qtbot.waitUntil(lambda: self._rests(widget, places), timeout=20_000)
        self.desktop.click(*places[-1])

    def _rests(self, widget: QWidget, places: list[tuple[int, int]]) -> bool:
        """Layouts that wait for the event loop have all run when a widget is found in one place again and again."""
        places.append(self.centre(widget))
        return len(places) > 8 and len(set(places[-8:])) == 1

    def find(self, name: str) -> QWidget:
        """The visible widget of that object name in any window of the program."""
        found = [widget for widget in self.window.findChildren(QWidget, name) if widget.isVisible()]
        assert len(found) == 1, f"{name}: {len(found)} visible widgets"
        return found[0]

    def shows(self, text: str) -> bool:
        """Whether some visible label says exactly this."""
        widgets = self.window.findChildren(QWidget)
        return any(text in (getattr(w, "text", str)(), w.accessibleName()) for w in widgets if w.isVisible())

    @property
    def field(self) -> QPlainTextEdit:
        return self.window.panel.entry.field

    def buttons(self) -> list[QAbstractButton]:
        """All visible buttons of the window."""
        return [button for button in self.window.findChildren(QAbstractButton) if button.isVisible()]

    def visible(self, name: str) -> bool:
        return any(widget.isVisible() for widget in self.window.findChildren(QWidget, name))

    def code(self) -> str:
        """The text of the one card that is shown."""
        (view,) = [view for view in self.window.findChildren(CodeView) if view.isVisible()]
        return view.toPlainText()

    def tab(self) -> bool:
        """One more press of Tab; never yet where it should be."""
        self.desktop.key("Tab")
        return False

    def alive(self, widget: QWidget) -> bool:
        return isValid(widget) and widget.isVisible()

    def heard(self, words: str) -> bool:
        """Whether a turn with these words is built."""
        return any(label.text() == words and label.isVisible() for label in self.window.findChildren(FlowText))

    def wait_for_item(self, key: str) -> None:
        """Until the conversation holds this turn."""
        self.qtbot.waitUntil(lambda: key in self.window.conversation._widgets, timeout=20_000)

    def wait_for(self, text: str) -> None:
        self.qtbot.waitUntil(lambda: self.shows(text), timeout=20_000)

    def picture(self, name: str) -> Path:
        """A screenshot of the whole screen, kept as an artefact, and beside it what a screen reader finds there, in
        which nothing that is acted on may lack a name."""
        self.qtbot.wait(120)
        ARTIFACTS.mkdir(parents=True, exist_ok=True)
        path = ARTIFACTS / f"{name}.png"
        assert QApplication.primaryScreen().grabWindow(0).save(str(path))
        windows = [each for each in QApplication.topLevelWidgets() if each.isVisible() and each.isWindow()]
        found = tree(windows)
        path.with_suffix(".txt").write_text("\n".join(map(str, found)) + "\n", "utf-8")
        assert nameless(found) == [], path.with_suffix(".txt")
        return path


MakeStage = Callable[..., Stage]


@pytest.fixture
def make_stage(qtbot: QtBot, desktop: Desktop, qapp: QApplication) -> Iterator[MakeStage]:
    """Opens windows; at the end they are closed, and nothing of them may be left."""
    made: list[Stage] = []
    before = len(QApplication.topLevelWidgets())

    def make(expects: tuple[type[Request], ...] = (), **changes: object) -> Stage:
        options = replace(
            WindowOptions(
                resources=REPOSITORY / "resources",
                workspace="/home/you/aria/output",
                theme="light",
                badge=Badge.SEALED,
            ),
            **changes,  # type: ignore[arg-type]
        )
        look = Look(qapp, options.resources, options.theme, options.font_percent)
        stage = Stage(qtbot, desktop, look, options, expects)
        made.append(stage)
        stage.open()
        return stage

    yield make
    desktop.let_go()
    for stage in made:
        stage.close()
    # Hidden ones count: a widget without a parent is ended by whatever thread collects Python's garbage.
    assert len(QApplication.topLevelWidgets()) == before, QApplication.topLevelWidgets()
    for stage in made:
        assert stage.assistant.unexpected == []
        assert stage.assistant.missing == []
        assert stage.assistant.listeners == 0


@pytest.fixture
def stage(make_stage: MakeStage) -> Stage:
    return make_stage()
