"""Finding files by name and by what stands in them, without regard to case, accents and the order of the words.

Bounded in every direction: hidden names are left out, folders are looked into to a depth, so many files and bytes are
read, and so many lines are told. When a bound was met, the answer says so.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from aria_desktop.core.chat import Outcome, ToolResult
from aria_desktop.core.errors import ToolFailed
from aria_desktop.core.visible import visible_line
from aria_desktop.safety.entries import WALK_LIMIT
from aria_desktop.safety.paths import Entry, EntryKind
from aria_desktop.safety.texts import SIZE_LIMIT
from aria_desktop.tools.files import files_and_folders
from aria_desktop.tools.languages.wording import Wording
from aria_desktop.tools.tool import Limit, ToolContext, tool

BYTES_READ = 30_000_000
"""Of all files together."""
LINES_TOLD = 20
LINES_OF_ONE_FILE = 5
LINE_CHARACTERS = 160
NAMES_SPOKEN = 8
_SHORT = 3
"""Characters of a word that is only found alone."""
_NOT_IN_WORD = r"(?<![^\W_])"
_PLURAL_FROM = 5
"""Characters from which on an s at a word's end need not be there."""


@tool(Limit.READ, source='what a search for "{query}" found')
def search_files(context: ToolContext, query: str) -> ToolResult:
    """Find files by words in their names or in their text.

    Args:
        query: only the words to look for.
    """
    words = words_of(query)
    if not words:
        raise ToolFailed("There is no word to search for.")
    found = _searched(context, words, at_word_starts(words))
    if not found.hits and not found.named:
        found = _searched(context, words, anywhere(words))
    return ToolResult(Outcome.DONE, _told(found), answer=_spoken(found, query.strip(), context.wording))


@dataclass(frozen=True, slots=True)
class Hit:
    path: str
    lines: tuple[tuple[int, str], ...]
    """Number, from 1, and text of the lines that mention it."""


@dataclass(slots=True)
class Found:
    named: list[str] = field(default_factory=list)
    """Files and folders with the words in their name."""
    folders: int = 0
    """How many of `named` are folders."""
    hits: list[Hit] = field(default_factory=list)
    left_out: int = 0
    """Files that were not read, because they are too large or too many."""
    looked_at: int = 0
    """Files and folders."""


def words_of(query: str) -> tuple[str, ...]:
    """The words to look for; spelled letters ("t o d o") are one word."""
    words = [word for word in (w.strip("\"'*?!,;:()[]{}<>") for w in folded(query).split()) if word]
    if len(words) > 1 and all(len(word) == 1 and word.isalpha() for word in words):
        words = ["".join(words)]
    return tuple(dict.fromkeys(word.removesuffix("s") if len(word) >= _PLURAL_FROM else word for word in words))


