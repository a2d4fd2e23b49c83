"""Bytes come out as they went in, or not at all."""

from __future__ import annotations

import threading

from hypothesis import given
from hypothesis import strategies as st

from aria_desktop.audio.ring import Ring


@given(st.lists(st.one_of(st.binary(max_size=40), st.integers(0, 40)), max_size=60))
def test_it_behaves_like_an_endless_queue_of_limited_length(steps: list[bytes | int]) -> None:
    ring, model = Ring(64), b""
    for step in steps:
        if isinstance(step, int):
            assert ring.take(step) == model[:step]
            model = model[step:]
        elif len(model) + len(step) <= 64:
            assert ring.put(step)
            model += step
        else:
            assert not ring.put(step)
        assert (ring.filled, ring.free) == (len(model), 64 - len(model))
    assert ring.take() == model


def test_one_thread_puts_while_another_takes() -> None:
    ring, sent = Ring(1000), bytes(range(256)) * 400
    received = bytearray()

    def put_all() -> None:
        for at in range(0, len(sent), 100):
            while not ring.put(memoryview(sent)[at : at + 100]):
                pass

    thread = threading.Thread(target=put_all)
    thread.start()
    while len(received) < len(sent):
        received += ring.take(77)
    thread.join()
    assert bytes(received) == sent
