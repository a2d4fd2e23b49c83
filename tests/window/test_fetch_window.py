"""The window of fetch mode with real keys: what it says, pausing, going on, trying again, and when it closes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from aria_desktop.core.fetch_mode import FetchLine, FetchState
from aria_desktop.gui.fetch_window import FetchWindow
from aria_desktop.gui.languages import read_language
from aria_desktop.gui.look import Look
from aria_desktop.gui.state.translation import ENGLISH, use
from tests.conftest import REPOSITORY
from tests.window.conftest import ARTIFACTS
from tests.window.desktop import Desktop

NAMES = {"coder": "Qwen2.5-Coder 14B Instruct", "joe": "Joe <b>(US English)</b>"}
CODER = FetchLine("coder", FetchState.WAITING, total=8_990_000_000)
JOE = FetchLine("joe", FetchState.WAITING, total=63_000_000)
MOVING = replace(
    CODER, state=FetchState.DOWNLOADING, source="huggingface.co", done=5_480_000_000, bytes_per_s=24e6, seconds_left=146
)


class ScriptedFetching:
    """A fetch that goes as far as a test says."""

    def __init__(self) -> None:
        self.running = False
        self.starts = self.pauses = 0
        self._lines = {"coder": CODER, "joe": JOE}
        self._listener: Callable[[FetchLine], None] = lambda _: None

    @property
    def lines(self) -> tuple[FetchLine, ...]:
        return tuple(self._lines.values())

    def start(self, listener: Callable[[FetchLine], None]) -> None:
        self._listener = listener
        self.running = True
        self.starts += 1

    def pause(self) -> None:
        self.pauses += 1
        self.stop(FetchState.PAUSED)

    def close(self) -> None:
        self.running = False

    def tell(self, line: FetchLine) -> None:
        self._lines[line.model_id] = line
        self._listener(line)

    def stop(self, state: FetchState, text: str = "") -> None:
        """It has ended, with all that is not done in this state."""
        self.running = False
        for line in self.lines:
            if line.state is not FetchState.DONE:
                self.tell(replace(line, state=state, text=text))


class Stage:
    def __init__(self, qtbot: QtBot, desktop: Desktop, look: Look) -> None:
        self.qtbot, self.desktop = qtbot, desktop
        self.fetching = ScriptedFetching()
        self.window = FetchWindow(look, self.fetching, NAMES)
        self.window.show()
        self.window.begin()
        qtbot.waitUntil(self.window.isActiveWindow, timeout=30_000)

    def button(self, name: str) -> QPushButton:
        (found,) = self.window.findChildren(QPushButton, name)
        return found

    def wait_for(self, text: str) -> None:
        def shown() -> bool:
            widgets = [widget for widget in self.window.findChildren(QWidget) if widget.isVisible()]
            return any(text == getattr(widget, "text", str)() for widget in widgets)

        self.qtbot.waitUntil(shown, timeout=30_000)

    def picture(self, name: str) -> None:
        self.qtbot.wait(120)
        ARTIFACTS.mkdir(parents=True, exist_ok=True)
        assert self.window.grab().save(str(ARTIFACTS / f"{name}.png"))


@pytest.fixture
def make_fetch(qtbot: QtBot, desktop: Desktop, qapp: QApplication) -> Iterator[Callable[..., Stage]]:
    made: list[tuple[Stage, Look]] = []

    def make(theme: str = "light") -> Stage:
        look = Look(qapp, REPOSITORY / "resources", theme, 100)  # type: ignore[arg-type]
        made.append((Stage(qtbot, desktop, look), look))
        return made[-1][0]

    yield make
    desktop.let_go()
    for stage, look in made:
        stage.window.close()
        stage.window.deleteLater()
        look.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_says_that_it_is_not_sealed_and_how_far_it_is(make_fetch: Callable[..., Stage], theme: str) -> None:
    stage = make_fetch(theme)
    stage.wait_for("Not sealed: fetching models")
    stage.fetching.tell(MOVING)
    stage.wait_for("Downloading")
    figures = "5.5~GB of 9.0~GB · 24~MB a second · 2~min 26~s left · from huggingface.co"
    stage.wait_for(figures.replace("~", "\N{NO-BREAK SPACE}"))
    stage.wait_for("Joe <b>(US English)</b>")
    stage.picture(f"fetch-mode-{theme}")


def test_it_pauses_and_goes_on_by_keys(make_fetch: Callable[..., Stage]) -> None:
    stage = make_fetch()
    stage.fetching.tell(MOVING)
    stage.wait_for("Stop and go back to ARIA")
    stage.desktop.key("shift+Tab", "space")
    stage.wait_for("Paused. What arrived is kept.")
    stage.wait_for("Go on")
    stage.wait_for("Back to ARIA")
    assert (stage.fetching.starts, stage.fetching.pauses) == (1, 1)
    stage.desktop.key("space")
    stage.wait_for("Pause")
    assert stage.fetching.starts == 2


def test_it_closes_by_itself_when_all_is_here(make_fetch: Callable[..., Stage]) -> None:
    stage = make_fetch()
    stage.fetching.tell(replace(JOE, state=FetchState.DONE))
    stage.wait_for("Here, and its hash is right")
    assert stage.window.isVisible()
    stage.fetching.tell(replace(CODER, state=FetchState.DONE))
    stage.fetching.running = False
    stage.qtbot.waitUntil(lambda: not stage.window.isVisible(), timeout=30_000)


def test_a_failure_stays_with_its_reason_and_can_be_tried_again(make_fetch: Callable[..., Stage]) -> None:
    stage = make_fetch()
    stage.fetching.tell(replace(JOE, state=FetchState.DONE))
    stage.fetching.stop(FetchState.FAILED, "huggingface.co: no answer in time. What arrived is kept.")
    stage.wait_for("Not fetched")
    stage.wait_for("huggingface.co: no answer in time. What arrived is kept.")
    stage.wait_for("Try again")
    stage.picture("fetch-mode-failed")
    assert stage.window.isVisible()
    stage.desktop.key("shift+Tab", "space")
    stage.wait_for("Pause")
    stage.desktop.key("Escape")
    stage.qtbot.waitUntil(lambda: not stage.window.isVisible(), timeout=30_000)


@pytest.fixture
def spanish() -> Iterator[None]:
    use(read_language(REPOSITORY / "resources" / "words", "es"))
    yield
    use(ENGLISH)


@pytest.mark.usefixtures("spanish")
def test_it_speaks_spanish(make_fetch: Callable[..., Stage]) -> None:
    stage = make_fetch()
    stage.fetching.tell(MOVING)
    stage.wait_for("Sin sellar: descargando modelos")
    stage.wait_for("Parar y volver a ARIA")
    stage.picture("fetch-mode-spanish")
