"""Files that turns leave behind, as the window names, marks and opens them. Pure: nothing here looks at a disk."""

from __future__ import annotations

import os
import sys
from pathlib import PurePath

from aria_desktop.gui.state.code_colours import language_of
from aria_desktop.gui.state.translation import mark, tr

_READ = frozenset(
    (
        "txt",
        "md",
        "markdown",
        "rst",
        "log",
        "csv",
        "tsv",
        "json",
        "jsonl",
        "toml",
        "yaml",
        "yml",
        "ini",
        "cfg",
        "conf",
        "tex",
        "srt",
        "vtt",
        "css",
        "diff",
        "patch",
    )
)
_SOURCES = frozenset(
    ("py", "c", "h", "cc", "cpp", "hpp", "java", "rs", "go", "ts", "rb", "lua", "sql", "r", "m", "swift", "kt", "cs")
)
"""Text, too; but Windows runs some of them when they are opened."""
_NAMES = {
    "jsonl": mark("JSON lines"),
    "csv": mark("Table"),
    "tsv": mark("Table"),
    "log": mark("Log"),
    "txt": mark("Text"),
}


def ending(name: str) -> str:
    return PurePath(name).suffix.lower().removeprefix(".")


def kind_of(name: str) -> str:
    """ "Python", "Text", "PDF file", or tr("File") when the name says nothing."""
    end = ending(name)
    if not end:
        return tr("File")
    known = _NAMES.get(end) or language_of(name)
    return tr(known) if known else tr("{ending} file", ending=end[:8].upper())


def icon_of(name: str) -> str:
    """A file of `resources/icons`, without its ending."""
    kind = language_of(name)
    return "file-code" if kind and kind not in ("Text", "Markdown") else "file-text"


def may_be_opened(name: str, platform: str = sys.platform) -> bool:
    """Whether the system's program for it only shows it. Pages, links and programs are left to the user's own hands:
    what a model wrote into them would run, or fetch something."""
    end = ending(name)
    return end in _READ or (end in _SOURCES and platform != "win32")


def place_of(workspace: str, name: str) -> str:
    """The absolute path of a file of the workspace; empty when the name leads out of it."""
    path = os.path.normpath(PurePath(workspace, name))
    inside = os.path.normpath(workspace) + os.sep
    return path if name and path.startswith(inside) else ""
