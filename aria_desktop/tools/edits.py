"""One place of a text becomes another, and the rest stays as it is to the last character. Pure.

The place is found exactly, or else without regard to case, white space and the kind of quotes and dashes; it has to
be the only one. A place that would cut a number or begins or ends within a word counts only when no other fits.
Where there is none or more than one, the lines concerned are told, so that a model can name the place better.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from aria_desktop.core.errors import ToolFailed
from aria_desktop.core.visible import visible_line
from aria_desktop.safety.names import quoted
from aria_desktop.safety.texts import line_end, with_line_ends

LINES_TOLD = 5
LINE_CHARACTERS = 160
_SAME_SIGNS = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", '"')
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-")
)
# Nothing that these patterns have taken is given back (`*+`): lines of files can hold any number of blanks, and a
# search that tries each way to share them out would stop the whole program.
_LIST_MARK = re.compile(r"[ \t]*+(?:[-*+\u2022]|\d++[.)])?+[ \t]*+(?:\[[ xX]?\])?+[ \t]*+\Z")
"""What is left of a line of a list when its text is gone."""

_LITERAL = re.compile(r"true|false|null|none|yes|no|on|off|-?\d+(?:\.\d+)?", re.IGNORECASE)
_VALUE = r"""[ \t]*+[:=][ \t]*+(?:(?P<quote>["'])(?P<quoted>[^"'\n]++)(?P=quote)|(?P<bare>[\w.+-]++))[ \t]*+"""
_BEHIND_NAME = re.compile(rf"""(?<=[\w"'])["']?{_VALUE}(?=[,;#}}\r\n]|\Z)""")
_WHOLE_SETTING = re.compile(rf"""["']?[^\W\d][\w.-]*+["']?{_VALUE},?+\s*+""")

Span = tuple[int, int]


def edited(text: str, find: str, replace: str, path: str) -> str:
    """`text` with `replace` in the place of `find`. Raises ToolFailed when there is not exactly one place.

    Args:
        path: name of the file, for messages.
    """
    end = line_end(text)
    wanted, written = _without_odd_line_end(with_line_ends(find, end), with_line_ends(replace, end))
    if not wanted.strip():
        raise ToolFailed('"find" is empty. It has to be text that is in the file now; append_file adds at the end.')
    start, stop = _place(text, wanted, path)
    if not written:
        start, stop = _whole_line(text, start, stop)
    elif _LITERAL.fullmatch(written):
        start, stop = _value_of_setting(text, start, stop)
    elif text[start:stop] != wanted:
        written = _in_case_of(text[start:stop], wanted, written)
    return text[:start] + written + text[stop:]


def _without_odd_line_end(find: str, replace: str) -> tuple[str, str]:
    """A line end that only `find` has is not meant to go: two lines would become one."""
    if replace and not replace.endswith("\n"):
        find = find.removesuffix("\n").removesuffix("\r")
    return find, replace


def _place(text: str, find: str, path: str) -> Span:
    for spans in (list(_exact(text, find)), list(_loose(text, find))):
        uncut = [span for span in spans if not _cuts_number(text, span)]
        whole = [span for span in uncut if not _cuts_word(text, span)]
        found = whole or uncut
        if len(found) == 1:
            return found[0]
        if found:
            raise ToolFailed(_several(text, find, found, path))
    raise ToolFailed(_none(text, find, path))


def _exact(text: str, find: str) -> Iterator[Span]:
    at = text.find(find)
    while at >= 0:
        yield at, at + len(find)
        at = text.find(find, at + len(find))


def _loose(text: str, find: str) -> Iterator[Span]:
    """Places that differ in case, white space, quotes and dashes only. Numbers are the same ones."""
    plain, places = _plain(text)
    wanted, _ = _plain(find)
    for first, last in _exact(plain, wanted):
        span = places[first], places[last - 1] + 1
        if re.findall(r"\d+", text[slice(*span)]) == re.findall(r"\d+", find):
            yield span


def _plain(text: str) -> tuple[str, list[int]]:
    """The characters that count, and where each of them comes from."""
    plain: list[str] = []
    places: list[int] = []
    for at, character in enumerate(text):
        if not character.isspace():
            folded = character.translate(_SAME_SIGNS).casefold()
            plain.append(folded)
            places += [at] * len(folded)
    return "".join(plain), places


def _cuts_number(text: str, span: Span) -> bool:
    return any(_inside(text, at, str.isdigit) for at in span)


def _cuts_word(text: str, span: Span) -> bool:
    return any(_inside(text, at, str.isalnum) for at in span)


def _inside(text: str, at: int, kind: Callable[[str], bool]) -> bool:
    """Whether characters of the kind stand on both sides."""
    return 0 < at < len(text) and kind(text[at - 1]) and kind(text[at])


def _whole_line(text: str, start: int, stop: int) -> Span:
    """The span, or all of the lines that it leaves nothing of but a list's mark; with them goes one line end."""
    line_start = text.rfind("\n", 0, start) + 1
    line_stop = text.find("\n", stop)
    line_stop = len(text) if line_stop < 0 else line_stop
    if text[start:stop].endswith("\n") or text[stop:line_stop].strip() or not _LIST_MARK.match(text[line_start:start]):
        return start, stop
    if line_stop < len(text):
        return line_start, line_stop + 1
    before = len(text[:line_start].removesuffix("\n").removesuffix("\r"))
    return before, len(text)


def _value_of_setting(text: str, start: int, stop: int) -> Span:
    """The value alone, when the span is the name of a setting, or name and value. No setting is called true or 5: where
    its name is to be replaced by such a literal, the value is meant."""
    name = not _LITERAL.fullmatch(text, start, stop)
    found = (name and _BEHIND_NAME.match(text, stop)) or _WHOLE_SETTING.fullmatch(text, start, stop)
    if not found:
        return start, stop
    return found.span("bare") if found["bare"] else found.span("quoted")


def _in_case_of(found: str, find: str, replace: str) -> str:
    """A capital letter at the beginning stays one, where the text was found without regard to case."""
    if found[0].isupper() and find[0].islower() and replace[0].islower() and not found.isupper():
        return replace[0].upper() + replace[1:]
    return replace


def _several(text: str, find: str, spans: Sequence[Span], path: str) -> str:
    numbers = [text.count("\n", 0, start) for start, _ in spans]
    listed = _listed(text, numbers)
    return f"{quoted(find)} is in {quoted(path)} {len(spans)} times. Give more of the text around it:\n{listed}"


def _none(text: str, find: str, path: str) -> str:
    if not text.strip():
        return f"{quoted(path)} is empty."
    return f"{quoted(find)} is not in {quoted(path)}. The nearest lines are:\n{_listed(text, _nearest(text, find))}"


def _listed(text: str, numbers: Sequence[int]) -> str:
    lines = text.split("\n")
    told = [f"{number + 1}: {_shortened(lines[number])}" for number in list(dict.fromkeys(numbers))[:LINES_TOLD]]
    return "\n".join(told)


def _shortened(line: str) -> str:
    shown = visible_line(line.removesuffix("\r"))
    return shown[:LINE_CHARACTERS] + "…" if len(shown) > LINE_CHARACTERS else shown


def _nearest(text: str, find: str) -> list[int]:
    """Numbers of the lines that share most with `find`, in their order in the text."""
    wanted = _triples(find)
    scored = [(len(wanted & _triples(line)), -number) for number, line in enumerate(text.split("\n")) if line.strip()]
    best = sorted(scored, reverse=True)[:LINES_TOLD]
    return sorted(-number for _, number in best)


def _triples(text: str) -> set[str]:
    plain = _plain(text)[0]
    return {plain[at : at + 3] for at in range(max(1, len(plain) - 2))}
