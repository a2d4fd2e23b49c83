"""Whether commands can be caged here, and what the cage is made from. Only looks."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from aria_desktop.safety.cage import OLDEST, CageMissing, System

PROGRAM_FOLDERS = ("/usr/bin", "/bin")
INSTALL = "Install it, for instance with: sudo apt install bubblewrap"
_VERSION_S = 10.0


def find_system() -> System:
    """What the cage is made from here. Only looks, except that bubblewrap is asked for its version.

    Raises CageMissing. bubblewrap is looked for where the system has it, never along PATH, which others may set.
    """
    if sys.platform != "linux":
        raise CageMissing("Commands are run on Linux only: here is no cage for them.")
    bwrap = _program("bwrap", "bubblewrap", INSTALL)
    _check_version(bwrap)
    prlimit = _program("prlimit", "prlimit", "It is part of util-linux.")
    shell = "/usr/bin/bash" if os.access("/usr/bin/bash", os.X_OK) else "/bin/sh"
    names = ("/bin", "/sbin", *sorted(str(path) for path in Path("/").glob("lib*")))
    links = tuple((name, str(Path(name).readlink())) for name in names if Path(name).is_symlink())
    folders = tuple(name for name in names if Path(name).is_dir() and not Path(name).is_symlink())
    return System(bwrap, prlimit, shell, links, folders)


def _program(name: str, known_as: str, way_out: str) -> str:
    for folder in PROGRAM_FOLDERS:
        if os.access(f"{folder}/{name}", os.X_OK):
            return f"{folder}/{name}"
    raise CageMissing(f"{known_as} is not installed, so no command can be run.", way_out)


def _check_version(bwrap: str) -> None:
    try:
        asked = subprocess.run(
            [bwrap, "--version"], capture_output=True, text=True, timeout=_VERSION_S, env={}, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise CageMissing(f"{bwrap} can't be run: {error}.", INSTALL) from error
    found = re.search(r"(\d+)\.(\d+)", asked.stdout)
    if found is None or (int(found[1]), int(found[2])) < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise CageMissing(f"{bwrap} is too old ({asked.stdout.strip()}); commands need {oldest}.", INSTALL)
