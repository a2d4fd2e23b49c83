"""New names are written as they were said: the user's ending counts, not the one that the model likes. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from aria_desktop.assistant.reply import Call
from aria_desktop.tools.code import KNOWN_ENDINGS
from aria_desktop.tools.spoken_names import with_signs, written_name

_NEW: Mapping[str, str] = {
    "copy_file": "destination",
    "create_file": "path",
    "move_file": "destination",
    "write_code": "path",
}
"""Tools that give something a name -> the argument that holds it."""
_NAME_WITH_ENDING = re.compile(r"[\w-]+\.[A-Za-z][A-Za-z0-9]{0,7}(?![\w.])")


def as_said(call: Call, words: str) -> Call:
    """The call with the ending of its new name as it was said, where exactly that name was said with another one."""
    argument = _NEW.get(call.tool, "")
    path = call.arguments.get(argument)
    if not isinstance(path, str) or not path:
        return call
    folder, slash, name = path.rpartition("/")
    said = {found.casefold(): found for found in _NAME_WITH_ENDING.findall(with_signs(words))}
    if name.casefold() in said:
        return call
    stem = written_name(name).stem
    meant = [other for other in said.values() if written_name(other).stem == stem and _is_sure(other)]
    if len(meant) != 1 or not written_name(name).ending:
        return call
    return Call(call.tool, MappingProxyType({**call.arguments, argument: f"{folder}{slash}{meant[0]}"}))


def _is_sure(name: str) -> bool:
    """Not "config.pie": an ending that is none was not heard right."""
    return f".{written_name(name).ending}" in KNOWN_ENDINGS
