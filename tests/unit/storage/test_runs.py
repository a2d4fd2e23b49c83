"""How a turn went reads back as it was told: prompts, replies, calls, times, and how sure each of them was."""

from __future__ import annotations

from pathlib import Path

from aria_desktop.core import events
from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest, Risk, RiskLevel
from aria_desktop.core.chat import Message, Outcome, Role, ToolCall, ToolChoice, ToolResult, TurnOutcome
from aria_desktop.core.plain import from_plain, to_plain
from aria_desktop.core.records import Source
from aria_desktop.core.transcript import Word
from aria_desktop.storage.conversations import Conversations
from aria_desktop.storage.database import Database
from aria_desktop.storage.lock import DatabaseLock
from aria_desktop.storage.migrations import MIGRATIONS

CALL = ToolCall("c1", "create_file", {"path": "a.txt", "content": "milk"})
CHOICE = ToolChoice("create_file", 0.93, "append_file", 0.05)
ASKED = (Message(Role.USER, "make a file \ud800"),)
REQUEST = ApprovalRequest(
    id="a1", turn_id="t1", call_id="c1", tool="create_file", question="Create a.txt?", allow_label="Allow create",
    facts=(), path="/w/a.txt", before=None, after="milk", risk=Risk(RiskLevel.LOW, "Nothing is lost."), words="",
)  # fmt: skip


class Ticks:
    """One second for each look."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


def told(store: Conversations) -> None:
    for event in (
        events.Heard("t1", "make a file", "en", (Word(" make", 0.0, 0.2, 0.9), Word(" file", 0.3, 0.5, 0.4)), 2.5),
        events.PromptSent("t1", 1, 1, 3, ASKED, 9),
        events.ReplyReceived("t1", 1, "no JSON", 100, 80, 5, 0.5, (), 0.25),
        events.PromptSent("t1", 1, 2, 3, (*ASKED, Message(Role.USER, "That was no JSON.")), 9),
        events.ReplyReceived("t1", 1, '{"calls": []}', 120, 100, 12, 0.75, (CHOICE,), 0.25),
        events.CallProposed("t1", 1, CALL),
        events.ApprovalRequested(REQUEST),
        events.ApprovalDecided("t1", "a1", ApprovalDecision(True, "you"), 2.0),
        events.CallStarted("t1", "c1"),
        events.CallEnded("t1", CALL, ToolResult(Outcome.DONE, "created")),
        events.TurnEnded("t1", "s1", "", TurnOutcome.ANSWERED, "Created.", ("create_file",), {"total": 9.0}),
    ):
        store.record(event)


def test_a_run_reads_back_as_it_went(database: Database) -> None:
    store = Conversations(database, Ticks())
    store.begin_turn(store.new_session(), "t1", Source.MICROPHONE, "", "/w")
    told(store)
    run = store.run("t1")
    assert run is not None
    assert (run.turn.words, run.language, run.audio_seconds) == ("make a file", "en", 2.5)
    assert [word.probability for word in run.heard] == [0.9, 0.4]
    first, second = run.steps
    assert (first.attempt, first.attempts, first.unchanging, first.raw) == (1, 3, 9, "no JSON")
    assert first.messages == (Message(Role.USER, "make a file \ufffd"),)
    assert (second.attempt, len(second.messages), second.choices) == (2, 2, (CHOICE,))
    assert (second.prompt_tokens, second.reused_tokens, second.tokens) == (120, 100, 12)
    assert (second.seconds, second.seconds_to_first) == (0.75, 0.25)
    (call,) = run.calls
    assert (call.call, call.state, call.result, call.question) == (CALL, "done", "created", "Create a.txt?")
    assert call.decision == ApprovalDecision(True, "you")
    times = [first.asked, first.received, second.asked, second.received, call.proposed, call.asked, call.decided]
    times += [call.started, call.ended, run.ended]
    assert times == sorted(time for time in times if time is not None)
    assert from_plain(type(run), to_plain(run)) == run


def test_there_is_none_of_an_unknown_turn(database: Database) -> None:
    assert Conversations(database).run("nobody") is None


def test_it_goes_with_its_conversation(database: Database) -> None:
    store = Conversations(database)
    session_id = store.new_session()
    store.begin_turn(session_id, "t1", Source.MICROPHONE, "", "/w")
    told(store)
    assert store.delete_session(session_id)
    with database.reading() as connection:
        assert connection.execute("SELECT count(*) FROM prompts").fetchone() == (0,)


def test_turns_of_an_older_version_have_a_run_without_prompts(path: Path, lock: DatabaseLock) -> None:
    before = next(at for at, step in enumerate(MIGRATIONS) if step.__name__.endswith("_runs"))
    with Database.open(path, lock, MIGRATIONS[:before]) as database, database.transaction() as connection:
        connection.execute("INSERT INTO sessions (id, title, created) VALUES ('s1', '', 0)")
        connection.execute(
            "INSERT INTO turns (id, session_id, source, workspace, words, started)"
            " VALUES ('t1', 's1', 'text', '/w', 'hello', 5)"
        )
        connection.execute(
            "INSERT INTO steps (turn_id, step, raw, prompt_tokens, reused_tokens, tokens, seconds, received)"
            " VALUES ('t1', 1, 'raw', 10, 5, 2, 0.5, 7)"
        )
    with Database.open(path, lock) as database:
        run = Conversations(database).run("t1")
    assert run is not None
    (step,) = run.steps
    assert (step.messages, step.choices, step.asked, step.received, step.raw) == ((), (), 6.5, 7, "raw")
