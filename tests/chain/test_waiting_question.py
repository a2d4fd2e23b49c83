"""A question that waits when the program is killed is there afterwards, is asked again, and only a yes to it acts."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from aria_desktop import app
from aria_desktop.commands.turns import new_id
from aria_desktop.core.events import ApprovalRequested, Event, TurnEnded
from aria_desktop.core.requests import AnswerApproval, OpenSession
from tests.chain.conftest import Aria

CALL = {"tool": "create_file", "path": "todo.txt", "content": "call Anna\n"}
REPLY = json.dumps({"calls": [CALL], "then": ""})

AFTERWARDS = json.dumps({"answer": "Anna is on your list."})
"""After a restart the model is asked whether anything of the command is left to do."""


@pytest.fixture
def killed_while_asking(aria: Aria, settings: Callable[[str], Path], tmp_path: Path) -> str:
    """The session of an `aria ask` on a terminal that was killed while its question stood there."""
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"language": [REPLY, AFTERWARDS]}))
    settings(f'[engines]\nlanguage = "scripted:{script}"\n')
    mine, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "aria_desktop", "ask", "note that I have to call Anna"],
        env=aria.environment(),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b""
    while b"[y/N]" not in shown:
        shown += os.read(mine, 4096)
    assert b"call Anna" in shown
    process.send_signal(signal.SIGKILL)
    process.wait()
    os.close(mine)
    (session,) = aria("sessions", "list", "--json").events[0]["sessions"]
    assert session["waiting"]
    return str(session["session_id"])


def answered(session_id: str, allowed: bool) -> TurnEnded:
    """Open the session in a new program, and answer what it asks again."""
    ended: list[TurnEnded] = []
    with app.assistant_for(kind="window") as assistant:

        def listen(event: Event) -> None:
            if isinstance(event, ApprovalRequested):
                assistant.submit(AnswerApproval(event.request.id, allowed, "you"))
            elif isinstance(event, TurnEnded):
                ended.append(event)

        assistant.subscribe(listen)
        assistant.submit(OpenSession(new_id(), session_id))
        deadline = time.monotonic() + 60
        while not ended:
            assert time.monotonic() < deadline, "the question was not asked again"
            time.sleep(0.05)
    return ended[0]


def test_it_is_shown_in_full(aria: Aria, killed_while_asking: str) -> None:
    shown = aria("sessions", "show", killed_while_asking).out
    assert "todo.txt" in shown
    assert "call Anna" in shown
    assert "wait" in shown
    assert list(aria.output.iterdir()) == []


@pytest.mark.parametrize("allowed", [True, False], ids=["yes", "no"])
def test_it_is_asked_again_and_only_a_yes_acts(
    aria: Aria, killed_while_asking: str, monkeypatch: pytest.MonkeyPatch, allowed: bool
) -> None:
    monkeypatch.setenv("ARIA_OUTPUT", str(aria.output))
    ended = answered(killed_while_asking, allowed)
    assert ended.outcome == ("answered" if allowed else "refused")
    assert [path.name for path in aria.output.iterdir()] == (["todo.txt"] if allowed else [])
    (session,) = aria("sessions", "list", "--json").events[0]["sessions"]
    assert not session["waiting"]
