"""How this program starts itself: as a worker, as the doctor's control, as the window after a fetch."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def own_command(*words: str) -> list[str]:
    """`-P`: the current folder holds no Python code for us; so the process is given `own_environment`."""
    if getattr(sys, "frozen", False):
        return [sys.executable, *words]
    return [sys.executable, "-P", "-m", "aria_desktop", *words]


def own_environment() -> dict[str, str]:
    """Ours, with this very package importable although the process does not look into the current folder."""
    package_parent = str(Path(__file__).resolve().parent.parent.parent)
    inherited = os.environ.get("PYTHONPATH")
    path = os.pathsep.join([package_parent, inherited] if inherited else [package_parent])
    return {**os.environ, "PYTHONPATH": path, "PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "1"}
