"""Whether what stands in the text box may be somebody else's, because some of it was pasted. Pure.

It stays so however the text comes back: undone, called up again with Up, or put back after it could not be sent. A
long piece is known again by its letters; of a short one, which may be no more than a name, only the text counts that
it was pasted into.
"""

from __future__ import annotations

_LONG = 20
"""Characters from which a piece is known again wherever it turns up."""
_KEPT = 400


class PastedTexts:
    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._now = False

    def pasted(self, piece: str) -> None:
        """It is about to stand in the box."""
        self._now = True
        if len(piece.strip()) >= _LONG:
            self._keep(piece)

    def changed(self, text: str) -> None:
        """What stands in the box now. An empty box has nothing pasted in it."""
        self._now = self._now and bool(text)

    def sent(self, text: str) -> bool:
        """Whether it may be somebody else's; the same text counts like this from now on."""
        foreign = self._now or any(piece in text for piece in self._pieces)
        if foreign:
            self._keep(text)
        return foreign

    def _keep(self, piece: str) -> None:
        self._pieces = [*self._pieces, piece.strip()][-_KEPT:]