def folded(text: str) -> str:
    """Lower case without accents."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in decomposed if not unicodedata.combining(character))


Wanted = Sequence[re.Pattern[str]]
"""For each word a pattern that finds it in folded text."""


def at_word_starts(words: Sequence[str]) -> Wanted:
    """The usual reading: "rent" is in "rented" and not in "parents"; short words stand alone."""
    return [
        re.compile(_NOT_IN_WORD + re.escape(word) + (r"(?:s|es)?(?![^\W_])" if len(word) <= _SHORT else ""))
        for word in words
    ]


def anywhere(words: Sequence[str]) -> Wanted:
    """For when the usual reading finds nothing."""
    return [re.compile(re.escape(word)) for word in words]


def matching_lines(text: str, wanted: Wanted) -> tuple[tuple[int, str], ...]:
    """The lines that hold all the words; if none does but the text as a whole, those that hold any of them."""
    if not _holds(folded(text), wanted):
        return ()
    lines = list(enumerate(text.splitlines(), start=1))
    of_all = [(number, line) for number, line in lines if _holds(folded(line), wanted)]
    return tuple(of_all or [(n, line) for n, line in lines if any(word.search(folded(line)) for word in wanted)])


def _holds(text: str, wanted: Wanted) -> bool:
    return all(word.search(text) for word in wanted)


def _searched(context: ToolContext, words: Sequence[str], wanted: Wanted) -> Found:
    found, room = Found(), BYTES_READ
    for entry in context.workspace.entries():
        context.cancel.raise_if_cancelled()
        found.looked_at += 1
        if _is_named(entry.name, words, wanted):
            found.named.append(entry.name)
            found.folders += entry.kind is EntryKind.FOLDER
        if entry.kind is not EntryKind.FILE:
            continue
        if entry.size > min(room, SIZE_LIMIT):
            found.left_out += 1
            continue
        room -= entry.size
        found.hits += _hits(context, entry, wanted)
    return found


def _is_named(path: str, words: Sequence[str], wanted: Wanted) -> bool:
    """Separators count as spaces and as nothing: "to do" and "todo" find to-do.txt. Folders on the way count, too, when
    the name itself holds one of the words."""
    whole = folded(path)
    name = whole.rsplit("/", 1)[-1]
    own = any(word.search(name) for word in wanted) and _holds(whole, wanted)
    return own or "".join(words) in re.sub(r"[\W_]+", "", name)


def _hits(context: ToolContext, entry: Entry, wanted: Wanted) -> Iterator[Hit]:
    """None for what is no text."""
    try:
        lines = matching_lines(context.workspace.read_text(entry.name), wanted)
    except ToolFailed:
        return
    if lines:
        yield Hit(entry.name, lines)


def _told(found: Found) -> str:
    lines = [visible_line(path) for path in found.named]
    lines += [line for hit in found.hits for line in _lines(hit)]
    more = len(lines) - LINES_TOLD
    told = lines[:LINES_TOLD] + ([f"[{more:,} more]"] if more > 0 else [])
    return "\n".join(told) or "Nothing was found."


def _lines(hit: Hit) -> Iterator[str]:
    for number, line in hit.lines[:LINES_OF_ONE_FILE]:
        yield f"{visible_line(hit.path)}:{number}: {_shortened(line)}"


def _shortened(line: str) -> str:
    shown = visible_line(line.replace("\t", " ").strip())
    return shown[:LINE_CHARACTERS] + "…" if len(shown) > LINE_CHARACTERS else shown


def _spoken(found: Found, query: str, wording: Wording) -> str:
    shown = visible_line(query)
    sentences = []
    if found.named:
        things = files_and_folders(len(found.named) - found.folders, found.folders, wording)
        names = _named(found.named, wording)
        sentences.append(wording.say("found_named", count=len(found.named), things=things, query=shown, names=names))
    if found.hits:
        sentences.append(_mentions(found.hits, shown, wording))
    if not sentences:
        sentences.append(wording.say("found_nothing", query=shown))
    return " ".join([*sentences, *_bounds(found, wording)])


def _mentions(hits: Sequence[Hit], shown: str, wording: Wording) -> str:
    if len(hits) > 1:
        names = _named([hit.path for hit in hits], wording)
        return wording.say("found_in_files", files=wording.counted(len(hits), "file"), query=shown, names=names)
    [hit] = hits
    name = visible_line(hit.path)
    if len(hit.lines) > 1:
        return wording.say("found_on_lines", query=shown, name=name, lines=wording.counted(len(hit.lines), "line"))
    [(number, line)] = hit.lines
    return wording.say("found_on_line", query=shown, name=name, number=str(number), line=_shortened(line))


def _named(paths: Sequence[str], wording: Wording) -> str:
    names = [visible_line(path) for path in paths[:NAMES_SPOKEN]]
    return wording.enumerated(names, len(paths) - len(names))


def _bounds(found: Found, wording: Wording) -> Iterator[str]:
    if found.left_out:
        yield wording.say("not_looked_into", files=wording.counted(found.left_out, "large file"))
    if found.looked_at == WALK_LIMIT:
        yield wording.say("first_names_only", count=WALK_LIMIT)
