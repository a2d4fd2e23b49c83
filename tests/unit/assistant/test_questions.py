"""Answers settle exactly one question, once."""

from __future__ import annotations

import threading
from queue import SimpleQueue

import pytest

from aria_desktop.assistant.questions import NOBODY, Questions
from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest, Risk, RiskLevel
from aria_desktop.core.cancel import Cancelled, CancelToken

YES = ApprovalDecision(True, "you")


def request(number: str) -> ApprovalRequest:
    return ApprovalRequest(number, "t", "c", "x", "?", "Allow", (), "", None, None, Risk(RiskLevel.LOW, ""), "")


class Asking:
    """A turn's thread that asks."""

    def __init__(self, questions: Questions, number: str) -> None:
        self.cancel = CancelToken()
        self._answers: SimpleQueue[ApprovalDecision | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._ask, args=(questions, number))
        self._thread.start()

    def answer(self) -> ApprovalDecision | None:
        """None when it was cancelled."""
        answer = self._answers.get(timeout=20)
        self._thread.join()
        return answer

    def _ask(self, questions: Questions, number: str) -> None:
        try:
            self._answers.put(questions.ask(request(number), self.cancel))
        except Cancelled:
            self._answers.put(None)


def test_an_answer_that_comes_before_the_turn_asks_is_not_lost() -> None:
    questions = Questions(lambda: True)
    questions.opened("a")
    assert questions.answer("a", YES)
    assert not questions.any_open
    assert Asking(questions, "a").answer() == YES
    assert not questions.answer("a", YES)


def test_one_answer_settles_one_question_only() -> None:
    questions = Questions(lambda: True)
    for number in ("a", "b"):
        questions.opened(number)
    first, second = Asking(questions, "a"), Asking(questions, "b")
    assert questions.answer("b", YES)
    assert second.answer() == YES
    assert not questions.answer("b", YES)
    assert not questions.answer("c", YES)
    first.cancel.cancel()
    assert first.answer() is None
    assert not questions.answer("a", YES)


def test_without_anybody_there_it_is_no() -> None:
    questions = Questions(lambda: False)
    assert questions.ask(request("a"), CancelToken()) == NOBODY
    assert not NOBODY.allowed


def test_when_the_last_one_leaves_it_is_no() -> None:
    questions = Questions(lambda: True)
    questions.opened("a")
    asking = Asking(questions, "a")
    questions.nobody_left()
    assert asking.answer() == NOBODY


def test_a_cancelled_turn_does_not_ask() -> None:
    questions = Questions(lambda: True)
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        questions.ask(request("a"), cancel)
