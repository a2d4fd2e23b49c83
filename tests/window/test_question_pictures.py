"""Screenshots of the questions that matter most, for people to look at; kept in artifacts/window/.

Each waits for what must be on the picture, so a picture of the wrong thing fails.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLabel

from aria_desktop.core import events
from aria_desktop.core.approval import ApprovalRequest, Extent, Hearing, Offer, Risk, RiskLevel
from aria_desktop.core.chat import ToolCall
from aria_desktop.core.requests import AnswerApproval
from tests.window import stories
from tests.window.conftest import Stage

NOTES = "Monday: call Ana\nTuesday: dentist\nWednesday: nothing\nThursday: report\n"
NEW_NOTES = "Monday: call Ana\nTuesday: dentist at ten\nThursday: report\nFriday: holidays\n"


def _indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


OVERWRITE = replace(
    stories.question("t9", ToolCall("c9", "create_file", {"path": "week.txt"}), NOTES, NEW_NOTES, "Write my week anew"),
    risk=Risk(RiskLevel.HIGH, "The text that is there now is replaced. ARIA keeps it and can undo this."),
)
STAGED = replace(
    OVERWRITE,
    tool="run_terminal",
    question="Keep what the command changed?",
    allow_label="Allow changes",
    facts=(
        ("Command", "sed -i s/Monday/Montag/ *.txt; rm old.log"),
        ("Ended", "with status 0"),
        ("Changes", "week.txt (70 bytes)"),
        ("Deletes", "old.log (12 bytes)"),
    ),
    path="",
    before=f"week.txt\n{_indented(NOTES)}old.log\n    one\n    two\n",
    after=f"week.txt\n{_indented(NOTES.replace('Monday', 'Montag'))}",
    words="Put Montag for Monday in all my texts and throw away the old log",
    untrusted=('what the command "sed -i s/Monday/Montag/ *.txt; rm old.log" wrote',),
)
BIDI = replace(
    OVERWRITE,
    allow_label="Allow create",
    question="Create invoice\u202etxt.exe?",
    path="/home/you/aria/output/invoice\u202etxt.exe",
    before=None,
    after="echo paid\u200b; rm -rf \u2066~\u2069\n",
    risk=Risk(RiskLevel.LOW, "A new file; nothing is lost."),
    words="Save the invoice",
    untrusted=("the file invoice\u202etxt.exe",),
)
BADLY_HEARD = replace(
    OVERWRITE,
    tool="delete_file",
    question="Delete knotes.txt?",
    allow_label="Allow delete",
    path="/home/you/aria/output/knotes.txt",
    before=None,
    after=None,
    words="Delete notes dot txt",
    heard=Hearing(0.41, ("notes",)),
    doubts=("What you said was not heard well.", "notes.txt sounds like knotes.txt."),
    risk=Risk(
        RiskLevel.HIGH, "It goes to the trash. What you said was not heard well. notes.txt sounds like knotes.txt."
    ),
)
OFFERED = replace(
    OVERWRITE,
    question="Create list.txt?",
    allow_label="Allow create",
    path="/home/you/aria/output/list.txt",
    before=None,
    after="milk\neggs\n",
    risk=Risk(RiskLevel.LOW, "A new file; nothing is lost."),
    offers=(Offer(Extent.FOLDER, "create_file for *.txt, in this folder until 16:30"),),
)


@pytest.mark.parametrize(
    ("name", "request_", "seen"),
    [
        ("overwrite", OVERWRITE, "The tool create_file replaces 70\N{NO-BREAK SPACE}B with 75\N{NO-BREAK SPACE}B."),
        ("staged-command", STAGED, "old.log (12 bytes)"),
        ("bidirectional", BIDI, "Create invoice<U+202E>txt.exe?"),
        ("badly-heard", BADLY_HEARD, "with 41%, not sure of: notes"),
        ("how-far", OFFERED, "Create list.txt?"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_question(stage: Stage, name: str, request_: ApprovalRequest, seen: str) -> None:
    ask(stage, request_)
    assert_seen(stage, seen)
    stage.picture(f"20-question-{name}")
    stage.assistant.expect(AnswerApproval)


def test_three_actions_of_one_step(stage: Stage) -> None:
    ids = ("a1", "a2", "a3")
    move = replace(
        OVERWRITE, question="Move old.txt into archive?", tool="move_file", before=None, after=None,
        facts=(("From", "/home/you/aria/output/old.txt"), ("To", "/home/you/aria/output/archive/old.txt")),
        path="", risk=Risk(RiskLevel.LOW, "Nothing is lost."),
    )  # fmt: skip
    asked = [
        replace(one, id=id_, call_id=f"c{id_}", together=ids)
        for id_, one in zip(ids, (replace(OFFERED, offers=()), OVERWRITE, move), strict=True)
    ]
    ask(stage, *asked)
    assert_seen(stage, "Do these 3 things?")
    stage.picture("20-question-three-actions")
    stage.assistant.expect(AnswerApproval, AnswerApproval, AnswerApproval)


def ask(stage: Stage, *asked: ApprovalRequest) -> None:
    stage.assistant.publish(
        events.ActivityChanged(events.Activity.CONFIRMING),
        stories.started("t9", asked[0].words),
        *(events.CallProposed("t9", 1, ToolCall(request.call_id, request.tool, {})) for request in asked),
        *(events.ApprovalRequested(request) for request in asked),
    )
    stage.qtbot.waitUntil(lambda: stage.visible("approvalDialog"), timeout=30_000)
    stage.desktop.key("End")
    stage.qtbot.waitUntil(stage.find("allowButton").isEnabled, timeout=30_000)


def assert_seen(stage: Stage, text: str) -> None:
    labels = stage.find("approvalDialog").findChildren(QLabel)
    assert text in "\n".join(label.text() for label in labels if label.isVisible())
