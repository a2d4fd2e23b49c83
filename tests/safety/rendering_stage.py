"""Shows texts of a model wherever the window shows such texts, on Qt's offscreen platform; to be run under strace.

As a program: `python -m tests.safety.rendering_stage window|careless FILE`. `careless` shows them as Qt does by itself.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QApplication, QTextBrowser, QWidget

from aria_desktop.core import events
from aria_desktop.core.approval import ApprovalRequest
from aria_desktop.core.chat import ToolCall
from aria_desktop.gui.approval_dialog import ApprovalDialog
from aria_desktop.gui.conversation_view import ConversationView
from aria_desktop.gui.kept_text import KeptTextWidget
from aria_desktop.gui.look import Look
from aria_desktop.gui.state.conversation import Conversation, KeptText
from aria_desktop.gui.state.story import Moment
from tests.safety.hostile_texts import TEXTS
from tests.window import stories

RESOURCES = Path(__file__).resolve().parents[2] / "resources"


def main(mode: str, file: str) -> int:
    app = QApplication([])
    texts = [text.format(file=file, url=QUrl.fromLocalFile(file).toString()) for text in TEXTS]
    shown = careless(texts) if mode == "careless" else in_the_window(app, texts)
    for widget in shown:
        widget.show()
        app.processEvents()
        assert not widget.grab().isNull()
    print(f"{len(shown)} shown")
    return 0


def careless(texts: Sequence[str]) -> list[QWidget]:
    shown: list[QWidget] = []
    for text in texts:
        for put in (QTextBrowser.setHtml, QTextBrowser.setMarkdown):
            browser = QTextBrowser()
            put(browser, text)
            shown.append(browser)
    return shown


def in_the_window(app: QApplication, texts: Sequence[str]) -> list[QWidget]:
    look = Look(app, RESOURCES, "light", 100)
    conversation, view = Conversation(), ConversationView(look)
    for number, text in enumerate(texts):
        for event in turn(f"t{number}", text):
            conversation.apply(event, Moment(time.monotonic(), time.time()))
    view.resize(900, 40_000)
    view.show_all(conversation.keys(), conversation.item)
    dialogs = [ApprovalDialog(look, question(text)) for text in texts]
    kept = [KeptTextWidget(look, KeptText(f"k{n}", "a.wav", text)) for n, text in enumerate(texts)]
    return [view, *dialogs, *kept]


def turn(turn_id: str, text: str) -> list[events.Event]:
    call = ToolCall(f"{turn_id}-c", "read_file", {"path": text})
    return [
        stories.started(turn_id, text),
        events.CallProposed(turn_id, 1, call),
        stories.call_ended(turn_id, call, text=text),
        events.AnswerPiece(turn_id, text),
        events.AnswerGiven(turn_id, text),
        stories.ended(turn_id, text),
    ]


def question(text: str) -> ApprovalRequest:
    asked = stories.question("t", ToolCall("c", "create_file", {"path": "a.txt"}), None, text, text)
    return replace(asked, question=text, facts=((text, text),), untrusted=(text,), allow_label=text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
