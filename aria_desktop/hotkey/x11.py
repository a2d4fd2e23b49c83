"""The key by the X server: a passive grab of XInput 2.

Such a grab takes the key from all windows, fails when another program has it, and its events tell a repeated press from
the first one, without the releases in between that the core protocol invents for a held key. A press that began is
ended by the server's own list of keys that are down when its release never came (another grab, a locked screen).
"""

from __future__ import annotations

import contextlib
import io
import os
import time
from typing import Any

from aria_desktop.core.keys import Combination
from aria_desktop.hotkey.key_codes import X_NAMES
from aria_desktop.hotkey.moves import HeldKey, Move, What
from aria_desktop.hotkey.ways import Keys, WayMissing

_MODIFIER_NAMES = {"ctrl": "Control_L", "alt": "Alt_L", "shift": "Shift_L", "super": "Super_L"}
_LOCK_NAMES = ("Caps_Lock", "Num_Lock", "Scroll_Lock")
_PRESS, _RELEASE = 2, 3
"""XI_KeyPress, XI_KeyRelease."""
_REPEAT = 1 << 16
"""XIKeyRepeat, in an event's flags."""
_GENERIC = 35


def look(keys: Keys) -> None:
    """Grabs the key for a moment. Raises WayMissing."""
    watch(keys).close()


def watch(keys: Keys) -> X11Watch:
    """Raises WayMissing."""
    if not os.environ.get("DISPLAY"):
        raise WayMissing("there is no X server (DISPLAY is not set)")
    if os.environ.get("WAYLAND_DISPLAY"):
        raise WayMissing("under Wayland the X server sees keys only while one of its own windows is in front")
    return X11Watch(keys)


class X11Watch:
    def __init__(self, keys: Keys) -> None:
        from Xlib import error

        try:
            # Xlib tells of missing passwords on standard output.
            with contextlib.redirect_stdout(io.StringIO()):
                self._display = _connected()
        except (error.DisplayError, error.ConnectionClosedError, OSError) as trouble:
            raise WayMissing(f"the X server can't be reached: {trouble}") from trouble
        try:
            self._modifiers = _modifier_masks(self._display)
            self._talk = self._code(keys.talk)
            self._cancel = self._code(keys.cancel) if keys.cancel else None
            self._cancel_keys = keys.cancel
            self._held = HeldKey()
            self._listening = False
            self._grab(keys.talk)
        except BaseException:
            self._display.close()
            raise

    def fileno(self) -> int:
        number: int = self._display.fileno()
        return number

    def read(self) -> list[Move]:
        from Xlib import error

        try:
            return [move for event in self._events() for move in self._moves(event)]
        except (error.ConnectionClosedError, OSError) as trouble:
            raise WayMissing("the X server has ended") from trouble

    def check(self) -> list[Move]:
        if not self._held.down or self._is_down(self._talk):
            return self.read()
        return self._held.released(time.monotonic())

    def listening(self, now: bool) -> None:
        """The cancel key belongs to the windows as long as there is nothing to cancel."""
        if self._cancel_keys is None or now == self._listening:
            return
        self._listening = now
        if now:
            # Somebody else's cancel key stays theirs.
            with contextlib.suppress(WayMissing):
                self._grab(self._cancel_keys)
        else:
            self._release(self._cancel_keys)
        self._display.flush()

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self._display.close()

    def _events(self) -> list[Any]:
        return [self._display.next_event() for _ in range(self._display.pending_events())]

    def _moves(self, event: Any) -> list[Move]:
        if event.type != _GENERIC or event.evtype not in (_PRESS, _RELEASE):
            return []
        code, now = event.data["detail"], time.monotonic()
        if code == self._talk and event.evtype == _RELEASE:
            return self._held.released(now)
        if event.evtype == _RELEASE or event.data["flags"] & _REPEAT:
            return []
        if code == self._cancel:
            return [Move(What.CANCEL)]
        return self._held.pressed(now) if code == self._talk else []

    def _is_down(self, code: int) -> bool:
        keys = self._display.query_keymap()
        return bool(keys[code // 8] & (1 << code % 8))

    def _code(self, keys: Combination) -> int:
        from Xlib import XK

        code: int = self._display.keysym_to_keycode(XK.string_to_keysym(X_NAMES[keys.key]))
        if not code:
            raise WayMissing(f"this keyboard has no key {keys.key}", "Choose another one (talk_key.key).")
        return code

    def _grab(self, keys: Combination) -> None:
        """Raises WayMissing when another program has the key, however it took it."""
        from Xlib import X
        from Xlib.ext import xinput

        root, code, masks = self._display.screen().root, self._code(keys), self._masks(keys)
        wanted = xinput.KeyPressMask | xinput.KeyReleaseMask
        answer = root.xinput_grab_keycode(
            xinput.AllMasterDevices,
            X.CurrentTime,
            code,
            xinput.GrabModeAsync,
            xinput.GrabModeAsync,
            True,
            wanted,
            masks,
        )
        if answer.modifiers or not _free_for_core(self._display, code, masks):
            self._release(keys)
            hint = "Choose another one (talk_key.key), or free it there."
            raise WayMissing(f"another program has the key {keys}", hint)

    def _release(self, keys: Combination) -> None:
        from Xlib.ext import xinput

        root = self._display.screen().root
        xinput.XIPassiveUngrabDevice(
            display=self._display.display,
            opcode=self._display.display.get_extension_major(xinput.extname),
            grab_window=root,
            detail=self._code(keys),
            deviceid=xinput.AllMasterDevices,
            grab_type=xinput.GrabtypeKeycode,
            modifiers=self._masks(keys),
        )

    def _masks(self, keys: Combination) -> list[int]:
        """The combination with every lock on and off: Caps Lock must not make the key deaf."""
        wanted = 0
        for name in keys.modifiers:
            wanted |= self._modifiers[name]
        masks = {wanted}
        for lock in _LOCK_NAMES:
            masks |= {mask | self._modifiers[lock] for mask in masks}
        return sorted(masks)


def _connected() -> Any:
    from Xlib.display import Display

    display = Display()
    if not display.query_extension("XInputExtension"):
        display.close()
        raise WayMissing("the X server has no XInput 2")
    version = display.xinput_query_version()
    if version.major_version < 2:
        display.close()
        raise WayMissing("the X server has no XInput 2")
    return display


def _free_for_core(display: Any, code: int, masks: list[int]) -> bool:
    """Whether no program has the key by the core protocol, as most have: the server does not hold the one kind of grab
    against the other. Tried, and given back at once."""
    from Xlib import X, error

    root, refused = display.screen().root, error.CatchError(error.BadAccess)
    for mask in masks:
        root.grab_key(code, mask, True, X.GrabModeAsync, X.GrabModeAsync, onerror=refused)
    display.sync()
    for mask in masks:
        root.ungrab_key(code, mask)
    display.sync()
    return refused.get_error() is None


def _modifier_masks(display: Any) -> dict[str, int]:
    """Which bit each modifier and each lock has on this server; 0 for those that it lacks."""
    from Xlib import XK

    names = _MODIFIER_NAMES | {lock: lock for lock in _LOCK_NAMES}
    codes = {name: display.keysym_to_keycode(XK.string_to_keysym(symbol)) for name, symbol in names.items()}
    masks = dict.fromkeys(names, 0)
    for bit, row in enumerate(display.get_modifier_mapping()):
        for name, code in codes.items():
            if code and code in row:
                masks[name] |= 1 << bit
    return masks
