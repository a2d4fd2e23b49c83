"""A paragraph in which the hits of a search are marked and bold."""

from __future__ import annotations

from aria_desktop.gui.flow_text import FlowText, Run
from aria_desktop.gui.look import Look
from aria_desktop.gui.state.marked import Marked
from aria_desktop.gui.theme import Kind


class MarkedText(FlowText):
    def __init__(self, look: Look, kind: Kind, text: Marked, token: str = "text") -> None:
        super().__init__(look, kind)
        self._token = token
        self.show_marked(text)

    def show_marked(self, text: Marked) -> None:
        runs = [
            Run(piece, "text" if hit else self._token, strong=hit, marked=hit) for piece, hit in text.pieces() if piece
        ]
        self.show_runs(runs)
