"""P92: another disk, and a folder or file from elsewhere that is bound into the workspace, are not entered."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.conftest import REPOSITORY
from tests.safety.conftest import Tried
from tests.safety.mount_stage import NAMES, OUTSIDE


def test_what_is_mounted_in_the_workspace_is_refused(tmp_path: Path, tried: Tried) -> None:
    """Without `openat2` the file systems' numbers are compared, which only another disk changes."""
    stage = [sys.executable, "-m", "tests.safety.mount_stage", str(tmp_path)]
    command = ["unshare", "--user", "--map-root-user", "--mount", *stage]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    came = json.loads(done.stdout)
    controls = came["plain"].count(OUTSIDE)
    assert controls == len(NAMES), "the attack does not work here, so this shows nothing"
    tried(set="hostile paths, mounts", cases=3, controls=controls, escapes=came["openat2"].count(OUTSIDE))
    assert came["openat2"] == ["path_outside"] * 3
    assert came["component walk"][0] == "path_outside"
