"""The run of a turn, painted: nodes, edges, ways back. Its nodes are buttons, so that keyboard and screen readers
reach them; the picture behind them is one widget's paint."""

from __future__ import annotations

import math
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QHideEvent,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from aria_desktop.gui.focus_ring import FocusRing
from aria_desktop.gui.look import Look
from aria_desktop.gui.state.run_layout import RADIUS, Layout, Point, layout
from aria_desktop.gui.state.run_pace import SHOWN_MS, up_to
from aria_desktop.gui.state.run_view import ICONS, NO_RUN, Loop, Node, NodeLook, NodeView, RunView
from aria_desktop.gui.state.translation import mark, tr
from aria_desktop.gui.theme import Kind

_HALO_S = 1.6
_BEAT_MS = 33
_CORNER = 12.0
_PAINT = {
    NodeLook.TODO: ("text3", "", "text3", ""),
    NodeLook.ACTIVE: ("accent", "accent", "on_accent", ""),
    NodeLook.DONE: ("text2", "surface", "text", "check"),
    NodeLook.WAITING: ("doubt_edge", "doubt_soft", "doubt", ""),
    NodeLook.FAILED: ("loss", "loss_soft", "loss", "x"),
    NodeLook.SKIPPED: ("text3", "", "text3", ""),
}
"""Outline, fill, icon, and the sign at the corner."""
_LABELS = {NodeLook.ACTIVE: "accent", NodeLook.WAITING: "doubt", NodeLook.FAILED: "text", NodeLook.DONE: "text"}
_SPOKEN = {
    NodeLook.TODO: mark("still to come"),
    NodeLook.ACTIVE: mark("happening now"),
    NodeLook.DONE: mark("done"),
    NodeLook.WAITING: mark("waiting for you"),
    NodeLook.FAILED: mark("did not work"),
    NodeLook.SKIPPED: mark("not needed"),
}


