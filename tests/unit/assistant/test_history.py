"""The last turns word for word within their budget, the ones before as a summary, nothing twice."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from aria_desktop.assistant.history import RECENT_TURNS, SUMMARISED, history_of
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.earlier import EarlierSummary
from aria_desktop.core.records import Source, TurnRecord


def turn(number: int, answer: str = "Yes.") -> TurnRecord:
    return TurnRecord(f"t{number}", Source.TEXT, f"words {number}", answer, TurnOutcome.ANSWERED, 0.0, (), {})


TEN = tuple(turn(number) for number in range(10))


def ids(turns: tuple[TurnRecord, ...]) -> list[str]:
    return [turn.turn_id for turn in turns]


def test_few_turns_are_told_as_they_are() -> None:
    found = history_of(TEN[:3], None)
    assert found.told == found.recent == TEN[:3]
    assert found.older == ()
    assert history_of((), None).told == ()


def test_what_is_too_far_back_is_for_a_summary() -> None:
    found = history_of(TEN, None)
    assert found.recent == TEN[-RECENT_TURNS:]
    assert found.older == TEN[:-RECENT_TURNS]
    assert found.told == found.recent


def test_long_turns_leave_room_for_fewer_and_the_last_is_told_anyway() -> None:
    long = [turn(number, "long " * 100) for number in range(4)]
    assert ids(history_of(long, None, budget=500).recent) == ["t2", "t3"]
    assert ids(history_of(long, None, budget=1).recent) == ["t3"]


def test_a_summary_stands_for_what_it_covers() -> None:
    found = history_of(TEN, EarlierSummary("They made a list.", "t2"))
    assert ids(found.older) == ["t3", "t4"]
    assert (found.told[0].words, found.told[0].answer) == (SUMMARISED, "They made a list.")
    assert found.told[1:] == TEN[-RECENT_TURNS:]


def test_a_summary_of_turns_that_are_not_there_counts_for_nothing() -> None:
    found = history_of(TEN, EarlierSummary("Of something else.", "gone"))
    assert found.told == TEN[-RECENT_TURNS:]
    assert found.older == TEN[:-RECENT_TURNS]


def test_turns_without_an_answer_are_not_summed_up_and_take_no_room() -> None:
    turns = (*TEN[:2], turn(20, ""), *TEN[2:8], turn(21, ""), *TEN[8:])
    found = history_of(turns, None)
    assert ids(found.older) == ["t0", "t1", "t2", "t3", "t4"]
    assert ids(found.recent) == ["t5", "t6", "t7", "t21", "t8", "t9"]
    assert ids(history_of((turn(1, ""),), None).recent) == ["t1"]


@given(st.lists(st.sampled_from(["", "Yes.", "long " * 200]), max_size=14), st.integers(-1, 14), st.integers(0, 3_000))
def test_every_answered_turn_is_told_covered_or_waits(answers: list[str], through: int, budget: int) -> None:
    turns = [turn(number, answer) for number, answer in enumerate(answers)]
    found = history_of(turns, EarlierSummary("Before.", f"t{through}"), budget)
    covered = set(ids(tuple(turns[: through + 1]))) if found.summary else set()
    told, waiting = {turn.turn_id for turn in found.recent if turn.answer}, set(ids(found.older))
    answered = {turn.turn_id for turn in turns if turn.answer}
    assert told | waiting | (covered & answered) == answered
    assert not told & waiting
    assert not (told | waiting) & covered
    assert list(found.recent) == sorted(found.recent, key=turns.index)
    assert len(told) <= RECENT_TURNS
