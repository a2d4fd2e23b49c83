"""Text of a question, made impossible to hide in: what is invisible is spelled out, long gaps are counted.

On top of `core.visible` this tells which parts are spelled out, so that they can be coloured, spells out what
looks like an ordinary blank or like nothing at all, and shortens runs of blanks that would push what follows out of
sight.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

from aria_desktop.core.visible import spelled_out, visible_line

_LONG_GAP = re.compile(r" {40,}|\t{10,}")


@dataclass(frozen=True, slots=True)
class Span:
    text: str
    spelled: bool = False
    """The text stands for characters that can't be seen themselves."""


def spans(line: str) -> tuple[Span, ...]:
    """A line without its break; tabs are kept, being visible as indentation."""
    found: list[Span] = []
    start = 0
    for gap in _LONG_GAP.finditer(line):
        found += _characters(line[start : gap.start()])
        name = "spaces" if gap.group().startswith(" ") else "tabs"
        found.append(Span(f"<{len(gap.group()):,} {name}>", spelled=True))
        start = gap.end()
    return tuple(found + _characters(line[start:]))


def one_line(text: str) -> str:
    """For labels: nothing in it can break the line, reorder it or fake a second label."""
    return "".join(span.text for span in spans(visible_line(text)))


def plain_tip(text: str) -> str:
    """For tool tips, which Qt shows as a page wherever a text looks like one, pictures and all."""
    return f"<qt>{html.escape(text)}</qt>" if "<" in text else text


def _characters(text: str) -> list[Span]:
    if spelled_out(text) == text:
        return [Span(text)] if text else []
    found: list[Span] = []
    for character in text:
        shown = spelled_out(character)
        spelled = shown != character
        if found and found[-1].spelled == spelled:
            found[-1] = Span(found[-1].text + shown, spelled)
        else:
            found.append(Span(shown, spelled))
    return found
