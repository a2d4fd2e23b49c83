"""The key by the desktop portal `org.freedesktop.portal.GlobalShortcuts`: the desktop asks the user, hears the key, and
tells of press and release. The way for Wayland; which key it is in the end, the desktop decides.

A cancel key without modifiers is not asked for: the desktop would take it from all programs for good.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable
from typing import Any

from aria_desktop.core.keys import Combination
from aria_desktop.hotkey.key_codes import X_NAMES
from aria_desktop.hotkey.moves import HeldKey, Move, What
from aria_desktop.hotkey.ways import Keys, WayMissing

BUS_NAME = "org.freedesktop.portal.Desktop"
PATH = "/org/freedesktop/portal/desktop"
SHORTCUTS = "org.freedesktop.portal.GlobalShortcuts"
REQUEST = "org.freedesktop.portal.Request"
APP_ID = "aria-desktop"
ANSWER_S = 5.0
"""Time for an answer that needs no person."""
PERSON_S = 120.0
"""Time that the desktop's question for leave may stand."""
_TALK, _CANCEL = "talk", "cancel"
_TRIGGER_NAMES = {"ctrl": "CTRL", "alt": "ALT", "shift": "SHIFT", "super": "LOGO"}


def look(keys: Keys) -> None:
    """Asks only whether the desktop has such a portal. Raises WayMissing."""
    del keys
    connection = _connected()
    try:
        _version(connection)
    finally:
        connection.close()


def watch(keys: Keys) -> PortalWatch:
    """May wait for the user's leave. Raises WayMissing."""
    connection = _connected()
    try:
        _version(connection)
        return PortalWatch(connection, keys)
    except BaseException:
        connection.close()
        raise


def trigger(keys: Combination) -> str:
    """A combination in the words of the shortcuts specification. Pure."""
    held = [words for name, words in _TRIGGER_NAMES.items() if name in keys.modifiers]
    return "+".join([*held, X_NAMES[keys.key]])


