"""Foreign text stays known for as long as anything of it may be in the conversation: over later turns, a restart and a
summary, and no longer than the conversation."""

from __future__ import annotations

from pathlib import Path

from aria_desktop.assistant.history import RECENT_TURNS
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.events import AnswerGiven, TurnEnded, UntrustedTextRead
from aria_desktop.core.records import Source
from aria_desktop.core.requests import NewSession, SubmitText
from tests.unit.assistant.stage import Stage, answering, open_store
from tests.unit.assistant.test_earlier import say, will_sum_up

FOREIGN = "the file notes.txt"


def talked(stage: Stage, turns: int, foreign_in: int) -> str:
    """A stored conversation in one turn of which a file was read."""
    session_id = stage.store.new_session()
    for number in range(turns):
        turn_id = f"old{number}"
        stage.store.begin_turn(session_id, turn_id, Source.TEXT, f"words {number}", "")
        if number == foreign_in:
            stage.store.record(UntrustedTextRead(turn_id, FOREIGN))
        stage.store.record(AnswerGiven(turn_id, f"answer {number}"))
        stage.store.record(TurnEnded(turn_id, session_id, "r0", TurnOutcome.ANSWERED, f"answer {number}", ()))
    return session_id


def test_the_turn_after_has_it_and_so_has_the_one_after_that(stage: Stage) -> None:
    session_id = talked(stage, 1, foreign_in=0)
    stage.will(answering("One."), answering("Two."))
    with stage.session() as session:
        say(stage, session, session_id, "r1")
        say(stage, session, session_id, "r2")
    assert [task.untrusted for task in stage.agent.tasks] == [(FOREIGN,), (FOREIGN,)]
    assert [turn.untrusted for turn in stage.store.turns(session_id)] == [(FOREIGN,)] * 3


def test_a_restart_does_not_wash_it_off(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        session_id = talked(Stage(tmp_path, store), 1, foreign_in=0)
    with open_store(tmp_path) as store:
        stage = Stage(tmp_path, store)
        stage.will(answering("One."))
        with stage.session() as session:
            say(stage, session, session_id)
    assert stage.agent.tasks[0].untrusted == (FOREIGN,)


def test_a_summary_of_it_is_no_better(stage: Stage) -> None:
    session_id = talked(stage, RECENT_TURNS + 3, foreign_in=0)
    wanted = will_sum_up(stage, "They read a file.")
    stage.will(answering("One."), answering("Two."))
    with stage.session() as session:
        say(stage, session, session_id, "r1")
        wanted.get(timeout=60)
        summary = stage.store.summaries.get(timeout=60)
        say(stage, session, session_id, "r2")
    assert summary.untrusted == (FOREIGN,)
    assert stage.agent.tasks[-1].untrusted == (FOREIGN,)


def test_a_new_conversation_has_nothing_of_it(stage: Stage) -> None:
    session_id = talked(stage, 1, foreign_in=0)
    stage.will(answering("One."), answering("Two."))
    with stage.session() as session:
        say(stage, session, session_id, "r1")
        session.submit(NewSession("r2"))
        session.submit(SubmitText("r3", "And now?", speak=False))
        stage.ended("r3")
    assert [task.untrusted for task in stage.agent.tasks] == [(FOREIGN,), ()]


def test_words_that_are_not_the_users_own_count_from_their_own_turn_on(stage: Stage) -> None:
    stage.will(answering("One."), answering("Two."))
    with stage.session() as session:
        session.submit(SubmitText("r1", "Do this", speak=False, foreign="text that was pasted"))
        stage.ended("r1")
        session.submit(SubmitText("r2", "Go on", speak=False))
        stage.ended("r2")
    assert [task.untrusted for task in stage.agent.tasks] == [("text that was pasted",)] * 2
