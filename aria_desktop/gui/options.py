"""What the composition root hands to the window, besides the assistant itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from aria_desktop.core.safe_mode import SafeMode
from aria_desktop.core.seal import Badge, SealReport
from aria_desktop.gui.desk import Desk
from aria_desktop.storage.left_off import LeftOff
from aria_desktop.storage.window_place import NOWHERE, WindowPlace

ThemeChoice = Literal["system", "light", "dark", "contrast"]


@dataclass(frozen=True, slots=True)
class WindowOptions:
    resources: Path
    """The folder that holds `fonts/`, `icons/` and `window.qss`."""
    workspace: str
    """The folder in which turns work at first, absolute: it is shown, and given with each request."""
    known_folders: Callable[[], tuple[str, ...]] = tuple
    """All folders that turns may work in; asked on the Qt main thread. Raises AriaError."""
    grant_folder: Callable[[str], str] | None = None
    """Lets turns work in a folder that the user has chosen, from now on, and returns its name; called on the Qt main
    thread. Raises AriaError for one that can't be a workspace. Without it no other folder can be chosen."""
    theme: ThemeChoice = "system"
    font_percent: int = 100
    """85 to 200; all sizes of type follow it."""
    speak: bool = True
    """Where the "Speak replies" switch stands at first."""
    when_painted: Callable[[], None] | None = None
    """Called once, on the Qt main thread, when the window has been painted for the first time; must not block. Work
    that would compete with the window for the processor starts here."""
    open_session: str = ""
    """A stored session to show at the start, so that its waiting question is asked again; empty: a new one."""
    open_page: str = ""
    """Name of a page to show at the start; empty: the one of `place`, or Talk."""
    place: WindowPlace = NOWHERE
    """Where the window was when it was closed last."""
    keep_place: Callable[[WindowPlace], None] | None = None
    """Called on the Qt main thread when the window closes. Raises AriaError."""
    set_autostart: Callable[[bool], None] | None = None
    """Has the desktop start ARIA at log-in, or not any more. On the Qt main thread. Raises AriaError."""
    fetch: Callable[[Sequence[str], LeftOff], None] | None = None
    """Ends in fetch mode: models of the catalogue, by id, are brought over the network after this window has closed,
    and a new one goes on where it was. Called on the Qt main thread; the window then closes itself. Raises AriaError.
    Without it, models are fetched on the command line."""
    safe_mode: SafeMode | None = None
    """Started with defaults because windows before it crashed."""
    first_start: bool = False
    """No window of this user was closed before: the guide is offered."""
    badge: Badge = Badge.OPEN
    """What the top bar says of the seal, for as long as the window is open: a door does not change."""
    language: str = "auto"
    """Code of the language of the window's words; "auto": the system's, where there are words for it."""
    desk: Desk | None = None
    """What the pages beside Talk need; without it there are none."""
    look_at_seal: Callable[[], SealReport] | None = None
    """Asked on the Qt main thread whenever the page behind the seal is opened; without it there is none."""
