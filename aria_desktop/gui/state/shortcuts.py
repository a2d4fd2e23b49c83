"""The shortcut sheet: every key of the window and what it does. Pure; tests hold it against the window's own keys."""

from __future__ import annotations

from dataclasses import dataclass

from aria_desktop.gui.state.translation import mark


@dataclass(frozen=True, slots=True)
class Shortcut:
    keys: str
    """As Qt writes them, "Ctrl+L"."""
    does: str
    """Translated when it is shown."""

    @property
    def caps(self) -> tuple[str, ...]:
        return tuple("+" if cap == "Plus" else cap for cap in self.keys.split("+"))


SHORTCUTS = (
    Shortcut("Ctrl+Space", mark("Talk, as long as it is held")),
    Shortcut("Escape", mark("Silence the voice, else forget the recording, else stop")),
    Shortcut("Ctrl+L", mark("To the text box")),
    Shortcut("Ctrl+O", mark("Choose sound files")),
    Shortcut("Ctrl+N", mark("New conversation")),
    Shortcut("Alt+Up", mark("To the turn before")),
    Shortcut("Alt+Down", mark("To the next turn")),
    Shortcut("F2", mark("Put the heard words right")),
    Shortcut("Ctrl+R", mark("See again how the turn went")),
    Shortcut("Ctrl+Z", mark("Undo the last change (in the text box: of its text)")),
    Shortcut("Ctrl+Shift+Z", mark("Redo it")),
    Shortcut("Ctrl+1", mark("Talk")),
    Shortcut("Ctrl+2", mark("History")),
    Shortcut("Ctrl+3", mark("Models")),
    Shortcut("Ctrl+4", mark("Settings")),
    Shortcut("Ctrl+,", mark("Settings")),
    Shortcut("Ctrl+Shift+F", mark("Find in all conversations")),
    Shortcut("Ctrl+Plus", mark("Larger letters")),
    Shortcut("Ctrl+-", mark("Smaller letters")),
    Shortcut("Ctrl+0", mark("Letters as in the settings")),
    Shortcut("F1", mark("This list")),
    Shortcut("Alt+A", mark("Allow, in a question that is armed")),
)
