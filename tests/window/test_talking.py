"""Talking, with real presses: the ring by mouse and by keyboard, Ctrl+Space held, and Escape."""

from __future__ import annotations

import time

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from aria_desktop.core import events, records, requests
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.requests import ListenMode
from aria_desktop.gui.state.talk import TAP
from tests.window import stories
from tests.window.conftest import Stage


def _asked(stage: Stage, *kinds: type[requests.Request]) -> None:
    """Wait until exactly these were asked for, in this order."""
    stage.qtbot.waitUntil(lambda: len(stage.assistant.received) >= len(kinds), timeout=30_000)
    assert [type(request) for request in stage.assistant.received] == list(kinds)


def _listening(stage: Stage) -> None:
    stage.assistant.publish(
        events.ActivityChanged(events.Activity.LISTENING),
        events.ListeningStarted("USB microphone"),
        events.LevelMeasured(0.5, speech=True),
    )
    stage.wait_for("Listening")


def _hold(stage: Stage, seconds: float) -> None:
    """Really hold: the time the button is down is what the window measures."""
    held_since = time.monotonic()
    stage.qtbot.waitUntil(lambda: time.monotonic() - held_since > seconds, timeout=20_000)


def _disc(stage: Stage) -> QColor:
    """The disc's colour beside its icon."""
    ring = stage.window.panel.button
    return ring.grab().toImage().pixelColor(ring.width() // 2, ring.height() // 2 + 36)


def test_holding_the_ring_talks_and_letting_go_sends(stage: Stage) -> None:
    stage.assistant.expect(requests.StartListening, requests.StopListening)
    stage.desktop.move(*stage.centre(stage.window.panel.button))
    stage.desktop.act("mousedown", "1")
    _asked(stage, requests.StartListening)
    request = stage.assistant.last(requests.StartListening)
    assert isinstance(request, requests.StartListening)
    assert request.mode is ListenMode.HOLD
    assert request.workspace == "/home/you/aria/output"
    _listening(stage)
    _hold(stage, TAP)
    stage.desktop.act("mouseup", "1")
    _asked(stage, requests.StartListening, requests.StopListening)


def test_letting_go_beside_the_ring_counts(stage: Stage) -> None:
    stage.assistant.expect(requests.StartListening, requests.StopListening)
    x, y = stage.centre(stage.window.panel.button)
    stage.desktop.move(x, y)
    stage.desktop.act("mousedown", "1")
    _asked(stage, requests.StartListening)
    _listening(stage)
    _hold(stage, TAP)
    stage.desktop.move(x + 400, y + 200)
    stage.desktop.act("mouseup", "1")
    _asked(stage, requests.StartListening, requests.StopListening)


def test_a_mere_click_sends_nothing_and_says_what_to_do(stage: Stage) -> None:
    stage.assistant.expect(requests.StartListening, requests.DropRecording)
    stage.click(stage.window.panel.button)
    _asked(stage, requests.StartListening, requests.DropRecording)
    stage.wait_for("That was too short to hear.")
    _listening(stage)
    stage.assistant.publish(events.ListeningEnded(0.1, "dropped"), events.ActivityChanged(events.Activity.IDLE))
    stage.wait_for("Ready")


def test_the_disc_is_filled_only_while_the_microphone_is_open(stage: Stage) -> None:
    filled = stage.look.color("accent")
    assert _disc(stage) != filled
    _listening(stage)
    stage.qtbot.waitUntil(lambda: _disc(stage) == filled, timeout=20_000)
    assert stage.find("levelMeter").isVisible()
    stage.assistant.publish(events.ListeningEnded(2.0, "released"), events.ActivityChanged(events.Activity.THINKING))
    stage.wait_for("Thinking")
    assert _disc(stage) != filled
    stage.wait_for("Microphone is closed")


def test_ctrl_space_held_talks_whatever_repeats_the_keyboard_sends(stage: Stage) -> None:
    stage.assistant.expect(requests.StartListening, requests.StopListening)
    stage.desktop.act("keydown", "ctrl", "keydown", "space")
    _asked(stage, requests.StartListening)
    _listening(stage)
    # Longer than the X server waits before it repeats a held key (660 ms).
    _hold(stage, 1.0)
    assert len(stage.assistant.received) == 1
    stage.desktop.act("keyup", "space", "keyup", "ctrl")
    _asked(stage, requests.StartListening, requests.StopListening)
    assert stage.field.toPlainText() == ""


def test_losing_the_keyboard_lets_go(stage: Stage) -> None:
    stage.assistant.expect(requests.StartListening, requests.StopListening)
    stage.desktop.act("keydown", "ctrl", "keydown", "space")
    _asked(stage, requests.StartListening)
    _listening(stage)
    _hold(stage, TAP)
    other = QWidget()
    stage.qtbot.addWidget(other)
    other.show()
    other.activateWindow()
    _asked(stage, requests.StartListening, requests.StopListening)


@pytest.mark.parametrize("key", ["space", "Return"])
def test_the_keyboard_toggles_the_focused_ring(stage: Stage, key: str) -> None:
    stage.assistant.expect(requests.StartListening, requests.StopListening)
    stage.window.panel.button.setFocus()
    stage.desktop.key(key)
    _asked(stage, requests.StartListening)
    request = stage.assistant.last(requests.StartListening)
    assert isinstance(request, requests.StartListening)
    assert request.mode is ListenMode.UNTIL_SILENCE
    _listening(stage)
    stage.desktop.key(key)
    _asked(stage, requests.StartListening, requests.StopListening)


@pytest.mark.parametrize(
    ("activity", "words", "kind"),
    [
        (events.Activity.THINKING, "Thinking", requests.CancelTurn),
        (events.Activity.SPEAKING, "Speaking", requests.SilenceVoice),
    ],
)
@pytest.mark.parametrize("by", ["ring", "escape"])
def test_the_ring_and_escape_stop_what_runs(
    stage: Stage, activity: events.Activity, words: str, kind: type[requests.Request], by: str
) -> None:
    stage.assistant.expect(kind)
    stage.assistant.publish(events.ActivityChanged(activity))
    stage.wait_for(words)
    if by == "ring":
        stage.click(stage.window.panel.button)
    else:
        stage.desktop.key("Escape")
    _asked(stage, kind)


def test_escape_forgets_the_recording(stage: Stage) -> None:
    stage.assistant.expect(requests.DropRecording)
    _listening(stage)
    stage.desktop.key("Escape")
    _asked(stage, requests.DropRecording)
    stage.assistant.publish(events.ListeningEnded(1.0, "dropped"), events.ActivityChanged(events.Activity.IDLE))
    stage.wait_for("Ready")
    assert not stage.window.listening.isVisible()


def test_nothing_heard_says_why_and_makes_no_turn(stage: Stage) -> None:
    _listening(stage)
    stage.assistant.publish(
        events.ListeningEnded(3.0, "released"),
        events.TurnEnded(
            "",
            "s1",
            "",
            TurnOutcome.NOTHING_HEARD,
            "",
            (),
            {},
            text="The microphone gave silence.",
            hint="It may be muted.",
        ),
        events.ActivityChanged(events.Activity.IDLE),
    )
    stage.wait_for("The microphone gave silence.")
    stage.wait_for("It may be muted.")
    assert stage.find("emptyState").isVisible()


def test_a_microphone_that_goes_away_is_said(stage: Stage) -> None:
    _listening(stage)
    stage.assistant.publish(
        events.ListeningEnded(1.0, "USB microphone was unplugged."), events.ActivityChanged(events.Activity.IDLE)
    )
    stage.wait_for("The recording broke off.")
    stage.wait_for("USB microphone was unplugged.")


def test_hearing_that_failed_switches_the_ring_off_and_typing_stays(stage: Stage) -> None:
    failed = events.EngineChanged(events.EngineRole.SPEECH, events.EngineState.FAILED, "base", "model.bin is damaged.")
    stage.assistant.publish(failed)
    stage.wait_for("Hearing is off")
    stage.wait_for("Hearing failed")
    stage.wait_for("Typing still works")
    stage.wait_for("model.bin is damaged.")
    stage.picture("12-hearing-off")


def test_spoken_words_appear_while_they_are_recognised(stage: Stage) -> None:
    _listening(stage)
    stage.assistant.publish(
        events.ListeningEnded(3.0, "released"),
        stories.started("t1", source=records.Source.MICROPHONE),
        events.RecognitionProgress("t1", 1.0, 3.0, "Create a", 0.5),
    )
    stage.wait_for("Create a")
    stage.assistant.publish(stories.heard("t1", "Create a list"))
    stage.wait_for("Create a list")


def test_talking_while_a_turn_runs_is_allowed_with_the_keys(stage: Stage) -> None:
    stage.assistant.expect(requests.StartListening, requests.StopListening)
    stage.assistant.publish(events.ActivityChanged(events.Activity.THINKING))
    stage.wait_for("Thinking")
    stage.desktop.act("keydown", "ctrl", "keydown", "space")
    _asked(stage, requests.StartListening)
    _listening(stage)
    _hold(stage, TAP)
    stage.desktop.act("keyup", "space", "keyup", "ctrl")
    _asked(stage, requests.StartListening, requests.StopListening)


def test_the_turn_of_a_recording_without_words_is_taken_away(stage: Stage) -> None:
    _listening(stage)
    stage.assistant.publish(
        events.ListeningEnded(3.0, "released"),
        stories.started("t1", source=records.Source.MICROPHONE, request="window-1"),
    )
    stage.wait_for("Recognising")
    ended = events.TurnEnded("", "s1", "window-1", TurnOutcome.NOTHING_HEARD, "", (), {}, text="There were no words.")
    stage.assistant.publish(ended, events.ActivityChanged(events.Activity.IDLE))
    stage.wait_for("There were no words.")
    assert stage.find("emptyState").isVisible()


def test_no_microphone_is_a_banner(stage: Stage) -> None:
    stage.assistant.publish(
        events.TurnEnded(
            "",
            "s1",
            "window-1",
            TurnOutcome.FAILED,
            "",
            (),
            {},
            "microphone_missing",
            "No microphone was found.",
            "Plug one in, or type.",
        )
    )
    stage.wait_for("No microphone was found.")
    stage.wait_for("Plug one in, or type.")
    stage.picture("12-no-microphone")


def _offered(stage: Stage) -> None:
    stage.assistant.publish(
        events.TurnStarted("t7", "s1", "r7", records.Source.MICROPHONE, ""),
        events.ActivityChanged(events.Activity.CONFIRMING),
        events.TranscriptOffered("t7", "delete the knotes", 0.52, ("knotes",)),
    )
    stage.wait_for("Not heard well: knotes")


def test_words_are_shown_while_they_are_spoken(stage: Stage) -> None:
    _listening(stage)
    stage.assistant.publish(events.WordsSoFar("r1", "make a note", 1.2, pausing=False))
    stage.wait_for("make a note")
    stage.assistant.publish(events.WordsSoFar("r1", "make a note about milk", 2.4, pausing=True))
    stage.wait_for("make a note about milk")
    stage.picture("2-listening-words")
    stage.assistant.publish(events.ListeningEnded(2.5, "released"))
    stage.qtbot.waitUntil(lambda: not stage.shows("make a note about milk"), timeout=30_000)


def test_what_was_heard_is_corrected_by_keyboard_before_anything_is_done(stage: Stage) -> None:
    stage.assistant.expect(requests.AnswerTranscript)
    _offered(stage)
    stage.picture("2-heard-offered")
    stage.desktop.key("ctrl+BackSpace")
    stage.desktop.type("notes")
    stage.desktop.key("Return")
    _asked(stage, requests.AnswerTranscript)
    answer = stage.assistant.last(requests.AnswerTranscript)
    assert answer == requests.AnswerTranscript("t7", "delete the notes", "the window")
    stage.qtbot.waitUntil(lambda: not stage.window.listening.isVisible(), timeout=30_000)


def test_escape_forgets_what_was_heard(stage: Stage) -> None:
    stage.assistant.expect(requests.AnswerTranscript)
    _offered(stage)
    stage.desktop.key("Escape")
    _asked(stage, requests.AnswerTranscript)
    assert stage.assistant.last(requests.AnswerTranscript) == requests.AnswerTranscript("t7", "", "the window")


def test_what_was_heard_does_not_take_the_keyboard_from_somebody_who_types(stage: Stage) -> None:
    stage.click(stage.field)
    stage.desktop.type("half a sen")
    stage.qtbot.waitUntil(lambda: stage.field.toPlainText() == "half a sen", timeout=30_000)
    _offered(stage)
    stage.desktop.type("tence")
    stage.qtbot.waitUntil(lambda: stage.field.toPlainText() == "half a sentence", timeout=30_000)
    stage.assistant.publish(events.TranscriptSettled("t7", "delete the notes", "a command"))
    stage.qtbot.waitUntil(lambda: not stage.window.listening.isVisible(), timeout=30_000)
