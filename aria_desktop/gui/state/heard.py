"""What was recognised, with the words told apart that may be wrong."""

from __future__ import annotations

from aria_desktop.core.transcript import Word
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.state.turn import HeardWord

UNSURE = 0.6
"""Words recognised with less than this probability are marked."""


def heard_words(text: str, words: tuple[Word, ...]) -> tuple[HeardWord, ...]:
    """The heard text in pieces, unsure words apart. The text rules: words that are not in it are passed over."""
    pieces: list[HeardWord] = []
    rest = text
    for word in words:
        bare = word.text.strip()
        start = rest.find(bare)
        if word.probability >= UNSURE or not bare or start < 0:
            continue
        pieces += [HeardWord(rest[:start]), HeardWord(bare, unsure=True)]
        rest = rest[start + len(bare) :]
    return tuple(piece for piece in (*pieces, HeardWord(rest)) if piece.text)


def unsure_words(words: tuple[str, ...]) -> str:
    """A sentence that names them, each once; empty for none."""
    named = ", ".join(dict.fromkeys(words))
    return tr("Not heard well: {words}", words=named) if named else ""
