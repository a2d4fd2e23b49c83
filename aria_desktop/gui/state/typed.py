"""Earlier texts of the text box, walked with Up and Down like in a shell."""

from __future__ import annotations

LONGEST = 8000
"""Characters that the text box takes: about half of the models' context."""
_KEPT = 200


class TypedTexts:
    """What is being written counts as the newest text and comes back when walking down again."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._place = 0
        self._unsent = ""

    def __len__(self) -> int:
        return len(self._texts)

    def sent(self, text: str) -> None:
        if not self._texts or self._texts[-1] != text:
            self._texts = [*self._texts, text][-_KEPT:]
        self._place = len(self._texts)
        self._unsent = ""

    def earlier(self, current: str) -> str | None:
        """None at the oldest text."""
        if self._place == 0:
            return None
        if self._place == len(self._texts):
            self._unsent = current
        self._place -= 1
        return self._texts[self._place]

    def later(self) -> str | None:
        """None at what is being written."""
        if self._place == len(self._texts):
            return None
        self._place += 1
        return self._unsent if self._place == len(self._texts) else self._texts[self._place]
