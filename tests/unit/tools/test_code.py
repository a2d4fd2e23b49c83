"""Code comes from a second generation and is only proposed."""

from __future__ import annotations

import pytest

from aria_desktop.core.chat import Role
from aria_desktop.core.errors import PathRefused, ToolFailed
from aria_desktop.core.events import CallProgress, DraftPiece
from aria_desktop.tools.code import language_of, write_code
from tests.unit.tools.conftest import Bench

ASKED = {"path": "hi.py", "language": "Python", "request": "print hi"}


def test_code_is_streamed_freed_of_fences_and_proposed(bench: Bench) -> None:
    bench.script = ["Sure.\n```python\nprint('hi')\n```\nDone."]
    proposal = bench.proposal(write_code, **ASKED)
    assert (proposal.question, proposal.after) == ("Create hi.py?", "print('hi')\n")
    assert bench.reported == [DraftPiece("t1", "c1", "print('hi')\n")]
    assert bench.files() == {}
    assert bench.carried_out(proposal).answer == "I created hi.py with 1 line."
    assert bench.files() == {"hi.py": "print('hi')\n"}


def test_the_model_is_told_what_is_asked_for_and_what_is_there(bench: Bench) -> None:
    (bench.root / "hi.py").write_text("print('</data>')\n")
    bench.script = ["```\nprint('hi')\n```"]
    bench.proposal(write_code, **ASKED)
    assert bench.model is not None
    system, user = bench.model.asked[0].messages
    assert system.role is Role.SYSTEM
    for part in ("hi.py", "Python", "print hi", "what the user said", "<data>\nprint('< /data>')\n\n</data>"):
        assert part in user.text
    assert bench.model.asked[0].reply_schema is None


def test_a_refused_path_costs_no_generation(bench: Bench) -> None:
    with pytest.raises(PathRefused):
        bench.call(write_code, path="../x.py", language="Python", request="x")


def test_plain_text_is_no_code(bench: Bench) -> None:
    with pytest.raises(ToolFailed, match="Use create_file"):
        bench.call(write_code, path="total.TXT", language="Python", request="add the numbers")


def test_a_draft_from_before_a_restart_is_not_written_again(bench: Bench) -> None:
    bench.draft = "print('kept')\n"
    assert bench.proposal(write_code, **ASKED).after == "print('kept')\n"


@pytest.mark.parametrize("reply", ["```python\n```", "  \n"])
def test_no_code_is_said(bench: Bench, reply: str) -> None:
    bench.script = [reply]
    with pytest.raises(ToolFailed, match="No code"):
        bench.call(write_code, **ASKED)


@pytest.mark.parametrize(
    ("path", "said", "language"),
    [
        ("a.py", "", "Python"),
        ("x/A.PY", "Ruby", "Python"),
        ("Makefile", "make", "make"),
        ("notes.xyz", " ", "plain text"),
    ],
)
def test_the_ending_of_the_name_decides_the_language(path: str, said: str, language: str) -> None:
    assert language_of(path, said) == language


class TestBrokenCode:
    BROKEN = "```python\nprint('hi'\n```"

    def test_it_is_repaired_once_by_a_model_that_is_told_the_fault(self, bench: Bench) -> None:
        bench.script = [self.BROKEN, "```python\nprint('hi')\n```"]
        proposal = bench.proposal(write_code, **ASKED)
        assert (proposal.after, proposal.facts) == ("print('hi')\n", ())
        assert bench.carried_out(proposal).answer == "I created hi.py with 1 line."
        assert bench.model is not None
        *_, wrong, told = bench.model.asked[1].messages
        assert wrong.role is Role.ASSISTANT
        assert "print('hi'" in wrong.text
        assert "not valid Python: line 1: '(' was never closed" in told.text
        assert [event.text for event in bench.reported if isinstance(event, CallProgress)] == [
            "Repairing: line 1: '(' was never closed"
        ]

    @pytest.mark.parametrize("second", ["```\nprint(\n```", " "])
    def test_what_stays_broken_is_shown_and_said(self, bench: Bench, second: str) -> None:
        bench.script = [self.BROKEN, second]
        proposal = bench.proposal(write_code, **ASKED)
        assert proposal.after == "print('hi'\n"
        assert proposal.facts == (("Not valid Python", "line 1: '(' was never closed"),)
        answer = bench.carried_out(proposal).answer
        assert answer == "I created hi.py with 1 line. It is not valid Python: line 1: '(' was never closed."

    def test_a_kept_draft_is_judged_too(self, bench: Bench) -> None:
        bench.draft = "print('kept'\n"
        assert bench.proposal(write_code, **ASKED).facts[0][0] == "Not valid Python"


def test_a_name_in_other_case_means_the_file_that_there_is(bench: Bench) -> None:
    (bench.root / "Hi.py").write_text("print('old')\n")
    bench.script = ["```\nprint('hi')\n```"]
    assert bench.proposal(write_code, **ASKED).question == "Replace Hi.py?"
