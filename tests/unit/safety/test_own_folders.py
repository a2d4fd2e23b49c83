"""A workspace and ARIA's own folders never lie in one another, and the whole home folder is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from aria_desktop.core.errors import UsageError
from aria_desktop.safety.own_folders import refuse_own


@pytest.mark.parametrize(
    "workspace", [".", "home", "home/data", "home/data/trash", "home/config", "link", "home/../home"]
)
def test_what_holds_own_data_or_lies_in_it_is_refused(tmp_path: Path, workspace: str) -> None:
    (tmp_path / "home" / "data").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "home" / "data")
    own = (tmp_path / "home" / "data", tmp_path / "home" / "config")
    with pytest.raises(UsageError, match="ARIA keeps its own data in") as caught:
        refuse_own(tmp_path / workspace, own)
    assert caught.value.hint


@pytest.mark.parametrize("workspace", ["home/output", "home/data2", "other", "home/datax/config"])
def test_a_folder_beside_them_is_fine(tmp_path: Path, workspace: str) -> None:
    refuse_own(tmp_path / workspace, (tmp_path / "home" / "data", tmp_path / "home" / "config"))


def test_an_own_folder_that_is_a_link_counts_where_it_leads(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "data").symlink_to(tmp_path / "files" / "deep")
    with pytest.raises(UsageError):
        refuse_own(tmp_path / "files", [tmp_path / "data"])


@pytest.mark.parametrize("workspace", ["users/me", "users", ".", "short", "users/me/../me"])
def test_the_home_folder_and_what_holds_it_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workspace: str
) -> None:
    (tmp_path / "users" / "me" / "notes").mkdir(parents=True)
    (tmp_path / "short").symlink_to("users/me")
    monkeypatch.setenv("HOME", str(tmp_path / "users" / "me"))
    with pytest.raises(UsageError, match="home folder") as caught:
        refuse_own(tmp_path / workspace, ())
    assert caught.value.hint
    refuse_own(tmp_path / "users" / "me" / "notes", ())
    refuse_own(tmp_path / "users" / "me2", ())
