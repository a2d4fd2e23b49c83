"""A result is on disk as soon as it is known, and results of different settings never stand in one file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from aria_desktop.core.errors import AriaError, UsageError
from aria_desktop.evaluation.results import RESULTS, SETTINGS, ResultFile
from tests.unit.evaluation.examples import FAILED, PASSED

OURS: dict[str, object] = {"cases": "2 (abc)", "without": []}


def filled(folder: Path) -> Path:
    results = ResultFile(folder, OURS)
    results.add(PASSED)
    results.add(FAILED)
    return folder / RESULTS


def test_what_was_added_is_found_again(tmp_path: Path) -> None:
    path = filled(tmp_path)
    assert len(path.read_text("utf-8").splitlines()) == 2
    assert ResultFile(tmp_path, OURS).results == [PASSED, FAILED]


def test_half_a_line_at_the_end_is_dropped(tmp_path: Path) -> None:
    path = filled(tmp_path)
    path.write_bytes(path.read_bytes()[:-20])
    again = ResultFile(tmp_path, OURS)
    assert again.results == [PASSED]
    again.add(replace(FAILED, case="a-3"))
    assert [result.case for result in ResultFile(tmp_path, OURS).results] == ["a-1", "a-3"]


@pytest.mark.parametrize("line", ["{}", "nonsense", '{"model": 1}', "[]", "[" * 100_000])
def test_a_line_that_is_no_result_is_named(tmp_path: Path, line: str) -> None:
    path = filled(tmp_path)
    path.write_text(f"{line}\n{path.read_text('utf-8')}", "utf-8")
    with pytest.raises(UsageError, match=f"{RESULTS}, line 1, is no result") as caught:
        ResultFile(tmp_path, OURS)
    assert "--fresh" in caught.value.hint


def test_other_settings_are_refused_by_name_and_nothing_is_lost(tmp_path: Path) -> None:
    before = filled(tmp_path).read_bytes()
    with pytest.raises(UsageError, match=r'without: \[\] there, \["rules"\] now') as caught:
        ResultFile(tmp_path, OURS | {"without": ["rules"]})
    assert "--fresh" in caught.value.hint
    assert "cases" not in caught.value.text
    assert (tmp_path / RESULTS).read_bytes() == before


def test_anew_drops_what_is_there(tmp_path: Path) -> None:
    filled(tmp_path)
    assert ResultFile(tmp_path, OURS | {"without": ["rules"]}, fresh=True).results == []
    assert ResultFile(tmp_path, OURS | {"without": ["rules"]}).results == []


@pytest.mark.parametrize(
    "harm", [Path.unlink, lambda path: path.write_text("{"), lambda path: path.write_text("[" * 100_000)]
)
def test_results_without_readable_settings_are_not_continued(tmp_path: Path, harm: Callable[[Path], object]) -> None:
    filled(tmp_path)
    harm(tmp_path / SETTINGS)
    with pytest.raises(UsageError, match="can't be read, so the results beside it"):
        ResultFile(tmp_path, OURS)


def test_a_folder_that_can_not_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(AriaError, match="file"):
        ResultFile(tmp_path / "file" / "out", OURS)


@pytest.mark.parametrize("fresh", [True, False])
def test_a_folder_in_the_place_of_the_results_is_named(tmp_path: Path, *, fresh: bool) -> None:
    filled(tmp_path).unlink()
    (tmp_path / RESULTS).mkdir()
    with pytest.raises(AriaError, match=RESULTS):
        ResultFile(tmp_path, OURS, fresh=fresh)


def test_broken_characters_do_not_break_the_file(tmp_path: Path) -> None:
    results = ResultFile(tmp_path, OURS)
    results.add(replace(PASSED, answer="\ud800 a\nb\u2028c"))
    (found,) = ResultFile(tmp_path, OURS).results
    assert found.answer == "\ufffd a\nb\u2028c"
