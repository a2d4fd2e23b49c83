"""ARIA's entry among what a Linux desktop starts at log-in (XDG autostart): written and removed as the setting says.

An entry of the same name that somebody else has written is never touched: ours carries a mark.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from aria_desktop.core import regular
from aria_desktop.core.errors import StorageError
from aria_desktop.storage.files import replace_file, storage_error

NAME = "aria-desktop.desktop"
MARK = "X-ARIA-Written=true"
_RESERVED = set(" \t\n\"'\\><~|&;$*?#()`")


def autostart_folder(environment: Mapping[str, str], home: Path) -> Path:
    """As the desktop's base directory rules have it: a relative XDG_CONFIG_HOME counts as none."""
    config = Path(environment.get("XDG_CONFIG_HOME", ""))
    return (config if config.is_absolute() else home / ".config") / "autostart"


def set_autostart(wanted: bool, command: Sequence[str], environment: Mapping[str, str]) -> None:
    """Nothing is written where it is so already, nor anywhere but on Linux. Raises StorageError."""
    if sys.platform != "linux":
        return
    path = autostart_folder(environment, Path.home()) / NAME
    there = _content(path)
    if there is not None and MARK not in there.splitlines():
        if wanted:
            raise StorageError(f"{path} was written by somebody else.", "Remove it, then switch this on again.")
        return
    entry = desktop_entry(command, environment)
    if wanted and there != entry:
        replace_file(path, entry.encode("utf-8"))
    elif not wanted and there is not None:
        _remove(path)


def desktop_entry(command: Sequence[str], environment: Mapping[str, str]) -> str:
    """With what names ARIA's folders, which a desktop's own start would not know."""
    names = ("ARIA_HOME", "ARIA_MODELS", "ARIA_OUTPUT", "PYTHONPATH")
    known = [f"{name}={environment[name]}" for name in names if environment.get(name)]
    words = [*(["env", *known] if known else []), *command]
    lines = ["[Desktop Entry]", "Type=Application", "Name=ARIA", f"Exec={' '.join(map(_quoted, words))}"]
    return "\n".join([*lines, "Terminal=false", MARK, ""])


def _quoted(word: str) -> str:
    """As the desktop entry rules ask: the string's own escapes come on top of the argument's."""
    if any(ord(letter) < 32 for letter in word):
        raise StorageError("A path with a line break or a control character can't be started at log-in.", "Rename it.")
    word = word.replace("%", "%%")
    if not _RESERVED & set(word):
        return word
    inner = "".join(f"\\{letter}" if letter in '"`$\\' else letter for letter in word)
    return f'"{inner}"'.replace("\\", "\\\\")


def _content(path: Path) -> str | None:
    try:
        return regular.content(path).decode("utf-8", "replace")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise storage_error("read", path, error) from error


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise storage_error("remove", path, error) from error
