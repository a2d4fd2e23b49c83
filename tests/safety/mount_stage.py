"""Run in namespaces of its own: mounts things into a workspace and prints what the door makes of them, as JSON.

`unshare --user --map-root-user --mount python -m tests.safety.mount_stage FOLDER`: the mounts end with the process.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from aria_desktop.core.errors import AriaError
from aria_desktop.safety import opening
from aria_desktop.safety.paths import Workspace

OUTSIDE = "outside"
NAMES = ("disk/f", "bound/f", "bound.txt")


def main(base: Path) -> None:
    root = base / "ws"
    for folder in (root / "disk", root / "bound", base / "ws2"):
        folder.mkdir(parents=True)
    (base / "ws2" / "f").write_text(OUTSIDE)
    (root / "bound.txt").write_text("inside")
    for command in (
        ("mount", "-t", "tmpfs", "none", root / "disk"),
        ("mount", "--bind", base / "ws2", root / "bound"),
        ("mount", "--bind", base / "ws2" / "f", root / "bound.txt"),
    ):
        subprocess.run(command, check=True)
    (root / "disk" / "f").write_text(OUTSIDE)
    with Workspace(root) as workspace:
        kernel = [_came(workspace, name) for name in NAMES]
        opening._kernel_open = None
        walk = [_came(workspace, name) for name in NAMES]
    plain = [(root / name).read_text() for name in NAMES]
    print(json.dumps({"openat2": kernel, "component walk": walk, "plain": plain}))


def _came(workspace: Workspace, name: str) -> str:
    try:
        return workspace.read_text(name)
    except AriaError as error:
        return error.code


if __name__ == "__main__":
    main(Path(sys.argv[1]))
