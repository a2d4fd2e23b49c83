"""The sender never waits, the order stays, and what does not fit ends it."""

from __future__ import annotations

import threading

from aria_desktop.control.outbox import Outbox


def test_lines_come_out_in_order_then_the_end() -> None:
    outbox = Outbox()
    assert outbox.put(b"a")
    assert outbox.put(b"b")
    outbox.finish()
    assert [outbox.take(), outbox.take(), outbox.take(), outbox.take()] == [b"a", b"b", None, None]


def test_what_is_put_after_the_end_is_dropped() -> None:
    outbox = Outbox()
    outbox.finish()
    assert outbox.put(b"a")
    assert outbox.take() is None


def test_it_holds_so_many_bytes_and_no_more() -> None:
    outbox = Outbox(capacity=4)
    assert outbox.put(b"aa")
    assert outbox.put(b"bb")
    assert outbox.take() == b"aa"
    assert outbox.put(b"cc")
    assert not outbox.put(b"d")
    assert outbox.take() is None


def test_taking_waits_for_a_line_and_for_the_end() -> None:
    outbox = Outbox()
    taken: list[bytes | None] = []
    taker = threading.Thread(target=lambda: taken.extend([outbox.take(), outbox.take()]))
    taker.start()
    outbox.put(b"a")
    outbox.finish()
    taker.join()
    assert taken == [b"a", None]
