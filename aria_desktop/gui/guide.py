"""The guide of the first start, as a dialog: steps on the left, one page on the right. It decides nothing."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QDialog, QHBoxLayout, QVBoxLayout, QWidget

from aria_desktop.core.models import ModelRecord
from aria_desktop.gui.buttons import WordButton
from aria_desktop.gui.level_meter import LevelMeter
from aria_desktop.gui.look import Look
from aria_desktop.gui.state.guide import STEPS, TITLES, Guide, Step, fine, sentences, voices
from aria_desktop.gui.state.levels import Levels
from aria_desktop.gui.state.shown import one_line
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import Hairline, IconView, KeyCap, Line, Words, clear

_BEAT_MS = 33
_KEYS = (Qt.Key.Key_Space, Qt.Key.Key_Control)


class GuideDialog(QDialog):
    key_moved = Signal(bool)
    """Ctrl+Space went down (True) or up, while its page is shown."""
    test_wanted = Signal(bool)
    """Begin (True) or end the test of the microphone."""
    voice_wanted = Signal(object)
    """A `ModelRecord`."""
    folder_wanted = Signal()
    models_wanted = Signal()
    example = Signal(str)
    went = Signal(object)
    """To another `Step`."""

    def __init__(self, look: Look, levels: Levels, examples: tuple[str, ...], parent: QWidget) -> None:
        super().__init__(parent)
        self._look, self._levels, self._examples = look, levels, examples
        self.step = Step.COMPUTER
        self._shown: tuple[object, ...] = ()
        self._meter: LevelMeter | None = None
        self._down = False
        self._beat = QTimer(self, interval=_BEAT_MS)
        self._beat.timeout.connect(self._refresh_meter)
        self.setObjectName("guide")
        self.setWindowTitle(tr("Set up ARIA"))
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(look.px(860), look.px(560))
        self._lay_out()
        application = QApplication.instance()
        assert application is not None
        application.installEventFilter(self)

    def show_guide(self, guide: Guide) -> None:
        """The page is built anew only when what it says is another: a button under the pointer stays."""
        says = (self.step, sentences(guide, self.step), guide.listening, voices(guide))
        self._show_steps(guide)
        if says != self._shown:
            self._shown = says
            self._build(guide)

    def go(self, step: Step) -> None:
        self.step = step
        self.went.emit(step)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Before any button sees the keys: Space would press the one that has the focus."""
        if self.step is not Step.KEY or not self.isActiveWindow() or not isinstance(event, QKeyEvent):
            return False
        control = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Space and control:
            self._move(True)
            return True
        if event.type() == QEvent.Type.KeyRelease and event.key() in _KEYS and self._down:
            if not event.isAutoRepeat():
                self._move(False)
            return True
        return False

    def done(self, result: int) -> None:
        self._beat.stop()
        application = QApplication.instance()
        assert application is not None
        application.removeEventFilter(self)
        super().done(result)

    def _move(self, down: bool) -> None:
        if down is not self._down:
            self._down = down
            self.key_moved.emit(down)

    def _refresh_meter(self) -> None:
        if self._meter is not None:
            self._meter.refresh()

    def _show_steps(self, guide: Guide) -> None:
        clear(self._steps)
        for step in STEPS:
            ready, here = fine(guide, step), step is self.step
            row = QWidget()
            row.setAccessibleName(f"{tr(step.value)}, {tr('done')}" if ready else tr(step.value))
            line = QHBoxLayout(row)
            line.setContentsMargins(0, 4, 0, 4)
            line.addWidget(IconView(self._look, "check" if ready else "ellipsis", "accent" if ready else "text3"))
            line.addWidget(Words(self._look, Kind.BODY_STRONG if here else Kind.BODY, tr(step.value)), 1)
            self._steps.addWidget(row)
        self._steps.addStretch(1)

    def _build(self, guide: Guide) -> None:
        """The button that has the keyboard keeps it, when the new page has it too."""
        focused = self.focusWidget()
        name = focused.objectName() if focused is not None else ""
        self._fill(guide)
        again = [each for each in self.findChildren(WordButton, name) if each.isVisibleTo(self)] if name else []
        (again[-1] if again else self._next).setFocus(Qt.FocusReason.TabFocusReason)

    def _fill(self, guide: Guide) -> None:
        clear(self._page)
        self._meter = None
        self._beat.stop()
        self._page.addWidget(Words(self._look, Kind.PAGE, tr(TITLES[self.step]), wrap=True))
        for sentence in sentences(guide, self.step):
            self._page.addWidget(Words(self._look, Kind.BODY, sentence, wrap=True))
        for widget in self._controls(guide):
            self._page.addWidget(widget, 0, Qt.AlignmentFlag.AlignLeft)
        self._page.addStretch(1)
        self._back.setEnabled(self.step is not STEPS[0])
        self._next.set_words(tr("Done") if self.step is STEPS[-1] else tr("Next"))

    def _controls(self, guide: Guide) -> list[QWidget]:
        match self.step:
            case Step.MODELS:
                folder = self._button(tr("From a folder or stick…"), "guideFolder", self.folder_wanted.emit)
                return [folder, self._button(tr("Open the Models page"), "guideModels", self.models_wanted.emit)]
            case Step.MICROPHONE:
                return self._microphone(guide)
            case Step.KEY:
                cap = KeyCap(self._look, tr("Ctrl+Space"))
                cap.setProperty("tone", "alive" if guide.pressed and not guide.released else "")
                return [cap]
            case Step.VOICE:
                return [self._voice(model) for model in voices(guide)]
            case Step.FIRST:
                return [
                    self._button(tr(text), f"guideExample{at}", lambda text=text: self.example.emit(tr(text)))
                    for at, text in enumerate(self._examples)
                ]
            case _:
                return []

    def _microphone(self, guide: Guide) -> list[QWidget]:
        words = tr("Stop") if guide.listening else tr("Test it")
        test = self._button(words, "guideTest", lambda: self.test_wanted.emit(not guide.listening))
        if not guide.listening:
            return [test]
        self._meter = LevelMeter(self._look, self._levels)
        self._beat.start()
        return [test, self._meter]

    def _voice(self, model: ModelRecord) -> QWidget:
        name = one_line(model.name)
        words = tr("{name}, in use", name=name) if model.in_use else tr("Use {name}", name=name)
        button = self._button(words, f"guideVoice-{model.model_id}", lambda: self.voice_wanted.emit(model))
        button.setEnabled(not model.in_use)
        return button

    def _button(self, words: str, name: str, press: object) -> WordButton:
        button = WordButton(self._look, words)
        button.setObjectName(name)
        assert callable(press)
        button.clicked.connect(lambda: press())
        return button

    def _turn(self, by: int) -> None:
        at = STEPS.index(self.step) + by
        if at >= len(STEPS):
            self.accept()
        else:
            self.go(STEPS[max(0, at)])

    def _lay_out(self) -> None:
        side, body = QWidget(), QVBoxLayout()
        side.setObjectName("pageSide")
        side.setFixedWidth(self._look.px(220))
        self._steps = QVBoxLayout(side)
        self._steps.setContentsMargins(24, 24, 16, 24)
        self._page = QVBoxLayout()
        self._page.setSpacing(12)
        body.setContentsMargins(40, 28, 40, 20)
        self._back = self._button(tr("Back"), "guideBack", lambda: self._turn(-1))
        self._next = WordButton(self._look, tr("Next"), "main", 38)
        self._next.setObjectName("guideNext")
        self._next.clicked.connect(lambda: self._turn(1))
        foot = QHBoxLayout()
        foot.addWidget(self._back)
        foot.addStretch(1)
        foot.addWidget(self._next)
        body.addLayout(self._page, 1)
        body.addWidget(Hairline())
        body.addLayout(foot)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(side)
        row.addWidget(Line())
        row.addLayout(body, 1)
        self._next.setDefault(True)
        self._next.setFocus(Qt.FocusReason.TabFocusReason)
