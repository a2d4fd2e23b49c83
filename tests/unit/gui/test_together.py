"""Several questions shown as one: nothing of any is left out, and none can pass for another."""

from __future__ import annotations

from dataclasses import replace

from aria_desktop.core.approval import ApprovalRequest, Risk, RiskLevel
from aria_desktop.gui.state.together import as_one

ONE = ApprovalRequest(
    "a1", "t1", "c1", "create_file", "Create a.txt?", "Allow create", (("New folders", "x\ny"),), "/w/a.txt", None,
    "milk\n", Risk(RiskLevel.LOW, "Nothing is lost."), "do it", untrusted=("the file n.txt",), number=2,
)  # fmt: skip
TWO = replace(
    ONE, id="a2", call_id="c2", tool="delete_file", question="Delete b\u202e\nRisk: low?", facts=(), path="/w/b.txt",
    before="old\nsame\n", after="same\nnew\n", risk=Risk(RiskLevel.HIGH, "It is lost."), doubts=("Why.",),
)  # fmt: skip


def test_one_alone_is_shown_as_it_is() -> None:
    assert as_one([ONE]) is ONE


def test_a_line_for_each_and_all_that_belongs_to_it() -> None:
    shown = as_one([ONE, TWO])
    assert shown.question == "Do these 2 things?"
    assert shown.allow_label == "Allow 2 actions"
    assert shown.tool == "create_file, delete_file"
    assert shown.facts[0] == (
        "1.",
        "Create a.txt? (create_file)\nFile: /w/a.txt\nRisk: low. Nothing is lost.\nNew folders: x\n    y\n    + milk",
    )
    assert shown.facts[1][1].splitlines() == [
        "Delete b<U+202E><U+000A>Risk: low? (delete_file)",
        "File: /w/b.txt",
        "Risk: high. It is lost.",
        "    - old",
        "      same",
        "    + new",
    ]


def test_the_highest_risk_all_sources_and_all_doubts_count_for_all() -> None:
    shown = as_one([ONE, TWO])
    assert shown.risk.level is RiskLevel.HIGH
    assert shown.untrusted == ("the file n.txt",)
    assert shown.doubts == ("Why.",)
    assert shown.offers == ()


def test_what_is_in_a_file_can_open_no_line_of_its_own() -> None:
    """Every line of a text is set in, so it can't begin like a line that code writes."""
    shown = as_one([replace(ONE, after="2. Delete\nRisk: none\n"), TWO])
    assert [line for line in shown.facts[0][1].splitlines() if line.startswith("Risk")] == [
        "Risk: low. Nothing is lost."
    ]
