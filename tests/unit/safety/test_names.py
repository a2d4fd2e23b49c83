"""Names are judged by their text alone: what is put right, and what is refused with which reason."""

from __future__ import annotations

import pytest

from aria_desktop.core.errors import PathRefused
from aria_desktop.safety.names import NameRefused, PathOutside, PathProtected, components, quoted, refuse_new, twin


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("a.txt", ("a.txt",)),
        ("./a.txt", ("a.txt",)),
        ("notes//today.md", ("notes", "today.md")),
        ("notes/./today.md", ("notes", "today.md")),
        ("notes/", ("notes",)),
        (".", ()),
        ("", ()),
        ("-rf", ("-rf",)),
        ("%2e%2e/secret", ("%2e%2e", "secret")),
        (".../x", ("...", "x")),
        ("año/leer más.txt", ("año", "leer más.txt")),
        ("a" * 255, ("a" * 255,)),
    ],
)
def test_sloppy_names_mean_what_they_seem_to_mean(name: str, parts: tuple[str, ...]) -> None:
    assert components(name) == parts


@pytest.mark.parametrize(
    "name",
    ["../secret", "a/../../secret", "./../secret", "sub/./../../secret", "..//secret", "a/..", "../ws/f", "..",
     "..\\secret", "sub\\..\\..\\secret", "\\\\server\\share\\x", "/etc/passwd", "//etc/passwd", "/", "~/x", "~root/x",
     "$HOME/x", "${HOME}/x", "file:///etc/passwd", "C:\\x", "C:x", "\\\\?\\C:\\x", "f.txt:s", "f.txt::$DATA"],
)  # fmt: skip
def test_what_leads_out_of_the_workspace_is_refused(name: str) -> None:
    with pytest.raises(PathOutside) as caught:
        components(name)
    assert caught.value.hint
    assert quoted(name) in caught.value.text


@pytest.mark.parametrize(
    "name",
    ["a\0b", "a\nb", "a\tb", "a\rb", "a\x1bb", "a\u202eb", "a\u200bb", "a\u200db", "\ufeffa", "a\ud800b", "a" * 256,
     "😀" * 64, "/".join("a" * 65), "/".join(["d" * 200] * 21)],
)  # fmt: skip
def test_names_that_hide_something_or_are_too_long_are_refused(name: str) -> None:
    with pytest.raises(NameRefused):
        components(name)


def test_a_refused_name_is_shown_with_what_it_hides() -> None:
    with pytest.raises(NameRefused, match="<U\\+202E>"):
        components("gpj\u202eexe")


@pytest.mark.parametrize(
    "name",
    ["CON", "nul.txt", "NUL .txt", "COM¹", "CONIN$", "lpt9.md", "sub/aux/f", " a", "a ", "f.", "f...", "a?", "a*b",
     "<a>", 'a"b', "a|b", "a／b", "．．"],
)  # fmt: skip
def test_no_file_is_made_that_another_system_can_not_open(name: str) -> None:
    with pytest.raises(NameRefused, match="No file is made"):
        refuse_new(components(name))


@pytest.mark.parametrize(
    "name",
    [".git/config", "vendor/x/.GIT/hooks/pre-commit", ".git", ".bashrc", ".Profile", ".ssh/id", ".vscode/tasks.json",
     "x.desktop", "AUTORUN.inf", "a.lnk", "bin/activate", "venv/bin/activate", "lib/site-packages/x.pth"],
)  # fmt: skip
def test_files_that_run_later_are_protected(name: str) -> None:
    with pytest.raises(PathProtected):
        refuse_new(components(name))


@pytest.mark.parametrize("name", ["console.txt", "communication.md", ".gitignore", "git/config", "activate", "com.txt"])
def test_near_misses_of_the_protected_names_are_let_through(name: str) -> None:
    refuse_new(components(name))


def test_every_refusal_is_a_fault_the_model_is_told_of() -> None:
    assert {kind.__mro__[1] for kind in (PathOutside, NameRefused, PathProtected)} == {PathRefused}


def test_a_twin_is_a_name_that_differs_in_case_or_in_how_accents_are_written() -> None:
    assert twin("README", frozenset({"readme", "other"})) == "readme"
    assert twin("caf\u00e9", frozenset({"cafe\u0301"})) == "cafe\u0301"
    assert twin("\u212a.txt", frozenset({"k.txt"})) == "k.txt"
    assert twin("readme", frozenset({"readme", "readme2"})) == ""
