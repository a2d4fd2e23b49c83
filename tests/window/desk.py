"""What the pages are handed in window tests: real values, and lists that say what was asked of them."""

from __future__ import annotations

import time
from collections.abc import Sequence

from aria_desktop.core.errors import StorageError
from aria_desktop.core.records import GivenLeave
from aria_desktop.gui.desk import Desk
from aria_desktop.storage.declarations import Settings


class TestDesk:
    """Leave that can be revoked, a log, and a switch that makes everything fail."""

    __test__ = False

    def __init__(self) -> None:
        until = time.time() + 3600
        self.given = [
            GivenLeave("g1", "write_code for *.py", "/home/you/aria/output", "", until + 60),
            GivenLeave("g2", "create_file for <b>notes</b>.md", "/home/you/aria/output", "s1", until),
        ]
        self.fails = False

    def desk(self) -> Desk:
        return Desk(
            settings=Settings(),
            data_folder="/home/you/.local/share/aria-desktop",
            leaves=self._leaves,
            revoke=self._revoke,
            log=lambda: self._text("2026-12-01 10:00 WARNING it went wrong"),
            diagnostics=lambda: self._text("## ARIA Desktop\n1.0"),
        )

    def _leaves(self) -> Sequence[GivenLeave]:
        self._check()
        return tuple(self.given)

    def _revoke(self, ids: Sequence[str]) -> None:
        self._check()
        self.given = [given for given in self.given if given.id not in ids]

    def _text(self, text: str) -> str:
        self._check()
        return text

    def _check(self) -> None:
        if self.fails:
            raise StorageError("The disk is gone.", "Put it back.")
