"""A wheel of our own making, with one case of each category in the leaderboard's notation."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from aria_desktop.evaluation.bfcl_cases import CATEGORIES, Case, read_cases

OWN_CASES = Path(__file__).resolve().parents[2] / "data" / "bfcl"


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    path = tmp_path / "own.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(OWN_CASES.rglob("*.json")):
            archive.write(file, f"bfcl_eval/data/{file.relative_to(OWN_CASES)}")
    return path


@pytest.fixture
def cases(wheel: Path) -> dict[str, Case]:
    """One of each category, by its name."""
    return {category: read_cases(wheel, category)[0] for category in CATEGORIES}
