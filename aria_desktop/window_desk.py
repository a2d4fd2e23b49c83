"""What the window is handed besides the assistant: options, and what its pages need. Part of the composition root."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from aria_desktop import __version__
from aria_desktop.core.errors import FetchFailed
from aria_desktop.core.records import GivenLeave
from aria_desktop.core.seal import badge_of
from aria_desktop.gui.desk import Desk
from aria_desktop.gui.options import WindowOptions
from aria_desktop.safety import airgap
from aria_desktop.safety.airgap_cloud import cloud_wanted
from aria_desktop.safety.airgap_report import report
from aria_desktop.safety.grants import Grants
from aria_desktop.storage.autostart import set_autostart
from aria_desktop.storage.declarations import Settings
from aria_desktop.storage.diagnostics import diagnostics, log_end
from aria_desktop.storage.fetch_request import write_request
from aria_desktop.storage.grants import NAME, GrantFile
from aria_desktop.storage.left_off import LeftOff, write_left_off
from aria_desktop.storage.parent import still_waits
from aria_desktop.storage.paths import AppPaths
from aria_desktop.storage.program import own_command
from aria_desktop.storage.window_place import NOWHERE, read_place, write_place


def window_options(paths: AppPaths, settings: Settings, workspace: Path) -> WindowOptions:
    """`workspace`: the folder that turns work in."""
    place = read_place(paths.data)
    return WindowOptions(
        resources=paths.resources,
        workspace=str(workspace),
        theme=settings.window.theme,
        font_percent=settings.window.font_percent,
        language=settings.window.language,
        speak=settings.voice.speak_replies,
        badge=badge_of(airgap.look()[0], cloud=cloud_wanted(os.environ)),
        look_at_seal=lambda: report((os.getpid(),)),
        desk=_desk(paths, settings),
        place=place,
        first_start=place == NOWHERE,
        keep_place=lambda place: write_place(paths.data, place),
        set_autostart=lambda wanted: set_autostart(wanted, own_command("window"), os.environ),
    )


class FetchWish:
    """Whether the window has asked for fetch mode. It then ends, and its starter does the rest."""

    def __init__(self, data: Path, starter: int) -> None:
        self._data, self._starter = data, starter
        self.asked = False

    @property
    def possible(self) -> bool:
        return self._starter > 0

    def ask(self, names: Sequence[str], left: LeftOff) -> None:
        """Called on the Qt main thread; the window closes after it. Raises StorageError, FetchFailed."""
        if not still_waits(self._starter):
            raise FetchFailed("What starts fetch mode is gone.", "Close this window and start ARIA again.")
        write_left_off(self._data, left)
        write_request(self._data, names)
        self.asked = True


class UsualStart:
    """Whether the window in safe mode has asked for one as usual after it."""

    def __init__(self, starter: int) -> None:
        self._starter = starter
        self.asked = False

    @property
    def leave(self) -> Callable[[], None] | None:
        """Called on the Qt main thread; the window closes after it."""
        return self._ask if still_waits(self._starter) else None

    def _ask(self) -> None:
        self.asked = True


def _desk(paths: AppPaths, settings: Settings) -> Desk:
    leave = Grants(GrantFile(paths.database.parent / NAME))

    def leaves() -> tuple[GivenLeave, ...]:
        return tuple(
            GivenLeave(given.id, given.text, given.folder, given.session_id, given.until) for given in leave.standing()
        )

    def revoke(ids: Sequence[str]) -> None:
        leave.revoke(ids)

    def log() -> str:
        return log_end(paths.logs)

    return Desk(
        settings=settings,
        data_folder=str(paths.data),
        leaves=leaves,
        revoke=revoke,
        log=log,
        diagnostics=lambda: diagnostics(__version__, settings, _machine(), _models(paths), log()),
    )


def _machine() -> dict[str, str]:
    """What is known without asking a driver."""
    import psutil

    from aria_desktop.catalog.hardware import processor_name, usable_cores

    memory = psutil.virtual_memory()
    return {
        "processor": processor_name(),
        "cores": str(usable_cores()),
        "memory": f"{memory.available // 1_000_000} of {memory.total // 1_000_000} MB free",
    }


def _models(paths: AppPaths) -> list[str]:
    from aria_desktop.catalog.catalog import load_catalogue
    from aria_desktop.catalog.store import ModelState, ModelStore

    store = ModelStore(paths.models, load_catalogue(paths.catalog))
    states = {entry.id: store.state(entry.id) for entry in store.entries()}
    return [f"{name}: {state.value}" for name, state in states.items() if state is not ModelState.MISSING]
