"""Cases through the real agent with a scripted model: each in a workspace of its own, and never twice."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from aria_desktop.assistant.agent import Agent, AgentLimits
from aria_desktop.assistant.prompt import read_examples
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import Outcome
from aria_desktop.core.errors import EngineFailed, ModelMissing, UsageError
from aria_desktop.core.interfaces import Generation, GenerationEnd, LanguageModel
from aria_desktop.evaluation import eval_run
from aria_desktop.evaluation.cases import Case
from aria_desktop.evaluation.eval_run import Plan, Standing
from aria_desktop.evaluation.evaluated import EvaluatedModel
from aria_desktop.safety.policy import Rules
from aria_desktop.testing.script import Ending, Step
from aria_desktop.testing.scripted import ScriptedLanguageModel
from aria_desktop.tools.memory import MemoryFacts
from aria_desktop.tools.prompts import PromptFiles
from aria_desktop.tools.registry import standard_tools
from tests.conftest import REPOSITORY

PROMPTS = REPOSITORY / "resources" / "prompts"
READS_THE_PROMPT = ""
"""The first step of every script: the model reads the unchanging part of the prompt."""


def case(number: int, say: str, **rest: Any) -> Case:
    return Case.model_validate({"id": f"c-{number}", "kind": "made up", "say": say, **rest})


def calls(tool: str, **arguments: object) -> str:
    return json.dumps({"calls": [{"tool": tool, **arguments}], "then": ""}, separators=(",", ":"))


WRITES = case(
    1,
    "make a note that says hi",
    expect={"tools": [["create_file"]], "workspace": {"note.txt": {"equals": "hi"}}},
)
DENIED = case(
    2,
    "make a note that says no",
    confirm="deny",
    files={"old/note.md": "x\r\n"},
    expect={"tools": [["create_file"]], "absent": ["note.txt"], "unchanged": ["old/note.md"]},
)
TALKS = case(
    3,
    "and how tall is it",
    history=[{"user": "which tower is in Paris", "assistant": "The Eiffel Tower."}],
    facts=["the user likes metres"],
    expect={"tools": [[]], "answer": {"contains_any": ["330"]}},
)
ANSWERS = (
    calls("create_file", path="note.txt", content="hi"),
    calls("create_file", path="note.txt", content="no"),
    '{"answer":"It is 300 metres tall."}',
)


class StoppedModel(ScriptedLanguageModel):
    """Ctrl+C where the script is used up."""

    def complete(self, generation: Generation, cancel: CancelToken) -> Iterator[str | GenerationEnd]:
        if len(self.asked) == 2:
            raise KeyboardInterrupt
        return super().complete(generation, cancel)


@dataclass
class Bench:
    """An output folder, and a scripted model for each name."""

    out: Path
    models: dict[str, ScriptedLanguageModel] = field(default_factory=dict)
    facts: list[tuple[str, ...]] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    shown: list[Standing] = field(default_factory=list)

    def script(self, name: str, steps: Sequence[Step | str]) -> None:
        self.models[name] = ScriptedLanguageModel([READS_THE_PROMPT, *steps], AgentLimits().context_tokens)

    @contextmanager
    def open(self, name: str) -> Iterator[EvaluatedModel]:
        model = self.models[name]
        yield EvaluatedModel(name, f"files of {name}", model, lambda: model.context_tokens, self.agent, "settings")

    def agent(self, language: LanguageModel, facts: tuple[str, ...]) -> Agent:
        self.facts.append(facts)
        prompts, examples, limits = PromptFiles.read(PROMPTS), read_examples(PROMPTS), AgentLimits()
        return Agent(language, standard_tools(), prompts, examples, limits, Rules(), facts=MemoryFacts(facts))

    def plan(self, *cases: Case, models: tuple[str, ...] = ("m",), repeats: int = 1, fresh: bool = False) -> Plan:
        return Plan(models, cases, repeats, self.out, self.out / "replies", fresh)

    def run(self, plan: Plan) -> eval_run.Outcome:
        return eval_run.run(plan, self.open, {"without": []}, self.shown.append, self.told.append)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path / "out")
    yield made
    for model in made.models.values():
        model.script.assert_used_up()


def test_three_cases_from_end_to_end(bench: Bench) -> None:
    bench.script("m", ANSWERS)
    outcome = bench.run(bench.plan(WRITES, DENIED, TALKS))
    wrote, denied, talked = outcome.results
    assert [result.passed for result in outcome.results] == [True, True, False]
    assert wrote.files["note.txt"].rstrip() == "hi"
    assert [(call.tool, call.arguments, call.outcome) for call in wrote.calls] == [
        ("create_file", {"path": "note.txt", "content": "hi"}, Outcome.DONE)
    ]
    assert wrote.asked == ("Create note.txt?",)
    assert denied.calls[0].outcome is Outcome.REFUSED
    assert denied.files == {"old/note.md": "x\r\n"}
    assert (denied.folders, denied.outcome) == (("old",), "refused")
    assert talked.reasons == ("the answer has none of '330'",)
    assert talked.answer == "It is 300 metres tall."
    assert ("the user likes metres",) in bench.facts
    for result, raw in zip(outcome.results, ANSWERS, strict=True):
        (reply,) = result.replies
        assert (reply.text, reply.reply, reply.legal, reply.cached) == (raw, True, True, False)
        assert result.tokens_generated == 1
    assert (outcome.hits, outcome.misses) == (0, 3)


def test_earlier_turns_are_shown_to_their_case_alone(bench: Bench) -> None:
    bench.script("m", [ANSWERS[2], ANSWERS[0]])
    bench.run(bench.plan(TALKS, WRITES))
    _, talking, writing = (repr(asked.messages) for asked in bench.models["m"].asked)
    assert "The Eiffel Tower." in talking
    assert "The Eiffel Tower." not in writing


def test_how_far_it_is_is_told(bench: Bench) -> None:
    bench.script("m", ANSWERS)
    bench.run(bench.plan(WRITES, DENIED, TALKS))
    assert [(standing.done, standing.passed) for standing in bench.shown] == [
        (0, 0), (1, 1), (1, 1), (2, 2), (2, 2), (3, 2),
    ]  # fmt: skip
    assert bench.shown[0].seconds_left is None
    assert bench.shown[-1].seconds_left == 0


def test_a_second_call_goes_on_where_the_first_was_stopped(bench: Bench) -> None:
    bench.models["m"] = StoppedModel([READS_THE_PROMPT, ANSWERS[0]])
    plan = bench.plan(WRITES, DENIED, TALKS)
    with pytest.raises(KeyboardInterrupt):
        bench.run(plan)
    bench.models["m"].script.assert_used_up()
    bench.script("m", ANSWERS[1:])
    outcome = bench.run(plan)
    assert [result.case for result in outcome.results] == ["c-1", "c-2", "c-3"]
    assert outcome.misses == 2


def test_what_is_done_needs_no_model(bench: Bench) -> None:
    bench.script("m", ANSWERS)
    plan = bench.plan(WRITES, DENIED, TALKS)
    first = bench.run(plan)
    bench.models["m"] = ScriptedLanguageModel([])
    again = bench.run(plan)
    assert again.results == first.results
    assert (again.hits, again.misses) == (0, 0)


def test_anew_replays_every_reply_and_judges_again(bench: Bench) -> None:
    bench.script("m", ANSWERS)
    bench.run(bench.plan(WRITES, DENIED, TALKS))
    bench.models["m"] = ScriptedLanguageModel([])
    easier = case(3, TALKS.say, history=TALKS.history, facts=TALKS.facts, expect={"tools": [[]]})
    outcome = bench.run(bench.plan(WRITES, DENIED, easier, fresh=True))
    assert (outcome.hits, outcome.misses) == (3, 0)
    assert [result.passed for result in outcome.results] == [True, True, True]
    assert all(reply.cached for result in outcome.results for reply in result.replies)


def test_other_cases_in_the_same_folder_are_refused(bench: Bench) -> None:
    bench.script("m", ANSWERS[:1])
    bench.run(bench.plan(WRITES))
    with pytest.raises(UsageError, match="made with other settings"):
        bench.run(bench.plan(WRITES, TALKS))


def test_models_and_repeats_each_have_their_results(bench: Bench) -> None:
    bench.script("m", ANSWERS[:1])
    bench.script("n", ['{"answer":"Done."}'])
    outcome = bench.run(bench.plan(WRITES, models=("m", "n"), repeats=2))
    assert [result.key for result in outcome.results] == [
        ("m", "c-1", 1), ("m", "c-1", 2), ("n", "c-1", 1), ("n", "c-1", 2),
    ]  # fmt: skip
    assert [result.passed for result in outcome.results][:2] == [True, True]
    assert (outcome.hits, outcome.misses) == (2, 2)


def test_replies_that_are_not_legal_are_counted(bench: Bench) -> None:
    bench.script("m", ["not even JSON", ANSWERS[0]])
    (result,) = bench.run(bench.plan(WRITES)).results
    assert result.passed
    assert [(reply.reply, reply.legal) for reply in result.replies] == [(True, False), (True, True)]


def test_code_is_told_from_replies(bench: Bench) -> None:
    expect = {"tools": [["write_code"]], "workspace": {"hi.py": {"contains": ["print"]}}}
    coded = case(4, "write a program that says hi", expect=expect)
    bench.script("m", [calls("write_code", path="hi.py", language="Python", request="say hi"), 'print("hi")\n'])
    (result,) = bench.run(bench.plan(coded)).results
    assert result.passed
    assert [reply.reply for reply in result.replies] == [True, False]


def test_an_engine_that_fails_fails_its_case_alone(bench: Bench) -> None:
    bench.script("m", [Step(then=Ending.ERROR), ANSWERS[0]])
    failed, passed = bench.run(bench.plan(TALKS, WRITES)).results
    assert failed.error.startswith("engine_failed: ")
    assert failed.reasons[-1] == f"the turn ended with an error: {failed.error}"
    assert passed.passed


def test_a_model_that_can_not_be_loaded_ends_the_run_with_nothing_counted(bench: Bench) -> None:
    @contextmanager
    def broken(name: str) -> Iterator[EvaluatedModel]:
        def load() -> int:
            raise EngineFailed("It is no model.")

        yield EvaluatedModel(name, "files", ScriptedLanguageModel([]), load, bench.agent, "settings")

    with pytest.raises(EngineFailed, match="It is no model"):
        eval_run.run(bench.plan(WRITES), broken, {}, bench.shown.append, bench.told.append)
    assert (bench.out / "results.jsonl").read_text() == ""


def test_a_missing_model_is_told_before_anything_is_written(bench: Bench) -> None:
    def missing(name: str) -> Any:
        raise ModelMissing(f"The model {name} is not here.")

    with pytest.raises(ModelMissing, match="The model m is not here"):
        eval_run.run(bench.plan(WRITES), missing, {}, bench.shown.append, bench.told.append)
    assert not bench.out.exists()


def test_a_call_that_code_holds_back_is_no_call_and_is_told(bench: Bench) -> None:
    question = {"tool": "ask_user", "question": "Which one?"}
    change = {"tool": "create_file", "path": "note.txt", "content": "hi"}
    bench.script("m", [json.dumps({"calls": [change, question], "then": ""}, separators=(",", ":"))])
    asks = case(5, "make the file", expect={"tools": [["ask_user"]], "forbid": ["create_file"], "absent": ["note.txt"]})
    (result,) = bench.run(bench.plan(asks)).results
    assert result.passed
    assert [call.tool for call in result.calls] == ["ask_user"]
    (withheld,) = result.withheld
    assert (withheld.tool, withheld.arguments["path"]) == ("create_file", "note.txt")
    assert withheld.reason
    assert result.answer == "Which one?"


def test_what_is_deleted_leaves_nothing_behind(bench: Bench) -> None:
    gone = case(6, "delete a", files={"a.txt": "x"}, expect={"tools": [["delete_file"]], "absent": ["a.txt"]})
    bench.script("m", [calls("delete_file", path="a.txt")])
    (result,) = bench.run(bench.plan(gone)).results
    assert result.passed
    assert result.files == {}
    assert result.folders == ()
