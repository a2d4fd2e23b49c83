"""What is coloured in a text, and what is left plain."""

from __future__ import annotations

import pytest

from aria_desktop.gui.state.code_colours import (
    MOST_IN_A_LINE,
    MOST_LINES,
    Piece,
    Stretch,
    colour_lines,
    language_of,
    pieces,
)


def coloured(text: str, name: str) -> list[tuple[str, str]]:
    """Each stretch as (text, token), whatever its line."""
    found = []
    for line, stretches in zip(text.split("\n"), colour_lines(text, name), strict=False):
        found += [(line[s.start : s.start + s.length], s.token) for s in stretches]
    return found


def test_a_line_of_python() -> None:
    found = coloured("def fetch(n=4):  # four\n    return 'a'", "retry.py")
    assert ("def", "code_keyword") in found
    assert ("fetch", "code_call") in found
    assert ("4", "code_number") in found
    assert ("# four", "code_comment") in found
    assert ("return", "code_keyword") in found
    assert ("a", "code_string") in found or ("'a'", "code_string") in found


def test_a_string_over_lines_is_one_in_each_of_them() -> None:
    text = '"""one\ntwo"""\nx = 1'
    found = coloured(text, "a.py")
    assert ('"""one', "code_string") in found
    assert ("two", "code_string") in found or ('two"""', "code_string") in found
    assert ("1", "code_number") in found


@pytest.mark.parametrize(
    "text", ["a = '\N{GRINNING FACE}'  # b", "a = 1\r  # b", "\ufeffa = 1  # b", "a\ufeff = 1  # b"]
)
def test_odd_characters_move_nothing(text: str) -> None:
    assert ("# b", "code_comment") in coloured(text, "a.py")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("def f(): pass", "notes.txt"),
        ("def f(): pass", "no-ending"),
        ("def f(): pass", "strange.xyzzy"),
        ("x = 1\n" * (MOST_LINES + 1), "long.py"),
        ("x" * (MOST_IN_A_LINE + 1), "wide.py"),
    ],
)
def test_what_stays_plain(text: str, name: str) -> None:
    assert colour_lines(text, name) == ()


def test_as_many_lines_as_the_text_has() -> None:
    for text in ("", "\n", "a\n\n", "a = 1\n\n\nb = 2"):
        assert len(colour_lines(text, "a.py")) == text.count("\n") + 1


@pytest.mark.parametrize(
    ("name", "language"), [("a.py", "Python"), ("A.PY", "Python"), ("a.md", "Markdown"), ("a.txt", "Text"), ("a", "")]
)
def test_languages(name: str, language: str) -> None:
    assert language_of(name) == language


def test_a_line_of_a_change_is_cut_where_a_colour_or_a_change_begins() -> None:
    cut = list(pieces("return wait", ((4, 8),), (Stretch(0, 6, "code_keyword"),)))
    assert cut == [
        Piece("retu", "code_keyword", False),
        Piece("rn", "code_keyword", True),
        Piece(" w", "text", True),
        Piece("ait", "text", False),
    ]


@pytest.mark.parametrize("line", ["", "a", "a = 1"])
def test_nothing_of_a_line_is_lost(line: str) -> None:
    assert "".join(piece.text for piece in pieces(line, ((0, 99),), (Stretch(2, 99, "code_call"),))) == line
