"""A desktop portal for shortcuts, as a program on a real session bus: it plays the desktop and its user.

    python -m tests.key.portal_double BEHAVIOUR

prints "ready" when it owns the portal's name. Then each line of its input is told as a signal: "Activated talk".
BEHAVIOUR: "good", "no leave" (the user says no), "no shortcuts" (nothing is bound), "dumb" (never answers).
"""

from __future__ import annotations

import sys
import threading
from typing import Any

from jeepney import DBusAddress, HeaderFields, Message, MessageType, new_error, new_method_return, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection

from aria_desktop.hotkey.portal import BUS_NAME, PATH, REQUEST, SHORTCUTS


class Portal:
    def __init__(self, behaviour: str) -> None:
        self._behaviour = behaviour
        self._connection = open_dbus_connection(bus="SESSION")
        self._connection.send_and_get_reply(message_bus.RequestName(BUS_NAME))
        self._session = ""

    def serve(self) -> None:
        print("ready", flush=True)
        threading.Thread(target=self._act, daemon=True).start()
        while True:
            message = self._connection.receive()
            if message.header.message_type == MessageType.method_call:
                self._answer(message)

    def _act(self) -> None:
        for line in sys.stdin:
            member, name = line.split()
            self._tell(PATH, SHORTCUTS, member, "osta{sv}", (self._session, name, 0, {}))

    def _answer(self, message: Message) -> None:
        member = message.header.fields[HeaderFields.member]
        match member:
            case "Get":
                self._connection.send(new_method_return(message, "v", (("u", 1),)))
            case "CreateSession":
                token = message.body[0]["session_handle_token"][1]
                self._session = f"{PATH}/session/{token}"
                self._respond(message, message.body[0], {"session_handle": ("s", self._session)})
            case "BindShortcuts":
                session, shortcuts, _, options = message.body
                assert session == self._session
                print(*(f"{name}={words['preferred_trigger'][1]}" for name, words in shortcuts), flush=True)
                kept = shortcuts if self._behaviour != "no shortcuts" else []
                bound: list[tuple[str, dict[str, Any]]] = [(name, {}) for name, _ in kept]
                self._respond(message, options, {"shortcuts": ("a(sa{sv})", bound)})
            case _:
                self._connection.send(new_error(message, "org.freedesktop.DBus.Error.UnknownMethod"))

    def _respond(self, message: Message, options: dict[str, Any], results: dict[str, Any]) -> None:
        handle = f"{PATH}/request/{options['handle_token'][1]}"
        self._connection.send(new_method_return(message, "o", (handle,)))
        if self._behaviour != "dumb":
            code = 1 if self._behaviour == "no leave" else 0
            self._tell(handle, REQUEST, "Response", "ua{sv}", (code, results))

    def _tell(self, path: str, interface: str, member: str, signature: str, body: tuple[Any, ...]) -> None:
        self._connection.send(new_signal(DBusAddress(path, interface=interface), member, signature, body))


if __name__ == "__main__":
    Portal(sys.argv[1]).serve()
