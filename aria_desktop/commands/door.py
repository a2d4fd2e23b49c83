"""Which network door a command starts with, and that nothing of it runs before the door is closed.

Every command starts with the door to this computer's own programs, and with no other. The exceptions say so themselves
with a function `door`: fetching models, and the doctor's proof, which needs a process with an open door beside the
closed one.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Protocol

from aria_desktop.core.seal import Door
from aria_desktop.safety import airgap
from aria_desktop.safety.airgap_cloud import ENGINES, cloud_wanted

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

FETCHING_NEEDS = ("catalog", "commands", "core", "safety", "storage")
"""The parts of the package that fetching models is made of."""
FETCH_WINDOW = frozenset(
    {
        "gui",
        "gui.announce",
        "gui.buttons",
        "gui.display",
        "gui.fetch_row",
        "gui.fetch_window",
        "gui.focus_ring",
        "gui.garbage",
        "gui.languages",
        "gui.look",
        "gui.mark",
        "gui.qt_program",
        "gui.state",
        "gui.state.fetching",
        "gui.state.figures",
        "gui.state.shown",
        "gui.state.talk",
        "gui.state.translation",
        "gui.theme",
        "gui.words",
    }
)
"""What the window of fetch mode is made of besides: it shows how far a fetch is, and can show nothing else."""


class Close(Protocol):
    def __call__(self, door: Door) -> object: ...


def door_of(
    command: ModuleType, arguments: argparse.Namespace, environment: Mapping[str, str], cloud: Sequence[str] = ENGINES
) -> Door | None:
    """None: the command closes the door itself. Raises SettingsError for a wrong cloud switch."""
    wanted = cloud_wanted(environment, cloud)
    chosen = getattr(command, "door", None)
    if chosen is not None:
        own: Door | None = chosen(arguments)
        return own
    return Door.CLOUD if wanted else Door.LOCAL


def close(door: Door | None, close_it: Close = airgap.close) -> None:
    """Where the system has no such door, the program goes on: the doctor and the window say what that means.

    Raises SealFailed.
    """
    if door is Door.FETCHING:
        sys.meta_path.insert(0, _OnlyFetching())
    if door is None:
        return
    try:
        close_it(door)
    except airgap.SealUnsupported:
        return


class _OnlyFetching:
    """A process with a door to the network has no assistant, no engine, no tool, no microphone and no window but
    that of fetch mode: it can't import them. In the form of an import hook (`sys.meta_path`)."""

    def find_spec(self, fullname: str, *_where: object) -> ModuleSpec | None:
        package, _, part = fullname.partition(".")
        needed = part.partition(".")[0] in FETCHING_NEEDS or part in FETCH_WINDOW
        if package == "aria_desktop" and not needed:
            raise ImportError(f"{fullname} is no part of fetching models")
        return None
