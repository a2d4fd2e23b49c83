"""A setting that is changed holds at once, is in the file, and a refused one changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from aria_desktop.core.errors import SettingsError
from aria_desktop.storage.current import CurrentSettings
from aria_desktop.storage.settings import Settings, load_settings


def test_a_change_holds_and_is_written(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("# mine\n[voice]\nspeed = 1.5\n", "utf-8")
    current = CurrentSettings(path, load_settings(path))
    before = current.now
    current.change("microphone.silence_ms", 900)
    assert current.now.microphone.silence_ms == 900
    assert current.now.voice.speed == 1.5
    assert before.microphone.silence_ms == 800
    assert load_settings(path) == current.now
    assert path.read_text("utf-8").startswith("# mine\n")


@pytest.mark.parametrize(("name", "value"), [("microphone.silence_ms", 1), ("no.such", 1), ("voice.speed", "fast")])
def test_what_is_refused_changes_nothing(tmp_path: Path, name: str, value: object) -> None:
    current = CurrentSettings(tmp_path / "settings.toml", Settings())
    with pytest.raises(SettingsError):
        current.change(name, value)
    assert current.now == Settings()
    assert not (tmp_path / "settings.toml").exists()


def test_what_contradicts_another_setting_is_refused(tmp_path: Path) -> None:
    current = CurrentSettings(tmp_path / "settings.toml", Settings())
    with pytest.raises(SettingsError, match="no room"):
        current.change("language_model.context_tokens", 1024)
    assert current.now.language_model.context_tokens == 8192