class RunGraph(QWidget):
    chosen = Signal(str)
    """A `Node` whose last visit is to be looked at."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._run = NO_RUN
        self._shown = NO_RUN
        self._revealed = 0
        self._selected: Node | None = None
        self._beats = 0
        self.setObjectName("runGraph")
        self.setAccessibleName(tr("How this turn goes"))
        self._buttons = {node: _NodeButton(look, self, node) for node in Node}
        for node, button in self._buttons.items():
            button.clicked.connect(lambda _checked=False, node=node: self.chosen.emit(node.value))
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._reveal = QTimer(self, interval=SHOWN_MS)
        self._reveal.timeout.connect(self._reveal_next)
        self._beat = QTimer(self, interval=_BEAT_MS)
        self._beat.timeout.connect(self._pulse)
        look.changed.connect(self._place)

    def show_run(self, run: RunView, *, paced: bool) -> None:
        """`paced`: steps that it has not shown yet come one after the other; else all at once."""
        grows = (self._run.loop is None) is not (run.loop is None)
        self._run = run
        if grows:
            self._place()
            self.updateGeometry()
        if not paced or len(run.visits) < self._revealed:
            self._revealed = len(run.visits)
        if self._revealed < len(run.visits) and not self._reveal.isActive():
            self._reveal_next()
            self._reveal.start()
        self._show()

    def select(self, node: Node | None) -> None:
        """Mark the node whose step is looked at."""
        self._selected = node
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return math.ceil(self._layout(width).height)

    def sizeHint(self) -> QSize:
        width = max(1, self.width())
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(1, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._move()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._beat.stop()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and Right walk along the nodes, whichever way the graph stands."""
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1}
        step = steps.get(Qt.Key(event.key()))
        nodes = [button for button in self._buttons.values() if button.isEnabled()]
        focused = next((place for place, button in enumerate(nodes) if button.hasFocus()), None)
        if step is None or focused is None:
            super().keyPressEvent(event)
        else:
            nodes[(focused + step) % len(nodes)].setFocus(Qt.FocusReason.TabFocusReason)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.layoutDirection() is Qt.LayoutDirection.RightToLeft and not self._places.upright:
            painter.translate(self.width(), 0)
            painter.scale(-1, 1)
        self._paint_edges(painter)
        if self._shown.loop is not None:
            self._paint_loop(painter, self._shown.loop)
        painter.resetTransform()
        if self._shown.loop is not None:
            self._paint_loop_words(painter, self._shown.loop)
        for node, label in zip(self._shown.nodes, self._places.labels, strict=False):
            self._paint_label(painter, node, self._mirrored(QRectF(label.x, label.y, label.width, label.height)))

    @property
    def phase(self) -> float:
        """0 to 1: where the halo of the active node stands."""
        return (self._beats * _BEAT_MS / 1000 % _HALO_S) / _HALO_S

    @property
    def selected(self) -> Node | None:
        return self._selected

    @property
    def _places(self) -> Layout:
        return self._layout(self.width())

    def _layout(self, width: float) -> Layout:
        return layout(float(width), self._look.percent / 100, loop=self._run.loop is not None)

    def _reveal_next(self) -> None:
        self._revealed = min(self._revealed + 1, len(self._run.visits))
        if self._revealed == len(self._run.visits):
            self._reveal.stop()
        self._show()

    def _show(self) -> None:
        self._shown = up_to(self._run, self._revealed)
        for node in self._shown.nodes:
            self._buttons[node.node].show_node(node)
        self._move()
        self.update()

    def _move(self) -> None:
        alive = any(node.look is NodeLook.ACTIVE for node in self._shown.nodes)
        if alive and self.isVisible() and not self._look.tokens.still:
            self._beat.start()
        else:
            self._beat.stop()

    def _pulse(self) -> None:
        if not self.window().isVisible() or self.window().isMinimized():
            return
        self._beats += 1
        for button in self._buttons.values():
            if button.look is NodeLook.ACTIVE:
                button.update()

    def _place(self) -> None:
        reach = RADIUS + 9
        for node, button in self._buttons.items():
            centre = self._places.centre(node)
            place = self._mirrored(QRectF(centre.x - reach, centre.y - reach, 2 * reach, 2 * reach))
            button.setGeometry(place.toAlignedRect())
        self.update()

    def _mirrored(self, place: QRectF) -> QRectF:
        if self.layoutDirection() is Qt.LayoutDirection.RightToLeft and not self._places.upright:
            place.moveLeft(self.width() - place.right())
        return place

    def _paint_edges(self, painter: QPainter) -> None:
        passed = _between(self._shown)
        nodes = tuple(Node)
        for start, end in pairwise(nodes):
            a, b = self._places.edge(start, end)
            taken = (start, end) in passed
            pen = QPen(self._look.color("text2" if taken else "text3"), 1.75 if taken else 1.5)
            if not taken:
                pen.setDashPattern([2, 3])
            painter.setPen(pen)
            painter.drawLine(_at(a), _at(b))
            if taken:
                self._paint_head(painter, a, b, "text2")

    def _paint_head(self, painter: QPainter, start: Point, end: Point, token: str) -> None:
        angle = math.atan2(end.y - start.y, end.x - start.x)
        wings = [
            QPointF(end.x - 8 * math.cos(angle + turn), end.y - 8 * math.sin(angle + turn)) for turn in (-0.45, 0.45)
        ]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._look.color(token))
        painter.drawPolygon(QPolygonF([_at(end), *wings]))
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _paint_loop(self, painter: QPainter, loop: Loop) -> None:
        corners = self._places.arc(loop.start, loop.end)
        token = "doubt_edge" if loop.again else "text2"
        path = QPainterPath(_at(corners[0]))
        for before, corner, after in zip(corners, corners[1:], corners[2:], strict=False):
            path.lineTo(_towards(corner, before))
            path.quadTo(_at(corner), _towards(corner, after))
        path.lineTo(_at(corners[-1]))
        painter.setPen(QPen(self._look.color(token), 1.75))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)
        self._paint_head(painter, corners[-2], corners[-1], token)

    def _paint_loop_words(self, painter: QPainter, loop: Loop) -> None:
        """A badge on the way back; beside it how many ways back there were before."""
        more = self._shown.loops - 1
        words = loop.words + (f" · {tr('{count} before', count=more)}" if more else "")
        font = self._look.font(Kind.CAP)
        width = QFontMetrics(font).horizontalAdvance(words) + 38
        height = self._look.px(24)
        a, b = self._places.arc(loop.start, loop.end)[1:3]
        middle = QPointF((a.x + b.x) / 2, (a.y + b.y) / 2)
        if self._places.upright:
            # Beside the labels: the nodes leave no room between them.
            middle.setX(self.width() - width / 2 - 4)
        box = QRectF(0, 0, width, height)
        box.moveCenter(middle)
        box.moveLeft(min(max(0.5, box.left()), self.width() - width - 0.5))
        box.moveTop(max(0.5, box.top()))
        box = self._mirrored(box)
        painter.setPen(QPen(self._look.color("doubt_edge" if loop.again else "edge"), 1))
        painter.setBrush(self._look.color("doubt_soft" if loop.again else "surface"))
        painter.drawRoundedRect(box, height / 2, height / 2)
        token = "doubt" if loop.again else "text2"
        icon = QRectF(box.left() + 10, box.center().y() - 7, 14, 14)
        self._look.paint_icon(painter, "rotate-ccw", token, icon)
        painter.setFont(font)
        painter.setPen(self._look.color(token))
        painter.drawText(box.adjusted(28, 0, -6, 0), Qt.AlignmentFlag.AlignVCenter, words)

    def _paint_label(self, painter: QPainter, node: NodeView, box: QRectF) -> None:
        upright = self._places.upright
        strong = node.look in (NodeLook.ACTIVE, NodeLook.WAITING, NodeLook.FAILED, NodeLook.DONE)
        across = Qt.AlignmentFlag.AlignLeading if upright else Qt.AlignmentFlag.AlignHCenter
        painter.setFont(self._look.font(Kind.HELP_STRONG if strong else Kind.HELP))
        painter.setPen(self._look.color(_LABELS.get(node.look, "text3")))
        line = self._look.line_height(Kind.HELP)
        painter.drawText(QRectF(box.left(), box.top(), box.width(), line), across, node.label)
        painter.setFont(self._look.font(Kind.TIME))
        painter.setPen(self._look.color("loss" if node.look is NodeLook.FAILED else "text3"))
        below = QRectF(box.left(), box.top() + line, box.width(), box.height() - line)
        shown = QFontMetrics(painter.font()).elidedText(node.under, Qt.TextElideMode.ElideRight, round(box.width()))
        painter.drawText(below, across, shown)


