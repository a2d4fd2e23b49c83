"""Bars with intervals as inline SVG: colours come from the page's style sheet, so they follow light and dark. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from aria_desktop.evaluation.intervals import wilson

_LABEL = 130
"""Width of the column with names, in SVG units."""
_BAR = 420
_NUMBERS = 90
_HEIGHT = 14
"""Of one bar with its gap."""
_GAP = 8
"""Between groups."""


@dataclass(frozen=True, slots=True)
class Share:
    hits: int
    total: int


@dataclass(frozen=True, slots=True)
class Group:
    """A name, and a share for each series in their order; None where there is none."""

    name: str
    shares: tuple[Share | None, ...]


def bars(title: str, groups: Sequence[Group], series: Sequence[str]) -> str:
    """Groups of horizontal bars from 0 to 100 %, each with its Wilson interval at 95 % as a line."""
    each = len(series) * _HEIGHT + _GAP
    height, width = len(groups) * each + 26, _LABEL + _BAR + _NUMBERS
    parts = [
        f'<svg class="chart" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title, quote=True)}">',
        f"<title>{escape(title)}</title>",
        *_grid(height - 22),
    ]
    for number, group in enumerate(groups):
        parts += _group(group, number * each + _GAP / 2, len(series))
    return "".join([*parts, "</svg>"])


def _grid(bottom: float) -> list[str]:
    lines = []
    for percent in (0, 25, 50, 75, 100):
        x = _x(percent / 100)
        lines.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{bottom:.1f}"/>')
        lines.append(f'<text class="axis" x="{x:.1f}" y="{bottom + 16:.1f}" text-anchor="middle">{percent} %</text>')
    return lines


def _group(group: Group, top: float, series: int) -> list[str]:
    middle = top + series * _HEIGHT / 2 + 4
    parts = [f'<text class="name" x="{_LABEL - 8}" y="{middle:.1f}" text-anchor="end">{escape(group.name)}</text>']
    for index, found in enumerate(group.shares):
        if found is not None and found.total:
            parts += _bar(found, top + index * _HEIGHT, index)
    return parts


def _bar(found: Share, top: float, index: int) -> list[str]:
    low, high = wilson(found.hits, found.total)
    part, middle = found.hits / found.total, top + (_HEIGHT - 2) / 2
    label = f"{found.hits} of {found.total}, {100 * part:.0f} % ({100 * low:.0f} to {100 * high:.0f})"
    return [
        f"<g><title>{label}</title>",
        f'<rect class="bar s{index % 6}" x="{_LABEL}" y="{top:.1f}" '
        f'width="{part * _BAR:.1f}" height="{_HEIGHT - 2}" rx="2"/>',
        f'<line class="interval" x1="{_x(low):.1f}" x2="{_x(high):.1f}" y1="{middle:.1f}" y2="{middle:.1f}"/>',
        *(
            f'<line class="interval" x1="{_x(end):.1f}" x2="{_x(end):.1f}" '
            f'y1="{middle - 3:.1f}" y2="{middle + 3:.1f}"/>'
            for end in (low, high)
        ),
        f'<text class="number" x="{_LABEL + _BAR + 10}" y="{middle + 4:.1f}">{found.hits} of {found.total}</text></g>',
    ]


def _x(part: float) -> float:
    return _LABEL + part * _BAR
