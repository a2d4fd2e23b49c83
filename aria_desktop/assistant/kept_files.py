"""What lies in a workspace, for a front end to show: through the one door to it, and never more than can be shown."""

from __future__ import annotations

from collections.abc import Callable

from aria_desktop.core import requests
from aria_desktop.core.listings import MOST_FILES, FileShown, FilesListed
from aria_desktop.core.records import FileRecord
from aria_desktop.safety.entries import EntryKind
from aria_desktop.safety.paths import Workspace

MOST_SHOWN = 20_000
"""Characters of a file."""

Open = Callable[[str], Workspace]


def listed(request: requests.ListFiles, open_workspace: Open) -> FilesListed:
    """Raises AriaError when there is no such folder."""
    with open_workspace(request.workspace) as workspace:
        listing = workspace.listing()
    files = [
        FileRecord(entry.name, entry.size, entry.modified)
        for entry in listing.entries
        if entry.kind is EntryKind.FILE and not entry.name.startswith(".")
    ]
    files.sort(key=lambda file: (-file.modified, file.name))
    return FilesListed(request.request_id, tuple(files[:MOST_FILES]), len(files))


def shown(request: requests.ShowFile, open_workspace: Open) -> FileShown:
    """Raises AriaError when it is no text, too large, gone, or no name of the workspace."""
    with open_workspace(request.workspace) as workspace:
        text = workspace.read_text(request.name)
    return FileShown(request.request_id, request.name, text[:MOST_SHOWN], len(text) > MOST_SHOWN)
