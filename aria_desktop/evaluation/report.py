"""What a benchmark found: figures with their goals, as a table for people and as JSON for the record."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from aria_desktop import __version__


@dataclass(frozen=True, slots=True)
class Figure:
    name: str
    value: float
    unit: str
    limit: float | None = None
    """The goal: `value` at most this. None: reported only."""
    least: float | None = None
    """The goal: `value` at least this."""
    interval: tuple[float, float] | None = None
    """Where the true value lies, with 95 % confidence."""

    @property
    def met(self) -> bool:
        return (self.limit is None or self.value <= self.limit) and (self.least is None or self.value >= self.least)

    def row(self) -> tuple[str, str, str, str]:
        goal = "" if self.limit is None else f"at most {self.limit:g} {self.unit}"
        goal = goal if self.least is None else f"at least {self.least:g} {self.unit}"
        verdict = ("met" if self.met else "MISSED") if goal else ""
        spread = f" ({self.interval[0]:.3g} to {self.interval[1]:.3g})" if self.interval else ""
        return self.name, f"{_number(self.value)} {self.unit}".strip() + spread, goal.strip(), verdict


def _number(value: float) -> str:
    """Counts in full, measurements with three figures."""
    return f"{value:,}" if isinstance(value, int) else f"{value:.3g}"


@dataclass(frozen=True, slots=True)
class Report:
    name: str
    machine: str
    figures: tuple[Figure, ...]
    items: tuple[Mapping[str, object], ...]
    """The raw measurements behind the figures, one object each."""

    @property
    def met(self) -> bool:
        return all(figure.met for figure in self.figures)

    def table(self) -> str:
        rows = [("figure", "measured", "goal", ""), *(figure.row() for figure in self.figures)]
        widths = [max(len(row[column]) for row in rows) for column in range(4)]
        lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)
        return "\n".join([f"aria bench {self.name} - ARIA Desktop {__version__} on {self.machine}", *lines])

    def write(self, path: Path) -> None:
        """As JSON; the file is complete or not there."""
        record = {
            "name": self.name,
            "version": __version__,
            "machine": self.machine,
            "met": self.met,
            "figures": [asdict(figure) | {"met": figure.met} for figure in self.figures],
            "items": list(self.items),
        }
        part = path.with_name(path.name + ".part")
        part.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        part.replace(path)


def machine_line() -> str:
    """Processor, cores and system in one line, as every report names them."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        names = [line.split(":", 1)[1].strip() for line in cpuinfo.read_text().splitlines() if "model name" in line]
        model = names[0] if names else model
    return (
        f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.release()}, Python {platform.python_version()}"
    )
