"""Events of whole turns for window tests: what the real assistant would publish, in its order."""

from __future__ import annotations

from aria_desktop.core import events, listings, records
from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest, Risk, RiskLevel
from aria_desktop.core.chat import Message, Outcome, Role, ToolCall, ToolChoice, ToolResult, TurnOutcome
from aria_desktop.core.requests import ListFiles, ListSessions, Request
from aria_desktop.core.transcript import Word

RETRY = '''import time

import requests


def fetch(url, attempts=4, wait=0.5):
    """Return the response; wait twice as long before each new try."""
    for attempt in range(1, attempts + 1):
        try:
            response = requests.get(url, timeout=10)
            response.raise_for_status()
            return response
        except requests.RequestException:
            if attempt == attempts:
                raise
            time.sleep(wait)
            wait *= 2
'''


def engines(state: events.EngineState, detail: str = "") -> list[events.Event]:
    return [
        events.EngineChanged(events.EngineRole.SPEECH, state, "faster-whisper-base", detail),
        events.EngineChanged(events.EngineRole.LANGUAGE, state, "qwen2.5-coder-1.5b-instruct", detail),
        events.EngineChanged(events.EngineRole.VOICE, state, "en_US-joe-medium", detail),
    ]


def started(
    turn: str, words: str = "", source: records.Source = records.Source.TEXT, request: str = ""
) -> events.Event:
    return events.TurnStarted(turn, "s1", request, source, words)


def heard(turn: str, text: str, unsure: str = "") -> events.Event:
    words = (Word(f" {unsure}", 0.5, 0.9, 0.41),) if unsure else ()
    return events.Heard(turn, text, "en", words, 2.4)


def ended(
    turn: str, answer: str = "", outcome: TurnOutcome = TurnOutcome.ANSWERED, total: float = 4.6, **more: str
) -> events.Event:
    return events.TurnEnded(turn, "s1", "", outcome, answer, (), {"total": total}, **more)


def question(
    turn: str, call: ToolCall, before: str | None, after: str, words: str, approval: str = "a1"
) -> ApprovalRequest:
    path = str(call.arguments["path"])
    verb = "Create" if before is None else "Overwrite"
    level = RiskLevel.LOW if before is None else RiskLevel.MEDIUM
    text = "Adds a new file. Nothing is lost." if before is None else "Changes a file. The old text is replaced."
    return ApprovalRequest(
        id=approval,
        turn_id=turn,
        call_id=call.id,
        tool=call.tool,
        question=f"{verb} {path}?",
        allow_label=f"Allow {verb.lower()}",
        facts=(),
        path=f"/home/you/aria/output/{path}",
        before=before,
        after=after,
        risk=Risk(level, text),
        words=words,
    )


def decided(turn: str, approval: str = "a1", *, allowed: bool = True, by: str = "you") -> events.Event:
    return events.ApprovalDecided(turn, approval, ApprovalDecision(allowed, by), 2.0)


def call_ended(turn: str, call: ToolCall, outcome: Outcome = Outcome.DONE, text: str = "done") -> events.Event:
    return events.CallEnded(turn, call, ToolResult(outcome, text))


def finished_code_turn(turn: str) -> list[events.Event]:
    words = "Write a Python function that retries failed HTTP requests and save it"
    call = ToolCall(f"{turn}-c1", "write_code", {"path": "retry.py", "task": "retries failed HTTP requests"})
    answer = "Saved as retry.py. It tries four times and waits twice as long before each new try."
    return [
        started(turn, source=records.Source.MICROPHONE),
        heard(turn, words),
        events.StepStarted(turn, 1),
        events.CallProposed(turn, 1, call),
        events.DraftPiece(turn, call.id, RETRY),
        events.ApprovalRequested(question(turn, call, None, RETRY, words, approval=f"{turn}-a")),
        decided(turn, f"{turn}-a"),
        events.CallStarted(turn, call.id),
        call_ended(turn, call),
        events.AnswerGiven(turn, answer),
        events.SpeakingStarted(turn, "Loudspeaker"),
        events.SpeakingEnded(turn, 4.0, False),
        ended(turn, answer),
    ]


