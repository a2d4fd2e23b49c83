"""What the events of a turn leave behind, in every state a turn can be left in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from aria_desktop.core import events, records
from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest, Risk, RiskLevel
from aria_desktop.core.chat import Outcome, ToolCall, ToolResult, TurnOutcome
from aria_desktop.core.errors import UsageError
from aria_desktop.core.interfaces import ConversationStore
from aria_desktop.core.records import Source
from aria_desktop.storage.conversations import CUT_OFF, MAY_HAVE_HAPPENED, Conversations
from aria_desktop.storage.database import Database
from aria_desktop.storage.story import TITLE_LENGTH, title_of

CALL = ToolCall("c1", "create_file", {"path": "a.txt", "content": "grün\n", "deep": [1, None, {"x": True}]})
REQUEST = ApprovalRequest(
    id="a1",
    turn_id="t1",
    call_id="c1",
    tool="create_file",
    question="Create a.txt?",
    allow_label="Allow create",
    facts=(("encoding", "UTF-8"),),
    path="/w/a.txt",
    before=None,
    after="grün\n",
    risk=Risk(RiskLevel.LOW, "Nothing is lost."),
    words="make a file",
)
PROPOSED = events.CallProposed("t1", 1, CALL)
ASKED = events.ApprovalRequested(REQUEST)
ALLOWED = events.ApprovalDecided("t1", "a1", ApprovalDecision(True, "you"), 2.5)
STARTED = events.CallStarted("t1", "c1")
DONE = events.CallEnded("t1", CALL, ToolResult(Outcome.DONE, "created", "I created a.txt."))
ANSWER = events.AnswerGiven("t1", "I created a.txt.")
STORY = (PROPOSED, ASKED, ALLOWED, STARTED, DONE, ANSWER)


def ended(outcome: TurnOutcome, turn_id: str = "t1", answer: str = "", text: str = "") -> events.TurnEnded:
    return events.TurnEnded(turn_id, "s", "r", outcome, answer, ("create_file",), {"total": 1.5}, text=text)


class Ticks:
    """A clock that moves one second with each look, and can be set back."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


@pytest.fixture
def clock() -> Ticks:
    return Ticks()


@pytest.fixture
def store(database: Database, clock: Ticks) -> Conversations:
    return Conversations(database, clock)


@pytest.fixture
def session(store: Conversations) -> str:
    session_id = store.new_session()
    store.begin_turn(session_id, "t1", Source.TEXT, "make a file", "/w")
    return session_id


def tell(store: Conversations, *told: events.Event) -> None:
    for event in told:
        store.record(event)


def only_turn(store: Conversations, session: str) -> records.TurnRecord:
    (turn,) = store.turns(session)
    return turn


def states(store: Conversations, session: str) -> Mapping[str, str]:
    return {call.call.id: call.state for turn in store.turns(session) for call in turn.calls}


def test_it_is_the_programs_store(store: ConversationStore) -> None:
    assert store.sessions() == ()


def test_words_are_there_before_anything_else(store: Conversations, session: str) -> None:
    turn = only_turn(store, session)
    assert (turn.words, turn.outcome, turn.calls, turn.source) == ("make a file", None, (), Source.TEXT)
    assert store.sessions()[0].title == "make a file"


def test_a_whole_turn_reads_back_as_it_happened(store: Conversations, session: str) -> None:
    reply = events.ReplyReceived("t1", 1, '{"tool": "create_file"}', 100, 90, 12, 0.5)
    tell(store, events.StepStarted("t1", 1), reply, *STORY)
    tell(store, ended(TurnOutcome.ANSWERED, answer="I created a.txt."))
    turn = only_turn(store, session)
    assert turn.answer == "I created a.txt."
    assert turn.outcome is TurnOutcome.ANSWERED
    assert turn.timings == {"total": 1.5}
    assert turn.text == ""
    assert turn.calls == (records.CallRecord(CALL, "done", ApprovalDecision(True, "you"), "created"),)


@pytest.mark.parametrize(
    ("told", "state"),
    [
        (STORY[:1], "proposed"),
        (STORY[:2], "waiting"),
        (STORY[:3], "proposed"),
        (STORY[:4], "running"),
        (STORY[:5], "done"),
    ],
)
def test_each_event_moves_the_call_on(
    store: Conversations, session: str, told: tuple[events.Event, ...], state: str
) -> None:
    tell(store, *told)
    assert states(store, session) == {"c1": state}


@pytest.mark.parametrize("outcome", list(Outcome))
def test_a_call_ends_in_each_outcome(store: Conversations, session: str, outcome: Outcome) -> None:
    tell(store, PROPOSED, replace(DONE, result=ToolResult(outcome, "why")))
    (call,) = only_turn(store, session).calls
    assert (call.state, call.result, call.decision) == (outcome.value, "why", None)


