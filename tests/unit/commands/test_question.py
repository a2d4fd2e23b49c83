"""A question on the terminal says all, and calls a command no file."""

from __future__ import annotations

from dataclasses import replace

import pytest

from aria_desktop.commands.story import question
from aria_desktop.core.approval import ApprovalRequest, Risk, RiskLevel

COMMAND = ApprovalRequest(
    id="a1",
    turn_id="t1",
    call_id="c1",
    tool="run_terminal",
    question="Run this command?",
    allow_label="Allow run",
    facts=(("Network", "none"),),
    path="",
    before=None,
    after="ls \x1b[8m\nrm -rf *",
    risk=Risk(RiskLevel.HIGH, "It can delete every file."),
    words="tidy up",
)


def test_a_command_is_shown_word_for_word_with_what_hides() -> None:
    text = question(COMMAND)
    assert "  word for word:\n    | ls <U+001B>[8m\n    | rm -rf *\n" in text
    assert "  Network: none" in text
    assert "file:" not in text
    assert "\x1b" not in text


@pytest.mark.parametrize(("before", "label"), [(None, "  content:"), ("old", "  then:")])
def test_a_files_text_is_called_what_it_is(before: str | None, label: str) -> None:
    text = question(replace(COMMAND, path="/w/a.txt", before=before))
    assert label in text
    assert "word for word" not in text
