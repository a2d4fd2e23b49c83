"""The theme in Qt's terms: palette, style sheet, fonts and icons, switched for the whole window at once.

Colours of painted things are asked for at paint time, never kept, so a switch needs no bookkeeping. Fonts are
set on widgets, never in the style sheet, where they would no longer follow the font size.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QStyleFactory

from aria_desktop.gui.theme import CONTRAST, DARK, LIGHT, Kind, Tokens, style_sheet

if TYPE_CHECKING:
    from aria_desktop.gui.options import ThemeChoice

_TEXT_FAMILY = "Atkinson Hyperlegible Next"
_CODE_FAMILY = "JetBrains Mono"
SMALLEST, LARGEST = 85, 200
"""Font size in per cent."""


class Look(QObject):
    """One for the whole program; handed to every widget that paints or sets type. Qt main thread only."""

    changed = Signal()
    """Colours or the font size are others now."""

    def __init__(self, app: QApplication, resources: Path, choice: ThemeChoice, percent: int) -> None:
        super().__init__(app)
        self._app = app
        self._resources = resources
        self._choice: ThemeChoice = choice
        self._percent = self._usual = percent
        self._template = (resources / "window.qss").read_text("utf-8")
        self._hints = app.styleHints()
        self._accessibility = self._hints.accessibility()
        self._pixmaps: dict[tuple[str, str, float, float], QPixmap] = {}
        self._sources: dict[str, str] = {}
        self._fonts: dict[Kind, QFont] = {}
        self.tokens: Tokens = LIGHT
        _load_fonts(resources / "fonts")
        app.setStyle(QStyleFactory.create("Fusion"))
        self._hints.colorSchemeChanged.connect(self._apply)
        self._accessibility.contrastPreferenceChanged.connect(self._apply)
        self._apply()

    def set_choice(self, choice: ThemeChoice) -> None:
        self._choice = choice
        self._apply()

    def set_usual_percent(self, percent: int) -> None:
        """The setting is another one, and what it was changed by in passing is gone."""
        self._usual = percent
        self.set_percent(percent)

    @property
    def usual_percent(self) -> int:
        """As the setting has it."""
        return self._usual

    def set_percent(self, percent: int) -> None:
        """Change the size of all type."""
        self._percent = min(LARGEST, max(SMALLEST, percent))
        self._apply()

    @property
    def percent(self) -> int:
        return self._percent

    def color(self, token: str) -> QColor:
        """`token` is a field of `theme.Tokens`."""
        return QColor(getattr(self.tokens, token))

    def font(self, kind: Kind) -> QFont:
        if kind not in self._fonts:
            self._fonts[kind] = self._make_font(kind)
        return QFont(self._fonts[kind])

    def px(self, size: float) -> int:
        """A length that grows with the font size."""
        return round(size * self._percent / 100)

    def line_height(self, kind: Kind) -> float:
        return kind.value.px * kind.value.line * self._percent / 100

    def pixmap(self, icon: str, token: str, size: float, dpr: float) -> QPixmap:
        """`icon` is a file of resources/icons without its ending; `size` in px at 100 % of the screen's scale."""
        key = (icon, getattr(self.tokens, token), size, dpr)
        if key not in self._pixmaps:
            self._pixmaps[key] = self._render(*key)
        return self._pixmaps[key]

    def paint_icon(self, painter: QPainter, icon: str, token: str, target: QRectF) -> None:
        dpr = painter.device().devicePixelRatioF()
        painter.drawPixmap(target, self.pixmap(icon, token, target.width(), dpr), QRectF())

    def _apply(self) -> None:
        self.tokens = self._wanted()
        self._fonts.clear()
        self._pixmaps.clear()
        self._app.setFont(self.font(Kind.BODY))
        self._app.setPalette(_palette(self.tokens))
        self._app.setStyleSheet(style_sheet(self._template, self.tokens))
        self.changed.emit()

    def _wanted(self) -> Tokens:
        match self._choice:
            case "light":
                return LIGHT
            case "dark":
                return DARK
            case "contrast":
                return CONTRAST
            case "system":
                if self._accessibility.contrastPreference() == Qt.ContrastPreference.HighContrast:
                    return CONTRAST
                return DARK if self._hints.colorScheme() == Qt.ColorScheme.Dark else LIGHT

    def _make_font(self, kind: Kind) -> QFont:
        scale = kind.value
        fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()
        general = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).family()
        font = QFont()
        font.setFamilies([_CODE_FAMILY, fixed] if scale.code else [_TEXT_FAMILY, general])
        # Points and not pixels: setPixelSize takes whole numbers only, and the scale has halves.
        font.setPointSizeF(scale.px * self._percent / 100 * 72 / self._app.primaryScreen().logicalDotsPerInch())
        font.setWeight(QFont.Weight(scale.weight))
        # Even gaps between letters at scale 1.
        font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        if scale.code:
            # A ligature draws two characters as one sign that neither of them is.
            font.setFeature(QFont.Tag("calt"), 0)
            font.setStyleHint(QFont.StyleHint.Monospace)
        return font

    def _render(self, icon: str, colour: str, size: float, dpr: float) -> QPixmap:
        if icon not in self._sources:
            self._sources[icon] = (self._resources / "icons" / f"{icon}.svg").read_text("utf-8")
        stroke = "2" if size <= 16 else "1.75"
        source = (
            self._sources[icon].replace("currentColor", colour).replace('stroke-width="2"', f'stroke-width="{stroke}"')
        )
        pixmap = QPixmap(round(size * dpr), round(size * dpr))
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        QSvgRenderer(QByteArray(source.encode())).render(painter)
        painter.end()
        pixmap.setDevicePixelRatio(dpr)
        return pixmap


def _load_fonts(folder: Path) -> None:
    for path in sorted(folder.glob("*.ttf")):
        QFontDatabase.addApplicationFont(str(path))


def _palette(tokens: Tokens) -> QPalette:
    role = QPalette.ColorRole
    palette = QPalette()
    colours = {
        role.Window: tokens.surface,
        role.WindowText: tokens.text,
        role.Base: tokens.raised,
        role.AlternateBase: tokens.sunken,
        role.Text: tokens.text,
        role.Button: tokens.surface,
        role.ButtonText: tokens.text,
        role.ToolTipBase: tokens.raised,
        role.ToolTipText: tokens.text,
        role.PlaceholderText: tokens.text2,
        role.Highlight: tokens.accent,
        role.HighlightedText: tokens.on_accent,
        role.Link: tokens.accent,
        role.Mid: tokens.edge,
        role.Dark: tokens.edge,
        role.Light: tokens.hover,
        role.Accent: tokens.accent,
    }
    for name, colour in colours.items():
        palette.setColor(name, QColor(colour))
    for name in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, name, QColor(tokens.text3))
    return palette