def test_spoken_words_come_later_and_name_the_session(store: Conversations) -> None:
    session = store.new_session()
    store.begin_turn(session, "t1", Source.MICROPHONE, "", "/w")
    assert store.sessions()[0].title == ""
    store.record(events.Heard("t1", "good  morning\n", "en", (), 1.0))
    assert only_turn(store, session).words == "good  morning\n"
    assert store.sessions()[0].title == "good morning"
    store.begin_turn(session, "t2", Source.TEXT, "second", "/w")
    assert store.sessions()[0].title == "good morning"


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("  a\n\tb ", "a b"),
        ("x" * TITLE_LENGTH, "x" * TITLE_LENGTH),
        ("word " * 40, "word word word word word word word word word word word word…"),
        ("x" * 100, "x" * (TITLE_LENGTH - 1) + "…"),
        ("", ""),
    ],
)
def test_a_title_is_one_short_line(words: str, title: str) -> None:
    assert title_of(words) == title
    assert len(title) <= TITLE_LENGTH


def test_where_nothing_was_heard_no_turn_is_kept(store: Conversations, session: str) -> None:
    tell(store, ended(TurnOutcome.NOTHING_HEARD), ended(TurnOutcome.NOTHING_HEARD, turn_id=""))
    assert store.turns(session) == ()
    assert store.sessions() == ()


def test_a_failed_turn_says_why(store: Conversations, session: str) -> None:
    tell(store, ended(TurnOutcome.FAILED, text="The language model died."))
    assert only_turn(store, session).text == "The language model died."


def test_a_turn_that_ends_leaves_no_call_open(store: Conversations, session: str) -> None:
    second = events.CallProposed("t1", 1, replace(CALL, id="c2"))
    tell(store, PROPOSED, second, STARTED, ended(TurnOutcome.FAILED))
    assert states(store, session) == {"c1": "unknown", "c2": "cancelled"}


@pytest.mark.parametrize(
    "event",
    [
        PROPOSED,
        STARTED,
        DONE,
        ALLOWED,
        ANSWER,
        ended(TurnOutcome.ANSWERED),
        events.Heard("t1", "x", "en", (), 1.0),
    ],
    ids=lambda event: type(event).__name__,
)
def test_an_event_of_nothing_stored_is_a_mistake_and_stores_nothing(
    store: Conversations, database: Database, event: events.Event
) -> None:
    with pytest.raises(Exception, match=r"FOREIGN KEY|0 rows"):
        store.record(event)
    with database.reading() as connection:
        for table in ("sessions", "turns", "calls", "approvals"):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)


def test_events_with_nothing_to_keep_are_passed_over(store: Conversations, session: str) -> None:
    before = store.turns(session)
    tell(
        store,
        events.TurnStarted("t1", session, "r", Source.TEXT, "make a file"),
        events.AnswerPiece("t1", "I "),
        events.LevelMeasured(0.5, True),
        events.SpeakingEnded("t9", 1.0, False),
        events.Problem("", "x", "y", "z"),
    )
    assert store.turns(session) == before


def test_a_turn_needs_a_session(store: Conversations) -> None:
    assert not store.has_session("s9")
    with pytest.raises(UsageError, match="no conversation s9"):
        store.begin_turn("s9", "t1", Source.TEXT, "hi", "/w")


def test_turns_are_oldest_first_and_the_last_ones_on_request(store: Conversations, session: str, clock: Ticks) -> None:
    """By the order of things, not by a clock that was set back."""
    clock.now = 5.0
    store.begin_turn(session, "t2", Source.TEXT, "two", "/w")
    store.begin_turn(session, "t3", Source.TEXT, "three", "/w")
    tell(store, PROPOSED, events.CallProposed("t3", 1, replace(CALL, id="c3")))
    assert [turn.turn_id for turn in store.turns(session)] == ["t1", "t2", "t3"]
    last = store.turns(session, last=2)
    assert [(turn.turn_id, len(turn.calls)) for turn in last] == [("t2", 0), ("t3", 1)]
    assert store.turns(session, last=0) == ()
    assert store.turns("s9") == ()


def test_sessions_are_listed_by_their_newest_turn(store: Conversations, session: str, clock: Ticks) -> None:
    other = store.new_session()
    empty = store.new_session()
    store.begin_turn(other, "t2", Source.FILE, "two", "/w")
    assert [(s.session_id, s.turns) for s in store.sessions()] == [(other, 1), (session, 1)]
    clock.now = 5.0
    store.begin_turn(session, "t3", Source.TEXT, "three", "/w")
    assert [(s.session_id, s.turns) for s in store.sessions()] == [(session, 2), (other, 1)]
    assert store.has_session(empty)


def test_a_deleted_session_is_gone_with_all_its_parts(store: Conversations, session: str, database: Database) -> None:
    tell(store, events.ReplyReceived("t1", 1, "raw", 1, 0, 1, 0.1), *STORY)
    assert store.delete_session(session)
    assert not store.delete_session(session)
    assert not store.has_session(session)
    with database.reading() as connection:
        for table in ("sessions", "turns", "steps", "calls", "approvals"):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)


