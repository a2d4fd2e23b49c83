"""Which changes are meant: chains of done, taken back and done again."""

from __future__ import annotations

import pytest

from aria_desktop.core.errors import UsageError
from aria_desktop.safety.journal import Action, ActionState, Deed, Step, StepKind
from aria_desktop.safety.undo_choice import chains, last_change, last_undo, numbered, of_call, of_file, of_turn


def action(number: int, turn: str, undoes: int = 0, state: ActionState = ActionState.DONE) -> Action:
    step = Step(StepKind.MOVED, f"f{number}", to=f"g{number}")
    return Action(number, state, Deed(turn, f"c{number}", "x"), "/w", f"move {number}", (step,), undoes, float(number))


def numbers(found: tuple[Action, ...]) -> list[int]:
    return [one.number for one in found]


TWO_TURNS = (action(1, "t1"), action(2, "t2"), action(3, "t2"))
UNDONE = (*TWO_TURNS, action(4, "u1", 3), action(5, "u1", 2))
REDONE = (*UNDONE, action(6, "u2", 5), action(7, "u2", 4))


def test_what_stands_is_known_by_its_last_link() -> None:
    assert [(c.made.number, c.now.number, c.stands) for c in chains(UNDONE)] == [
        (1, 1, True),
        (2, 5, False),
        (3, 4, False),
    ]
    assert [(c.made.number, c.now.number, c.stands) for c in chains(REDONE)] == [
        (1, 1, True),
        (2, 6, True),
        (3, 7, True),
    ]


def test_the_last_change_and_the_last_turn() -> None:
    assert numbers(last_change(TWO_TURNS)) == [3]
    assert numbers(of_turn(TWO_TURNS)) == [2, 3]
    assert numbers(of_turn(UNDONE)) == [1]
    assert numbers(of_turn(REDONE)) == [6, 7]
    assert numbers(of_turn(REDONE, "t1")) == [1]


def test_the_last_undo_and_an_undo_by_its_turn() -> None:
    assert numbers(last_undo(UNDONE)) == [5, 4]
    assert numbers(of_turn(UNDONE, "u1")) == [5, 4]
    for actions in (TWO_TURNS, REDONE):
        with pytest.raises(UsageError):
            last_undo(actions)


def test_changes_outside_of_turns_stand_alone() -> None:
    loose = (action(1, ""), action(2, ""))
    assert numbers(of_turn(loose)) == [2]


def test_by_number() -> None:
    assert numbers(numbered(UNDONE, 1)) == [1]
    assert numbers(numbered(UNDONE, 4)) == [4]
    assert numbers(numbered(REDONE, 3)) == [7]
    with pytest.raises(UsageError, match="taken back already"):
        numbered(UNDONE, 3)
    with pytest.raises(UsageError, match="taken back already"):
        numbered(REDONE, 4)


def test_by_file_and_by_call() -> None:
    assert numbers(of_file(TWO_TURNS, "./g2")) == [2]
    assert numbers(of_call(TWO_TURNS, "c3")) == [3]
    with pytest.raises(UsageError):
        of_file(UNDONE, "f3")
    with pytest.raises(UsageError):
        of_call(UNDONE, "c3")


@pytest.mark.parametrize("state", [ActionState.FAILED, ActionState.NO_EFFECT])
def test_what_had_no_effect_is_passed_over(state: ActionState) -> None:
    actions = (action(1, "t1"), action(2, "t2", state=state))
    assert numbers(of_turn(actions)) == [1]


@pytest.mark.parametrize("state", [ActionState.FAILED, ActionState.UNKNOWN])
def test_an_undo_that_did_not_end_has_taken_nothing_back(state: ActionState) -> None:
    assert numbers(of_turn((action(1, "t1"), action(2, "u", 1, state)))) == [1]


def test_what_was_cut_off_stands() -> None:
    assert numbers(last_change((action(1, "t1", state=ActionState.UNKNOWN),))) == [1]
