"""The card of a saved text has an Undo, which asks with words that code knows."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QAbstractButton

from aria_desktop.assistant.said_alone import Alone, Said, said_alone
from aria_desktop.core import events
from aria_desktop.core.chat import Outcome, ToolCall, TurnOutcome
from aria_desktop.core.requests import SubmitText
from aria_desktop.gui.card_view import CardView
from aria_desktop.gui.state.undo import undo_words
from tests.window import stories
from tests.window.conftest import Stage

CALL = ToolCall("0123456789ab", "create_file", {"path": "shopping.txt", "content": "milk\n"})


def card_of(stage: Stage, outcome: Outcome) -> CardView:
    stage.assistant.publish(
        stories.started("t1", "Make a list"),
        events.CallProposed("t1", 1, CALL),
        events.DraftPiece("t1", CALL.id, "milk\n"),
        events.CallStarted("t1", CALL.id),
        stories.call_ended("t1", CALL, outcome, "text"),
        stories.ended("t1", "Done.", TurnOutcome.ANSWERED),
    )
    stage.wait_for("Done.")
    return stage.window.findChildren(CardView)[0]


def undo_button(card: CardView) -> QAbstractButton:
    (button,) = [found for found in card.findChildren(QAbstractButton) if found.accessibleName().startswith("Undo")]
    return button


def test_it_asks_for_its_own_change(stage: Stage) -> None:
    stage.assistant.expect(SubmitText)
    button = undo_button(card_of(stage, Outcome.DONE))
    assert button.isVisible()
    assert button.accessibleName() == "Undo the change of shopping.txt"
    stage.click(button)
    stage.qtbot.waitUntil(lambda: len(stage.assistant.received) == 1, timeout=20_000)
    (request,) = stage.assistant.received
    assert isinstance(request, SubmitText)
    assert said_alone(request.words) == Said(Alone.UNDO, "en", CALL.id)


@pytest.mark.parametrize("outcome", [Outcome.REFUSED, Outcome.FAILED, Outcome.CANCELLED])
def test_what_was_not_saved_has_none(stage: Stage, outcome: Outcome) -> None:
    assert not undo_button(card_of(stage, outcome)).isVisible()


@pytest.mark.parametrize("name", ["a.txt", "x" * 300, "a\nb\u202e.txt", "odd (name).txt", "0123456789ab"])
def test_the_words_are_known_whatever_the_name(name: str) -> None:
    assert said_alone(undo_words(name, CALL.id)) == Said(Alone.UNDO, "en", CALL.id)
