"""The virtual microphone and loudspeaker, for every test that speaks or listens."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ears.virtual_sound import VirtualSound


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
