"""Every reply that can't be carried out is counted, and a run that was stopped goes on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from aria_desktop.assistant.agent import Agent, AgentLimits
from aria_desktop.assistant.prompt import read_examples
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.errors import UsageError
from aria_desktop.core.interfaces import Generation, GenerationEnd, LanguageModel
from aria_desktop.evaluation import legal
from aria_desktop.evaluation.case_prompts import asked_for, crossed, deciding
from aria_desktop.evaluation.cases import Case
from aria_desktop.evaluation.evaluated import EvaluatedModel
from aria_desktop.evaluation.legal import Standing
from aria_desktop.evaluation.records import Records
from aria_desktop.safety.policy import Rules
from aria_desktop.testing.scripted import ScriptedLanguageModel
from aria_desktop.tools.memory import MemoryFacts
from aria_desktop.tools.prompts import PromptFiles
from aria_desktop.tools.registry import standard_tools
from tests.conftest import REPOSITORY

PROMPTS = REPOSITORY / "resources" / "prompts"
LISTS = '{"calls":[{"tool":"list_files","folder":"."}],"then":""}'
TALKS = '{"answer":"Hello."}'
BROKEN = '{"calls":[{"tool":"list_files","folder":7}],"then":""}'


def case(name: str, say: str, **rest: Any) -> Case:
    return Case.model_validate({"id": name, "kind": "made up", "say": say, "expect": {"tools": [[]]}, **rest})


CASES = (case("a", "which files are there", files={"plans.txt": "x"}), case("b", "what is in the box"))


def make_agent(language: LanguageModel, facts: tuple[str, ...]) -> Agent:
    prompts, examples = PromptFiles.read(PROMPTS), read_examples(PROMPTS)
    return Agent(language, standard_tools(), prompts, examples, AgentLimits(), Rules(), facts=MemoryFacts(facts))


def model(language: LanguageModel) -> EvaluatedModel:
    return EvaluatedModel("m", "files", language, lambda: 4096, make_agent, "settings")


def figures(language: LanguageModel, count: int, records: Records) -> tuple[dict[str, float], list[Standing]]:
    shown: list[Standing] = []
    report = legal.run(model(language), CASES, count, records, shown.append)
    return {figure.name: figure.value for figure in report.figures}, shown


def test_illegal_replies_are_counted_by_temperature() -> None:
    found, shown = figures(ScriptedLanguageModel([LISTS, TALKS, BROKEN, LISTS]), 4, Records(None, {}))
    assert found["illegal replies"] == 1
    assert found["share of illegal replies"] == 25
    assert found["illegal of 2 at temperature 0"] == 1
    assert found["illegal of 2 at temperature 1"] == 0
    assert [(at.done, at.illegal) for at in shown] == [(1, 0), (2, 0), (3, 1), (4, 1)]


def test_a_reply_that_was_cut_off_is_illegal_whatever_can_be_read_of_it() -> None:
    class CutOff(ScriptedLanguageModel):
        def complete(self, generation: Generation, cancel: CancelToken) -> Iterator[str | GenerationEnd]:
            for piece in super().complete(generation, cancel):
                yield replace(piece, complete=False) if isinstance(piece, GenerationEnd) else piece

    found, _ = figures(CutOff([TALKS, TALKS]), 2, Records(None, {}))
    assert (found["illegal replies"], found["of these cut off by the token limit"]) == (2, 2)


def test_half_are_at_temperature_0_with_seeds_of_their_own() -> None:
    asked: list[Generation] = []

    class Keeps(ScriptedLanguageModel):
        def complete(self, generation: Generation, cancel: CancelToken) -> Iterator[str | GenerationEnd]:
            asked.append(generation)
            return super().complete(generation, cancel)

    figures(Keeps([TALKS] * 4), 4, Records(None, {}))
    assert [generation.temperature for generation in asked] == [0, 1, 0, 1]
    assert len({generation.seed for generation in asked}) == 4
    assert all(generation.reply_schema for generation in asked)
    assert asked[0].messages == asked[1].messages != asked[2].messages


def test_a_run_that_was_stopped_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    figures(ScriptedLanguageModel([BROKEN]), 1, Records(path, {}))
    found, shown = figures(ScriptedLanguageModel([TALKS]), 2, Records(path, {}))
    assert found["illegal replies"] == 1
    assert [(at.done, at.of) for at in shown] == [(2, 2)]


def test_other_cases_and_other_prompts_decide_otherwise() -> None:
    one = model(ScriptedLanguageModel([]))
    assert deciding(one, CASES) == deciding(one, CASES)
    assert deciding(one, CASES) != deciding(one, CASES[:1])
    assert deciding(one, CASES) != deciding(replace(one, fingerprint="others"), CASES)


def test_each_command_comes_with_the_files_of_each_case() -> None:
    ids = [crossed(CASES, number).id for number in range(4)]
    assert ids == ["a+a", "b+b", "a+b", "b+a"]
    assert crossed(CASES, 3).files == CASES[0].files
    assert crossed(CASES, 3).say == CASES[1].say


def test_what_is_asked_after_a_result_holds_the_result() -> None:
    first = asked_for(make_agent, CASES[0])
    later = asked_for(make_agent, CASES[0], ['{"calls":[{"tool":"list_files","folder":"."}],"then":"say it"}'])
    assert first is not None
    assert later is not None
    assert later.messages[: len(first.messages)] == first.messages
    assert "plans.txt" in later.messages[-1].text


def test_a_turn_that_ends_before_has_no_question() -> None:
    assert asked_for(make_agent, CASES[0], [TALKS]) is None


def test_cases_that_no_model_is_asked_about_can_not_be_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(legal, "asked_for", lambda *_: None)
    with pytest.raises(UsageError, match="No case"):
        figures(ScriptedLanguageModel([]), 2, Records(None, {}))
