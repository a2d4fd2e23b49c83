"""The ending that the user said counts."""

from __future__ import annotations

import pytest

from aria_desktop.assistant.reply import Call
from aria_desktop.assistant.said_names import as_said


@pytest.mark.parametrize(
    ("words", "path", "written"),
    [
        ("start bread dot txt", "bread.md", "bread.txt"),
        ("start bread dot txt", "baking/bread.md", "baking/bread.txt"),
        ("start bread.csv please", "bread.md", "bread.csv"),
        ("start bread dot txt", "bread.txt", "bread.txt"),
        ("start bread dot txt", "cake.md", "cake.md"),
        ("turn bread dot txt into bread dot md", "bread.md", "bread.md"),
        ("bread dot txt and bread dot csv", "bread.md", "bread.md"),
        ("config dot pie", "config.py", "config.py"),
        ("start bread", "bread.md", "bread.md"),
    ],
)
def test_a_new_name_is_written_as_it_was_said(words: str, path: str, written: str) -> None:
    call = as_said(Call("create_file", {"path": path, "content": "x"}), words)
    assert call.arguments == {"path": written, "content": "x"}


def test_a_file_that_is_only_looked_at_keeps_the_name_it_was_called_by() -> None:
    call = Call("read_file", {"path": "bread.md"})
    assert as_said(call, "read bread dot txt") is call
