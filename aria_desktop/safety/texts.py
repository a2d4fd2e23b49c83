"""What counts as a text file: read and written here, everything else is refused in words. Pure."""

from __future__ import annotations

from aria_desktop.core.errors import ToolFailed
from aria_desktop.safety.names import quoted

SIZE_LIMIT = 1_000_000
"""Bytes. Larger files are not read as text, and no larger text is written."""


def decoded(content: bytes, name: str) -> str:
    """UTF-8 text. A byte order mark stays, so that encoding gives the same bytes again."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ToolFailed(f"{quoted(name)} is UTF-16 text; only UTF-8 text is read.")
    if b"\0" in content:
        raise ToolFailed(f"{quoted(name)} is no text file.")
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise ToolFailed(f"{quoted(name)} is not UTF-8 text: byte {error.start} does not fit.") from error


def joined(before: str, content: str) -> str:
    """`before`, then `content` on lines of its own, with the line ends of `before`."""
    if not content.strip("\r\n"):
        raise ToolFailed("There is no text to add.")
    end = "\r\n" if "\r\n" in before else "\n"
    gap = end if before and not before.endswith(("\n", "\r")) else ""
    return before + gap + content.strip("\r\n").replace("\r\n", "\n").replace("\n", end) + end


def refuse_content(text: str, path: str) -> None:
    """ToolFailed for what would be no text file that the door reads again."""
    try:
        size = len(text.encode())
    except UnicodeEncodeError as error:
        raise ToolFailed(f"The text for {quoted(path)} can't be saved: character {error.start} is broken.") from error
    if size > SIZE_LIMIT:
        raise ToolFailed(f"The text for {quoted(path)} is too large: {size:,} bytes, and {SIZE_LIMIT:,} are the limit.")
    if "\0" in text:
        raise ToolFailed(f"The text for {quoted(path)} contains a NUL character, which no text file has.")
