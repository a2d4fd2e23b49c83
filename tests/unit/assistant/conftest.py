"""The stage of the session's tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.assistant.stage import Stage, open_store


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    with open_store(tmp_path / "data") as store:
        yield Stage(workspace, store)
