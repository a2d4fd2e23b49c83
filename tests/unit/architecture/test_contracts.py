"""The import contracts hold, and each of them catches a breach that is planted for it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[3]

BREACHES = [
    ("layers", "core/chat.py", "import aria_desktop.tools"),
    ("layers", "tools/registry.py", "import aria_desktop.storage.paths"),
    ("layers", "newcomer/__init__.py", ""),
    ("window", "gui/bridge.py", "import aria_desktop.audio.devices"),
    ("qt", "audio/devices.py", "import PySide6.QtCore"),
    ("assistant", "assistant/session.py", "import aria_desktop.storage.paths"),
    ("engines", "workers/host.py", "import aria_desktop.engines.registry"),
    ("native", "audio/files.py", "import faster_whisper"),
    ("core", "core/chat.py", "import numpy"),
    ("local-socket", "control/server.py", "import aria_desktop.storage.paths"),
]


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    """import-linter on a copy, as `make lint` runs it on the original."""
    code = "import sys; sys.path.insert(0, '.'); from importlinter.cli import lint_imports_command as c; c()"
    return subprocess.run(
        [sys.executable, "-c", code, "--no-cache"], cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(
        REPOSITORY / "aria_desktop", tmp_path / "aria_desktop", ignore=shutil.ignore_patterns("__pycache__")
    )
    shutil.copy(REPOSITORY / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_program_keeps_all_contracts(copy: Path) -> None:
    result = lint(copy)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(("contract", "file", "line"), BREACHES, ids=[f"{c}-{f}" for c, f, _ in BREACHES])
def test_a_planted_breach_is_caught(copy: Path, contract: str, file: str, line: str) -> None:
    target = copy / "aria_desktop" / file
    target.parent.mkdir(exist_ok=True)
    with target.open("a", encoding="utf-8") as module:
        module.write(f"\n{line}\n")
    result = lint(copy)
    assert result.returncode != 0
    name = next(c["name"] for c in contracts() if c["id"] == contract)
    assert f"{name} BROKEN" in result.stdout or "newcomer" in result.stdout + result.stderr


def test_every_contract_has_a_planted_breach() -> None:
    assert {contract["id"] for contract in contracts()} == {contract for contract, _, _ in BREACHES}


def contracts() -> list[dict[str, str]]:
    config = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    found: list[dict[str, str]] = config["tool"]["importlinter"]["contracts"]
    return found
