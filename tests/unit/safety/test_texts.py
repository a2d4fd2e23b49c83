"""What counts as a text file, and how text is added at its end."""

from __future__ import annotations

import pytest

from aria_desktop.core.errors import ToolFailed
from aria_desktop.safety.texts import SIZE_LIMIT, Encoding, decoded, joined, refuse_content


@pytest.mark.parametrize("encoding", list(Encoding))
def test_a_text_is_decoded_so_that_encoding_gives_the_same_bytes(encoding: Encoding) -> None:
    content = "\ufeffüber\r\nZeile \U0001f40c".encode(encoding)
    found = decoded(content, "a.txt")
    assert (found.encoding, found.text.encode(found.encoding)) == (encoding, content)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\xff\xfea\0b", "UTF-16"),
        (b"\xfe\xff\0\0", "no text file"),
        (b"\x7fELF\0\0", "no text file"),
        (b"caf\xe9", "byte 3"),
    ],
)
def test_what_is_no_utf8_text_is_refused_with_the_reason(content: bytes, reason: str) -> None:
    with pytest.raises(ToolFailed, match=reason):
        decoded(content, "a.txt")


@pytest.mark.parametrize(
    ("before", "added", "after"),
    [
        ("eggs\n", "milk", "eggs\nmilk\n"),
        ("eggs", "milk", "eggs\nmilk\n"),
        ("", "milk", "milk\n"),
        ("a\r\nb\r\n", "c\nd\n", "a\r\nb\r\nc\r\nd\r\n"),
        ("a\n", "\nb\n\n", "a\nb\n"),
        ("a\n", "b\x0bc", "a\nb\x0bc\n"),
    ],
)
def test_added_text_gets_lines_of_its_own_in_the_file_s_own_style(before: str, added: str, after: str) -> None:
    assert joined(before, added) == after


@pytest.mark.parametrize("added", ["", "\n", "\r\n\n"])
def test_adding_nothing_is_refused(added: str) -> None:
    with pytest.raises(ToolFailed, match="no text to add"):
        joined("a\n", added)


@pytest.mark.parametrize(
    ("text", "reason"), [("a\0b", "NUL"), ("a\ud800b", "character 1"), ("é" * (SIZE_LIMIT // 2 + 1), "too large")]
)
def test_text_that_would_make_no_text_file_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ToolFailed, match=reason):
        refuse_content(text, "a.txt")
