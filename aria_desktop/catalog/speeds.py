"""How fast models were on this machine when that was measured, kept in a file; and how well they chose tools, which
the program brings along."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from aria_desktop.catalog.space import writing_to
from aria_desktop.core.models import MeasuredSpeed, ToolScore

NAME = "speeds.json"


class Speeds:
    """For one thread."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME

    def all(self) -> Mapping[str, MeasuredSpeed]:
        """By model id; none where the file is not there or can't be read."""
        try:
            data = json.loads(self._path.read_bytes())
            return {str(name): MeasuredSpeed(float(each["value"]), float(each["at"])) for name, each in data.items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return {}

    def keep(self, model_id: str, value: float) -> None:
        """Raises StorageError, DiskFull."""
        self._write({**self.all(), model_id: MeasuredSpeed(value, time.time())})

    def forget(self, model_id: str) -> None:
        """Raises StorageError, DiskFull."""
        if model_id in (known := self.all()):
            self._write({name: speed for name, speed in known.items() if name != model_id})

    def _write(self, speeds: Mapping[str, MeasuredSpeed]) -> None:
        scratch = self._path.with_suffix(".new")
        with writing_to(self._path.parent):
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            scratch.write_text(json.dumps({name: asdict(speed) for name, speed in speeds.items()}), "utf-8")
            scratch.chmod(0o600)
            scratch.replace(self._path)


def read_scores(resources: Path) -> Mapping[str, ToolScore]:
    """By model id. The figures are those of docs/benchmarks/eval.json; a test holds them against it."""
    data = json.loads((resources / "tool_scores.json").read_text("utf-8"))
    return {name: ToolScore(int(each["right"]), int(each["cases"])) for name, each in data.items()}
