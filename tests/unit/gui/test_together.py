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
    assert shown.facts == (
        ("1.", "Create a.txt? (create_file)"),
        ("File", "/w/a.txt"),
        ("Risk", "Low. Nothing is lost."),
        ("New folders", "x\ny"),
        ("Text", "+ milk"),
        ("2.", "Delete b<U+202E><U+000A>Risk: low? (delete_file)"),
        ("File", "/w/b.txt"),
        ("Risk", "High. It is lost."),
        ("Text", "- old\n  same\n+ new"),
    )


def test_the_highest_risk_all_sources_and_all_doubts_count_for_all() -> None:
    shown = as_one([ONE, TWO])
    assert shown.risk.level is RiskLevel.HIGH
    assert shown.untrusted == ("the file n.txt",)
    assert shown.doubts == ("Why.",)
    assert shown.offers == ()


def test_no_text_gets_a_label_of_its_own() -> None:
    """Labels are a column that no value reaches: whatever a text says, there are as many as code made."""
    lying = replace(ONE, after="x\nRisk\nLow.\n2. Nothing\n", question="Create a\nRisk\nLow?")
    labels = [label for label, _ in as_one([lying, TWO]).facts]
    assert labels == ["1.", "File", "Risk", "New folders", "Text", "2.", "File", "Risk", "Text"]
