"""The tools that change texts: what is shown, what is said, and that a proposal has changed nothing yet."""

from __future__ import annotations

import pytest

from aria_desktop.core.approval import RiskLevel
from aria_desktop.core.chat import Outcome, ToolCall, ToolResult
from aria_desktop.core.errors import ToolFailed
from aria_desktop.safety.paths import FileMissing, Workspace
from aria_desktop.tools.changes import append_file, create_file, edit_file
from aria_desktop.tools.tool import AskFirst
from tests.unit.tools.conftest import Bench


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
        result = bench.carried_out(proposal)
        assert result == ToolResult(
            Outcome.DONE, "I created new/list.txt with 2 lines.", answer="I created new/list.txt with 2 lines."
        )
        assert bench.files() == {"new/list.txt": "milk\neggs\n"}

    def test_an_empty_file_stays_empty(self, bench: Bench) -> None:
        result = bench.carried_out(bench.proposal(create_file, path="a.txt", content=""))
        assert result.answer == "I created a.txt, empty."
        assert bench.files() == {"a.txt": ""}

    def test_replacing_is_a_high_risk_and_shows_both_texts(self, bench: Bench) -> None:
        (bench.root / "a.txt").write_text("old\n")
        proposal = bench.proposal(create_file, path="a.txt", content="new")
        assert (proposal.question, proposal.risk.level) == ("Replace a.txt?", RiskLevel.HIGH)
        assert (proposal.before, proposal.after) == ("old\n", "new\n")
        assert bench.carried_out(proposal).answer == 'I replaced the text of a.txt with "new".'

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
        assert bench.carried_out(proposal).answer == 'I added "milk" to the end of a.txt.'
        two = bench.carried_out(bench.proposal(append_file, path="a.txt", content="tea\nrice"))
        assert two.answer == "I added 2 lines to the end of a.txt."

    def test_the_change_is_the_one_that_was_shown(self, bench: Bench) -> None:
        (bench.root / "a.txt").write_text("eggs\n")
        proposal = bench.proposal(append_file, path="a.txt", content="milk")
        (bench.root / "a.txt").write_text("eggs\nhoney\n")
        with pytest.raises(ToolFailed, match="changed meanwhile"):
            bench.carried_out(proposal)
        assert bench.files() == {"a.txt": "eggs\nhoney\n"}

    def test_a_name_in_other_case_means_the_file_that_there_is(self, bench: Bench) -> None:
        (bench.root / "Notes.txt").write_text("old\n")
        assert bench.proposal(create_file, path="notes.TXT", content="new").question == "Replace Notes.txt?"
        assert bench.proposal(create_file, path="note.txt", content="new").question == "Create note.txt?"

    def test_a_name_that_was_guessed_stands_in_the_question(self, bench: Bench) -> None:
        (bench.root / "groceries.txt").write_text("eggs\n")
        proposal = bench.proposal(append_file, path="grocerys", content="milk")
        assert (proposal.question, proposal.facts) == ("Add to groceries.txt?", (("Name given", "grocerys"),))

    def test_after_the_change_the_file_is_looked_at_again(self, bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
        proposal = bench.proposal(create_file, path="a.txt", content="one")
        apply = Workspace.apply

        def undone(workspace: Workspace, change: object) -> None:
            apply(workspace, change)  # type: ignore[arg-type]
            (bench.root / "a.txt").write_text("else")

        monkeypatch.setattr(Workspace, "apply", undone)
        with pytest.raises(ToolFailed, match=r"^a\.txt was written, but now it holds another text, of 4 characters\.$"):
            bench.carried_out(proposal)
        monkeypatch.setattr(Workspace, "apply", lambda *_: None)
        (bench.root / "a.txt").unlink()
        with pytest.raises(ToolFailed, match="now there is no such file"):
            bench.carried_out(proposal)


class TestEditing:
    def test_one_place_changes_and_the_new_line_is_said(self, bench: Bench) -> None:
        (bench.root / "plan.txt").write_bytes(b"Paint on Sunday\r\nRest\r\n")
        proposal = bench.proposal(edit_file, path="plan.txt", find="sunday", replace="monday")
        assert (proposal.question, proposal.allow_label) == ("Change plan.txt?", "Allow change")
        assert (proposal.before, proposal.after) == ("Paint on Sunday\r\nRest\r\n", "Paint on Monday\r\nRest\r\n")
        assert proposal.risk.level is RiskLevel.MEDIUM
        assert proposal.refused == "plan.txt was not changed"
        assert bench.carried_out(proposal).answer == 'I changed plan.txt: it says "Paint on Monday" now.'
        assert (bench.root / "plan.txt").read_bytes() == b"Paint on Monday\r\nRest\r\n"

    def test_a_line_that_goes_is_said_and_leaves_no_blank_one(self, bench: Bench) -> None:
        (bench.root / "list.md").write_text("- tea\n- milk\n- rice\n")
        result = bench.carried_out(bench.proposal(edit_file, path="list.md", find="milk", replace=""))
        assert result.answer == "I changed list.md: 1 line went."
        assert bench.files() == {"list.md": "- tea\n- rice\n"}

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
    def test_the_encoding_and_its_mark_stay(self, bench: Bench, encoding: str) -> None:
        (bench.root / "a.txt").write_bytes("über\nzwei".encode(encoding))
        bench.carried_out(bench.proposal(edit_file, path="a.txt", find="zwei", replace="drei €"))
        assert (bench.root / "a.txt").read_bytes() == "über\ndrei €".encode(encoding)

    def test_json_stays_json(self, bench: Bench) -> None:
        (bench.root / "a.json").write_text('{"on": true}')
        with pytest.raises(ToolFailed, match="has to hold JSON"):
            bench.call(edit_file, path="a.json", find="true", replace="maybe")
        (bench.root / "broken.json").write_text("{on: true}")
        assert bench.proposal(edit_file, path="broken.json", find="on:", replace='"on":').after == '{"on": true}'

    def test_text_that_is_nested_too_deeply_is_no_json(self, bench: Bench) -> None:
        deep = "[" * 100_000 + "1" + "]" * 100_000
        (bench.root / "a.txt").write_text(deep)
        assert bench.proposal(edit_file, path="a.txt", find="1", replace="2").after == deep.replace("1", "2")
        with pytest.raises(ToolFailed, match="has to hold JSON, and the text is none: it can't be read"):
            bench.call(create_file, path="a.json", content=deep)

    def test_the_nearest_lines_are_told_when_the_text_is_not_there(self, bench: Bench) -> None:
        (bench.root / "a.txt").write_text("red\ngreen apples\nblue\n")
        with pytest.raises(ToolFailed, match=r'"green pears" is not in "a.txt"(?s:.*)2: green apples'):
            bench.call(edit_file, path="a.txt", find="green pears", replace="x")

    def test_only_files_that_there_are_can_be_changed(self, bench: Bench) -> None:
        with pytest.raises(FileMissing):
            bench.call(edit_file, path="none.txt", find="a", replace="b")
        (bench.root / "a.txt").write_text("a")
        with pytest.raises(ToolFailed, match="exactly this text already"):
            bench.call(edit_file, path="a.txt", find="a", replace="a")
