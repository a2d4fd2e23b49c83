"""Conversations of the agent's real prompts, and what is reported of four ways to read them."""

from __future__ import annotations

from typing import Any

import pytest

from aria_desktop.core.chat import Role
from aria_desktop.evaluation import prefix
from aria_desktop.evaluation.records import Records
from aria_desktop.testing.scripted import ScriptedLanguageModel
from tests.unit.evaluation.test_legal import CASES, make_agent, model


def test_a_conversation_grows_and_has_results_and_code_in_it() -> None:
    prompts = list(prefix.conversation(model(ScriptedLanguageModel([])), CASES, 3, 0))
    assert [kind for kind, _ in prompts] == ["words", "result", "words", "code", "result", "words", "result"]
    for kind, generation in prompts:
        assert (generation.max_tokens, generation.reply_schema) == (1, None)
        assert (generation.stable_messages == 0) == (kind == "code")
    stable = make_agent(ScriptedLanguageModel([]), ()).stable_messages()
    assert all(prompt.messages[: len(stable)] == stable for kind, prompt in prompts if kind != "code")
    last = prompts[-2][1].messages[-1]
    assert last.role is Role.USER
    assert all(case.say in last.text for case in CASES)


def timed(seconds: float, evaluated: int, again: int = 0) -> dict[str, Any]:
    return {"seconds": seconds, "evaluated": evaluated, "evaluated_again": again, "prompt_tokens": 1000}


def prompt(kind: str, again: int = 0) -> dict[str, Any]:
    return {
        "kind": kind,
        "ours": timed(0.1, 20, again),
        "as it is": timed(0.2, 40),
        "cache": timed(0.4, 40),
        "cold": timed(1.0, 1000),
    }


def records(again: int = 0) -> Records:
    found = Records(None, {})
    for number in range(2):
        found.add(f"session {number}", {"prompts": [prompt("words", again), prompt("code", 99), prompt("result")]})
    found.add("restart 0", {"load": 1.25, "load_without": 0.5, "first": timed(0.3, 20)})
    return found


def test_the_figures() -> None:
    report = prefix.report(records())
    found = {figure.name: figure.value for figure in report.figures}
    assert found["prompts measured"] == 4
    assert found["times faster than without any reuse"] == pytest.approx(10)
    assert found["times faster than llama-cpp-python as it is"] == pytest.approx(2)
    assert found["without any reuse: prompt tokens evaluated"] == 4000
    assert found["ours: tokens of the unchanging start evaluated again"] == 0
    assert found["restart: loading the kept start, median"] == pytest.approx(0.75)
    assert report.met


def test_one_token_evaluated_again_misses_the_goal() -> None:
    assert not prefix.report(records(again=1)).met