def finished_notes_turn(turn: str) -> list[events.Event]:
    words = "Read the meeting notes and put a short summary in a new file"
    read = ToolCall(f"{turn}-c1", "read_file", {"path": "meeting-notes.txt"})
    make = ToolCall(f"{turn}-c2", "create_file", {"path": "summary.md", "content": "- The first prototype is ready.\n"})
    answer = "Saved as summary.md. The open question is who orders the new test device."
    after = "- The first prototype is ready.\n- Tests start on 7 December.\n- Who orders the new test device?\n"
    return [
        started(turn, source=records.Source.MICROPHONE),
        heard(turn, words, unsure="summary"),
        events.StepStarted(turn, 1),
        events.CallProposed(turn, 1, read),
        events.CallStarted(turn, read.id),
        call_ended(turn, read),
        events.StepStarted(turn, 2),
        events.CallProposed(turn, 2, make),
        events.ApprovalRequested(question(turn, make, None, after, words, approval=f"{turn}-a")),
        decided(turn, f"{turn}-a"),
        events.CallStarted(turn, make.id),
        call_ended(turn, make),
        events.AnswerGiven(turn, answer),
        events.SpeakingStarted(turn, "Loudspeaker"),
        events.SpeakingEnded(turn, 4.0, False),
        ended(turn, answer, total=6.2),
    ]


def plain_turn(turn: str) -> list[events.Event]:
    answer = (
        "After each failure you wait longer before the next try, usually twice as long. "
        "It gives a busy server time to recover."
    )
    return [
        started(turn, "What does exponential back-off mean?"),
        events.StepStarted(turn, 1),
        events.AnswerPiece(turn, answer[:40]),
        events.AnswerPiece(turn, answer[40:]),
        events.AnswerGiven(turn, answer),
        ended(turn, answer),
    ]


JITTER = RETRY.replace("import time\n", "import random\nimport time\n").replace(
    "time.sleep(wait)", "time.sleep(wait + random.uniform(0, wait / 4))"
)


def thinks(turn: str, step: int, tool: str, other: str) -> list[events.Event]:
    prompt = (Message(Role.USER, "Add random jitter to retry.py and save it, then run the tests"),)
    choice = ToolChoice(tool, 0.93, other, 0.05)
    reply = f'{{"calls": [{{"tool": "{tool}", "path": "retry.py"}}], "then": ""}}'
    return [
        events.StepStarted(turn, step),
        events.PromptSent(turn, step, 1, 3, prompt, 14),
        events.ReplyReceived(turn, step, reply, 1184, 1020, 96, 7.2, (choice,), 0.31),
    ]


def running_again(turn: str) -> list[events.Event]:
    """A turn whose tests failed, so that it writes a second draft."""
    words = "Add random jitter to retry.py and save it, then run the tests"
    write = ToolCall(f"{turn}-c1", "write_code", {"path": "retry.py"})
    tests = ToolCall(f"{turn}-c2", "run_terminal", {"command": "pytest -q test_retry.py"})
    again = ToolCall(f"{turn}-c3", "write_code", {"path": "retry.py"})
    return [
        events.ActivityChanged(events.Activity.THINKING),
        started(turn, source=records.Source.MICROPHONE),
        heard(turn, words, unsure="jitter"),
        *thinks(turn, 1, "write_code", "edit_file"),
        events.CallProposed(turn, 1, write),
        events.CallProposed(turn, 1, tests),
        events.ApprovalRequested(question(turn, write, RETRY, JITTER, words, approval=f"{turn}-a")),
        decided(turn, f"{turn}-a"),
        events.CallStarted(turn, write.id),
        call_ended(turn, write),
        events.CallStarted(turn, tests.id),
        call_ended(turn, tests, Outcome.FAILED, "1 failed, 3 passed"),
        *thinks(turn, 2, "write_code", "read_file"),
        events.CallProposed(turn, 2, again),
        events.DraftPiece(turn, again.id, JITTER[:300]),
        events.DraftPiece(turn, again.id, JITTER[300 : JITTER.index(" *= 2")] + " *="),
    ]


def kept(looks: list[Request], now: float) -> list[events.Event]:
    """Answers to what the window has looked for: four files and four conversations."""
    day = 86_400.0
    files = (
        records.FileRecord("summary.md", 612, now),
        records.FileRecord("retry.py", 467, now - 180),
        records.FileRecord("meeting-notes.txt", 3_120, now - day),
        records.FileRecord("csv_to_json.py", 1_210, now - 3 * day),
    )
    sessions = (
        records.SessionRecord("s1", "Retry helper", now, 3, False),
        records.SessionRecord("s2", "Rename holiday photos", now - day, 5, False),
        records.SessionRecord("s3", "Convert the CSV export", now - 3 * day, 8, False),
        records.SessionRecord("s4", "Questions about SQLite", now - 4 * day, 4, True),
    )
    found: list[events.Event] = []
    for look in looks:
        if isinstance(look, ListFiles):
            found.append(listings.FilesListed(look.request_id, files, len(files)))
        elif isinstance(look, ListSessions):
            found.append(listings.SessionsListed(look.request_id, sessions))
    return found
