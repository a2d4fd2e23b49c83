"""The words with which the window asks for one change to be undone; `assistant.said_alone` knows them. Pure."""

from __future__ import annotations

from aria_desktop.core.visible import visible_line

_NAME_LENGTH = 60
"""Characters of the name, which only helps the reader: what is meant is the call."""


def undo_words(name: str, call_id: str) -> str:
    shown = visible_line(name)
    cut = shown if len(shown) <= _NAME_LENGTH else f"…{shown[-_NAME_LENGTH + 1 :]}"
    return f"Undo the change of {cut} ({call_id})"
