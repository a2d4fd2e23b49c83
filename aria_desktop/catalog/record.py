"""What is known of the files of an installed model: their SHA-256, and by what one sees that they are still the same.

The record lies in the model's folder. It says which bytes were verified and what the file looked like then; while it
still looks like that, opening it costs one `stat`. The time of the last status change is part of the look: no
ordinary program can set it, so a changed byte shows even where the date was put back. For a file whose hash the
catalogue doesn't know, the recorded one is its pin. For a model that no catalogue knows, the entry is kept too.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from aria_desktop.catalog.catalog import ModelEntry, PlainName, Sha256
from aria_desktop.core import regular

RECORD_NAME = ".aria-record.json"


class Look(BaseModel):
    """A file as the file system shows it from outside."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    bytes: int
    mtime_ns: int
    ctime_ns: int
    inode: int

    @classmethod
    def of(cls, path: Path) -> Self:
        state = path.stat()
        return cls(bytes=state.st_size, mtime_ns=state.st_mtime_ns, ctime_ns=state.st_ctime_ns, inode=state.st_ino)


class FileRecord(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    sha256: Sha256
    look: Look


class Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    version: Literal[1] = 1
    files: dict[PlainName, FileRecord] = {}
    entry: ModelEntry | None = None
    """Set where the shipped catalogue does not describe the model."""


def read_record(folder: Path) -> Record:
    """An empty record where there is none or it can't be read: then everything is hashed again."""
    try:
        return Record.model_validate_json(regular.content(folder / RECORD_NAME), strict=True)
    except (OSError, ValidationError):
        return Record()


def write_record(folder: Path, record: Record) -> None:
    """All or nothing. Raises OSError, in a folder that can't be written for instance."""
    temporary = folder / f"{RECORD_NAME}.{os.getpid()}"
    temporary.write_text(record.model_dump_json(indent=1) + "\n", "utf-8")
    temporary.replace(folder / RECORD_NAME)
