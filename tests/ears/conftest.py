"""The clips of tests/data."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aria_desktop.audio.files import read_audio
from aria_desktop.core.audio import AudioChunk
from aria_desktop.core.cancel import CancelToken

DATA = Path(__file__).resolve().parent.parent / "data"


@pytest.fixture(scope="session")
def clips() -> dict[str, dict[str, Any]]:
    """The labels of all clips by file name, as tests/data/labels.json has them."""
    labels = json.loads((DATA / "labels.json").read_text("utf-8"))
    return {clip["file"]: clip for clip in labels["clips"]}


@pytest.fixture(scope="session")
def clip() -> Callable[[str], AudioChunk]:
    """Reads a clip by its name in tests/data."""

    def read(name: str) -> AudioChunk:
        return read_audio(DATA / name, CancelToken())

    return read
