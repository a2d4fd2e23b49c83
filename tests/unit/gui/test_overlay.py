"""What the overlay and the notifications say, without Qt."""

from __future__ import annotations

from aria_desktop.core import events
from aria_desktop.core.chat import ToolCall, TurnOutcome
from aria_desktop.core.events import Activity, ActivityChanged
from aria_desktop.gui.state.notices import Notice, notice
from aria_desktop.gui.state.overlay import LONGEST, OverlayBoard, clipped
from aria_desktop.gui.state.talk import Ring
from tests.window import stories


def board(*happened: events.Event) -> OverlayBoard:
    made = OverlayBoard()
    for at, event in enumerate(happened):
        made.apply(event, float(at))
    return made


LISTENS = (ActivityChanged(Activity.LISTENING), events.ListeningStarted("USB microphone"))


def test_a_recording_brings_it_up_and_its_words_grow_at_the_end() -> None:
    up = board(*LISTENS, events.WordsSoFar("r", "make a note", 1.0, pausing=False))
    assert up.up
    shown = up.shown(5.0)
    assert (shown.ring, shown.clock, shown.words, shown.escape) == (Ring.LISTENING, "0:04", "make a note", "forgets it")
    assert clipped("word " * 40 + "end", from_end=True).endswith("word end")
    assert len(clipped("word " * 40, from_end=True)) <= LONGEST + 1


def test_it_stays_from_thinking_to_speaking_and_goes_with_the_turn() -> None:
    told = (*LISTENS, events.ListeningEnded(2.0, "released"), ActivityChanged(Activity.THINKING))
    assert board(*told).up
    speaking = board(*told, events.AnswerGiven("t1", "Saved."), ActivityChanged(Activity.SPEAKING))
    assert (speaking.shown(9.0).words, speaking.shown(9.0).escape) == ("Saved.", "quiet")
    assert not board(*told, ActivityChanged(Activity.IDLE)).up


def test_thinking_alone_and_a_dropped_recording_do_not_keep_it_up() -> None:
    assert not board(ActivityChanged(Activity.THINKING)).up
    assert not board(*LISTENS, events.ListeningEnded(1.0, "dropped")).up
    assert board(ActivityChanged(Activity.THINKING), ActivityChanged(Activity.CONFIRMING)).up


def test_a_question_is_shown_and_nothing_can_be_done_there_but_open_the_window() -> None:
    call = ToolCall("c1", "write_code", {"path": "retry.py"})
    asked = events.ApprovalRequested(stories.question("t1", call, "old", "new", "overwrite it"))
    shown = board(ActivityChanged(Activity.CONFIRMING), asked).shown(2.0)
    assert (shown.words, shown.question, shown.escape) == ("Overwrite retry.py?", True, "")


def test_notices_say_nothing_of_what_was_said() -> None:
    call = ToolCall("c1", "write_code", {"path": "secret.py"})
    request = stories.question("t1", call, "old", "new", "overwrite secret")
    for event in (
        events.ApprovalRequested(request),
        stories.ended("t1", "Your secret is in secret.py."),
        stories.ended("t1", "", TurnOutcome.FAILED, text="secret.py is gone."),
        events.TranscriptOffered("t1", "my secret", 0.4, ()),
    ):
        told = notice(event)
        assert isinstance(told, Notice)
        assert "secret" not in f"{told.title} {told.text}"
    assert notice(events.ApprovalRequested(request, granted="a rule")) is None
    assert notice(stories.ended("t1", "", TurnOutcome.CANCELLED)) is None
