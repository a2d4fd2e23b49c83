from __future__ import annotations

from aria_desktop.gui.state.typed import _KEPT, TypedTexts


def test_walking_back_and_forth_like_in_a_shell() -> None:
    typed = TypedTexts()
    typed.sent("one")
    typed.sent("two")
    assert typed.earlier("half-written") == "two"
    assert typed.earlier("two") == "one"
    assert typed.earlier("one") is None
    assert typed.later() == "two"
    assert typed.later() == "half-written"
    assert typed.later() is None


def test_the_same_text_twice_is_kept_once() -> None:
    typed = TypedTexts()
    typed.sent("one")
    typed.sent("one")
    assert len(typed) == 1


def test_sending_starts_from_the_end_again() -> None:
    typed = TypedTexts()
    typed.sent("one")
    typed.earlier("")
    typed.sent("two")
    assert typed.later() is None
    assert typed.earlier("") == "two"


def test_nothing_sent_yet() -> None:
    typed = TypedTexts()
    assert typed.earlier("x") is None
    assert typed.later() is None


def test_only_so_many_are_kept() -> None:
    typed = TypedTexts()
    for number in range(_KEPT + 50):
        typed.sent(str(number))
    assert len(typed) == _KEPT
    assert typed.earlier("") == str(_KEPT + 49)
