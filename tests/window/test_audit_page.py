"""The page of the audit shows what the assistant tells it, as text that stays text."""

from __future__ import annotations

from PySide6.QtWidgets import QPlainTextEdit

from aria_desktop.core.listings import AuditListed
from aria_desktop.core.records import AuditRecord
from aria_desktop.core.requests import ListAudit
from tests.window.conftest import MakeStage, Stage

ASKED = AuditRecord(2, 1.7e9, "asked", "t1", "c1", "create_file", "ab" * 32, "", "", "Create <b>a</b>\n\u202e.txt?")
DECIDED = AuditRecord(3, 1.7e9, "decided", "t1", "c1", "create_file", "", "refused", "you")


def opened(stage: Stage, *records: AuditRecord) -> list[str]:
    stage.click(stage.find("auditButton"))
    stage.qtbot.waitUntil(lambda: len(stage.assistant.received) == 1, timeout=20_000)
    request = stage.assistant.last(ListAudit)
    assert isinstance(request, ListAudit)
    stage.assistant.publish(AuditListed("somebody else's", ()), AuditListed(request.request_id, records))
    stage.qtbot.waitUntil(lambda: stage.visible("auditPage"), timeout=20_000)
    text = stage.find("auditLines")
    assert isinstance(text, QPlainTextEdit)
    assert text.isReadOnly()
    return text.toPlainText().split("\n")


def test_the_newest_line_is_first_and_nothing_hides(make_stage: MakeStage) -> None:
    stage = make_stage(expects=(ListAudit,))
    first, second = opened(stage, ASKED, DECIDED)
    assert first.endswith("create_file  ·  decided  ·  no  ·  by you")
    assert "Create <b>a</b><U+000A><U+202E>.txt?  ·  shown: SHA-256 abababababababab" in second
    stage.wait_for("The last 2\N{NO-BREAK SPACE}lines, the newest first.")
    stage.picture("audit")
    stage.desktop.key("Escape")
    stage.qtbot.waitUntil(lambda: not stage.visible("auditPage"), timeout=20_000)


def test_an_empty_audit_says_so(make_stage: MakeStage) -> None:
    stage = make_stage(expects=(ListAudit,))
    assert opened(stage) == [""]
    stage.wait_for("Nothing was called yet.")
    stage.click(stage.find("closeAuditPage"))
    stage.qtbot.waitUntil(lambda: not stage.visible("auditPage"), timeout=20_000)
