"""Every key has a code in every system's table, and no code is given twice."""

from __future__ import annotations

from Xlib import XK

from aria_desktop.core.keys import KEYS
from aria_desktop.hotkey.key_codes import EVDEV_CODES, X_NAMES, pynput_name


def test_no_key_lacks_a_code_and_none_shares_one() -> None:
    for codes in (X_NAMES, EVDEV_CODES, {key: pynput_name(key) for key in KEYS}):
        assert set(codes) == set(KEYS)
        assert len(set(codes.values())) == len(KEYS)


def test_the_x_server_knows_the_symbols() -> None:
    XK.load_keysym_group("xkb")
    assert not [key for key in KEYS if not XK.string_to_keysym(X_NAMES[key])]


def test_known_numbers_of_the_kernel() -> None:
    """From linux/input-event-codes.h."""
    known = {"a": 30, "z": 44, "0": 11, "f1": 59, "f10": 68, "f13": 183, "f24": 194, "space": 57, "super_right": 126}
    assert {key: EVDEV_CODES[key] for key in known} == known
