"""Names of what there is in the workspace when a turn begins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from aria_desktop.core.errors import ModelFault
from aria_desktop.core.visible import visible_line
from aria_desktop.safety.entries import EntryKind
from aria_desktop.safety.paths import Workspace

SHOWN = 40
"""Names that the model is told in every prompt."""
KNOWN = 2000
"""Names that code holds a change against."""
DEPTH = 3
"""Folders inside each other that are looked into."""
MORE = "…"
"""Stands at the end of those shown when there are more."""


@dataclass(frozen=True, slots=True)
class WorkspaceNames:
    known: tuple[str, ...] = ()
    """Paths, at most `KNOWN`, what is higher up first, folders with / at the end; hidden ones are left out."""

    @property
    def shown(self) -> tuple[str, ...]:
        left_out = (MORE,) if len(self.known) > SHOWN else ()
        return (*self.known[:SHOWN], *left_out)


def names_in(workspace: Workspace) -> WorkspaceNames:
    return WorkspaceNames(tuple(islice(_walked(workspace), KNOWN)))


def _walked(workspace: Workspace) -> Iterator[str]:
    """A folder that can't be looked into is named and passed over: the answer does not depend on it."""
    waiting = [""]
    while waiting:
        folder = waiting.pop(0)
        try:
            entries = workspace.listing(folder or ".").entries
        except ModelFault:
            continue
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            if entry.name.startswith(".") or entry.kind is EntryKind.OTHER:
                continue
            if entry.kind is EntryKind.FILE:
                yield visible_line(path)
            elif path.count("/") < DEPTH:
                yield visible_line(path) + "/"
                waiting.append(path)
