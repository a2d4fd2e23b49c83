"""What a model writes is shown as it is: no text makes the window open a file or reach anybody."""

from __future__ import annotations

import base64
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.safety.conftest import Tried
from tests.safety.hostile_texts import TEXTS

_PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    picture = tmp_path / "opened-by-nobody.png"
    picture.write_bytes(base64.b64decode(_PICTURE))
    return picture


def traced(mode: str, picture: Path, trace: Path) -> list[str]:
    """What the process opened or reached that has to do with the texts, as strace tells it."""
    run = subprocess.run(
        ["strace", "-f", "-qq", "-s", "300", "-e", "trace=open,openat,openat2,stat,statx,newfstatat,access,connect",
         "-o", str(trace), sys.executable, "-m", "tests.safety.rendering_stage", mode, str(picture)],
        cwd=REPOSITORY, env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True, text=True, timeout=200, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert run.stdout.endswith("shown\n")
    lines = trace.read_text(errors="replace").splitlines()
    assert len(lines) > 100, "strace told nothing"
    return [
        line for line in lines if picture.name in line or "AF_INET" in line or ("share" in line and "127.0" in line)
    ]


def test_thirty_texts_open_nothing(picture: Path, tmp_path: Path, tried: Tried) -> None:
    careless = traced("careless", picture, tmp_path / "careless.trace")
    assert careless, "Qt by itself has to open the picture"
    opened = traced("window", picture, tmp_path / "window.trace")
    tried("hostile texts", cases=len(TEXTS), controls=1, escapes=len(opened))


def test_the_set_is_as_large_as_it_has_to_be() -> None:
    assert len(set(TEXTS)) == 30
