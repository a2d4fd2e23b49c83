from __future__ import annotations

from aria_desktop.core import events, listings, records
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.gui.state.conversation import Conversation, KeptText
from aria_desktop.gui.state.story import Moment
from aria_desktop.gui.state.turn import Mark, TurnView

AT = Moment(1.0, 1.7e9)


def _started(turn: str, words: str = "hello", request: str = "r1") -> events.TurnStarted:
    return events.TurnStarted(turn, "s1", request, records.Source.TEXT, words)


def _ended(turn: str, outcome: TurnOutcome = TurnOutcome.ANSWERED, request: str = "r1") -> events.TurnEnded:
    return events.TurnEnded(turn, "s1", request, outcome, "hi", ())


def _words(conversation: Conversation) -> list[str]:
    return [item.text for item in conversation.items()]


def test_turns_come_in_order_and_tell_which_changed() -> None:
    conversation = Conversation()
    assert conversation.apply(_started("t1", "one"), AT) == ("t1",)
    assert conversation.running == "t1"
    assert conversation.started == AT.wall
    assert conversation.apply(events.AnswerPiece("t1", "a"), AT) == ("t1",)
    assert conversation.apply(_ended("t1"), AT) == ("t1",)
    assert conversation.running == ""
    conversation.apply(_started("t2", "two"), AT)
    assert _words(conversation) == ["one", "two"]


def test_events_of_strangers_change_nothing() -> None:
    conversation = Conversation()
    assert conversation.apply(events.AnswerPiece("t9", "a"), AT) == ()
    assert conversation.apply(events.ActivityChanged(events.Activity.THINKING), AT) == ()
    assert conversation.items() == ()


def test_the_title_is_the_first_words() -> None:
    conversation = Conversation()
    assert conversation.title == "New conversation"
    conversation.apply(_started("t1", ""), AT)
    conversation.apply(_started("t2", "Write a Python function that retries failed requests and saves"), AT)
    assert conversation.title == "Write a Python function that retries failed…"


def test_a_recording_without_words_leaves_no_turn() -> None:
    conversation = Conversation()
    conversation.apply(_started("t1", "", "r7"), AT)
    assert conversation.apply(_ended("", TurnOutcome.NOTHING_HEARD, "r7"), AT) == ("t1",)
    assert conversation.items() == ()
    assert conversation.running == ""


def test_words_that_wait_become_a_turn() -> None:
    conversation = Conversation()
    conversation.apply(_started("t1", "one"), AT)
    key = conversation.wait_for_turn("r2", "two")
    waiting = conversation.item(key)
    assert isinstance(waiting, TurnView)
    assert [step.mark for step in waiting.steps] == [Mark.QUEUED]
    assert conversation.apply(_started("t2", "two", "r2"), AT) == ("r2", "t2")
    assert _words(conversation) == ["one", "two"]


def test_words_that_wait_and_are_refused_go_away() -> None:
    conversation = Conversation()
    key = conversation.wait_for_turn("r2", "two")
    assert conversation.apply(events.Problem("r2", "busy", "No.", ""), AT) == (key,)
    assert conversation.item(key) is None


def test_turns_of_one_request_stay_side_by_side() -> None:
    """Reopening a session asks several waiting questions again under its one request."""
    conversation = Conversation()
    for turn in ("t1", "t2"):
        conversation.apply(_started(turn, turn, "r1"), AT)
        conversation.apply(_ended(turn, request="r1"), AT)
    assert conversation.apply(_ended("", TurnOutcome.CANCELLED, "r1"), AT) == ()
    assert _words(conversation) == ["t1", "t2"]


def test_an_end_without_turn_and_without_request_is_nobodys() -> None:
    conversation = Conversation()
    conversation.apply(_started("t1", "one", ""), AT)
    assert conversation.apply(_ended("", TurnOutcome.FAILED, ""), AT) == ()
    assert _words(conversation) == ["one"]


def test_kept_texts_stand_among_the_turns() -> None:
    conversation = Conversation()
    conversation.keep(KeptText("file-1", "memo.wav", "the words"))
    conversation.apply(_started("t1", "one"), AT)
    assert _words(conversation) == ["the words", "one"]
    assert conversation.title == "memo.wav"


def _shown(*turns: records.TurnRecord, title: str = "Old talk") -> listings.SessionShown:
    return listings.SessionShown(
        "r1", records.SessionRecord("s1", title, 1.7e9, len(turns), False), turns, current=True
    )


def _record(turn: str, outcome: TurnOutcome | None) -> records.TurnRecord:
    return records.TurnRecord(turn, records.Source.TEXT, f"words of {turn}", "answer", outcome, 1.6e9, (), {})


def test_a_stored_session_replaces_everything() -> None:
    conversation = Conversation()
    conversation.apply(_started("t1", "one"), AT)
    conversation.show(_shown(_record("t5", TurnOutcome.ANSWERED), _record("t6", None)))
    assert _words(conversation) == ["words of t5", "words of t6"]
    assert (conversation.title, conversation.started, conversation.running) == ("Old talk", 1.6e9, "")


def test_a_resumed_turn_keeps_what_is_known_of_it() -> None:
    conversation = Conversation()
    conversation.show(_shown(_record("t6", None)))
    conversation.apply(_started("t6", "words of t6"), AT)
    (item,) = conversation.items()
    assert isinstance(item, TurnView)
    assert item.answer == "answer"
    assert conversation.running == "t6"


def test_clearing() -> None:
    conversation = Conversation()
    conversation.show(_shown(_record("t5", TurnOutcome.ANSWERED)))
    conversation.clear()
    assert (conversation.items(), conversation.title, conversation.started) == ((), "New conversation", None)
