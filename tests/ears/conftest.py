"""The virtual microphone and loudspeaker, and the clips of tests/data."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from aria_desktop.audio.files import read_audio
from aria_desktop.core.audio import AudioChunk
from aria_desktop.core.cancel import CancelToken
from tests.ears.virtual_sound import VirtualSound

DATA = Path(__file__).resolve().parent.parent / "data"


@pytest.fixture(scope="session")
def sound_system() -> Iterator[VirtualSound]:
    """One server for the whole run; PortAudio in this process sees it and nothing else."""
    with tempfile.TemporaryDirectory(prefix="aria-sound-") as folder:
        system = VirtualSound(Path(folder))
        before = {name: os.environ.get(name) for name in system.environment}
        os.environ.update({name: value for name, value in system.environment.items() if name != "HOME"})
        try:
            yield system
        finally:
            system.close()
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value


@pytest.fixture
def sound(sound_system: VirtualSound) -> Iterator[VirtualSound]:
    """With a microphone and a loudspeaker plugged in."""
    sound_system.plug_microphone()
    sound_system.plug_speaker()
    yield sound_system
    sound_system.unplug_microphone()
    sound_system.unplug_speaker()


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
