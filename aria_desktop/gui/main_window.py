"""The window's frame: top bar, pages, and the Talk page with its panel and conversation. Keys and drops become
signals here; it decides nothing."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QKeyEvent,
    QKeySequence,
    QPaintEvent,
    QResizeEvent,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from aria_desktop.gui.banner_stack import BannerStack
from aria_desktop.gui.conversation_view import ConversationView
from aria_desktop.gui.files_dock import FilesDock
from aria_desktop.gui.listening_dock import ListeningDock
from aria_desktop.gui.look import Look
from aria_desktop.gui.mark import window_icon
from aria_desktop.gui.options import WindowOptions
from aria_desktop.gui.page_stack import PageStack
from aria_desktop.gui.seal_page import SealPage
from aria_desktop.gui.side_panel import SidePanel
from aria_desktop.gui.state.levels import Levels
from aria_desktop.gui.state.pages import PAGES, Page
from aria_desktop.gui.state.run_view import Visit
from aria_desktop.gui.talk_panel import TalkPanel
from aria_desktop.gui.title_bar import TitleBar
from aria_desktop.gui.top_bar import TopBar
from aria_desktop.gui.words import Hairline, Line

_NARROW, _LOW = 900, 640
"""Below these, in px at 100 % font size, there is no room for two panels."""
_WIDE = 1180
"""From this on, in px at 100 % font size, there is room for three."""
_REPEAT_MS = 50
"""A release that is followed by a press within this time is the keyboard repeating a held key: on X11 the pair is
not always marked as such."""


class MainWindow(QWidget):
    talk_key = Signal(bool)
    """Ctrl+Space went down (True) or up, or the window lost the keyboard while it was down."""
    escape = Signal()
    new_conversation = Signal()
    choose_files = Signal()
    font_size = Signal(int)
    """Per cent to add; 0 for back to the setting."""
    dropped = Signal(list, int)
    """Paths of this computer, and how many dropped things were none."""
    seen = Signal()
    """The window is on the screen again after it was not."""
    painted = Signal()
    """For the first time; once."""
    closing = Signal()

    def __init__(self, look: Look, options: WindowOptions, levels: Levels) -> None:
        super().__init__()
        self._look = look
        self._was_painted = False
        self._talking = False
        self._release = QTimer(self, singleShot=True, interval=_REPEAT_MS)
        self._release.timeout.connect(self._stop_talking)
        self.setObjectName("mainWindow")
        self.setWindowTitle("ARIA")
        self.setWindowIcon(window_icon())
        self.setAcceptDrops(True)
        self.setMinimumSize(640, 400)
        self.resize(QSize(1280, 860).boundedTo(self.screen().availableSize()))
        if options.place.geometry:
            # On a screen that is gone, Qt takes one that is there.
            self.restoreGeometry(options.place.geometry)
        self.panel = TalkPanel(look, levels, options.workspace, options.speak)
        self.top_bar = TopBar(look, options.badge)
        self._look_at_seal = options.look_at_seal
        self.title_bar = TitleBar(look)
        self.banners = BannerStack(look)
        self.conversation = ConversationView(look)
        self.side = SidePanel(look, options.workspace)
        self._side_line = Line()
        self.files = FilesDock(look)
        self.listening = ListeningDock(look, levels)
        self._lay_out()
        self._connect_keys()
        look.changed.connect(self._arrange)

    @property
    def on_screen(self) -> bool:
        return self.isVisible() and not self.isMinimized()

    def come_to_front(self) -> None:
        if self.isMinimized():
            self.showNormal()
        self.show()
        self.raise_()
        self.activateWindow()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        released = event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Control)
        if self._talking and released and not event.isAutoRepeat():
            self._release.start()
        else:
            super().keyReleaseEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and not self.isActiveWindow():
            # The key's release would go to another window, and the microphone must not stay open.
            self._stop_talking()
        elif event.type() == QEvent.Type.WindowStateChange and not self.isMinimized():
            self.seen.emit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.seen.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Panels side by side, or the talk panel as a strip on top where there is no room for that."""
        strip = self.width() < self._look.px(_NARROW) or self.height() < self._look.px(_LOW)
        directions = QBoxLayout.Direction
        wanted = directions.TopToBottom if strip else directions.LeftToRight
        if self._body.direction() is not wanted:
            self._body.setDirection(wanted)
            self.panel.set_strip(strip)
        self._show_side(strip)

    def show_visit(self, visit: Visit) -> None:
        """Look at a step of a run, in the right panel."""
        self.side.show_visit(visit)
        self._arrange()

    def _show_side(self, strip: bool) -> None:
        shown = not strip and (self.side.looking or self.width() >= self._look.px(_WIDE))
        self.side.setVisible(shown)
        self._side_line.setVisible(shown)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._was_painted:
            self._was_painted = True
            QTimer.singleShot(0, self, self.painted.emit)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._stop_talking()
        self.closing.emit()
        event.accept()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self.panel.drop_zone.set_over(True)
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.panel.drop_zone.set_over(False)

    def dropEvent(self, event: QDropEvent) -> None:
        self.panel.drop_zone.set_over(False)
        urls = event.mimeData().urls()
        paths = [url.toLocalFile() for url in urls if url.isLocalFile()]
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        self.dropped.emit(paths, max(1, len(urls)) - len(paths))

    def _show_seal(self) -> None:
        if self._look_at_seal is not None:
            SealPage(self._look, self._look_at_seal(), self).open()

    def _to_text_box(self) -> None:
        self.pages.open(Page.TALK)
        self.panel.entry.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _start_talking(self) -> None:
        self._release.stop()
        if not self._talking:
            self._talking = True
            self.talk_key.emit(True)

    def _stop_talking(self) -> None:
        self._release.stop()
        if self._talking:
            self._talking = False
            self.talk_key.emit(False)

    def _connect_keys(self) -> None:
        shortcut = QShortcut(QKeySequence("Ctrl+Space"), self)
        shortcut.setAutoRepeat(False)
        shortcut.activated.connect(self._start_talking)
        for keys, signal in (
            ("Escape", self.escape),
            ("Ctrl+N", self.new_conversation),
            ("Ctrl+O", self.choose_files),
        ):
            QShortcut(QKeySequence(keys), self).activated.connect(signal)
        for keys, step in (("Ctrl++", 10), ("Ctrl+=", 10), ("Ctrl+-", -10), ("Ctrl+0", 0)):
            QShortcut(QKeySequence(keys), self).activated.connect(lambda step=step: self.font_size.emit(step))
        for number, page in enumerate(PAGES, 1):
            open_page = QShortcut(QKeySequence(f"Ctrl+{number}"), self)
            open_page.activated.connect(lambda page=page: self.pages.open(page))
        QShortcut(QKeySequence("Ctrl+L"), self).activated.connect(self._to_text_box)
        self.top_bar.tabs.wanted.connect(self.pages.open)
        self.pages.opened.connect(self.top_bar.tabs.show_page)
        self.pages.offered.connect(self.top_bar.tabs.reveal)
        self.conversation.visit_chosen.connect(self.show_visit)
        self.side.closed.connect(self.conversation.unselect)
        self.side.closed.connect(self._arrange)
        self.panel.drop_zone.choose.connect(self.choose_files)
        self.title_bar.new_button.clicked.connect(self.new_conversation)
        self.top_bar.seal_button.setVisible(self._look_at_seal is not None)
        self.top_bar.seal_button.clicked.connect(self._show_seal)

    def _lay_out(self) -> None:
        middle = QWidget()
        middle.setObjectName("middle")
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.title_bar)
        column.addWidget(Hairline())
        column.addWidget(self.banners)
        column.addWidget(self.conversation, 1)
        column.addWidget(self.files)
        column.addWidget(self.listening)
        talk = QWidget()
        self._body = QBoxLayout(QBoxLayout.Direction.LeftToRight, talk)
        self._body.setContentsMargins(0, 0, 0, 0)
        self._body.setSpacing(0)
        self._body.addWidget(self.panel)
        self._body.addWidget(Line())
        self._body.addWidget(middle, 1)
        self._body.addWidget(self._side_line)
        self._body.addWidget(self.side)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self.top_bar)
        outer.addWidget(Hairline())
        self.pages = PageStack(talk)
        outer.addWidget(self.pages, 1)
        self.panel.entry.field.setFocus()
