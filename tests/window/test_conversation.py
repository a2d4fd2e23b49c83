"""The conversation: streamed turns, endings that are not answers, stored sessions, and text that stays text."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLabel

from aria_desktop.core import events, listings, records
from aria_desktop.core.chat import Outcome, ToolCall, TurnOutcome
from aria_desktop.core.requests import AnswerApproval, NewSession, OpenSession, SubmitText
from aria_desktop.gui.conversation_view import KEPT
from aria_desktop.gui.flow_text import FlowText
from aria_desktop.gui.state.story import Moment
from tests.window import stories
from tests.window.conftest import MakeStage, Stage

CALL = ToolCall("c1", "create_file", {"path": "shopping.txt", "content": "milk\n"})


def test_an_answer_grows_while_it_is_written(stage: Stage) -> None:
    stage.assistant.publish(stories.started("t1", "Why?"), events.StepStarted("t1", 1))
    stage.wait_for("Thinking")
    stage.assistant.publish(events.AnswerPiece("t1", "Because "))
    stage.wait_for("Because ")
    stage.assistant.publish(events.AnswerPiece("t1", "it is so."))
    stage.wait_for("Because it is so.")
    assert not stage.shows("Thinking")
    stage.assistant.publish(stories.ended("t1", "Because it is so."))
    stage.qtbot.waitUntil(stage.find("newConversation").isEnabled, timeout=20_000)
    stage.wait_for("Because it is so.")


def test_an_answer_that_no_voice_speaks_is_text_with_the_reason(stage: Stage) -> None:
    stage.assistant.publish(
        stories.started("t1", "¿Qué archivos hay?"),
        events.AnswerGiven("t1", "Hay uno."),
        events.AnswerUnspoken("t1", "es", "No hay ninguna voz en español."),
    )
    stage.wait_for("No hay ninguna voz en español.")
    stage.assistant.publish(stories.ended("t1", "Hay uno."))
    stage.qtbot.waitUntil(stage.find("newConversation").isEnabled, timeout=20_000)
    stage.wait_for("Hay uno.")
    stage.wait_for("No hay ninguna voz en español.")


def test_a_draft_grows_and_says_that_nothing_is_saved(stage: Stage) -> None:
    call = ToolCall("c1", "write_code", {"path": "loop.py"})
    stage.assistant.publish(
        stories.started("t1", "Write a loop"),
        events.CallProposed("t1", 1, call),
        events.DraftPiece("t1", "c1", "for n in range(3):\n"),
    )
    stage.wait_for("Nothing is saved yet")
    stage.assistant.publish(events.DraftPiece("t1", "c1", "    print(n)\n"))
    stage.qtbot.waitUntil(lambda: stage.code() == "for n in range(3):\n    print(n)", timeout=20_000)
    stage.wait_for("being written")
    stage.wait_for("line 2")


def test_a_refused_change_is_never_shown_as_saved(stage: Stage) -> None:
    stage.assistant.expect(AnswerApproval)
    request = stories.question("t1", CALL, None, "milk\n", "Make a list")
    stage.assistant.publish(
        stories.started("t1", "Make a list"), events.CallProposed("t1", 1, CALL), events.ApprovalRequested(request)
    )
    stage.wait_for("Create shopping.txt?")
    stage.desktop.key("Escape")
    stage.qtbot.waitUntil(lambda: len(stage.assistant.received) == 1, timeout=20_000)
    stage.assistant.publish(
        stories.decided("t1", allowed=False),
        stories.call_ended("t1", CALL, Outcome.REFUSED, "The user said no."),
        stories.ended("t1", "I did not create it.", TurnOutcome.REFUSED),
    )
    stage.wait_for("You said no")
    stage.wait_for("Not saved")
    assert not stage.shows("Created")
    stage.picture("5-refused")


def test_a_failed_turn_tells_what_and_what_to_do(stage: Stage) -> None:
    stage.assistant.publish(
        stories.started("t1", "Why?"),
        stories.ended(
            "t1",
            "",
            TurnOutcome.FAILED,
            error="engine_died",
            text="The thinking model stopped in the middle of its answer.",
            hint="It starts again by itself. Ask again.",
        ),
    )
    stage.wait_for("The thinking model stopped in the middle of its answer.")
    stage.wait_for("It starts again by itself. Ask again.")
    stage.picture("6-failed")


def test_text_from_a_model_is_never_more_than_text(stage: Stage) -> None:
    evil = "<h1>Big</h1> <img src='file:///etc/passwd'> [link](https://example.org) \x1b[31mred"
    stage.assistant.publish(
        stories.started("t1", "<b>Why?</b>"), events.AnswerGiven("t1", evil), stories.ended("t1", evil)
    )
    stage.wait_for("<b>Why?</b>")
    stage.wait_for(evil)
    labels = stage.window.findChildren(QLabel)
    assert all(label.textFormat() is label.textFormat().PlainText for label in labels)
    assert not any(label.openExternalLinks() for label in labels)


def test_it_follows_the_end_until_the_reader_scrolls_away(stage: Stage) -> None:
    bar = stage.window.conversation.verticalScrollBar()
    for number in range(12):
        stage.assistant.publish(*stories.plain_turn(f"t{number}"))
    stage.wait_for_item("t11")
    stage.qtbot.waitUntil(lambda: 0 < bar.maximum() == bar.value(), timeout=20_000)
    x, y = stage.centre(stage.window.conversation)
    stage.desktop.act("mousemove", str(x), str(y), "click", "--repeat", "5", "4")
    stage.qtbot.waitUntil(lambda: bar.value() < bar.maximum() - 50, timeout=20_000)
    place = bar.value()
    before = bar.maximum()
    stage.assistant.publish(stories.started("t12", "more"), events.AnswerPiece("t12", "words\n" * 30))
    stage.window.conversation._follow = False
    stage.qtbot.waitUntil(lambda: bar.maximum() > before, timeout=20_000)
    assert bar.value() in (place, bar.maximum())


def test_a_new_conversation_starts_empty(stage: Stage) -> None:
    stage.assistant.expect(NewSession)
    stage.assistant.publish(*stories.plain_turn("t1"))
    stage.wait_for("What does exponential back-off mean?")
    stage.desktop.key("ctrl+n")
    stage.qtbot.waitUntil(lambda: stage.visible("emptyState"), timeout=20_000)
    stage.wait_for("New conversation")
    assert not stage.shows("What does exponential back-off mean?")


def _record(number: int, calls: tuple[records.CallRecord, ...] = (), *, open_end: bool = False) -> records.TurnRecord:
    outcome = None if open_end else TurnOutcome.ANSWERED
    words, answer = f"question {number}", "" if open_end else f"answer {number}"
    return records.TurnRecord(
        f"t{number}", records.Source.TEXT, words, answer, outcome, 1.7e9 + number, calls, {"total": 1.0}
    )


def _session(stage: Stage, *turns: records.TurnRecord) -> listings.SessionShown:
    request = stage.assistant.last(OpenSession)
    assert isinstance(request, OpenSession)
    record = records.SessionRecord("s1", "A title", 1.7e9, len(turns), waiting=False)
    return listings.SessionShown(request.request_id, record, turns, current=True)


def _open(make_stage: MakeStage) -> Stage:
    stage = make_stage(open_session="s1", expects=(OpenSession,))
    stage.qtbot.waitUntil(lambda: stage.assistant.received != [], timeout=20_000)
    return stage


def test_ten_thousand_stored_turns_open_at_their_end_and_are_scrolled_to_their_start(make_stage: MakeStage) -> None:
    stage = _open(make_stage)
    stage.assistant.publish(_session(stage, *(_record(number) for number in range(10_000))))
    stage.wait_for("answer 9999")
    view = stage.window.conversation
    bar = view.verticalScrollBar()
    stage.wait_for("A title")
    assert bar.value() == bar.maximum() > 500_000
    assert not stage.heard("question 0")
    bar.setValue(bar.maximum() // 2)
    stage.qtbot.waitUntil(lambda: any(stage.heard(f"question {n}") for n in range(4_900, 5_100)), timeout=20_000)
    bar.setValue(0)
    stage.wait_for("question 0")
    assert view.built <= KEPT + 40


def test_wrong_guesses_of_heights_move_nothing_on_the_screen(make_stage: MakeStage) -> None:
    stage = _open(make_stage)
    long = [replace(_record(number), answer="line\n" * (number % 9) + f"answer {number}") for number in range(300)]
    stage.assistant.publish(_session(stage, *long))
    stage.wait_for("question 299")
    bar = stage.window.conversation.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    seen = next(
        w for w in stage.window.findChildren(FlowText, "heardWords") if w.isVisible() and stage.centre(w)[1] > 300
    )
    for _ in range(10):
        words, before = seen.text(), stage.centre(seen)[1]
        bar.setValue(bar.value() - 25)
        stage.qtbot.wait(20)
        assert seen.text() == words
        assert abs(stage.centre(seen)[1] - before - 25) <= 1


def test_a_question_that_waited_is_asked_again_and_goes_on(make_stage: MakeStage) -> None:
    stage = _open(make_stage)
    stage.assistant.expect(AnswerApproval)
    request = stories.question("t1", CALL, None, "milk\n", "question 1")
    waiting = records.CallRecord(CALL, "waiting", None, "", request)
    stage.assistant.publish(
        _session(stage, _record(1, (waiting,), open_end=True)),
        stories.started("t1", "question 1"),
        events.ApprovalRequested(request),
    )
    stage.wait_for("Create shopping.txt?")
    stage.wait_for("Waiting for your answer")
    stage.qtbot.waitUntil(stage.find("allowButton").isEnabled, timeout=20_000)
    stage.desktop.key("alt+a")
    stage.qtbot.waitUntil(lambda: len(stage.assistant.received) == 2, timeout=20_000)
    stage.assistant.publish(
        stories.decided("t1"),
        events.CallStarted("t1", "c1"),
        stories.call_ended("t1", CALL),
        stories.ended("t1", "Done."),
    )
    stage.wait_for("Created")
    stage.wait_for("Done.")


def test_a_long_conversation_keeps_few_widgets(stage: Stage) -> None:
    last = 3 * KEPT
    for number in range(last + 1):
        stage.assistant.publish(stories.started(f"t{number}", f"question {number}"), stories.ended(f"t{number}", "yes"))
    stage.wait_for_item(f"t{last}")
    stage.wait_for(f"question {last}")
    assert stage.window.conversation.built <= KEPT + 40
    stage.window.conversation.verticalScrollBar().setValue(0)
    stage.wait_for("question 0")


def test_a_fault_with_one_event_does_not_lose_the_next(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    stage.assistant.expect(AnswerApproval)
    apply = stage.conductor._conversation.apply

    def faulty(event: events.Event, at: Moment) -> tuple[str, ...]:
        if isinstance(event, events.StepStarted):
            raise RuntimeError("a fault")
        return apply(event, at)

    monkeypatch.setattr(stage.conductor._conversation, "apply", faulty)
    request = stories.question("t1", CALL, None, "milk\n", "Make a list")
    with stage.qtbot.captureExceptions() as faults:
        stage.assistant.publish(
            stories.started("t1", "Make a list"), events.StepStarted("t1", 1), events.ApprovalRequested(request)
        )
        stage.wait_for("Create shopping.txt?")
    assert [str(fault[1]) for fault in faults] == ["a fault"]


def test_an_unsure_word_is_pressed_and_the_words_are_put_right_in_the_text_box(stage: Stage) -> None:
    words = "Read the meeting notes and put a short summary in a new file"
    stage.assistant.publish(*stories.finished_notes_turn("t1"))
    stage.wait_for(words)
    heard = stage.window.findChildren(FlowText, "heardWords")[0]
    line = heard._lay_out(heard.width()).lineAt(0)
    x = round(line.cursorToX(words.index("summary") + 3)[0])  # type: ignore[index]
    at = heard.mapToGlobal(QPoint(x, heard.height() // 2))
    stage.desktop.click(at.x(), at.y())
    stage.qtbot.waitUntil(lambda: stage.field.toPlainText() == words, timeout=20_000)
    assert stage.field.hasFocus()
    stage.assistant.expect(SubmitText)
    stage.desktop.key("Return")
    stage.qtbot.waitUntil(lambda: bool(stage.assistant.received), timeout=20_000)


def test_the_newest_words_are_put_right_by_keyboard(stage: Stage) -> None:
    stage.assistant.publish(*stories.finished_notes_turn("t1"), *stories.plain_turn("t2"))
    stage.wait_for("What does exponential back-off mean?")
    stage.desktop.key("F2")
    stage.qtbot.waitUntil(lambda: stage.field.toPlainText() == "What does exponential back-off mean?", timeout=20_000)
