"""What a model writes is shown and never obeyed: rendering it opens no file and no address (T22)."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.safety.conftest import Tried
from tests.safety.rendered_texts import canary, texts

_PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010804000000b51c0c020000000b4944415478da6364f8ff1f00030301ff"
    "a7c6b1a80000000049454e44ae426082"
)
_OUTWARD = re.compile(r"socket\(AF_(?!UNIX)|connect\(\d+, \{sa_family=AF_(?!UNIX)")
_NAME = re.compile(r"canary-(\d\d)")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    folder.mkdir()
    for number in range(1, 31):
        (folder / canary(number)).write_bytes(_PIXEL)
    return folder


def _traced(who: str, folder: Path) -> tuple[set[int], bool]:
    """The numbers of the texts whose file was touched, and whether anything led out of this computer."""
    trace = folder.parent / f"{who}.trace"
    strace = ["strace", "-f", "-qq", "-s", "300", "-e", "trace=%file,%network", "-o", str(trace)]
    run = subprocess.run(
        [*strace, sys.executable, "-m", "tests.safety.rendered_stage", who, str(folder)],
        cwd=REPOSITORY,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert "30 shown" in run.stdout
    told = trace.read_text("utf-8", "replace")
    assert "window.qss" in told or who == "careless", "the trace is empty"
    return {int(number) for number in _NAME.findall(told)}, bool(_OUTWARD.search(told))


def test_thirty_hostile_texts_open_nothing(folder: Path, tried: Tried) -> None:
    assert len(set(texts(folder))) == 30
    careless, _ = _traced("careless", folder)
    ours, outward = _traced("ours", folder)
    assert len(careless) >= 10, "a careless window does not fall for it either"
    tried("rendered texts", cases=30, controls=len(careless), escapes=len(ours) + outward)
