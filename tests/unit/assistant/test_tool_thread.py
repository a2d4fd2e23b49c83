"""Limits and cancelling hold whatever a tool does; a change that was begun is waited for."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator

import pytest

from aria_desktop.assistant.tool_thread import Late, on_thread
from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.errors import ToolFailed
from aria_desktop.core.events import CallProgress, Event

Report = Callable[[Event], None]


def collected(running: Generator[Event, None, str]) -> tuple[list[Event], str]:
    events = []
    while True:
        try:
            events.append(next(running))
        except StopIteration as end:
            return events, end.value


def progress(text: str) -> CallProgress:
    return CallProgress("t", "c", text)


def test_what_is_reported_comes_in_order_before_the_result() -> None:
    def work(_: CancelToken, report: Report) -> str:
        report(progress("one"))
        report(progress("two"))
        return threading.current_thread().name

    assert collected(on_thread(work, CancelToken(), 10, Late.GIVE_UP)) == ([progress("one"), progress("two")], "tool")


@pytest.mark.parametrize("error", [ToolFailed("no such file"), ValueError("a bug")])
def test_errors_come_through(error: Exception) -> None:
    def work(_: CancelToken, report: Report) -> str:
        report(progress("one"))
        raise error

    running = on_thread(work, CancelToken(), None, Late.FINISH)
    assert next(running) == progress("one")
    with pytest.raises(type(error), match=str(error)):
        next(running)


def test_a_read_over_its_limit_is_told_to_stop_and_given_up() -> None:
    stopped = threading.Event()

    def work(token: CancelToken, _: Report) -> str:
        token.wait(60)
        stopped.set()
        return "too late"

    with pytest.raises(ToolFailed, match=r"longer than 0\.01 seconds"):
        next(on_thread(work, CancelToken(), 0.01, Late.GIVE_UP))
    assert stopped.wait(5)


@pytest.mark.parametrize("limit", [None, 60.0])
def test_a_cancel_reaches_a_tool_that_looks(limit: float | None) -> None:
    cancel = CancelToken()

    def work(token: CancelToken, report: Report) -> str:
        report(progress("begun"))
        token.wait(60)
        token.raise_if_cancelled()
        return "not stopped"

    running = on_thread(work, cancel, limit, Late.GIVE_UP)
    next(running)
    cancel.cancel()
    with pytest.raises(Cancelled):
        next(running)


def test_a_change_is_finished_past_its_limit_and_past_a_cancel() -> None:
    cancel, go_on = CancelToken(), threading.Event()

    def work(token: CancelToken, report: Report) -> str:
        report(progress("begun"))
        assert go_on.wait(5)
        return "cancelled" if token.cancelled else "finished"

    running = on_thread(work, cancel, 0.01, Late.FINISH)
    next(running)
    cancel.cancel()
    go_on.set()
    assert collected(running) == ([], "finished")


def test_a_change_that_can_be_stopped_is_told_to_and_waited_for() -> None:
    cancel = CancelToken()

    def work(token: CancelToken, report: Report) -> str:
        report(progress("begun"))
        assert token.wait(5)
        report(progress("cleared up"))
        raise Cancelled

    running = on_thread(work, cancel, None, Late.STOP)
    next(running)
    cancel.cancel()
    assert next(running) == progress("cleared up")
    with pytest.raises(Cancelled):
        next(running)


def test_a_generator_that_is_dropped_stops_its_tool() -> None:
    stopped = threading.Event()

    def work(token: CancelToken, report: Report) -> str:
        report(progress("begun"))
        if token.wait(5):
            stopped.set()
        return ""

    running = on_thread(work, CancelToken(), None, Late.GIVE_UP)
    next(running)
    running.close()
    assert stopped.wait(5)
