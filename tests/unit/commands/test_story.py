"""A turn as lines for a terminal."""

from __future__ import annotations

import io

from aria_desktop.commands.story import Story
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.events import AnswerGiven, AnswerPiece, AnswerUnspoken, Event, Problem, TurnEnded

ENDED = TurnEnded("t1", "s1", "r1", TurnOutcome.ANSWERED, "Hay uno.", ())


def told(*events: Event) -> str:
    out = io.StringIO()
    story = Story(out)
    for event in events:
        story.show(event)
    return out.getvalue()


def test_that_there_is_no_voice_is_told_after_the_answer_wherever_it_became_known() -> None:
    first, rest, whole = AnswerPiece("t1", "Hay "), AnswerPiece("t1", "uno."), AnswerGiven("t1", "Hay uno.")
    unspoken = AnswerUnspoken("t1", "es", "No hay voz.")
    expected = "ARIA: Hay uno.\n  No hay voz.\n"
    assert told(first, unspoken, rest, whole, ENDED) == expected
    assert told(first, rest, whole, unspoken, ENDED) == expected


def test_no_name_in_an_error_steers_the_terminal() -> None:
    failed = TurnEnded(
        "t1", "s1", "r1", TurnOutcome.FAILED, "", (), text="/a\x1b[8m can't be read", hint="Look at \x9bx"
    )
    printed = told(Problem("", "error", "/b\x1b[2J is full.", "Free \u202e some."), failed)
    assert not {"\x1b", "\x9b", "\u202e"} & set(printed)
    assert printed.count("<U+001B>") == 2
