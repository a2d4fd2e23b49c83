"""Keeps workspaces apart from ARIA's own folders and from the whole of a user's files.

Whoever can change settings, conversations or the trash decides about ARIA itself, so a workspace neither is one of
these folders nor holds one nor lies in one. The home folder holds keys and the settings of all other programs, so
neither it nor what holds it is a workspace; a folder in it may be. Links are followed to their end: a workspace is
the folder they lead to.
"""

from __future__ import annotations

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


def _home() -> Path:
    """Where the system's list of users has no entry, what holds all folders stands for it."""
    try:
        return Path.home().resolve()
    except RuntimeError:
        return Path("/")