class _NodeButton(QAbstractButton):
    def __init__(self, look: Look, graph: RunGraph, node: Node) -> None:
        super().__init__(graph)
        self._look = look
        self._graph = graph
        self._node = node
        self.look = NodeLook.TODO
        self.setObjectName(f"node-{node.value}")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._ring = FocusRing(look, self, 30)
        self.show_node(NodeView(node, NodeLook.TODO, node.value.capitalize()))

    def show_node(self, node: NodeView) -> None:
        self.look = node.look
        self.setEnabled(node.look not in (NodeLook.TODO, NodeLook.SKIPPED))
        name = ", ".join(filter(None, (node.label, tr(_SPOKEN[node.look]), node.under)))
        self.setAccessibleName(name)
        self.setToolTip(name)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        centre = QRectF(self.rect()).center()
        outline, fill, icon, corner = _PAINT[self.look]
        if self.look is NodeLook.ACTIVE and not self._look.tokens.still:
            self._paint_halo(painter, centre)
        width = 2.25 if self.look is NodeLook.WAITING or self._graph.selected is self._node else 1.75
        pen = QPen(self._look.color("accent" if self._graph.selected is self._node else outline), width)
        if self.look in (NodeLook.TODO, NodeLook.SKIPPED):
            pen.setDashPattern([2.2, 2.2])
        painter.setPen(pen)
        painter.setBrush(self._look.color(fill) if fill else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(centre, RADIUS, RADIUS)
        self._look.paint_icon(painter, ICONS[self._node], icon, QRectF(centre.x() - 9, centre.y() - 9, 18, 18))
        if corner:
            self._paint_corner(painter, QPointF(centre.x() + 15, centre.y() + 15), corner)

    def _paint_halo(self, painter: QPainter, centre: QPointF) -> None:
        halo = QColor(self._look.color("accent"))
        halo.setAlphaF(0.28 * (1 - self._graph.phase))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(halo)
        reach = RADIUS + 3 + 6 * self._graph.phase
        painter.drawEllipse(centre, reach, reach)

    def _paint_corner(self, painter: QPainter, centre: QPointF, icon: str) -> None:
        painter.setPen(QPen(self._look.color("surface"), 1.5))
        painter.setBrush(self._look.color("loss" if icon == "x" else "text2"))
        painter.drawEllipse(centre, 8, 8)
        self._look.paint_icon(painter, icon, "surface", QRectF(centre.x() - 5, centre.y() - 5, 10, 10))


def _between(run: RunView) -> frozenset[tuple[Node, Node]]:
    """Neighbours that a taken step passes: one that skips nodes is drawn through them."""
    nodes = tuple(Node)
    passed = set()
    for start, end in run.taken:
        passed |= {(nodes[at], nodes[at + 1]) for at in range(nodes.index(start), nodes.index(end))}
    return frozenset(passed)


def _at(point: Point) -> QPointF:
    return QPointF(point.x, point.y)


def _towards(corner: Point, other: Point) -> QPointF:
    """A little way from a corner towards the next one, where its rounding begins."""
    length = math.hypot(other.x - corner.x, other.y - corner.y) or 1.0
    share = min(_CORNER, length / 2) / length
    return QPointF(corner.x + (other.x - corner.x) * share, corner.y + (other.y - corner.y) * share)
