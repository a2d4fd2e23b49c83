"""What `aria grants` lists and takes back."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import pytest

from aria_desktop.commands import grants
from aria_desktop.core.approval import RiskLevel
from aria_desktop.core.errors import UsageError
from aria_desktop.safety.grants import Grant, Granted
from aria_desktop.storage.grants import GrantFile


@pytest.fixture
def file(tmp_path: Path) -> GrantFile:
    return GrantFile(tmp_path / "grants.json")


def give(file: GrantFile, *ids: str) -> None:
    now = time.time()
    made = [
        Grant(id_, "create_file", (("path", "*.txt"),), "/w\u202e", "", RiskLevel.LOW, now - 5, now + 60) for id_ in ids
    ]
    file.change(lambda kept: Granted(now, (*kept.grants, *made)))


def aria_grants(file: GrantFile, *words: str) -> int:
    parser = argparse.ArgumentParser()
    grants.add_arguments(parser)
    return grants.carry_out(parser.parse_args(words), file)


def test_nothing_stands(file: GrantFile, capsys: pytest.CaptureFixture[str]) -> None:
    assert aria_grants(file) == 0
    assert capsys.readouterr().out == "No leave stands: every change is asked about.\n"


def test_it_is_listed_with_what_it_covers_and_nothing_hides(
    file: GrantFile, capsys: pytest.CaptureFixture[str]
) -> None:
    give(file, "g1")
    aria_grants(file)
    out = capsys.readouterr().out
    assert out.startswith("g1  create_file for *.txt  (/w<U+202E>, until ")
    assert out.endswith("risk up to low)\n")


def test_one_is_taken_back_and_the_others_stay(file: GrantFile, capsys: pytest.CaptureFixture[str]) -> None:
    give(file, "g1", "g2")
    assert aria_grants(file, "revoke", "g1") == 0
    assert [grant.id for grant in file.read().grants] == ["g2"]
    assert "g1" in capsys.readouterr().out


def test_an_unknown_one_takes_nothing_back(file: GrantFile) -> None:
    give(file, "g1")
    with pytest.raises(UsageError, match="There is no leave g9"):
        aria_grants(file, "revoke", "g1", "g9")
    assert [grant.id for grant in file.read().grants] == ["g1"]


def test_all_of_it_is_taken_back_also_when_it_cannot_be_understood(file: GrantFile, tmp_path: Path) -> None:
    give(file, "g1", "g2")
    aria_grants(file, "revoke", "--all")
    assert file.read().grants == ()
    (tmp_path / "grants.json").write_text("broken")
    aria_grants(file, "revoke", "--all")
    assert file.read() == Granted(0.0)


def test_as_json_each_is_one_line(file: GrantFile, capsys: pytest.CaptureFixture[str]) -> None:
    give(file, "g1", "g2")
    aria_grants(file, "--json", "list")
    assert [json.loads(line)["id"] for line in capsys.readouterr().out.splitlines()] == ["g1", "g2"]
