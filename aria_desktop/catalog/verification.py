"""Are these the right bytes? Looking from outside first, hashing where that doesn't settle it."""

from __future__ import annotations

import stat
from collections.abc import Mapping
from pathlib import Path

from aria_desktop.catalog.catalog import ModelEntry, ModelFile
from aria_desktop.catalog.hashing import sha256_of
from aria_desktop.catalog.progress import Meter
from aria_desktop.catalog.record import FileRecord, Look
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.errors import ModelDamaged


def fault(folder: Path, file: ModelFile) -> str:
    """What is wrong with a file as seen from outside; empty when nothing is."""
    try:
        state = (folder / file.name).stat()
    except OSError:
        return f"{file.name} is missing"
    if not stat.S_ISREG(state.st_mode):
        return f"{file.name} is no ordinary file"
    if file.bytes is not None and state.st_size != file.bytes:
        return f"{file.name} has {state.st_size} of {file.bytes} bytes"
    return ""


def promised(file: ModelFile, pins: Mapping[str, FileRecord]) -> str | None:
    """The SHA-256 the file must have: the catalogue's, else the one it was pinned to, else none."""
    pin = pins.get(file.name)
    return file.sha256 or (pin.sha256 if pin else None)


def seen(
    folder: Path, file: ModelFile, known: Mapping[str, FileRecord], meter: Meter, cancel: CancelToken
) -> FileRecord:
    """What the file is: as `known` says when it still looks like that, else by hashing it.

    Raises ModelDamaged when it can't be read, Cancelled.
    """
    path = folder / file.name
    try:
        # Looked at before hashing: a change meanwhile then shows the next time.
        look = Look.of(path)
        if (record := known.get(file.name)) is not None and record.look == look:
            return record
        return FileRecord(sha256=sha256_of(path, cancel, meter.add), look=look)
    except OSError as error:
        raise ModelDamaged(f"{path} can't be read: {error.strerror}.", "Check the disk.") from error


def way_out(entry: ModelEntry) -> str:
    """The command that brings a model back."""
    if entry.sources:
        return f"Fetch it: aria models fetch {entry.id}"
    return f"Add it again: aria models remove {entry.id}, then aria models add PATH --id {entry.id}"
