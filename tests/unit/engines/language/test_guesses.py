"""What came last time behind the same tokens is guessed, and wrong guesses make for fewer of them."""

from __future__ import annotations

from aria_desktop.engines.language.guesses import Guesses


def test_what_came_last_behind_the_same_two_tokens_is_guessed() -> None:
    assert Guesses().after([1, 2, 3, 4, 5, 6, 1, 2]) == [3, 4]
    assert Guesses().after([1, 2, 3, 1, 2, 4, 1, 2]) == [4, 1]


def test_nothing_is_guessed_where_nothing_came_before() -> None:
    assert Guesses().after([1, 2, 3, 4]) == []
    assert Guesses().after([1]) == []
    assert Guesses().after([]) == []


def test_what_was_said_since_counts_too() -> None:
    guesses = Guesses()
    tokens = [1, 2, 3]
    assert guesses.after(tokens) == []
    assert guesses.after([*tokens, 7, 8, 1, 2]) == [3, 7]
    assert guesses.after([*tokens, 7, 8, 1, 2, 9, 1, 2]) == [9, 1]


def test_after_wrong_guesses_there_is_a_pause_and_a_right_one_ends_the_count() -> None:
    tokens = [1, 2, 3, 4, 1, 2]
    guesses = Guesses()
    guesses.after(tokens)
    guesses.tried(3, 0)
    guesses.tried(3, 1)
    guesses.tried(3, 0)
    assert guesses.after(tokens)
    guesses.tried(3, 0)
    assert [bool(guesses.after(tokens)) for _ in range(9)] == [False] * 8 + [True]


def test_an_evaluation_without_a_guess_is_no_wrong_one() -> None:
    guesses = Guesses()
    for _ in range(5):
        guesses.tried(0, 0)
    assert guesses.after([1, 2, 3, 1, 2])
