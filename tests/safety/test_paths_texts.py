"""A text file keeps what it was through every change of it: encoding, byte order mark, line ends, permissions; and
an alias, a full disk or a second writer never costs a byte."""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from aria_desktop.core.errors import DiskFull, PathRefused, ToolFailed
from aria_desktop.safety.paths import LIST_LIMIT, Workspace
from tests.safety.conftest import Tried
from tests.safety.tiers import tries

FORMATS = {
    "UTF-8": ("utf-8", b""),
    "UTF-8 with a mark": ("utf-8", codecs.BOM_UTF8),
    "UTF-16 little": ("utf-16-le", codecs.BOM_UTF16_LE),
    "UTF-16 big": ("utf-16-be", codecs.BOM_UTF16_BE),
}


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    (tmp_path / "ws").mkdir()
    with Workspace(tmp_path / "ws", tmp_path / "trash") as workspace:
        yield workspace


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("form", FORMATS)
def test_p95_a_change_keeps_encoding_mark_line_ends_and_permissions(workspace: Workspace, form: str, end: str) -> None:
    encoding, mark = FORMATS[form]
    file = workspace.root / "a.txt"
    file.write_bytes(mark + f"eins{end}zwölf{end}".encode(encoding))
    file.chmod(0o640)
    workspace.apply(workspace.plan_append("a.txt", "drei\nvier"))
    assert file.read_bytes() == mark + f"eins{end}zwölf{end}drei{end}vier{end}".encode(encoding)
    before = workspace.read_text("a.txt")
    workspace.apply(workspace.plan_edit("a.txt", before, before.replace("zwölf", "zwei")))
    assert file.read_bytes() == mark + f"eins{end}zwei{end}drei{end}vier{end}".encode(encoding)
    assert file.stat().st_mode & 0o7777 == 0o640


def test_p40_a_write_never_goes_through_an_alias_made_before_or_after_the_plan(
    workspace: Workspace, tmp_path: Path, tried: Tried
) -> None:
    (tmp_path / "secret").write_text("outside")
    (workspace.root / "a.txt").write_text("outside")
    change = workspace.plan_write("a.txt", "changed")
    (workspace.root / "a.txt").unlink()
    (workspace.root / "a.txt").hardlink_to(tmp_path / "secret")
    for attempt in (lambda: workspace.apply(change), lambda: workspace.plan_append("a.txt", "more")):
        with pytest.raises(PathRefused, match="hard link"):
            attempt()
    escapes = (tmp_path / "secret").read_text() != "outside"
    (workspace.root / "a.txt").write_text("through")
    control = (tmp_path / "secret").read_text() == "through"
    assert control, "the attack does not work here, so this shows nothing"
    tried(set="hostile paths, in operation", cases=2, controls=1, escapes=escapes)


def test_p84_a_full_disk_costs_no_byte_of_the_file(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    (workspace.root / "a.txt").write_text("old\n")
    change = workspace.plan_write("a.txt", "new\n")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DiskFull):
        workspace.apply(change)
    assert [p.name for p in workspace.root.iterdir()] == ["a.txt"]
    assert (workspace.root / "a.txt").read_text() == "old\n"


def test_p94_very_many_entries_are_counted_and_the_first_told(workspace: Workspace) -> None:
    many = tries(20_000, 100_000)
    for number in range(many):
        os.close(os.open(workspace.root / f"{number:06}", os.O_CREAT | os.O_WRONLY))
    listing = workspace.listing()
    assert (len(listing.entries), listing.total) == (LIST_LIMIT, many)
    assert listing.entries[-1].name == f"{LIST_LIMIT - 1:06}"


def test_p96_the_last_of_two_writers_is_refused(workspace: Workspace) -> None:
    (workspace.root / "a.txt").write_text("old\n")
    first, second = workspace.plan_append("a.txt", "mine"), workspace.plan_append("a.txt", "theirs")
    workspace.apply(first)
    with pytest.raises(ToolFailed, match="was changed meanwhile"):
        workspace.apply(second)
    assert (workspace.root / "a.txt").read_text() == "old\nmine\n"
