"""Measurements kept as they are made, one JSON object a line, so that a benchmark that was stopped goes on.

The first line says what decides the measurements; a file with another one is not added to. What a kill left of the
last line is dropped.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from aria_desktop.core.errors import UsageError
from aria_desktop.storage.files import replace_file, storage_error

Record = Mapping[str, object]


class Records:
    def __init__(self, path: Path | None, settings: Mapping[str, object], *, fresh: bool = False) -> None:
        """`path`: None keeps nothing on disk. Raises UsageError for a file of other settings, StorageError."""
        self._path = path
        self.all: dict[str, Record] = {}
        """By key, in the order in which they were made."""
        head = json.loads(json.dumps(settings))
        if path is not None:
            if path.exists() and not fresh:
                self._read(path, head)
            lines = [head, *({"key": key, **record} for key, record in self.all.items())]
            replace_file(path, b"".join(map(_line, lines)))

    def add(self, key: str, record: Record) -> None:
        """On disk when it returns."""
        self.all[key] = record
        if self._path is None:
            return
        try:
            with self._path.open("ab") as file:
                file.write(_line({"key": key, **record}))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise storage_error("write", self._path, error) from error

    def _read(self, path: Path, head: object) -> None:
        lines = path.read_text("utf-8", "replace").split("\n")[:-1]
        try:
            found = [json.loads(line) for line in lines]
            self.all = {record.pop("key"): record for record in found[1:]}
        except (ValueError, KeyError, AttributeError, TypeError, RecursionError) as error:
            raise UsageError(f"{path} holds no measurements of this program.", "Name another file.") from error
        if found and found[0] != head:
            raise UsageError(
                f"{path} holds measurements of other settings: {json.dumps(found[0])[:300]}.",
                "Add --fresh to start anew, or name another file.",
            )


def _line(record: Record) -> bytes:
    return (json.dumps(record, ensure_ascii=False) + "\n").encode("utf-8", "replace")
