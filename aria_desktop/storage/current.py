"""The settings as they are now, for those who ask each time that they need one."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

from aria_desktop.storage.declarations import Settings
from aria_desktop.storage.settings import save_setting


class CurrentSettings:
    """From any thread."""

    def __init__(self, path: Path, settings: Settings) -> None:
        self._path = path
        self._settings = settings
        self._lock = threading.Lock()

    @property
    def now(self) -> Settings:
        """One value that holds together, however long it is used."""
        return self._settings

    def change(self, name: str, value: object) -> Settings:
        """Write setting `name` ("section.name") into the file; from then on it holds. Raises like `save_setting`, and
        then nothing has changed."""
        with self._lock:
            save_setting(self._path, name, value)
            section, key = name.split(".")
            changed = replace(getattr(self._settings, section), **{key: value})
            self._settings = replace(self._settings, **{section: changed})
            return self._settings
