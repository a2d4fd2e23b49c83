"""When code fills a silence."""

from __future__ import annotations

import threading

from aria_desktop.assistant.filler import Filler


def test_a_tool_that_takes_long_is_filled_once_in_a_turn() -> None:
    said = threading.Semaphore(0)
    filler = Filler(lambda: said.release(), patience_s=0.01)
    filler.tool_began()
    assert said.acquire(timeout=10)
    filler.tool_ended()
    filler.tool_began()
    filler.close()
    assert not said.acquire(blocking=False)


def test_a_quick_tool_needs_no_words_and_a_slow_one_after_it_does() -> None:
    said = threading.Semaphore(0)
    filler = Filler(lambda: said.release(), patience_s=60)
    filler.tool_began()
    filler.tool_ended()
    filler.close()
    assert not said.acquire(blocking=False)
    filler = Filler(lambda: said.release(), patience_s=0.05)
    filler.tool_began()
    filler.tool_ended()
    filler.tool_began()
    assert said.acquire(timeout=10)
    filler.close()


def test_when_the_answer_has_begun_nothing_is_filled() -> None:
    said = threading.Semaphore(0)
    filler = Filler(lambda: said.release(), patience_s=0.0)
    filler.answer_began()
    filler.tool_began()
    filler.close()
    assert not said.acquire(blocking=False)
