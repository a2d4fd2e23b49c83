"""The log: warnings and errors go to a file of bounded size; the terminal belongs to what the commands print."""

from __future__ import annotations

import logging
import logging.handlers
from pathlib import Path

from aria_desktop.core.errors import StorageError
from aria_desktop.storage.files import private_folder

_BYTES = 1_000_000


def log_to(folder: Path) -> None:
    """From now on; where the folder can't be made, nothing is logged."""
    try:
        private_folder(folder)
        handler = logging.handlers.RotatingFileHandler(
            folder / "aria.log", maxBytes=_BYTES, backupCount=2, encoding="utf-8", delay=True
        )
    except (OSError, StorageError):
        return
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.getLogger().handlers[:] = [handler]
