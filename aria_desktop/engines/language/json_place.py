"""Where in a JSON value its text, said byte by byte, has got to."""

from __future__ import annotations

from dataclasses import dataclass

Path = tuple[str, ...]
"""Names of properties from the outside in; `ITEM` for any item of an array."""

ITEM = "[]"


@dataclass(slots=True)
class _Container:
    name: str
    """Of what is being said in it: a property's name, or `ITEM`."""
    at_name: bool
    """An object before the colon: a string is a name here."""


class JsonPlace:
    """Reads the compact spelling that grammars admit; what is no JSON gives no sense and no error."""

    def __init__(self) -> None:
        self._around: list[_Container] = []
        self._string: bytearray | None = None
        self._escaped = False

    @property
    def path(self) -> Path:
        return tuple(container.name for container in self._around)

    def opens_object(self, byte: int) -> bool:
        """Go on by `byte`. True when an object begins with it, whose own path is `path` without the last name."""
        if self._string is not None:
            self._in_string(byte, self._string)
            return False
        match chr(byte):
            case '"':
                self._string = bytearray()
            case "{":
                self._around.append(_Container("", at_name=True))
                return True
            case "[":
                self._around.append(_Container(ITEM, at_name=False))
            case "}" | "]" if self._around:
                self._around.pop()
            case ":" if self._around:
                self._around[-1].at_name = False
            case "," if self._around:
                self._around[-1].at_name = self._around[-1].name != ITEM
        return False

    def _in_string(self, byte: int, string: bytearray) -> None:
        if self._escaped:
            self._escaped = False
        elif byte == ord("\\"):
            self._escaped = True
        elif byte == ord('"'):
            if self._around and self._around[-1].at_name:
                self._around[-1].name = string.decode("utf-8", "replace")
            self._string = None
            return
        string.append(byte)
