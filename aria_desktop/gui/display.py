"""Is there a screen to open a window on? Asked before Qt is, because Qt ends the process when there is none.

Only Linux can lack one while a program starts. A display counts when a connection to it works, not when a
variable names it; the libraries of Qt's X11 plugin are looked at too, because a missing one looks the same.
"""

from __future__ import annotations

import ctypes
import socket
import sys
from collections.abc import Mapping
from pathlib import Path

from aria_desktop.core.errors import DisplayMissing

_HINT = "Start ARIA from a desktop session, or use the command line: aria ask, aria demo."


def require_display(environment: Mapping[str, str]) -> None:
    """Returns when Qt will find a display. Raises DisplayMissing with the reason."""
    if sys.platform != "linux":
        return
    wanted = environment.get("QT_QPA_PLATFORM", "").split(":")[0]
    if wanted and not wanted.startswith(("xcb", "wayland")):
        return
    reasons = []
    if not wanted.startswith("xcb"):
        reasons.append(_wayland_trouble(environment))
    if not wanted.startswith("wayland"):
        reasons.append(_x11_trouble(environment))
    if "" not in reasons:
        raise DisplayMissing(next(filter(None, reversed(reasons))), _HINT)


def _wayland_trouble(environment: Mapping[str, str]) -> str:
    """Empty when a Wayland compositor answers."""
    name = environment.get("WAYLAND_DISPLAY", "")
    if not name:
        return "There is no display: WAYLAND_DISPLAY is not set."
    path = Path(environment.get("XDG_RUNTIME_DIR", ""), name)
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            probe.connect(str(path))
    except OSError as error:
        return f"The Wayland display {name} does not answer: {error.strerror or error}."
    return ""


def _x11_trouble(environment: Mapping[str, str]) -> str:
    """Empty when an X server lets us in."""
    name = environment.get("DISPLAY", "")
    if not name:
        return "There is no display: DISPLAY and WAYLAND_DISPLAY are not set."
    try:
        ctypes.CDLL("libxcb-cursor.so.0")
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError as error:
        return f"A library for windows is missing: {error}. On Debian: apt install libxcb-cursor0 libxcb1."
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    xcb.xcb_connection_has_error.argtypes = [ctypes.c_void_p]
    xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(name.encode(), None)
    refused = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    if refused and ":" in name and name.partition(":")[0] not in ("", "unix"):
        return f"The X display {name} is reached over the network, and ARIA has closed its door to it."
    return f"The X display {name} does not answer." if refused else ""
