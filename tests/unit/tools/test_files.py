"""The tools that look at files: what the model is told, and what the user hears."""

from __future__ import annotations

import pytest

from aria_desktop.core.chat import Outcome, ToolResult
from aria_desktop.safety.paths import FileMissing
from aria_desktop.tools.changes import append_file
from aria_desktop.tools.files import list_files, read_file
from aria_desktop.tools.named import NAMES_TOLD
from aria_desktop.tools.tool import AskFirst, ToolLimits
from tests.unit.tools.conftest import Bench


class TestReading:
    def test_a_file_is_shown_and_can_be_read_out(self, bench: Bench) -> None:
        (bench.root / "a.txt").write_text("\ufeffone\ntwo\n")
        assert bench.call(read_file, path="a.txt") == ToolResult(Outcome.DONE, "one\ntwo\n", answer="one\ntwo")

    def test_a_long_file_is_cut_and_not_read_out(self, bench: Bench) -> None:
        (bench.root / "a.txt").write_text("x" * (ToolLimits().result_characters + 1_500))
        result = bench.call(read_file, path="a.txt")
        assert isinstance(result, ToolResult)
        assert result.text.endswith("x\n[1,500 more characters are not shown; summarize_text reads them all]")
        assert result.answer == ""

    def test_an_empty_file_is_said_to_be_empty(self, bench: Bench) -> None:
        (bench.root / "a.txt").write_text("\n")
        assert bench.call(read_file, path="a.txt") == ToolResult(
            Outcome.DONE, "The file is empty.", answer="a.txt is empty."
        )

    def test_when_there_is_no_such_file_the_names_that_there_are_are_told(self, bench: Bench) -> None:
        for tool, arguments in (
            (read_file, {"path": "c.txt"}),
            (append_file, {"path": "c.txt", "content": "x"}),
            (list_files, {"folder": "c.txt"}),
        ):
            with pytest.raises(FileMissing, match=r"There is: nothing\.$"):
                bench.call(tool, **arguments)
        (bench.root / "a.txt").touch()
        (bench.root / "sub").mkdir()
        with pytest.raises(FileMissing, match=r'^There is no file "sub/c\.txt" in the workspace\. There is: a\.txt\.$'):
            bench.call(read_file, path="sub/c.txt")

    def test_a_name_that_is_not_quite_right_is_read_and_said(self, bench: Bench) -> None:
        (bench.root / "docs").mkdir()
        (bench.root / "docs" / "garden.txt").write_text("roses\n")
        assert bench.call(read_file, path="gardin dot t x t") == ToolResult(
            Outcome.DONE, "[docs/garden.txt]\nroses\n", answer="I read docs/garden.txt. roses"
        )

    def test_which_of_several_is_meant_is_asked(self, bench: Bench) -> None:
        for name in ("one", "two", "six"):
            (bench.root / name).mkdir()
            (bench.root / name / "list.txt").write_text(name)
        with pytest.raises(AskFirst, match=r"^Which file do you mean: one/list.txt, six/list.txt or two/list.txt\?$"):
            bench.call(read_file, path="list.txt")


class TestListing:
    def test_files_and_folders_are_counted_and_named(self, bench: Bench) -> None:
        (bench.root / "sub").mkdir()
        (bench.root / "a.txt").write_text("12345")
        (bench.root / "b.txt").write_text("")
        assert bench.call(list_files) == ToolResult(
            Outcome.DONE,
            "2 files and 1 folder:\na.txt (5 bytes)\nb.txt (0 bytes)\nsub/",
            answer="The workspace holds 2 files and 1 folder: a.txt, b.txt and sub.",
        )
        assert bench.call(list_files, folder="sub") == ToolResult(
            Outcome.DONE, "The folder is empty.", answer="sub is empty."
        )

    def test_where_one_kind_of_file_was_asked_for_the_whole_list_is_no_answer(self, bench: Bench) -> None:
        for name in ("a.csv", "b.csv", "c.txt"):
            (bench.root / name).touch()
        bench.words = "which CSV files are there"
        some = bench.call(list_files)
        assert isinstance(some, ToolResult)
        assert some.answer == "2 files ending in .csv: a.csv and b.csv."
        both = "a.csv (0 bytes)\nb.csv (0 bytes)"
        assert some.text == f"2 files ending in .csv:\n{both}\n1 without that ending:\nc.txt (0 bytes)"
        (bench.root / "c.txt").unlink()
        every = bench.call(list_files)
        assert isinstance(every, ToolResult)
        assert every.answer == "The workspace holds 2 files: a.csv and b.csv."

    def test_a_folder_may_be_named_not_quite_right(self, bench: Bench) -> None:
        (bench.root / "recipes").mkdir()
        result = bench.call(list_files, folder="the recipies folder")
        assert isinstance(result, ToolResult)
        assert result.answer == "recipes is empty."

    def test_one_thing_is_one_thing(self, bench: Bench) -> None:
        (bench.root / "sub").mkdir()
        result = bench.call(list_files)
        assert isinstance(result, ToolResult)
        assert result.answer == "The workspace holds 1 folder: sub."

    def test_a_long_list_is_cut_for_both(self, bench: Bench) -> None:
        for number in range(NAMES_TOLD + 5):
            (bench.root / f"{number:03}").touch()
        result = bench.call(list_files)
        assert isinstance(result, ToolResult)
        assert result.text.endswith("059 (0 bytes)\n[5 more]")
        assert result.answer.startswith("The workspace holds 65 files: 000, 001, ")
        assert result.answer.endswith("011 and 53 more.")

    def test_names_are_shown_with_what_they_hide(self, bench: Bench) -> None:
        (bench.root / "a\nb\u202e").touch()
        (bench.root / "link").symlink_to("nowhere")
        result = bench.call(list_files)
        assert isinstance(result, ToolResult)
        assert result.text == "2 files:\na<U+000A>b<U+202E> (0 bytes)\nlink (a link or device, not usable)"
