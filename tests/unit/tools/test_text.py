"""Summaries: of a file or of what was said, in one go or part by part."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aria_desktop.core.chat import Outcome, ToolResult
from aria_desktop.core.errors import ToolFailed
from aria_desktop.core.events import CallProgress, DraftPiece
from aria_desktop.tools.text import PART_CHARACTERS, in_parts, summarize_text
from tests.unit.tools.conftest import Bench


def test_a_file_is_summed_up_and_the_summary_is_the_answer(bench: Bench) -> None:
    (bench.root / "a.txt").write_text("A long story.\n")
    bench.script = ["It is a story."]
    result = bench.call(summarize_text, path="a.txt")
    assert result == ToolResult(Outcome.DONE, "It is a story.", answer="It is a story.")
    assert bench.reported == [DraftPiece("t1", "c1", "It is a story.")]
    assert bench.model is not None
    assert "<data>\nA long story.\n</data>" in bench.model.asked[0].messages[-1].text


def test_without_a_file_the_user_s_own_words_are_summed_up(bench: Bench) -> None:
    bench.script = ["Short."]
    result = bench.call(summarize_text)
    assert isinstance(result, ToolResult)
    assert result.answer == "Short."
    assert bench.model is not None
    assert "<data>\nwhat the user said\n</data>" in bench.model.asked[0].messages[-1].text


def test_nothing_is_said_to_be_nothing(bench: Bench) -> None:
    (bench.root / "a.txt").write_text("\n")
    result = bench.call(summarize_text, path="a.txt")
    assert isinstance(result, ToolResult)
    assert result.answer == "There is nothing in it to sum up."


def test_a_long_text_is_read_in_parts_with_progress(bench: Bench) -> None:
    (bench.root / "a.txt").write_text("word " * (PART_CHARACTERS // 2))
    bench.script = ["first part", "second part", "third part", "all of it"]
    result = bench.call(summarize_text, path="a.txt")
    assert isinstance(result, ToolResult)
    assert result.answer == "all of it"
    progress = [event for event in bench.reported if isinstance(event, CallProgress)]
    assert [event.text for event in progress] == [f"Reading part {n} of 3" for n in (1, 2, 3)]
    assert [event.done for event in progress] == [0.0, 1 / 3, 2 / 3]
    assert bench.model is not None
    assert "first part\n\nsecond part\n\nthird part" in bench.model.asked[-1].messages[-1].text


def test_no_summary_is_said(bench: Bench) -> None:
    bench.script = [" "]
    with pytest.raises(ToolFailed, match="No summary"):
        bench.call(summarize_text)


@given(st.text(st.sampled_from("ab .\n"), max_size=400), st.integers(10, 60))
def test_parts_hold_the_whole_text_and_are_never_too_long(text: str, size: int) -> None:
    parts = list(in_parts(text, size))
    assert all(len(part) <= size for part in parts)
    assert "".join("".join(parts).split()) == "".join(text.split())


def test_parts_are_cut_between_paragraphs_then_sentences_then_words() -> None:
    assert next(in_parts("One. Two.\n\nThree four.", 16)) == "One. Two."
    assert list(in_parts("aaa bbb. ccc ddd eee", 14)) == ["aaa bbb.", "ccc ddd eee"]
    assert list(in_parts("aaa bbb ccc", 9)) == ["aaa bbb", "ccc"]
    assert list(in_parts("x" * 25, 10)) == ["x" * 10, "x" * 10, "x" * 5]


def test_a_name_that_is_not_quite_right_is_said_before_the_summary(bench: Bench) -> None:
    (bench.root / "garden-plan.txt").write_text("Roses.\n")
    bench.script = ["It is about roses."]
    result = bench.call(summarize_text, path="garden plan")
    assert isinstance(result, ToolResult)
    assert result.answer == "I read garden-plan.txt. It is about roses."
    assert "".join(event.text for event in bench.reported if isinstance(event, DraftPiece)) == result.answer
