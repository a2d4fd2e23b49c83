"""A notification without a tray, over the session bus of a Linux desktop (org.freedesktop.Notifications).

Sent from a thread of its own, which ends by itself: a desktop that does not answer holds up nothing. Whether
somebody saw it is not known; what matters stays in the window.
"""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Mapping

LIMIT_S = 5.0
_log = logging.getLogger(__name__)


def tell_desktop(title: str, text: str, *, urgent: bool, environment: Mapping[str, str]) -> None:
    """Returns at once. Nothing happens where there is no session bus on a local socket."""
    address = environment.get("DBUS_SESSION_BUS_ADDRESS", "")
    if sys.platform == "linux" and address.startswith("unix:"):
        arguments = (address, title, text, urgent)
        threading.Thread(target=_send, args=arguments, name="desktop-notice", daemon=True).start()


def _send(address: str, title: str, text: str, urgent: bool) -> None:
    from jeepney import DBusAddress, DBusErrorResponse, new_method_call
    from jeepney.io.blocking import open_dbus_connection

    service = DBusAddress(
        "/org/freedesktop/Notifications", "org.freedesktop.Notifications", "org.freedesktop.Notifications"
    )
    # Markup is allowed in the text by the rules; ours has none. Not to be kept by the desktop once it was shown.
    hints = {"urgency": ("y", 2 if urgent else 1), "transient": ("b", True), "desktop-entry": ("s", "aria-desktop")}
    body: tuple[object, ...] = ("ARIA", 0, "", title, text, [], hints, -1)
    try:
        with open_dbus_connection(bus=address) as bus:
            bus.send_and_get_reply(new_method_call(service, "Notify", "susssasa{sv}i", body), timeout=LIMIT_S)
    except (OSError, TimeoutError, EOFError, ValueError, DBusErrorResponse) as error:
        _log.info("the desktop took no notification: %s", error)
