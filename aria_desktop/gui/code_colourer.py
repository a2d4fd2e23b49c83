"""Colours the lines of a document as `state.code_colours` says; the text itself is never touched."""

from __future__ import annotations

from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat, QTextDocument

from aria_desktop.gui.look import Look
from aria_desktop.gui.state.code_colours import Lines


class CodeColourer(QSyntaxHighlighter):
    def __init__(self, look: Look, document: QTextDocument) -> None:
        super().__init__(document)
        self._look = look
        self._lines: Lines = ()
        look.changed.connect(self.rehighlight)

    def show_lines(self, lines: Lines) -> None:
        """Call before the text changes: lines that change are coloured by Qt itself, and only the others here."""
        before, self._lines = self._lines, lines
        for number in range(min(self.document().blockCount(), max(len(before), len(lines)))):
            if before[number : number + 1] != lines[number : number + 1]:
                self.rehighlightBlock(self.document().findBlockByNumber(number))

    def highlightBlock(self, text: str) -> None:
        number = self.currentBlock().blockNumber()
        for stretch in self._lines[number] if number < len(self._lines) else ():
            style = QTextCharFormat()
            style.setForeground(self._look.color(stretch.token))
            end = stretch.start + stretch.length
            self.setFormat(_units(text[: stretch.start]), _units(text[stretch.start : end]), style)


def _units(text: str) -> int:
    """Qt counts in units of UTF-16."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
