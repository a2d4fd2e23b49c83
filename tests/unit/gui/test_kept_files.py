"""How files are named and marked, which are opened by a click, and which names lead out of the workspace."""

from __future__ import annotations

from pathlib import Path

import pytest

from aria_desktop.gui.state.kept_files import icon_of, kind_of, may_be_opened, place_of


@pytest.mark.parametrize(
    ("name", "kind", "icon"),
    [
        ("retry.py", "Python", "file-code"),
        ("notes.txt", "Text", "file-text"),
        ("Summary.MD", "Markdown", "file-text"),
        ("people.csv", "Table", "file-text"),
        ("report.pdf", "PDF file", "file-text"),
        ("README", "File", "file-text"),
        (".hidden", "File", "file-text"),
    ],
)
def test_kinds(name: str, kind: str, icon: str) -> None:
    assert (kind_of(name), icon_of(name)) == (kind, icon)


@pytest.mark.parametrize("name", ["a.txt", "a.md", "A.TXT", "a.py", "a.csv"])
def test_texts_are_opened(name: str) -> None:
    assert may_be_opened(name, "linux")


@pytest.mark.parametrize(
    "name",
    [
        "a.html",
        "a.htm",
        "a.svg",
        "a.desktop",
        "a.sh",
        "a.exe",
        "a.url",
        "a.webloc",
        "a.jar",
        "a.docm",
        "a",
        "a.txt.lnk",
    ],
)
def test_what_could_run_or_fetch_is_not_opened(name: str) -> None:
    assert not may_be_opened(name, "linux")


def test_sources_are_not_opened_where_that_runs_them() -> None:
    assert not may_be_opened("a.py", "win32")
    assert may_be_opened("a.txt", "win32")


def test_places_inside_of_the_workspace() -> None:
    assert place_of("/home/ana/output", "a.txt") == str(Path("/home/ana/output", "a.txt"))
    assert place_of("/home/ana/output/", "b/./a.txt") == str(Path("/home/ana/output", "b", "a.txt"))


@pytest.mark.parametrize("name", ["", ".", "../a.txt", "/etc/passwd", "b/../../a.txt", "..", "/home/ana/output-2/a"])
def test_names_that_lead_out_have_no_place(name: str) -> None:
    assert place_of("/home/ana/output", name) == ""
