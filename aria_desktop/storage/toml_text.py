"""TOML as text: read it with an error that says where, find the line of a name, change one value in place.

Problems come as TomlTrouble, whose words continue a sentence that began with the file's name.
"""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any


class TomlTrouble(ValueError):
    """The text is no TOML, or can't be changed without harm."""


def parsed(text: str) -> dict[str, Any]:
    """Raises TomlTrouble with the line."""
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise TomlTrouble("the brackets are nested too deeply.") from error
    except ValueError as error:
        found = re.fullmatch(r"(.*) \(at (?:line (\d+), column \d+|end of document)\)", str(error), re.DOTALL)
        reason, line = (found[1], found[2]) if found else (str(error), None)
        where = f"line {line}" if line else "at the end"
        raise TomlTrouble(f"{where}: this is not TOML: {reason[:1].lower()}{reason[1:]}.") from error


def line_of(text: str, name: str) -> int:
    """The line, counted from 1, on which dotted `name` is first set; 0 when that can't be told.

    `text` is valid TOML. Only for messages: a look-alike inside a string of several lines may be taken for it.
    """
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[+\s*([^\[\]]+?)\s*\]", line):
            here = section = _bare(header[1])
        elif key := re.match(r"\s*([^=#]+?)\s*=", line):
            here = f"{section}.{_bare(key[1])}".lstrip(".")
        else:
            continue
        if here == name or here.startswith(f"{name}."):
            return number
    return 0


def _bare(key: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in key.split("."))


def with_value(text: str, section: str, key: str, value: object) -> str:
    """`text` with one value set and every other character of meaning as it was.

    Raises TomlTrouble when `text` is no TOML, `section` is no section, or the result would say anything else
    than the old text and the new value: the writer is not trusted, its work is read again and compared.
    """
    wanted = parsed(text)
    table = wanted.setdefault(section, {})
    if not isinstance(table, dict):
        raise TomlTrouble(f"{section} is not a section there.")
    table[key] = value
    changed = _edited(text, section, key, value)
    if _comparable(parsed(changed)) != _comparable(wanted):
        raise TomlTrouble(f"{section}.{key} can't be added to it without harm to the rest.")
    return changed


def _edited(text: str, section: str, key: str, value: object) -> str:
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(text)
        if section not in document:
            document[section] = tomlkit.table()
        table: Any = document[section]
        table[key] = value
        return tomlkit.dumps(document)
    except (TOMLKitError, ValueError, TypeError, RecursionError) as error:
        raise TomlTrouble(f"{section}.{key} can't be written into it: {error}.") from error


def _comparable(data: dict[str, Any]) -> str:
    """Equal for equal content in any order, also where a number is nan."""
    return json.dumps(data, sort_keys=True, default=repr)
