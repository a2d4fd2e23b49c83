"""The codes that each system has for the keys of `core.keys`."""

from __future__ import annotations

import string

from aria_desktop.core.keys import KEYS

_X_OWN = {
    "tab": "Tab",
    "enter": "Return",
    "escape": "Escape",
    "backspace": "BackSpace",
    "insert": "Insert",
    "delete": "Delete",
    "home": "Home",
    "end": "End",
    "page_up": "Prior",
    "page_down": "Next",
    "up": "Up",
    "down": "Down",
    "left": "Left",
    "right": "Right",
    "pause": "Pause",
    "print": "Print",
    "scroll_lock": "Scroll_Lock",
    "caps_lock": "Caps_Lock",
    "menu": "Menu",
    **{f"{name}_left": f"{symbol}_L" for name, symbol in (("alt", "Alt"), ("shift", "Shift"), ("super", "Super"))},
    **{f"{name}_right": f"{symbol}_R" for name, symbol in (("alt", "Alt"), ("shift", "Shift"), ("super", "Super"))},
    "ctrl_left": "Control_L",
    "ctrl_right": "Control_R",
}

X_NAMES = {key: _X_OWN.get(key, key.upper() if key[0] == "f" and key[1:].isdigit() else key) for key in KEYS}
"""Key symbols, as X and the desktop portal call them."""


def _row(letters: str, first: int) -> dict[str, int]:
    return {letter: first + place for place, letter in enumerate(letters)}


EVDEV_CODES = {
    **_row("1234567890", 2),
    **_row("qwertyuiop", 16),
    **_row("asdfghjkl", 30),
    **_row("zxcvbnm", 44),
    **{f"f{number}": 58 + number for number in range(1, 11)},
    "f11": 87,
    "f12": 88,
    **{f"f{number}": 170 + number for number in range(13, 25)},
    **{"escape": 1, "minus": 12, "equal": 13, "backspace": 14, "tab": 15, "enter": 28, "ctrl_left": 29},
    **{"semicolon": 39, "apostrophe": 40, "grave": 41, "shift_left": 42, "backslash": 43, "comma": 51, "period": 52},
    **{"slash": 53, "shift_right": 54, "alt_left": 56, "space": 57, "caps_lock": 58, "scroll_lock": 70},
    **{"ctrl_right": 97, "print": 99, "alt_right": 100, "home": 102, "up": 103, "page_up": 104, "left": 105},
    **{"right": 106, "end": 107, "down": 108, "page_down": 109, "insert": 110, "delete": 111, "pause": 119},
    **{"super_left": 125, "super_right": 126, "menu": 127},
}
"""Linux's numbers: places on the keyboard, named as on a US one."""

_PYNPUT_OWN = {"escape": "esc", "super": "cmd", "print": "print_screen"}
_SIGNS = {
    "minus": "-",
    "equal": "=",
    "comma": ",",
    "period": ".",
    "slash": "/",
    "backslash": "\\",
    "semicolon": ";",
    "apostrophe": "'",
    "grave": "`",
    **{letter: letter for letter in string.ascii_lowercase + string.digits},
}


def pynput_name(key: str) -> str:
    """The name of an attribute of pynput's `Key`, or the character of a key that types one."""
    if key in _SIGNS:
        return _SIGNS[key]
    name, _, side = key.partition("_")
    if side in ("left", "right"):
        return f"{_PYNPUT_OWN.get(name, name)}_{side[0]}"
    return _PYNPUT_OWN.get(key, key)
