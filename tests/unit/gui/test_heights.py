"""Sums of heights are those of a plain list, whatever is appended, measured and removed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from aria_desktop.gui.state.heights import Heights

GUESS = 100
CHANGES = st.lists(
    st.one_of(
        st.tuples(st.just("append"), st.just(0), st.just(0)),
        st.tuples(st.just("measure"), st.integers(0, 40), st.integers(1, 900)),
        st.tuples(st.just("remove"), st.integers(0, 40), st.just(0)),
    ),
    max_size=40,
)


@given(st.integers(0, 40), CHANGES, st.integers(-5, 9_000))
def test_it_agrees_with_a_plain_list(count: int, changes: list[tuple[str, int, int]], y: int) -> None:
    heights, plain = Heights(GUESS), [GUESS] * count
    heights.fill(count)
    for what, index, height in changes:
        if what == "append":
            heights.append()
            plain.append(GUESS)
        elif index < len(plain) and what == "measure":
            heights.measured(index, height)
            plain[index] = height
        elif index < len(plain):
            heights.remove(index)
            del plain[index]
    assert [heights[index] for index in range(len(heights))] == plain
    assert [heights.above(index) for index in range(len(plain) + 1)] == [sum(plain[:n]) for n in range(len(plain) + 1)]
    if plain:
        inside = (n for n in range(len(plain)) if sum(plain[: n + 1]) > max(y, 0))
        assert heights.at(max(y, 0)) == next(inside, len(plain) - 1)
