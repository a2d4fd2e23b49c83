"""The language model's process is killed in the middle of an answer: it is said, and the next question works."""

from __future__ import annotations

import os
import queue
import signal

import psutil
import pytest

from aria_desktop import app
from aria_desktop.commands.turns import new_id, run_turn
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.events import AnswerPiece, EngineChanged, EngineRole, EngineState, Event, TurnEnded
from aria_desktop.core.interfaces import Assistant
from aria_desktop.core.requests import SubmitText
from tests.conftest import Children
from tests.processes import command_line


def ask(assistant: Assistant, words: str, show: queue.SimpleQueue[Event], kill: Children | None = None) -> TurnEnded:
    killed = False

    def shown(event: Event) -> None:
        nonlocal killed
        show.put(event)
        if kill and not killed and isinstance(event, AnswerPiece):
            killed = True
            os.kill(language_child(kill()), signal.SIGKILL)

    request_id = new_id()
    request = SubmitText(request_id, words, speak=False)
    ended = run_turn(assistant, request, request_id, shown, lambda _: (False, "the test"))
    assert killed == (kill is not None)
    return ended


def language_child(children: list[psutil.Process]) -> int:
    (child,) = [c for c in children if {"worker", "language"} <= set(command_line(c))]
    return int(child.pid)


@pytest.mark.usefixtures("models_dir", "warm_home")
def test_killed_in_the_middle_of_an_answer(own_children: Children) -> None:
    seen: queue.SimpleQueue[Event] = queue.SimpleQueue()
    with app.assistant_for(kind="ask", prepare=[EngineRole.LANGUAGE]) as assistant:
        first = ask(
            assistant,
            "Tell me in six long sentences why the sky is blue and why it is red in the evening.",
            seen,
            kill=own_children,
        )
        second = ask(assistant, "How many legs does a spider have?", seen)
    assert first.outcome is TurnOutcome.FAILED
    assert first.error == "engine_died"
    assert "died" in first.text
    assert first.hint
    assert second.outcome is TurnOutcome.ANSWERED
    assert "8" in second.answer or "eight" in second.answer.lower()
    events = [seen.get() for _ in range(seen.qsize())]
    states = [e.state for e in events if isinstance(e, EngineChanged) and e.role is EngineRole.LANGUAGE]
    assert EngineState.RESTARTING in states
    assert states.index(EngineState.RESTARTING) < len(states) - 1 - states[::-1].index(EngineState.READY)
