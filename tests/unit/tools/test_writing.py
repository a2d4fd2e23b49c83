"""What the model wraps around code is taken off while it streams, however the pieces are cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aria_desktop.tools.writing import Unfenced


def unfenced(pieces: list[str]) -> tuple[str, str]:
    through: list[str] = []
    taken = Unfenced(through.append)
    for piece in pieces:
        taken.feed(piece)
    return taken.finish(), "".join(through)


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ("```python\nprint(1)\n```", "print(1)"),
        ("Here is the code:\n\n```python\nprint(1)\n```\nIt prints 1.", "print(1)"),
        ("```\na\n\nb\n```\n", "a\n\nb"),
        ("print(1)\nprint(2)", "print(1)\nprint(2)"),
        ("```c++\nint x;\n", "int x;"),
        ("~~~sh\necho\n~~~", "echo"),
        ("```markdown\n# Use\n```sh\nmake\n```\ndone\n```", "# Use\n```sh\nmake\n```\ndone"),
        ("```python\n```\nNothing to write.", ""),
        ("Say `x` and ```y``` here", "Say `x` and ```y``` here"),
        ("", ""),
    ],
)
def test_only_what_stands_between_the_fences_counts(raw: str, code: str) -> None:
    assert unfenced([raw])[0] == code
    assert unfenced(list(raw))[0] == code


def test_lines_go_through_as_they_are_complete() -> None:
    through: list[str] = []
    taken = Unfenced(through.append)
    taken.feed("Sure!\n```py\na = 1\nb")
    assert through == ["a = 1\n"]
    taken.feed(" = 2\n``")
    assert through == ["a = 1\n", "b = 2\n"]
    taken.feed("`\n")
    assert taken.closed
    assert taken.finish() == "a = 1\nb = 2"


_LINES = st.text(st.sampled_from("ab =\n"), max_size=60).map(lambda text: "x" + text + "x")


@given(_LINES, st.text(st.sampled_from("ab \n"), max_size=20), st.integers(1, 9))
def test_any_code_comes_out_as_it_was_written(code: str, prose: str, size: int) -> None:
    raw = f"{prose}\n```py\n{code}\n```\n{prose}"
    pieces = [raw[start : start + size] for start in range(0, len(raw), size)]
    kept, streamed = unfenced(pieces)
    assert kept == code
    assert streamed == code + "\n"
