"""The library beside which ours is measured, in its process."""

from __future__ import annotations

from pathlib import Path

import pytest

from aria_desktop.core.errors import EngineDied
from aria_desktop.evaluation.peer_process import PeerProcess


def test_a_model_that_is_not_there_is_said_and_nothing_stays_open(tmp_path: Path) -> None:
    peer = PeerProcess(str(tmp_path / "no.gguf"), 64, 1)
    with pytest.raises(EngineDied, match="process of llama-cpp-python ended with 1"), peer:
        pass
