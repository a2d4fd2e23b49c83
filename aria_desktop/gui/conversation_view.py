"""The conversation: a document of turns that follows its end until the reader scrolls away.

Only the turns on the screen, and a little around, are widgets in their places; some more are kept hidden as they were
left. Heights are guessed until they are measured, and where the reader is is held as a turn and an offset into it, so
that a guess that was wrong moves nothing on the screen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QFrame, QVBoxLayout, QWidget

from aria_desktop.gui.buttons import WordButton
from aria_desktop.gui.kept_text import KeptTextWidget
from aria_desktop.gui.look import Look
from aria_desktop.gui.state.conversation import Item, KeptText
from aria_desktop.gui.state.heights import Heights
from aria_desktop.gui.state.replay import Replay
from aria_desktop.gui.state.talk import Cap
from aria_desktop.gui.state.translation import marks, tr
from aria_desktop.gui.state.turn import TurnView
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.turn_widget import GUTTER, TurnWidget
from aria_desktop.gui.words import HintLine, Words

INSET = 28
_COLUMN = 760
"""Width of the text at most, in px at 100 % font size: longer lines are hard to read."""
_TOP, _BETWEEN, _BOTTOM = 24, 30, 28
_GUESS = 150
"""px of a turn that was never on the screen."""
_AROUND = 200
"""px above and below the screen in which turns are widgets."""
KEPT = 60
"""Turns that stay widgets after they left the screen: what was unfolded in them stays so."""
_PASSES = 8
"""Measuring moves turns in and out of sight; after so many rounds the rest waits for the next one."""
_EXAMPLES = marks("Create a shopping list with milk, eggs and bread", "Write a Python function that reverses a word")


class ConversationView(QAbstractScrollArea):
    example = Signal(str)
    """A text to put into the text box."""
    undo_wanted = Signal(str)
    """Words that ask for a change to be taken back."""
    open_wanted = Signal(str)
    folder_wanted = Signal(str)
    """The name of a file."""
    correction_wanted = Signal(str)
    """Words to put right and send again."""
    replay_wanted = Signal(str)
    """The id of the turn that is to be seen again."""
    visit_chosen = Signal(object)
    """A `Visit` to look at."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._keys: list[str] = []
        self._places: dict[str, int] = {}
        self._item_of: Callable[[str], Item | None] = lambda _: None
        self._heights = Heights(_GUESS)
        self._widgets: dict[str, QWidget] = {}
        """Those that are built, the one that was on the screen last at the end."""
        self._anchor = (0, 0)
        """The turn at the upper edge, and how many px of it are above."""
        self._follow = True
        self._arranging = False
        self.setObjectName("conversation")
        self.setAccessibleName(tr("Conversation"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.verticalScrollBar().setSingleStep(40)
        self._empty = self._empty_state()
        self._empty.setParent(self.viewport())
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._arrange)
        look.changed.connect(self._soon.start)

    def show_all(self, keys: Sequence[str], item_of: Callable[[str], Item | None]) -> None:
        """Build from nothing: an empty conversation, or one that was stored. Items are asked for when they come in
        sight for the first time."""
        for key in list(self._widgets):
            self._end_widget(key)
        self._keys = list(keys)
        self._places = {key: place for place, key in enumerate(keys)}
        self._item_of = item_of
        self._heights.fill(len(keys))
        self.follow_end()
        self._arrange()

    def show_item(self, key: str, item: Item | None) -> None:
        """Show what changed; None: it is gone."""
        if item is None:
            self._drop(key)
        elif key not in self._places:
            self._places[key] = len(self._keys)
            self._keys.append(key)
            self._heights.append()
            self.follow_end()
        else:
            widget = self._widgets.get(key)
            if isinstance(item, TurnView) and isinstance(widget, TurnWidget):
                widget.show_view(item)
        self._soon.start()

    def start_replay(self, key: str, replay: Replay) -> None:
        widget = self._widgets.get(key)
        if isinstance(widget, TurnWidget):
            widget.start_replay(replay)

    def correct_last(self) -> None:
        """Put the words of the newest turn right."""
        for key in reversed(self._keys):
            item = self._item_of(key)
            if isinstance(item, TurnView) and item.text:
                self.correction_wanted.emit(item.text)
                return

    def step(self, by: int) -> None:
        """The keyboard to the turn before (-1) or behind (1) the one that has it, or that is at the upper edge."""
        if not self._keys:
            return
        at = self._focused()
        if at is None:
            wanted = len(self._keys) - 1 if self._follow else self._anchor[0]
        else:
            wanted = min(len(self._keys) - 1, max(0, at + by))
        self._follow, self._anchor = False, (wanted, -_TOP)
        self._arrange()
        self._widget(wanted).setFocus(Qt.FocusReason.ShortcutFocusReason)

    def turn_at_hand(self) -> TurnView | None:
        """The turn that has the keyboard, or else the newest that was spoken or typed."""
        at = self._focused()
        for key in self._keys[at : at + 1] if at is not None else reversed(self._keys):
            if isinstance(item := self._item_of(key), TurnView):
                return item
        return None

    def _focused(self) -> int | None:
        focused = QApplication.focusWidget()
        for key, widget in self._widgets.items():
            if focused is not None and (widget is focused or widget.isAncestorOf(focused)):
                return self._places[key]
        return None

    def unselect(self) -> None:
        """No step is looked at any more."""
        for widget in self._widgets.values():
            if isinstance(widget, TurnWidget):
                widget.unselect()

    def follow_end(self) -> None:
        self._follow = True
        self._soon.start()

    @property
    def built(self) -> int:
        """Turns that are widgets now."""
        return len(self._widgets)

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """The scroll bar was moved, by the reader or by an arrangement."""
        if not self._arranging:
            bar = self.verticalScrollBar()
            self._follow = bar.value() >= bar.maximum() - 4
            self._hold(bar.value())
            self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A turn whose content has changed asks for a new layout."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._soon.start()
        return False

    def focusNextPrevChild(self, forward: bool) -> bool:
        moved = super().focusNextPrevChild(forward)
        focused = QApplication.focusWidget()
        if moved and focused is not None and self.viewport().isAncestorOf(focused):
            self._bring_in_sight(focused)
        return moved

    def _visit_chosen(self, key: str, visit: object) -> None:
        for other, widget in self._widgets.items():
            if other != key and isinstance(widget, TurnWidget):
                widget.unselect()
        self.visit_chosen.emit(visit)

    def _arrange(self) -> None:
        """Put the turns of the screen in their places."""
        self._soon.stop()
        if self._arranging:
            return
        self._arranging = True
        try:
            self._empty.setVisible(not self._keys)
            self._empty.setGeometry(INSET, _TOP, self._column, self._empty.sizeHint().height())
            for _ in range(_PASSES):
                value = self._set_range()
                if not self._measure(value):
                    break
            self._place(self._set_range())
        finally:
            self._arranging = False

    @property
    def _column(self) -> int:
        """Width of a turn in px."""
        return max(1, min(self.viewport().width() - 2 * INSET, GUTTER + self._look.px(_COLUMN)))

    def _set_range(self) -> int:
        """Returns where the scroll bar stands: at the end, or where the reader is."""
        bar, height = self.verticalScrollBar(), self.viewport().height()
        bar.setPageStep(height)
        bar.setRange(0, max(0, _TOP + self._heights.above(len(self._keys)) + _BOTTOM - height))
        index, offset = self._anchor
        bar.setValue(bar.maximum() if self._follow else self._top_of(min(index, len(self._keys))) + offset)
        return bar.value()

    def _hold(self, value: int) -> None:
        """Keep where the reader is."""
        index = self._heights.at(max(0, value - _TOP)) if self._keys else 0
        self._anchor = (index, value - self._top_of(index))

    def _in_sight(self, value: int) -> range:
        if not self._keys:
            return range(0)
        first = self._heights.at(max(0, value - _AROUND - _TOP))
        last = self._heights.at(max(0, value + self.viewport().height() + _AROUND - _TOP))
        return range(first, last + 1)

    def _measure(self, value: int) -> bool:
        """Whether a guess was wrong, so that what is in sight may be something else."""
        wrong = False
        for index in self._in_sight(value):
            height = _height_of(self._widget(index), self._column) + _BETWEEN
            if height != self._heights[index]:
                self._heights.measured(index, height)
                wrong = True
        return wrong

    def _place(self, value: int) -> None:
        self._hold(value)
        shown = set()
        for index in self._in_sight(value):
            widget = self._widget(index)
            top = self._top_of(index) - value
            widget.setGeometry(INSET, top, self._column, self._heights[index] - _BETWEEN)
            widget.show()
            shown.add(self._keys[index])
        spare = [key for key in self._widgets if key not in shown]
        focused = QApplication.focusWidget()
        for key in spare:
            widget = self._widgets[key]
            if focused is None or not widget.isAncestorOf(focused):
                widget.hide()
        for key in spare[: max(0, len(spare) - KEPT)]:
            self._end_widget(key)

    def _top_of(self, index: int) -> int:
        """Of a turn in the whole document, px."""
        return _TOP + self._heights.above(index)

    def _widget(self, index: int) -> QWidget:
        key = self._keys[index]
        widget = self._widgets.pop(key, None) or self._build(key)
        self._widgets[key] = widget
        return widget

    def _build(self, key: str) -> QWidget:
        item = self._item_of(key)
        assert item is not None, "a key that is shown has an item"
        widget = KeptTextWidget(self._look, item) if isinstance(item, KeptText) else TurnWidget(self._look, item)
        widget.setParent(self.viewport())
        widget.installEventFilter(self)
        if isinstance(widget, TurnWidget):
            widget.undo_wanted.connect(self.undo_wanted)
            widget.correction_wanted.connect(self.correction_wanted)
            widget.open_wanted.connect(self.open_wanted)
            widget.folder_wanted.connect(self.folder_wanted)
            widget.replay_wanted.connect(self.replay_wanted)
            widget.visit_chosen.connect(lambda visit, key=key: self._visit_chosen(key, visit))
        return widget

    def _drop(self, key: str) -> None:
        place = self._places.get(key)
        if place is None:
            return
        self._end_widget(key)
        del self._keys[place]
        self._heights.remove(place)
        self._places = {key: place for place, key in enumerate(self._keys)}

    def _end_widget(self, key: str) -> None:
        widget = self._widgets.pop(key, None)
        if widget is not None:
            widget.removeEventFilter(self)
            widget.hide()
            widget.deleteLater()

    def _bring_in_sight(self, widget: QWidget) -> None:
        top = widget.mapTo(self.viewport(), QPoint(0, 0)).y()
        bottom, height = top + widget.height(), self.viewport().height()
        bar = self.verticalScrollBar()
        if top < 0:
            bar.setValue(bar.value() + top - _TOP)
        elif bottom > height:
            bar.setValue(bar.value() + min(top, bottom - height + _TOP))

    def _empty_state(self) -> QWidget:
        holder = QWidget()
        holder.setObjectName("emptyState")
        column = QVBoxLayout(holder)
        column.setContentsMargins(GUTTER, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(Words(self._look, Kind.BODY_STRONG, tr("Nothing said yet")))
        hint = HintLine(self._look, Kind.BODY)
        hint.show_parts((tr("Hold"), Cap("Ctrl"), Cap(tr("Space")), tr("and say one of these, or type it.")))
        column.addWidget(hint)
        for text in map(tr, _EXAMPLES):
            button = WordButton(self._look, text)
            button.clicked.connect(lambda _checked=False, words=text: self.example.emit(words))
            column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeading)
        return holder


def _height_of(widget: QWidget, width: int) -> int:
    layout = widget.layout()
    if layout is None or not layout.hasHeightForWidth():
        return widget.sizeHint().height()
    return layout.totalHeightForWidth(width)