def test_a_question_waits_whole(store: Conversations, session: str) -> None:
    tell(store, PROPOSED, ASKED)
    (waiting,) = store.waiting()
    assert waiting.request == REQUEST
    assert waiting.request.fingerprint == REQUEST.fingerprint
    assert (waiting.session_id, waiting.workspace, waiting.turn.words) == (session, "/w", "make a file")
    assert waiting.turn.calls[0].question == REQUEST
    assert store.sessions()[0].waiting
    assert store.waiting(session) == (waiting,)
    assert store.waiting("s9") == ()


def test_a_question_that_is_asked_again_is_the_same_one(store: Conversations, session: str) -> None:
    tell(store, PROPOSED, ASKED)
    tell(store, ASKED)
    assert len(store.waiting()) == 1
    tell(store, replace(ASKED, request=replace(REQUEST, id="a2", question="Sure?")))
    assert [waiting.request.question for waiting in store.waiting(session)] == ["Sure?"]


def test_an_answered_question_waits_no_more(store: Conversations, session: str) -> None:
    tell(store, PROPOSED, ASKED, replace(ALLOWED, decision=ApprovalDecision(False, "time-out")))
    assert store.waiting() == ()
    (call,) = only_turn(store, session).calls
    assert (call.decision, call.question) == (ApprovalDecision(False, "time-out"), None)
    assert not store.sessions()[0].waiting


@pytest.mark.parametrize(
    ("told", "state", "text", "unknown"),
    [
        ((), None, CUT_OFF, 0),
        (STORY[:1], "cancelled", CUT_OFF, 0),
        (STORY[:3], "cancelled", CUT_OFF, 0),
        (STORY[:4], "unknown", MAY_HAVE_HAPPENED, 1),
        (STORY[:5], "done", CUT_OFF, 0),
        (STORY, "done", CUT_OFF, 0),
    ],
)
def test_a_turn_that_was_cut_off_ends_as_failed_at_the_next_start(
    store: Conversations, session: str, told: tuple[events.Event, ...], state: str | None, text: str, unknown: int
) -> None:
    tell(store, *told)
    assert store.close_orphans() == unknown
    turn = only_turn(store, session)
    assert (turn.outcome, turn.text) == (TurnOutcome.FAILED, text)
    assert [call.state for call in turn.calls] == ([state] if state else [])
    assert store.close_orphans() == 0
    assert only_turn(store, session) == turn


def test_a_waiting_turn_goes_on_waiting_at_the_next_start(store: Conversations, session: str) -> None:
    tell(store, PROPOSED, ASKED)
    before = store.waiting()
    assert store.close_orphans() == 0
    assert store.waiting() == before
    tell(store, ALLOWED, STARTED, DONE, ANSWER, ended(TurnOutcome.ANSWERED, answer="I created a.txt."))
    assert only_turn(store, session).outcome is TurnOutcome.ANSWERED


def test_a_waiting_turn_with_something_running_is_cut_off(store: Conversations, session: str) -> None:
    running = replace(CALL, id="c2")
    tell(store, PROPOSED, ASKED, events.CallProposed("t1", 1, running), events.CallStarted("t1", "c2"))
    assert store.close_orphans() == 1
    assert states(store, session) == {"c1": "cancelled", "c2": "unknown"}
    assert store.waiting() == ()


def test_a_question_that_can_not_be_shown_whole_is_not_asked(
    store: Conversations, session: str, database: Database
) -> None:
    tell(store, PROPOSED, ASKED)
    with database.transaction() as connection:
        connection.execute("""UPDATE approvals SET request = '{"id": "a1"}'""")
    assert store.waiting() == ()
    store.close_orphans()
    assert states(store, session) == {"c1": "cancelled"}


def test_an_ended_turn_is_left_as_it_is_at_the_next_start(store: Conversations, session: str) -> None:
    tell(store, *STORY, ended(TurnOutcome.ANSWERED, answer="I created a.txt."))
    before = store.turns(session)
    store.new_session()
    assert store.close_orphans() == 0
    assert store.turns(session) == before
    assert [listed.session_id for listed in store.sessions()] == [session]


def test_text_that_is_no_utf8_is_kept_readable(store: Conversations) -> None:
    session = store.new_session()
    store.begin_turn(session, "t1", Source.TEXT, "bad \udcff", "/w/\udcff")
    call = ToolCall("c1", "read\ud800", {"path": "\udfff", "nul": "a\0b"})
    request = replace(REQUEST, path="/w/\udcff", tool="read\ud800")
    tell(store, events.CallProposed("t1", 1, call), events.ApprovalRequested(request))
    (waiting,) = store.waiting()
    assert waiting.turn.words == "bad \ufffd"
    assert waiting.workspace == "/w/\ufffd"
    assert waiting.request.path == "/w/\ufffd"
    assert waiting.turn.calls[0].call == ToolCall("c1", "read\ufffd", {"path": "\ufffd", "nul": "a\0b"})
    assert not store.has_session("\udcff")
    assert not store.delete_session("\udcff")


def test_session_ids_differ(store: Conversations) -> None:
    assert len({store.new_session() for _ in range(20)}) == 20