class PortalWatch:
    def __init__(self, connection: Any, keys: Keys) -> None:
        """Takes the connection over once it was made."""
        from jeepney import MatchRule

        self._connection = connection
        self._held = HeldKey()
        self._add_match(MatchRule(type="signal", sender=BUS_NAME))
        self._register()
        created = self._asked("CreateSession", "a{sv}", lambda options: (options,), ANSWER_S, session=True)
        self._session = str(created["session_handle"][1])
        wanted = {_TALK: ("Talk to ARIA", keys.talk)}
        if keys.cancel is not None and keys.cancel.modifiers:
            wanted[_CANCEL] = ("Forget what was said to ARIA", keys.cancel)
        shortcuts = [
            (name, {"description": ("s", words), "preferred_trigger": ("s", trigger(combination))})
            for name, (words, combination) in wanted.items()
        ]
        bound = self._asked(
            "BindShortcuts", "oa(sa{sv})sa{sv}", lambda options: (self._session, shortcuts, "", options), PERSON_S
        )
        if _TALK not in {name for name, _ in bound.get("shortcuts", ("", []))[1]}:
            raise WayMissing("the desktop has bound no key", "Bind one in the desktop's settings for ARIA.")

    def fileno(self) -> int:
        number: int = self._connection.sock.fileno()
        return number

    def read(self) -> list[Move]:
        moves: list[Move] = []
        while True:
            try:
                message = self._connection.receive(timeout=0)
            except TimeoutError:
                return moves
            except OSError as trouble:
                raise WayMissing(f"the session bus has ended: {trouble}") from trouble
            moves += self._moves(message)

    def check(self) -> list[Move]:
        """What came together with something that was read before is found here."""
        return self.read()

    def listening(self, now: bool) -> None:
        """Nothing to do: the desktop keeps the keys as it has bound them."""

    def close(self) -> None:
        """The desktop ends the session with the connection."""
        self._connection.close()

    def _moves(self, message: Any) -> list[Move]:
        from jeepney import HeaderFields

        fields = message.header.fields
        if fields.get(HeaderFields.interface) != SHORTCUTS or message.body[0] != self._session:
            return []
        match fields.get(HeaderFields.member), message.body:
            case "Activated", (_, "talk", *_):
                return self._held.pressed(time.monotonic())
            case "Deactivated", (_, "talk", *_):
                return self._held.released(time.monotonic())
            case "Activated", (_, "cancel", *_):
                return [Move(What.CANCEL)]
            case "Closed", _:
                raise WayMissing("the desktop has taken the key back")
            case _:
                return []

    def _add_match(self, rule: Any) -> None:
        from jeepney.bus_messages import message_bus

        self._connection.send_and_get_reply(message_bus.AddMatch(rule), timeout=ANSWER_S)

    def _register(self) -> None:
        """Tells newer portals who asks; older ones don't know the question."""
        self._call(PATH, "org.freedesktop.host.portal.Registry", "Register", "sa{sv}", (APP_ID, {}))

    def _call(self, path: str, interface: str, member: str, signature: str, body: tuple[Any, ...]) -> Any:
        from jeepney import DBusAddress, new_method_call

        address = DBusAddress(path, bus_name=BUS_NAME, interface=interface)
        return self._connection.send_and_get_reply(new_method_call(address, member, signature, body), timeout=ANSWER_S)

    def _asked(
        self,
        member: str,
        signature: str,
        body: Callable[[dict[str, Any]], tuple[Any, ...]],
        patience_s: float,
        session: bool = False,
    ) -> dict[str, Any]:
        """Call a method that answers by a signal of its own; its results."""
        from jeepney import MatchRule, MessageType

        token = f"aria{secrets.token_hex(8)}"
        options: dict[str, Any] = {"handle_token": ("s", token)}
        if session:
            options["session_handle_token"] = ("s", f"aria{secrets.token_hex(8)}")
        rule = MatchRule(type="signal", interface=REQUEST, member="Response")
        with self._connection.filter(rule, bufsize=16) as answers:
            reply = self._call(PATH, SHORTCUTS, member, signature, body(options))
            if reply.header.message_type == MessageType.error:
                raise WayMissing(f"the desktop portal refused {member}: {_words(reply)}")
            code, results = self._response(answers, str(reply.body[0]), patience_s, member)
        if code != 0:
            raise WayMissing(
                "the desktop was not given leave for the key" if code == 1 else f"the desktop refused {member}",
                "Allow it in the desktop's settings for ARIA.",
            )
        return results

    def _response(self, answers: Any, handle: str, patience_s: float, member: str) -> tuple[int, dict[str, Any]]:
        from jeepney import HeaderFields

        until = time.monotonic() + patience_s
        while True:
            try:
                message = self._connection.recv_until_filtered(answers, timeout=max(0.0, until - time.monotonic()))
            except TimeoutError:
                raise WayMissing(f"the desktop portal did not answer {member} within {patience_s:g} s") from None
            if message.header.fields.get(HeaderFields.path) == handle:
                code, results = message.body
                return int(code), dict(results)


def _connected() -> Any:
    from jeepney.io.blocking import open_dbus_connection

    if not os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
        raise WayMissing("there is no session bus (DBUS_SESSION_BUS_ADDRESS is not set)")
    try:
        return open_dbus_connection(bus="SESSION")
    except (OSError, ValueError, RuntimeError) as trouble:
        raise WayMissing(f"the session bus can't be reached: {trouble}") from trouble


def _version(connection: Any) -> int:
    """Of the portal. Raises WayMissing when the desktop has none, or one without shortcuts."""
    from jeepney import DBusAddress, MessageType, Properties

    properties = Properties(DBusAddress(PATH, bus_name=BUS_NAME, interface=SHORTCUTS))
    try:
        reply = connection.send_and_get_reply(properties.get("version"), timeout=ANSWER_S)
    except (TimeoutError, OSError) as trouble:
        raise WayMissing(f"the desktop portal does not answer: {trouble}") from trouble
    if reply.header.message_type == MessageType.error:
        hint = "GNOME 48, KDE Plasma 5.27, Hyprland and later have one."
        raise WayMissing(f"the desktop has no portal for shortcuts ({_words(reply)})", hint)
    return int(reply.body[0][1])


def _words(reply: Any) -> str:
    from jeepney import HeaderFields

    name = str(reply.header.fields.get(HeaderFields.error_name, "")).rpartition(".")[2]
    return f"{name}: {reply.body[0]}" if reply.body else name
