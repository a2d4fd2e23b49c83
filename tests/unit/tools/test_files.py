"""The file tools: what the model is told, what the user hears, and that a proposal has changed nothing yet."""

from __future__ import annotations

import pytest

from aria_desktop.core.approval import RiskLevel
from aria_desktop.core.chat import Outcome, ToolCall, ToolResult
from aria_desktop.core.errors import ToolFailed
from aria_desktop.safety.paths import FileMissing
from aria_desktop.tools.files import NAMES_TOLD, append_file, create_file, list_files, read_file
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
        with pytest.raises(
            FileMissing, match=r'^There is no file "sub/c\.txt" in the workspace\. There is: a\.txt, sub\.$'
        ):
            bench.call(read_file, path="sub/c.txt")


class TestListing:
    def test_files_and_folders_are_counted_and_named(self, bench: Bench) -> None:
        (bench.root / "sub").mkdir()
        (bench.root / "a.txt").write_text("12345")
        (bench.root / "b.txt").write_text("")
        assert bench.call(list_files) == ToolResult(
            Outcome.DONE,
            "a.txt (5 bytes)\nb.txt (0 bytes)\nsub/",
            answer="The workspace holds 2 files and 1 folder: a.txt, b.txt and sub.",
        )
        assert bench.call(list_files, folder="sub") == ToolResult(
            Outcome.DONE, "The folder is empty.", answer="sub is empty."
        )

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
        assert result.text == "a<U+000A>b<U+202E> (0 bytes)\nlink (a link or device, not usable)"


class TestChanging:
    def test_a_new_file_is_proposed_with_all_that_will_be_in_it(self, bench: Bench) -> None:
        proposal = bench.proposal(create_file, path="new/list.txt", content="milk\neggs")
        assert bench.files() == {}
        request = proposal.request("r1", "t1", ToolCall("c1", "create_file"), "words")
        assert (request.question, request.allow_label) == ("Create new/list.txt?", "Allow create")
        assert (request.before, request.after) == (None, "milk\neggs\n")
        assert request.path == str(bench.root / "new/list.txt")
        assert request.facts == (("New folders", "new"),)
        assert request.risk.level is RiskLevel.LOW
        result = proposal.act(bench.context())
        assert result == ToolResult(
            Outcome.DONE, "I created new/list.txt with 2 lines.", answer="I created new/list.txt with 2 lines."
        )
        assert bench.files() == {"new/list.txt": "milk\neggs\n"}

    def test_an_empty_file_stays_empty(self, bench: Bench) -> None:
        result = bench.proposal(create_file, path="a.txt", content="").act(bench.context())
        assert result.answer == "I created a.txt, empty."
        assert bench.files() == {"a.txt": ""}

    def test_replacing_is_a_high_risk_and_shows_both_texts(self, bench: Bench) -> None:
        (bench.root / "a.txt").write_text("old\n")
        proposal = bench.proposal(create_file, path="a.txt", content="new")
        assert (proposal.question, proposal.risk.level) == ("Replace a.txt?", RiskLevel.HIGH)
        assert (proposal.before, proposal.after) == ("old\n", "new\n")
        assert proposal.act(bench.context()).answer == 'I replaced the text of a.txt with "new".'

    def test_a_file_is_not_replaced_by_nothing(self, bench: Bench) -> None:
        (bench.root / "a.txt").write_text("old\n")
        with pytest.raises(AskFirst, match="exists already"):
            bench.call(create_file, path="a.txt", content=" \n")

    def test_a_json_file_has_to_hold_json(self, bench: Bench) -> None:
        for content in ("theme: dark", "{'a': 1}", "[1, 2"):
            with pytest.raises(ToolFailed, match="has to hold JSON"):
                bench.call(create_file, path="a.JSON", content=content)
        for content in ('{"theme": "dark"}', "[]", ""):
            assert bench.proposal(create_file, path="a.json", content=content).path

    def test_appending_shows_the_whole_text_and_says_what_was_added(self, bench: Bench) -> None:
        (bench.root / "a.txt").write_text("eggs\n")
        proposal = bench.proposal(append_file, path="a.txt", content="milk")
        assert (proposal.question, proposal.allow_label) == ("Add to a.txt?", "Allow add")
        assert (proposal.before, proposal.after) == ("eggs\n", "eggs\nmilk\n")
        assert proposal.act(bench.context()).answer == 'I added "milk" to the end of a.txt.'
        two = bench.proposal(append_file, path="a.txt", content="tea\nrice").act(bench.context())
        assert two.answer == "I added 2 lines to the end of a.txt."

    def test_the_change_is_the_one_that_was_shown(self, bench: Bench) -> None:
        (bench.root / "a.txt").write_text("eggs\n")
        proposal = bench.proposal(append_file, path="a.txt", content="milk")
        (bench.root / "a.txt").write_text("eggs\nhoney\n")
        with pytest.raises(ToolFailed, match="changed meanwhile"):
            proposal.act(bench.context())
        assert bench.files() == {"a.txt": "eggs\nhoney\n"}
