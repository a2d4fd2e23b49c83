"""The window of this process, with its assistant, its talk key and its socket. Part of the composition root."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from aria_desktop import app_audio
from aria_desktop.app import elsewhere_open, found, program_on
from aria_desktop.core import fetch_mode
from aria_desktop.core.errors import DatabaseBusy
from aria_desktop.core.safe_mode import AGAIN, SafeMode
from aria_desktop.storage.crash_marker import SAFE_AFTER, marked_run
from aria_desktop.storage.files import guarded_folder
from aria_desktop.storage.left_off import LeftOff, take_left_off
from aria_desktop.storage.lock import DatabaseLock
from aria_desktop.storage.safe_settings import safe_settings
from aria_desktop.storage.window_place import NOWHERE
from aria_desktop.storage.workspaces import Workspaces
from aria_desktop.workers.engines import ALL_ROLES

RETURN_S = 60.0
"""So long a window that comes back from fetch mode waits for a command that took the database meanwhile."""


def run_window(workspace: str, *, returning: bool = False, starter: int = 0) -> int:
    """Open the window, or bring the one that is open to the front. Returns an exit code, `fetch_mode.WANTED`, or
    `safe_mode.AGAIN`.

    Args:
        returning: from fetch mode, so it goes on where the window was before.
        starter: the process that runs fetch mode or another window when this one asks for it; 0: there is none.
    """
    import os

    from aria_desktop.control import local_socket
    from aria_desktop.control.server import ControlServer
    from aria_desktop.core.requests import ShowWindow
    from aria_desktop.gui import application
    from aria_desktop.gui.display import require_display
    from aria_desktop.window_desk import FetchWish, UsualStart, window_options

    paths, set_by_user = found()
    require_display(os.environ)
    with ExitStack() as stack:
        try:
            socket = str(paths.socket) if local_socket.supported() else ""
            patience = RETURN_S if returning else 0.0
            lock = stack.enter_context(DatabaseLock.take_patiently(paths.lock, "window", socket, patience))
        except DatabaseBusy:
            stack.enter_context(elsewhere_open(paths)).submit(ShowWindow())
            return 0
        unclean = stack.enter_context(marked_run(paths.data))
        safe = unclean >= SAFE_AFTER
        settings = safe_settings(set_by_user) if safe else set_by_user
        program = stack.enter_context(program_on(paths, settings, paths.database, lock))
        if socket:
            guarded_folder(paths.runtime)
            server = ControlServer(program.session, paths.socket)
            server.start()
            stack.callback(server.close)
        workspaces = Workspaces(paths)
        key = app_audio.TalkKeyListening(program.session, program.session.publish, settings.talk_key)
        stack.callback(key.close)

        wish, usual_start = FetchWish(paths.data, starter), UsualStart(starter)
        left = take_left_off(paths.data) if returning else LeftOff()

        def when_painted() -> None:
            if not safe:
                key.start()
                program.prepare(ALL_ROLES)

        options = replace(
            window_options(paths, settings, _window_workspace(workspace, left, program.workspace)),
            known_folders=workspaces.names,
            grant_folder=lambda folder: str(workspaces.add(Path(folder))),
            when_painted=when_painted,
            open_session="" if safe else left.session_id or program.waiting_session(),
            open_page=left.page,
            fetch=wish.ask if wish.possible else None,
        )
        if safe:
            options = replace(options, safe_mode=SafeMode(unclean, usual_start.leave), place=NOWHERE, first_start=False)
        code = application.run(program.session, options)
        if wish.asked:
            return fetch_mode.WANTED
        return AGAIN if usual_start.asked else code


def _window_workspace(asked: str, left: LeftOff, usual: Path) -> Path:
    return next((Path(folder).absolute() for folder in (left.workspace, asked) if folder), usual)
