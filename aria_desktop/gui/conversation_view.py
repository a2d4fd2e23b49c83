"""The conversation: a document of turns that follows its end until the reader scrolls away.

Only the newest turns of a long stored conversation are built as widgets; a button brings earlier ones.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from aria_desktop.gui.buttons import WordButton
from aria_desktop.gui.kept_text import KeptTextWidget
from aria_desktop.gui.look import Look
from aria_desktop.gui.state.conversation import Item, KeptText
from aria_desktop.gui.state.replay import Replay
from aria_desktop.gui.state.talk import Cap
from aria_desktop.gui.state.turn import TurnView
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.turn_widget import GUTTER, TurnWidget
from aria_desktop.gui.words import HintLine, Words

INSET = 28
_COLUMN = 760
"""Width of the text at most, in px at 100 % font size: longer lines are hard to read."""
_PAGE = 40
"""Turns built at a time."""
_EXAMPLES = ("Create a shopping list with milk, eggs and bread", "Write a Python function that reverses a word")


class ConversationView(QScrollArea):
    example = Signal(str)
    """A text to put into the text box."""
    undo_wanted = Signal(str)
    """Words that ask for a change to be taken back."""
    open_wanted = Signal(str)
    folder_wanted = Signal(str)
    """The name of a file."""
    replay_wanted = Signal(str)
    """The id of the turn that is to be seen again."""
    visit_chosen = Signal(object)
    """A `Visit` to look at."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._widgets: dict[str, QWidget] = {}
        self._items: dict[str, Item] = {}
        """The newest state of each item that has a widget."""
        self._earlier: list[Item] = []
        self._follow = True
        self.setObjectName("conversation")
        self.setAccessibleName("Conversation")
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._empty = self._empty_state()
        self._more = WordButton(look, "", "plain")
        self._more.clicked.connect(self._build_earlier)
        self._more.hide()
        self._column = QVBoxLayout()
        self._lay_out()
        bar = self.verticalScrollBar()
        bar.valueChanged.connect(self._scrolled)
        bar.rangeChanged.connect(self._grown)

    def show_all(self, items: Sequence[Item]) -> None:
        """Build from nothing: an empty conversation, or one that was stored."""
        for widget in self._widgets.values():
            widget.hide()
            widget.deleteLater()
        self._widgets.clear()
        self._items.clear()
        self._earlier = list(items[:-_PAGE])
        for item in items[-_PAGE:]:
            self._insert(item, self._column.count())
        self._more_words()
        self._empty.setVisible(not items)
        self.follow_end()

    def show_item(self, key: str, item: Item | None) -> None:
        """Show what changed; None: it is gone."""
        if item is None:
            self._drop(key)
        elif key not in self._widgets:
            self._insert(item, self._column.count())
            self.follow_end()
            self._fold_oldest()
        elif isinstance(item, TurnView):
            self._items[key] = item
            widget = self._widgets[key]
            if isinstance(widget, TurnWidget):
                widget.show_view(item)
        self._empty.setVisible(not self._widgets)

    def start_replay(self, key: str, replay: Replay) -> None:
        widget = self._widgets.get(key)
        if isinstance(widget, TurnWidget):
            widget.run.start_replay(replay)

    def unselect(self) -> None:
        """No step is looked at any more."""
        for widget in self._widgets.values():
            if isinstance(widget, TurnWidget):
                widget.run.unselect()

    def _visit_chosen(self, key: str, visit: object) -> None:
        for other, widget in self._widgets.items():
            if other != key and isinstance(widget, TurnWidget):
                widget.run.unselect()
        self.visit_chosen.emit(visit)

    def follow_end(self) -> None:
        self._follow = True
        bar = self.verticalScrollBar()
        bar.setValue(bar.maximum())

    def _insert(self, item: Item, place: int) -> None:
        key = item.key if isinstance(item, KeptText) else item.turn_id
        widget = KeptTextWidget(self._look, item) if isinstance(item, KeptText) else TurnWidget(self._look, item)
        if isinstance(widget, TurnWidget):
            widget.undo_wanted.connect(self.undo_wanted)
            widget.open_wanted.connect(self.open_wanted)
            widget.folder_wanted.connect(self.folder_wanted)
            widget.replay_wanted.connect(self.replay_wanted)
            widget.visit_chosen.connect(lambda visit, key=key: self._visit_chosen(key, visit))
        self._widgets[key], self._items[key] = widget, item
        self._column.insertWidget(place, widget)

    def _drop(self, key: str) -> None:
        widget = self._widgets.pop(key, None)
        self._items.pop(key, None)
        if widget is not None:
            widget.hide()
            widget.deleteLater()

    def _fold_oldest(self) -> None:
        """A long conversation costs widgets for two pages at most."""
        if len(self._widgets) > 2 * _PAGE:
            in_order = sorted(self._widgets, key=lambda key: self._column.indexOf(self._widgets[key]))
            for key in in_order[:_PAGE]:
                self._earlier.append(self._items[key])
                self._drop(key)
            self._more_words()

    def _build_earlier(self) -> None:
        page, self._earlier = self._earlier[-_PAGE:], self._earlier[:-_PAGE]
        self._follow = False
        for place, item in enumerate(page):
            self._insert(item, place)
        self._more_words()

    def _more_words(self) -> None:
        self._more.setVisible(bool(self._earlier))
        self._more.set_words(f"Show earlier turns ({len(self._earlier)})")

    def _scrolled(self, value: int) -> None:
        self._follow = value >= self.verticalScrollBar().maximum() - 4

    def _grown(self, _low: int, high: int) -> None:
        if self._follow:
            self.verticalScrollBar().setValue(high)

    def _lay_out(self) -> None:
        self._page = QWidget()
        self._page.setObjectName("column")
        self._fit()
        self._look.changed.connect(self._fit)
        outer = QVBoxLayout(self._page)
        outer.setContentsMargins(INSET, 24, INSET, 28)
        outer.setSpacing(0)
        self._column.setSpacing(30)
        outer.addWidget(self._more, 0, Qt.AlignmentFlag.AlignHCenter)
        outer.addWidget(self._empty)
        outer.addLayout(self._column)
        outer.addStretch(1)
        page = QWidget()
        page.setObjectName("column")
        row = QHBoxLayout(page)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._page, 1)
        row.addStretch(0)
        self.setWidget(page)

    def _fit(self) -> None:
        self._page.setMaximumWidth(2 * INSET + GUTTER + self._look.px(_COLUMN))

    def _empty_state(self) -> QWidget:
        holder = QWidget()
        holder.setObjectName("emptyState")
        column = QVBoxLayout(holder)
        column.setContentsMargins(GUTTER, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(Words(self._look, Kind.BODY_STRONG, "Nothing said yet"))
        hint = HintLine(self._look, Kind.BODY)
        hint.show_parts(("Hold", Cap("Ctrl"), Cap("Space"), "and say one of these, or type it."))
        column.addWidget(hint)
        row = QHBoxLayout()
        row.setSpacing(8)
        for text in _EXAMPLES:
            button = WordButton(self._look, text)
            button.clicked.connect(lambda _checked=False, words=text: self.example.emit(words))
            row.addWidget(button)
        row.addStretch(1)
        column.addLayout(row)
        return holder
