"""What counts as a text file: read and written here, everything else is refused in words. Pure."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from enum import StrEnum

from aria_desktop.core.errors import ToolFailed
from aria_desktop.safety.names import quoted

SIZE_LIMIT = 1_000_000
"""Bytes. Larger files are not read as text, and no larger text is written."""


class Encoding(StrEnum):
    """How a text file is written; the values are Python's names. UTF-16 only with its byte order mark."""

    UTF_8 = "utf-8"
    UTF_16_LE = "utf-16-le"
    UTF_16_BE = "utf-16-be"


_MARKS = {codecs.BOM_UTF16_LE: Encoding.UTF_16_LE, codecs.BOM_UTF16_BE: Encoding.UTF_16_BE}


@dataclass(frozen=True, slots=True)
class Text:
    """A text file's content. `text.encode(encoding)` is the file again, byte for byte."""

    text: str
    """A byte order mark is its first character."""
    encoding: Encoding


def decoded(content: bytes, name: str) -> Text:
    encoding = _MARKS.get(content[:2], Encoding.UTF_8)
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        if b"\0" in content and encoding is Encoding.UTF_8:
            raise ToolFailed(f"{quoted(name)} is no text file.") from error
        kind = "UTF-8" if encoding is Encoding.UTF_8 else "UTF-16"
        raise ToolFailed(f"{quoted(name)} is not {kind} text: byte {error.start} does not fit.") from error
    if "\0" in text:
        raise ToolFailed(f"{quoted(name)} is no text file.")
    return Text(text, encoding)


def line_end(text: str) -> str:
    """The line end that the text uses; a plain line feed when it has none."""
    return "\r\n" if "\r\n" in text else "\n"


def with_line_ends(text: str, end: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", end)


def joined(before: str, content: str) -> str:
    """`before`, then `content` on lines of its own, with the line ends of `before`."""
    if not content.strip("\r\n"):
        raise ToolFailed("There is no text to add.")
    end = line_end(before)
    gap = end if before and not before.endswith(("\n", "\r")) else ""
    return before + gap + with_line_ends(content.strip("\r\n"), end) + end


def refuse_content(text: str, path: str, encoding: Encoding = Encoding.UTF_8) -> None:
    """ToolFailed for what would be no text file that the door reads again."""
    try:
        size = len(text.encode(encoding))
    except UnicodeEncodeError as error:
        raise ToolFailed(f"The text for {quoted(path)} can't be saved: character {error.start} is broken.") from error
    if size > SIZE_LIMIT:
        raise ToolFailed(f"The text for {quoted(path)} is too large: {size:,} bytes, and {SIZE_LIMIT:,} are the limit.")
    if "\0" in text:
        raise ToolFailed(f"The text for {quoted(path)} contains a NUL character, which no text file has.")
