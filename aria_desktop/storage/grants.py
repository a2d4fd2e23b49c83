"""Leave that was given for more than one action, kept in one small file of the data folder.

What decides reads the file anew each time. A file that can't be understood gives no leave; it is told by `aria grants`
and replaced by the next leave that is given.
"""

from __future__ import annotations

from pathlib import Path

from aria_desktop.safety.grants import Granted
from aria_desktop.storage.kept_file import KeptFile

NAME = "grants.json"
"""In the data folder."""


class GrantFile(KeptFile[Granted]):
    def __init__(self, path: Path) -> None:
        super().__init__(path, Granted(0.0), "so no leave counts", "`aria grants revoke --all` replaces it.")
