"""What helps to find a fault, as text to be pasted: the user's name, home and whatever looks like a secret removed."""

from __future__ import annotations

import getpass
import platform
import re
import socket
from collections.abc import Iterable, Mapping
from pathlib import Path

from aria_desktop.core import regular
from aria_desktop.storage.declarations import Settings, declared, sections
from aria_desktop.storage.files import storage_error
from aria_desktop.storage.rules import as_toml, default_of

LOG_END = 64_000
"""Bytes of the log's end that are read."""
REMOVED = "<removed>"
_NAMED_SECRET = re.compile(
    r"(?i)\b((?:api[-_ ]?|access[-_ ]?|auth[-_ ]?)?"
    r"(?:key|token|secret|password|passwd|passphrase|authorization|bearer))\b"
    r"([\"']?\s*[:=]\s*(?:bearer\s+)?|\s+)([\"']?)[^\s\"',;]+"
)
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_LONG_MIX = re.compile(r"(?<![\w/.-])(?=[A-Za-z_-]*\d)(?=[\d_-]*[A-Za-z])[A-Za-z0-9_-]{24,}(?![\w.])")
"""Letters and digits without a break, as keys are; names of files and models have dots, slashes or are shorter."""


def log_end(folder: Path) -> str:
    """The end of the log; empty when there is none. Raises StorageError."""
    path = folder / "aria.log"
    try:
        with regular.opened(path) as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - LOG_END))
            text = file.read().decode("utf-8", "replace")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise storage_error("read", path, error) from error
    return text if size <= LOG_END else text.partition("\n")[2]


def diagnostics(version: str, settings: Settings, machine: Mapping[str, str], models: Iterable[str], log: str) -> str:
    """All parts as one text; what is given is cleaned here."""
    changed = [
        f"{section}.{name} = {as_toml(value)}"
        for section, kind in sections().items()
        for name, entry in declared(kind).items()
        if (value := getattr(getattr(settings, section), name)) != default_of(entry)
    ]
    parts = {
        "ARIA Desktop": [version, f"{platform.system()} {platform.release()} {platform.machine()}"],
        "Machine": [f"{name}: {value}" for name, value in machine.items()],
        "Models": list(models) or ["none"],
        "Settings that differ from their defaults": changed or ["none"],
        "End of the log": log.splitlines() or ["empty"],
    }
    text = "\n".join(f"## {title}\n" + "\n".join(lines) + "\n" for title, lines in parts.items())
    return cleaned(text, str(Path.home()), _user(), socket.gethostname())


def cleaned(text: str, home: str, user: str, host: str) -> str:
    """Without secrets and without who and where it is. `home` is an absolute path; names may be empty."""
    text = _NAMED_SECRET.sub(rf"\1\2\3{REMOVED}", text)
    text = _MAIL.sub(REMOVED, text)
    text = _LONG_MIX.sub(REMOVED, text)
    if len(home) > 1:
        text = text.replace(home, "~")
    for name in (user, host):
        if len(name) > 2:
            text = re.sub(rf"(?<![\w]){re.escape(name)}(?![\w])", REMOVED, text)
    return text


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return ""
