"""Where a long recording is cut: never within a word where anybody pauses, never longer than a recogniser takes."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from aria_desktop.assistant.sound_windows import LEAST_S, MOST_S, SoundWindows, Window

FRAME_S = 0.02


def cut(*stretches: tuple[float, bool], start: float = 0.0) -> list[Window]:
    """Each stretch: seconds, and whether somebody speaks; every frame holds its number."""
    return list(_cut(stretches, start))


def _cut(stretches: Iterable[tuple[float, bool]], start: float) -> Iterator[Window]:
    windows, number = SoundWindows(FRAME_S, start), 0
    for seconds, speech in stretches:
        for _ in range(round(seconds / FRAME_S)):
            if window := windows.push(number.to_bytes(4, "big"), speech):
                yield window
            number += 1
    yield from windows.end()


def times(windows: list[Window]) -> list[tuple[float, float, bool]]:
    return [(round(window.start, 2), round(window.end, 2), window.speech) for window in windows]


def test_the_first_pause_after_the_least_ends_a_stretch() -> None:
    assert times(cut((10, True), (1, False), (11, True), (2, False), (3, True))) == [
        (0.0, 22.3, True),
        (22.3, 27.0, True),
    ]


def test_without_a_long_pause_a_short_one_is_taken() -> None:
    assert times(cut((15, True), (0.12, False), (20, True))) == [(0.0, 15.12, True), (15.12, 35.12, True)]


def test_without_any_pause_it_ends_anywhere() -> None:
    assert times(cut((30, True))) == [(0.0, MOST_S, True), (MOST_S, 30.0, True)]


def test_silence_is_told_as_such() -> None:
    assert times(cut((50, False))) == [(0.0, LEAST_S, False), (LEAST_S, 2 * LEAST_S, False), (2 * LEAST_S, 50.0, False)]


def test_it_begins_where_it_is_told_to() -> None:
    assert times(cut((3, True), start=100.0)) == [(100.0, 103.0, True)]


def test_no_sound_is_no_stretch() -> None:
    assert cut() == []


@settings(max_examples=30)
@given(st.lists(st.tuples(st.floats(0.02, 40.0), st.booleans()), max_size=8))
def test_all_frames_come_out_once_and_in_order_and_no_stretch_is_too_long(stretches: list[tuple[float, bool]]) -> None:
    windows = cut(*stretches)
    whole = b"".join(window.pcm for window in windows)
    frames = sum(round(seconds / FRAME_S) for seconds, _ in stretches)
    assert whole == b"".join(number.to_bytes(4, "big") for number in range(frames))
    assert all(window.end - window.start <= MOST_S + 1e-6 for window in windows)
    assert all(before.end == after.start for before, after in itertools.pairwise(windows))
