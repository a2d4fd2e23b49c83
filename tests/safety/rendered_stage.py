"""Shows the thirty texts wherever a model's text can stand, on Qt's offscreen platform; run under strace.

`python -m tests.safety.rendered_stage ours FOLDER` shows them in ARIA's own window, `careless` in Qt's widgets as they
come.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QTextBrowser, QWidget

from aria_desktop.core import events
from aria_desktop.core.approval import ApprovalRequest, Risk, RiskLevel
from aria_desktop.core.chat import Outcome, ToolCall, ToolResult, TurnOutcome
from aria_desktop.core.requests import AnswerApproval
from aria_desktop.gui.approval_dialog import ApprovalDialog
from aria_desktop.gui.bridge import Bridge
from aria_desktop.gui.conductor import Conductor
from aria_desktop.gui.look import Look
from aria_desktop.gui.main_window import MainWindow
from aria_desktop.gui.options import WindowOptions
from aria_desktop.gui.state.levels import Levels
from tests.safety.rendered_texts import texts
from tests.window.assistant_double import ScriptedAssistant

RESOURCES = Path(__file__).resolve().parents[2] / "resources"
WAIT_S = 20.0


def until(met: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT_S
    while not met():
        assert time.monotonic() < end, "it never came to that"
        QTest.qWait(10)


def turn(number: int, text: str) -> list[events.Event]:
    """The text as words, draft, result, answer and trouble, and as every part of a question."""
    id_ = f"t{number}"
    call = ToolCall(f"{id_}-c", "create_file", {"path": text, "content": text})
    risk = Risk(RiskLevel.LOW, text)
    shown = ("create_file", text, text, ((text, text),), text, text, f"{text}\n", risk, text)
    return [
        events.TurnStarted(id_, "s1", "r1", events.Source.TEXT, text),
        events.StepStarted(id_, 1),
        events.AnswerPiece(id_, text),
        events.CallProposed(id_, 1, call),
        events.DraftPiece(id_, call.id, text),
        events.ApprovalRequested(
            ApprovalRequest(f"a{number}", id_, call.id, *shown, untrusted=(text,), doubts=(text,))
        ),
    ]


def end_of(number: int, text: str) -> list[events.Event]:
    id_ = f"t{number}"
    call = ToolCall(f"{id_}-c", "create_file", {"path": text, "content": text})
    return [
        events.CallEnded(id_, call, ToolResult(Outcome.REFUSED, text)),
        events.AnswerGiven(id_, text),
        events.TurnEnded(id_, "s1", "r1", TurnOutcome.FAILED, text, (), {}, "failed", text, text),
        events.Problem("", "trouble", text, text),
    ]


def dialogs() -> list[ApprovalDialog]:
    return [w for w in QApplication.topLevelWidgets() if isinstance(w, ApprovalDialog) and w.isVisible()]


def ours(app: QApplication, wanted: list[str]) -> None:
    options = WindowOptions(RESOURCES, "/home/you")
    look, levels, assistant = Look(app, RESOURCES, "light", 100), Levels(), ScriptedAssistant()
    assistant.expect(*[AnswerApproval] * len(wanted))
    window = MainWindow(look, options, levels)
    bridge = Bridge(assistant, window)
    conductor = Conductor(look, window, bridge, options, levels)
    window.show()
    for number, text in enumerate(wanted):
        assistant.publish(*turn(number, text))
        until(lambda: bool(dialogs()))
        dialogs()[0].grab()
        dialogs()[0].reject()
        assistant.publish(*end_of(number, text))
        until(lambda number=number: f"t{number}" in window.conversation._widgets and not dialogs())  # type: ignore[misc]
        window.grab()
    bridge.close()
    assistant.close()
    del conductor
    window.deleteLater()


def careless(wanted: list[str]) -> None:
    for text in wanted:
        html, markdown = QTextBrowser(), QTextBrowser()
        html.setHtml(text)
        markdown.setMarkdown(text)
        widgets: tuple[QWidget, ...] = (html, markdown, QLabel(text))
        for widget in widgets:
            widget.resize(400, 300)
            widget.grab()


def main(who: str, folder: str) -> int:
    app = QApplication(["aria-desktop"])
    wanted = texts(Path(folder))
    if who == "ours":
        ours(app, wanted)
    else:
        careless(wanted)
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    print(f"{len(wanted)} shown")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
