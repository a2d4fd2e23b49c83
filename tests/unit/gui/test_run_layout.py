"""The graph fits its width, nothing of it overlaps, and narrow windows get it upright."""

from __future__ import annotations

from itertools import pairwise

import pytest

from aria_desktop.gui.state.run_layout import RADIUS, layout
from aria_desktop.gui.state.run_view import Node


@pytest.mark.parametrize("width", [560, 610, 760, 1400])
@pytest.mark.parametrize("scale", [0.85, 1.0])
def test_nodes_stand_in_a_row_inside_of_the_width(width: float, scale: float) -> None:
    found = layout(width, scale)
    assert not found.upright
    assert found.centres[0].x - RADIUS >= 0
    assert found.centres[-1].x + RADIUS <= width
    assert all(b.x - a.x > 2 * RADIUS + 10 for a, b in pairwise(found.centres))
    assert all(label.y + label.height <= found.height for label in found.labels)


@pytest.mark.parametrize(("width", "scale"), [(300, 1.0), (559, 1.0), (760, 2.0)])
def test_where_there_is_no_room_they_stand_below_one_another(width: float, scale: float) -> None:
    found = layout(width, scale)
    assert found.upright
    assert all(b.y - a.y > 2 * RADIUS + 10 for a, b in pairwise(found.centres))
    assert found.centres[-1].y + RADIUS <= found.height


@pytest.mark.parametrize("width", [300, 700])
def test_edges_and_arcs_touch_no_node(width: float) -> None:
    found = layout(width)
    for start, end in pairwise(Node):
        for point, node in zip(found.edge(start, end), (start, end), strict=True):
            centre = found.centre(node)
            assert abs(point.x - centre.x) + abs(point.y - centre.y) > RADIUS
    for start, end in ((Node.CHECK, Node.THINK), (Node.THINK, Node.THINK)):
        corners = found.arc(start, end)
        assert all(0 <= corner.x <= width and 0 <= corner.y <= found.height for corner in corners)
        assert all(a.x == b.x or a.y == b.y for a, b in pairwise(corners))
