"""Which folders can be workspaces: none of ARIA's own, not the whole of a user's files, nobody else's.

Whoever can change settings, conversations, models or the trash decides about ARIA itself, so a workspace neither is
one of these folders nor holds one nor lies in one. The home folder holds keys and the settings of all other programs,
so neither it nor what holds it is a workspace; a folder in it may be. Links are followed to their end: a workspace is
the folder they lead to. A folder that is chosen to stay one has to be named without a link, so that it is the one
that was looked at.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

from aria_desktop.core.errors import UsageError


def refuse_own(workspace: Path, own: Iterable[Path]) -> None:
    """Raises UsageError. The folders need not be there."""
    root = workspace.resolve()
    if _home().is_relative_to(root):
        raise UsageError(
            f"The folder {workspace} can't be a workspace: it is or holds your whole home folder.",
            "Choose a folder inside it.",
        )
    for folder in own:
        kept = folder.resolve()
        if root.is_relative_to(kept) or kept.is_relative_to(root):
            raise UsageError(
                f"The folder {workspace} can't be a workspace: ARIA keeps its own data in {folder}.",
                "Choose a folder that neither holds that one nor lies in it.",
            )


def refuse_unfit(folder: Path, own: Iterable[Path]) -> None:
    """Raises UsageError for what can't be chosen to be a workspace from now on.

    Args:
        folder: absolute.
        own: ARIA's own folders; they need not be there.
    """
    named = Path(os.path.normpath(folder))
    refused = f"The folder {folder} can't be a workspace"
    try:
        state, real = named.lstat(), named.resolve(strict=True)
    except (OSError, ValueError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or "its name can't be used"
        raise UsageError(f"{refused}: {reason}.", "Choose a folder that is there.") from None
    if real != named:
        raise UsageError(f"{refused}: a link leads from there to {real}.", "Choose that folder itself.")
    if not named.is_dir():
        raise UsageError(f"{refused}: it is no folder.", "Choose a folder.")
    refuse_own(named, own)
    if sys.platform != "win32" and state.st_uid != os.geteuid():
        raise UsageError(f"{refused}: it belongs to another user.", "Choose a folder of your own.")
    if not os.access(named, os.R_OK | os.W_OK | os.X_OK):
        raise UsageError(f"{refused}: its rights don't let you work in it.", "Change them, or choose another one.")


def _home() -> Path:
    """Where the system's list of users has no entry, what holds all folders stands for it."""
    try:
        return Path.home().resolve()
    except RuntimeError:
        return Path("/")
