"""Where a sentence is cut, and which graphs can't be halved."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aria_desktop.engines.voice.graph import halves
from aria_desktop.engines.voice.streaming import FIRST_FRAMES, MOST_FRAMES, cuts


@given(st.integers(0, 5000))
def test_the_cuts_are_the_whole_in_order(frames: int) -> None:
    found = cuts(frames)
    assert [frame for start, end in found for frame in range(start, end)] == list(range(frames))
    assert all(end - start <= MOST_FRAMES * 1.5 for start, end in found)


def test_the_first_piece_is_short_and_each_is_longer_than_the_one_before() -> None:
    assert cuts(1000) == [(0, 24), (24, 72), (72, 168), (168, 360), (360, 744), (744, 1000)]
    assert cuts(FIRST_FRAMES + 5) == [(0, FIRST_FRAMES + 5)]


def field(number: int, value: bytes) -> bytes:
    length = bytes([len(value)]) if len(value) < 128 else bytes([len(value) & 127 | 128, len(value) >> 7])
    return bytes([number << 3 | 2]) + length + value


def node(name: str, inputs: str, output: str) -> bytes:
    names = b"".join(field(1, one.encode()) for one in inputs.split())
    return field(1, names + field(2, output.encode()) + field(3, name.encode()))


INPUT, OUTPUT = field(11, field(1, b"input")), field(12, field(1, b"output"))
FRAMES = node("/enc/Mul", "input", "frames")


@pytest.mark.parametrize(
    "nodes",
    [
        pytest.param(node("/whole/Conv", "input", "output"), id="no decoder"),
        pytest.param(
            FRAMES + node("/emb/Gather", "input", "speaker") + node("/dec/Conv", "frames speaker", "output"),
            id="a decoder that is also given a speaker",
        ),
        pytest.param(FRAMES + node("/dec/Conv", "frames input", "output"), id="a decoder that is given the text too"),
    ],
)
def test_a_graph_that_is_made_in_another_way_is_not_cut(nodes: bytes) -> None:
    assert halves(field(7, nodes + INPUT + OUTPUT)) is None


def test_a_graph_is_cut_before_its_decoder() -> None:
    constant = node("/enc/Constant", "", "axes")
    nodes = FRAMES + constant + node("/dec/Conv", "frames weight", "wave") + node("/Unsqueeze", "wave axes", "output")
    found = halves(field(8, b"opset") + field(7, nodes + field(5, field(8, b"weight")) + INPUT + OUTPUT))
    assert found is not None
    assert found.seam == "frames"
    assert b"/enc/Mul" in found.frames
    assert b"/dec/Conv" not in found.frames
    assert all(part in found.sound for part in (b"/dec/Conv", b"/Unsqueeze", b"/enc/Constant", b"weight", b"opset"))
    assert b"/enc/Mul" not in found.sound
