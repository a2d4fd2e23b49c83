"""Where the parts of a run's graph go, in px; pure arithmetic, mirrored by the painter for right-to-left."""

from __future__ import annotations

from dataclasses import dataclass

from aria_desktop.gui.state.run_view import Node

RADIUS = 21.0
_ORDER = tuple(Node)
_ARC_ROOM, _NO_ARC_ROOM = 58.0, 12.0
"""px above the nodes with and without a way back."""
_LABELS_ROOM = 58.0
"""px below their middle line and radius for label and figure."""
_ROW = 62.0
_NARROW = 560.0
"""px of width under which the nodes stand below one another."""
_GAP = 5.0
"""px between a node and the edges that reach it."""


@dataclass(frozen=True, slots=True)
class Point:
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Box:
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Layout:
    centres: tuple[Point, ...]
    """One for each `Node`, in its order."""
    labels: tuple[Box, ...]
    height: float
    upright: bool
    """The nodes stand below one another."""

    def centre(self, node: Node) -> Point:
        return self.centres[_ORDER.index(node)]

    def edge(self, start: Node, end: Node) -> tuple[Point, Point]:
        """From the rim of one node to the rim of another one, with a gap at both."""
        a, b = self.centre(start), self.centre(end)
        reach = RADIUS + _GAP
        if self.upright:
            return Point(a.x, a.y + reach), Point(b.x, b.y - reach)
        return Point(a.x + reach, a.y), Point(b.x - reach, b.y)

    def arc(self, start: Node, end: Node) -> tuple[Point, ...]:
        """Corners of the way back, from above one node to above the other one; for the same node a small roof."""
        a, b = self.centre(start), self.centre(end)
        out = 0.0 if start is not end else RADIUS * 0.8
        if self.upright:
            x = a.x - RADIUS - 18
            side = RADIUS + _GAP
            return Point(a.x - side, a.y + out), Point(x, a.y + out), Point(x, b.y - out), Point(b.x - side, b.y - out)
        y = a.y - RADIUS - 34
        top = RADIUS + _GAP
        return Point(a.x + out, a.y - top), Point(a.x + out, y), Point(b.x - out, y), Point(b.x - out, b.y - top)


def layout(width: float, scale: float = 1.0, *, loop: bool = True) -> Layout:
    """`scale`: of the font size; labels grow with it, nodes do not. `loop`: whether a way back is drawn."""
    if width < _NARROW * scale:
        return _upright(width, scale)
    pitch = width / len(_ORDER)
    middle = (_ARC_ROOM if loop else _NO_ARC_ROOM) + RADIUS
    centres = tuple(Point(pitch * (place + 0.5), middle) for place in range(len(_ORDER)))
    top, room = middle + RADIUS + 7, _LABELS_ROOM * scale - 20
    labels = tuple(Box(centre.x - pitch / 2, top, pitch, room) for centre in centres)
    return Layout(centres, labels, top + room + 4, upright=False)


def _upright(width: float, scale: float) -> Layout:
    row = _ROW * max(1.0, scale)
    left = RADIUS + 44
    centres = tuple(Point(left, row * (place + 0.5)) for place in range(len(_ORDER)))
    start = left + RADIUS + 14
    labels = tuple(Box(start, centre.y - row / 2 + 6, max(1.0, width - start), row - 12) for centre in centres)
    return Layout(centres, labels, row * len(_ORDER), upright=True)
