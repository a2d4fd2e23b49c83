"""What documents say of the program in tables, and the files that they lead to, are there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from aria_desktop.assistant.ablations import Ablation
from aria_desktop.tools.registry import standard_tools

REPOSITORY = Path(__file__).resolve().parents[3]
DOCUMENTS = sorted([*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").rglob("*.md")])
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_ELSEWHERE = re.compile(r"[a-z][a-z+.-]*:|#")


def text_of(name: str) -> str:
    return (REPOSITORY / name).read_text("utf-8")


def named(document: Path) -> str:
    return document.relative_to(REPOSITORY).as_posix()


def links(document: Path) -> Iterator[str]:
    """Relative ones, without the place within the file."""
    for target in _LINK.findall(document.read_text("utf-8")):
        if not _ELSEWHERE.match(target):
            yield target.partition("#")[0]


def test_the_documents_are_found() -> None:
    assert {"README.md", "docs/guide/asking.md", "docs/decisions/README.md"} <= {named(one) for one in DOCUMENTS}
    assert "docs/guide/asking.md" in links(REPOSITORY / "README.md")


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_links_lead_to_files_of_the_repository(document: Path) -> None:
    for link in links(document):
        target = (document.parent / link).resolve()
        assert target.is_relative_to(REPOSITORY), link
        assert target.exists(), link


def test_the_table_of_tools_names_all_of_them_and_which_are_asked_about() -> None:
    rows = re.findall(r"^\| `(\w+)` \|.*\| (yes|no) \|$", text_of("docs/guide/asking.md"), re.MULTILINE)
    assert dict(rows) == {tool.name: "yes" if tool.changes else "no" for tool in standard_tools()}
    assert len(rows) == len(standard_tools().names)


def test_the_parts_that_an_evaluation_can_leave_out_are_told() -> None:
    row = re.search(r"^\| `--without PART` \| leave out (.*?);", text_of("docs/guide/evaluation.md"), re.MULTILINE)
    assert row
    assert set(re.findall(r"`(\w+)`", row[1])) == {part.value for part in Ablation}


@pytest.mark.parametrize("folder", ["docs/decisions", "docs/guide"])
def test_every_page_is_listed_beside_the_others(folder: str) -> None:
    pages = {page.name for page in (REPOSITORY / folder).glob("*.md")} - {"README.md"}
    assert pages == set(links(REPOSITORY / folder / "README.md"))
