"""Code that can be parsed is parsed, and nothing of it is run."""

from __future__ import annotations

from pathlib import Path

import pytest

from aria_desktop.tools.parsing import Fault, fault


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("a.py", "def f():\n    return '\\d'\n"),
        ("a.json", '{"a": [1, null]}'),
        ("a.toml", "[a]\nb = 1\n"),
        ("a.sh", '#!/bin/bash\nfor f in *.txt; do cp "$f" old/; done\n'),
        ("a.js", "function ( {"),
        ("a.py", " \n"),
        ("Makefile", "}}}"),
    ],
)
def test_what_is_right_or_can_not_be_told_has_no_fault(path: str, code: str) -> None:
    assert fault(path, code) is None


@pytest.mark.parametrize(
    ("path", "code", "language", "line"),
    [
        ("a.PY", "x = 1\ny = (\n", "Python", "line 2"),
        ("a.py", "x\0y", "Python", "null"),
        ("a.py", "(" * 5_000, "Python", "nested"),
        ("a.json", '{\n"a": 1,\n}', "JSON", "line 3"),
        ("a.json", "[" * 100_000, "JSON", "can't be read"),
        ("a.toml", "a = \n", "TOML", "line 1"),
        ("a.toml", "a = " + "[" * 5_000, "TOML", "can't be read"),
        ("a.toml", "a = " + "9" * 5_000, "TOML", "can't be read"),
        ("a.sh", "if true; then\necho hi\n", "Bash", "line"),
        ("a.bash", "echo $(\n", "Bash", "line"),
        ("a.sh", "\ud800 $(", "Bash", "line"),
    ],
)
def test_what_is_broken_has_a_fault_with_its_place(path: str, code: str, language: str, line: str) -> None:
    found = fault(path, code)
    assert isinstance(found, Fault)
    assert found.language == language
    assert line in found.text


def test_a_script_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = tmp_path / "mark"
    start = tmp_path / "start"
    start.write_text(f"touch {mark}\n")
    monkeypatch.setenv("BASH_ENV", str(start))
    monkeypatch.setenv("ENV", str(start))
    assert fault("a.sh", f"touch {mark}\necho $(touch {mark})\n") is None
    assert not mark.exists()
