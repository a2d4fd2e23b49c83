"""The run: cases are read and chosen, functions translated, replies kept and gone on from, shares compared."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

import pytest

from aria_desktop.assistant.reply import reply_schema
from aria_desktop.cli import main
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import Message, ToolChoice
from aria_desktop.core.errors import EngineDied, ExitCode, UsageError
from aria_desktop.core.interfaces import Generation, GenerationEnd
from aria_desktop.engines.language.grammar import to_gbnf
from aria_desktop.evaluation import bfcl
from aria_desktop.evaluation.bfcl_cases import CATEGORIES, Case, check_wheel, chosen, read_cases
from aria_desktop.evaluation.bfcl_contestants import Ours, Setting, Wrote
from aria_desktop.evaluation.bfcl_examples import EXAMPLES
from aria_desktop.evaluation.bfcl_prompt import card, prompt
from aria_desktop.evaluation.bfcl_replies import Call, calls_in_reply
from aria_desktop.evaluation.bfcl_schemas import as_registry, constraint, described

RIGHT = {
    "simple_python": '{"calls":[{"tool":"garden.plant","bed":3,"plants":["rose","O\'Hara lily"],"depth_cm":12}],'
    '"then":""}',
    "multiple": '{"calls":[{"tool":"map_scale","corner":[2.5,4.0],"unit":"km"}],"then":""}',
    "live_simple": '{"calls":[{"tool":"bakery.order","loaf":{"flour":"rye","grams":750}}],"then":""}',
    "live_multiple": '{"calls":[{"tool":"garden.plant","bed":4,"plants":["mint"]}],"then":""}',
    "irrelevance": '{"answer":"George Eliot."}',
}
WRONG = '{"answer":"No."}'


class Scripted:
    """Right in the categories named, wrong in the others; notes what it is asked."""

    def __init__(self, name: str, right: Sequence[str], dies_at: int = -1) -> None:
        self.name = name
        self.asked_for: list[str] = []
        self.entered = 0
        self._right = right
        self._dies_at = dies_at

    def __enter__(self) -> Self:
        self.entered += 1
        return self

    def __exit__(self, *_: object) -> None:
        self.entered -= 1

    def asked(self, case: Case) -> str:
        return case.id

    def ask(self, case: Case) -> Wrote:
        if len(self.asked_for) == self._dies_at:
            raise EngineDied("It died.")
        self.asked_for.append(case.id)
        return Wrote(RIGHT[case.category] if case.category in self._right else WRONG)

    def calls(self, raw: str) -> Sequence[Call]:
        return calls_in_reply(raw)


class Weighing:
    """A language model that gives these replies, and says how likely an answer was at the first one."""

    context_tokens = 4096

    def __init__(self, replies: list[str], chance: float) -> None:
        self._replies = replies
        self._chance = chance
        self.schemas: list[object] = []

    def warm(self, messages: Sequence[Message]) -> None:
        """There is nothing to evaluate."""

    def complete(self, generation: Generation, cancel: CancelToken) -> Iterator[str | GenerationEnd]:
        cancel.raise_if_cancelled()
        self.schemas.append(generation.reply_schema)
        raw = self._replies.pop(0)
        yield raw
        end = GenerationEnd(True, 0, 0, 1, 1, 0, 0.0, 0.0)
        chosen_answer = (ToolChoice("answer", self._chance, "calls", 1 - self._chance),)
        if raw.startswith('{"answer"'):
            yield replace(end, tool_choices=chosen_answer)
        else:
            yield replace(end, answer_probability=self._chance)


class TestCases:
    def test_each_category_is_read(self, cases: dict[str, Case]) -> None:
        assert [case.category for case in cases.values()] == list(CATEGORIES)
        assert cases["irrelevance"].answer is None
        assert cases["live_simple"].messages[0]["role"] == "system"

    def test_fewer_are_a_part_of_more(self, cases: dict[str, Case]) -> None:
        some = list(cases.values())
        assert chosen(some, 4)[:2] == chosen(some, 2)
        assert len(chosen(some, 4)) == 4
        assert chosen(some, 3) == chosen(some[::-1], 3)

    def test_another_file_is_refused(self, wheel: Path, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="is not the wheel"):
            check_wheel(wheel)
        with pytest.raises(UsageError, match="No such file"):
            check_wheel(tmp_path / "nowhere.whl")
        with pytest.raises(UsageError, match="no usable cases of parallel"):
            read_cases(wheel, "parallel")

    def test_the_command_ends_with_2(self, wheel: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["bench", "bfcl", "--wheel", str(wheel), "--self-check"]) == ExitCode.USAGE
        assert "make bench-bfcl" in capsys.readouterr().err


class TestSchemas:
    def test_every_case_gives_a_grammar(self, cases: dict[str, Case]) -> None:
        for case in cases.values():
            assert "root ::=" in to_gbnf(reply_schema(as_registry(case.functions)))

    def test_only_what_constrains_is_left(self) -> None:
        assert constraint({"type": "float", "description": "x", "default": 1, "maximum": 4}) == {"type": "number"}
        assert constraint({"type": "string", "enum": ["a", "b", "a"]}) == {"enum": ["a", "b"]}
        assert constraint({"type": "integer", "enum": [1, "2"]}) == {"type": "integer"}
        assert constraint({"type": "array", "items": {"type": "string"}, "enum": ["a"]}) == {
            "type": "array",
            "items": {"enum": ["a"]},
        }
        assert constraint({"type": "tuple", "minItems": 2}) == {
            "type": "array",
            "items": {"type": "string"},
            "minItems": 2,
        }

    def test_others_get_json_schema_with_all_words(self, cases: dict[str, Case]) -> None:
        function = described(cases["live_simple"].functions[0])["function"]
        loaf = function["parameters"]["properties"]["loaf"]
        assert function["parameters"]["type"] == "object"
        assert loaf["type"] == "object"
        assert loaf["description"] == "A value."
        assert "dict" not in json.dumps(function)


class TestAnswerOrCall:
    """Below the probability that is set it calls, also where the model would rather answer, and the other way round."""

    @pytest.mark.parametrize(
        ("first", "chance", "answer_from", "second", "schema_has"),
        [
            (WRONG, 0.6, 0.7, RIGHT["multiple"], "calls"),
            (WRONG, 0.8, 0.7, None, ""),
            (RIGHT["multiple"], 0.4, 0.3, WRONG, "answer"),
            (RIGHT["multiple"], 0.2, 0.3, None, ""),
        ],
    )
    def test_a_reply(
        self, cases: dict[str, Case], first: str, chance: float, answer_from: float, second: str | None, schema_has: str
    ) -> None:
        ours = Ours(Setting("/nowhere.gguf", answer_from=answer_from))
        model = Weighing([first, *([second] if second else [])], chance)
        ours._language = model
        wrote = ours.ask(cases["multiple"])
        assert wrote == Wrote(second or first, "", chance)
        assert len(model.schemas) == (2 if second else 1)
        if second:
            assert schema_has in json.dumps(model.schemas[1])
            assert ("answer" in json.dumps(model.schemas[1])) is (schema_has == "answer")


class TestPrompt:
    def test_the_start_is_the_same_for_every_case(self, cases: dict[str, Case]) -> None:
        starts = set()
        for case in cases.values():
            messages, stable, _ = prompt(case, as_registry(case.functions))
            assert len(messages) == stable + 1
            starts.add(messages[:stable])
        assert len(starts) == 1

    def test_a_card_tells_all(self, cases: dict[str, Case]) -> None:
        told = card(cases["simple_python"].functions[0])
        assert told.startswith("- garden.plant(bed, plants, depth_cm?, sun?, watered?): Put plants into a bed.")
        assert "  plants (list of string): A value." in told
        assert "One of: full, half, none." in told
        assert "    grams (integer)" in card(cases["live_simple"].functions[0]).replace("?", "")

    def test_each_example_is_a_legal_call_of_its_functions(self) -> None:
        for example in EXAMPLES:
            if example.call is None:
                assert example.answer
                continue
            (tool,) = [tool for tool in as_registry(example.functions) if tool.name == example.tool]
            known = {parameter.name: parameter for parameter in tool.parameters}
            assert set(example.call) <= set(known)
            assert {name for name, parameter in known.items() if parameter.required} <= set(example.call)


class TestRun:
    def test_shares_and_differences(self, cases: dict[str, Case], tmp_path: Path) -> None:
        ours = Scripted("ours", CATEGORIES)
        free = Scripted("free", ["multiple", "simple_python"])
        chatml = Scripted("chatml", ["irrelevance"])
        report = bfcl.run(list(cases.values()), [ours, free, chatml], "m", bfcl.Record(tmp_path / "r.jsonl"))
        values = {figure.name: figure.value for figure in report.figures}
        assert values["ours: all that need a call"] == 100
        assert values["free: all that need a call"] == 50
        assert values["ours ahead of free where a call is needed"] == 50
        assert values["ours ahead of chatml where a call is needed"] == 100
        assert values["ours: irrelevance, 1 cases"] == 100
        assert [figure.name for figure in report.figures if figure.least == 10] == [
            "ours ahead of free where a call is needed"
        ]
        assert ours.entered == free.entered == 0

    def test_a_run_that_broke_off_goes_on(self, cases: dict[str, Case], tmp_path: Path) -> None:
        record, some = tmp_path / "r.jsonl", list(cases.values())
        with pytest.raises(EngineDied):
            bfcl.run(some, [Scripted("ours", (), dies_at=3), Scripted("free", ())], "m", bfcl.Record(record))
        record.write_bytes(record.read_bytes() + b'{"key": "cut')
        ours = Scripted("ours", CATEGORIES)
        bfcl.run(some, [ours, Scripted("free", ())], "m", bfcl.Record(record))
        assert len(ours.asked_for) == 2
        again = Scripted("ours", CATEGORIES)
        bfcl.run(some, [again, Scripted("free", ())], "m", bfcl.Record(record))
        assert again.asked_for == []
        other = Scripted("ours", CATEGORIES)
        bfcl.run(some, [other, Scripted("free", ())], "another model", bfcl.Record(record))
        assert len(other.asked_for) == 5

    def test_what_can_not_be_read_is_no_call(self, cases: dict[str, Case]) -> None:
        reply = bfcl.Reply("k", "ours", "c", "multiple", "{cut of", "cut off", 1.0)
        assert bfcl.judged(reply, Scripted("ours", ()), cases["multiple"]).fault == "0 calls instead of one"
