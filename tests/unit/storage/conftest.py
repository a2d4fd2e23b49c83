"""A database of this test, opened by its owner."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from aria_desktop.storage.database import Database
from aria_desktop.storage.lock import DatabaseLock


@pytest.fixture
def lock(tmp_path: Path) -> Iterator[DatabaseLock]:
    with DatabaseLock.take(tmp_path / "data" / "aria.lock", "test") as lock:
        yield lock


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "aria.db"


@pytest.fixture
def database(path: Path, lock: DatabaseLock) -> Iterator[Database]:
    with Database.open(path, lock) as database:
        yield database
