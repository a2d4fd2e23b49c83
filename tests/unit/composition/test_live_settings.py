"""What a setting that is changed while the program runs reaches: the engines, the agent, the journal, the next turn."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from aria_desktop.core.errors import SettingsError
from aria_desktop.core.events import EngineChanged, EngineRole, EngineState
from aria_desktop.live_settings import CurrentAgent, LiveSettings
from aria_desktop.safety.journal import Journal
from aria_desktop.storage.current import CurrentSettings
from aria_desktop.storage.paths import find_paths
from aria_desktop.storage.settings import Settings, load_settings
from aria_desktop.workers.engines import Engines


class _Agent:
    """Knows with what it was made; it is never run."""

    def __init__(self, settings: Settings) -> None:
        self.steps = settings.limits.steps

    def stable_messages(self) -> tuple[()]:
        return ()


@contextmanager
def live(folder: Path) -> Iterator[tuple[LiveSettings, list[EngineChanged]]]:
    paths = find_paths()
    current = CurrentSettings(folder / "settings.toml", Settings())
    told: list[EngineChanged] = []
    engines = Engines(paths, lambda: current.now)
    engines.publish = told.append
    agent = CurrentAgent(_Agent, current.now)  # type: ignore[arg-type]
    try:
        yield LiveSettings(current, engines, agent, Journal(folder / "journal", folder / "trash")), told
    finally:
        engines.close()


def test_each_part_goes_by_the_new_value(tmp_path: Path) -> None:
    with live(tmp_path) as (settings, _):
        settings.change("microphone.silence_ms", 1000)
        settings.change("microphone.language", "es")
        settings.change("answers.level", "beginner")
        settings.change("limits.steps", 3)
        settings.change("undo.days", 2)
        assert settings.preferences().silence_s == 1.0
        assert settings.preferences().language == "es"
        assert settings.preferences().level == "beginner"
        assert settings.agent.agent.steps == 3  # type: ignore[attr-defined]
        assert settings.journal.keeping.days == 2
    assert load_settings(tmp_path / "settings.toml").limits.steps == 3


def test_an_engine_is_named_as_it_was_chosen_last(tmp_path: Path) -> None:
    with live(tmp_path) as (settings, told):
        settings.change("engines.speech", "faster-whisper:faster-whisper-tiny.en")
    assert told == [EngineChanged(EngineRole.SPEECH, EngineState.OFF, "faster-whisper-tiny.en", "")]


def test_what_is_refused_reaches_nobody(tmp_path: Path) -> None:
    with live(tmp_path) as (settings, told):
        with pytest.raises(SettingsError):
            settings.change("limits.steps", 0)
        assert settings.agent.agent.steps == Settings().limits.steps  # type: ignore[attr-defined]
    assert told == []
