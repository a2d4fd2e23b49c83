"""How sure the model was of a tool: multiplied along the tokens that were taken, the others where they parted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from aria_desktop.core.chat import ToolChoice
from aria_desktop.engines.language.choices import ChoiceWatch

PIECES = [
    *(b"{", b'{"', b"calls", b'":[{"', b"tool", b'":"', b'tool":"', b"answer", b"c", b"copy", b"create", b"_file"),
    *(b"_folder", b"ask_user", b'","', b"path", b"x", b'"}', b',{"', b'\\"},{\\"tool\\":\\"', b"list", b"recall"),
]
NUMBERS = {piece: number for number, piece in enumerate(PIECES)}


def tokens_of(piece: bytes) -> list[int]:
    return [NUMBERS[piece]] if piece in NUMBERS else []


def thing(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def call(tool: str) -> dict[str, Any]:
    return thing({"tool": {"const": tool}, "path": {"type": "string"}})


TOOLS = ("copy_file", "create_file", "create_folder", "ask_user")
CALLS = thing(
    {
        "calls": {"type": "array", "items": {"oneOf": [call(tool) for tool in TOOLS]}, "minItems": 1, "maxItems": 6},
        "then": {"type": "string"},
    }
)
ANSWER = thing({"answer": {"type": "string"}})
SCHEMA = {"oneOf": [CALLS, ANSWER]}


def watched(schema: dict[str, Any], *said: bytes | tuple[bytes, dict[bytes, float]]) -> ChoiceWatch:
    """Each token is said; one with weights was chosen by them, the others were forced."""
    watch = ChoiceWatch(schema, tokens_of)
    for token in said:
        piece, weights = token if isinstance(token, tuple) else (token, None)
        if weights is not None:
            logits = np.full(len(PIECES), -np.inf, dtype=np.float32)
            for other, weight in weights.items():
                logits[NUMBERS[other]] = np.log(weight)
            watch.weigh(logits, NUMBERS[piece], piece)
        watch.said(piece)
    return watch


CALLED = (b'{"', (b"calls", {b"calls": 0.9, b"answer": 0.1}), b'":[{"', b"tool", b'":"')


def figures(choice: ToolChoice) -> tuple[str, float, str, float]:
    return choice.name, round(choice.probability, 6), choice.runner_up, round(choice.runner_up_probability, 6)


def only(watch: ChoiceWatch) -> ToolChoice:
    (choice,) = watch.tool_choices()
    return choice


def test_a_tool_is_weighed_against_the_other_tools_alone() -> None:
    weights = {b"copy": 0.3, b"create": 0.1, b"ask_user": 0.1, b"x": 0.4, b"answer": 0.1}
    choice = only(watched(SCHEMA, *CALLED, (b"copy", weights), b"_file"))
    assert (choice.name, choice.runner_up) == ("copy_file", "ask_user")
    assert choice.probability == pytest.approx(0.6)
    assert choice.runner_up_probability == pytest.approx(0.2)


def test_names_that_share_a_token_are_multiplied_along_the_way() -> None:
    first = {b"copy": 0.2, b"create": 0.7, b"ask_user": 0.1}
    second = {b"_file": 0.6, b"_folder": 0.4}
    choice = only(watched(SCHEMA, *CALLED, (b"create", first), (b"_file", second)))
    assert (choice.name, choice.runner_up) == ("create_file", "create_folder")
    assert choice.probability == pytest.approx(0.42)
    assert choice.runner_up_probability == pytest.approx(0.28)


def test_names_that_share_a_token_which_was_not_taken_share_its_weight() -> None:
    first = {b"copy": 0.4, b"create": 0.5, b"ask_user": 0.1}
    choice = only(watched(SCHEMA, *CALLED, (b"copy", first)))
    assert figures(choice) == ("copy_file", 0.4, "create_file", 0.25)


def test_another_spelling_of_what_was_taken_is_no_doubt() -> None:
    first = {b"c": 0.5, b"copy": 0.4, b"ask_user": 0.1}
    choice = only(watched(SCHEMA, *CALLED, (b"copy", first)))
    assert choice.probability == pytest.approx(0.8)
    assert choice.runner_up == "ask_user"


def test_a_short_spelling_that_was_taken_leaves_the_rest_open() -> None:
    first = {b"c": 0.5, b"copy": 0.3, b"ask_user": 0.2}
    watch = watched(SCHEMA, *CALLED, (b"c", first))
    assert watch.tool_choices() == ()


def test_an_answer_is_a_choice_of_its_own() -> None:
    watch = watched(SCHEMA, b'{"', (b"answer", {b"calls": 0.25, b"answer": 0.75}), b'":"')
    assert figures(only(watch)) == ("answer", 0.75, "calls", 0.25)
    assert watch.answer_probability() == 0


def test_how_likely_an_answer_was_is_told_beside_the_calls() -> None:
    watch = watched(SCHEMA, *CALLED, (b"copy", {b"copy": 1.0}))
    assert watch.answer_probability() == pytest.approx(0.1)


def test_each_call_has_its_choice_in_order() -> None:
    sure, unsure = {b"copy": 1.0}, {b"copy": 0.5, b"ask_user": 0.5}
    rest = (b"_file", b'","', b"path", b'":"', b"x", b'"}')
    again = (b',{"', b"tool", b'":"')
    choices = watched(SCHEMA, *CALLED, (b"copy", sure), *rest, *again, (b"ask_user", unsure)).tool_choices()
    assert [(c.name, round(c.probability, 3)) for c in choices] == [("copy_file", 1.0), ("ask_user", 0.5)]


def test_what_a_string_holds_is_no_call() -> None:
    rest = (b"_file", b'","', b"path", b'":"', b'\\"},{\\"tool\\":\\"', b"copy")
    assert len(watched(SCHEMA, *CALLED, (b"copy", {b"copy": 1.0}), *rest).tool_choices()) == 1


def test_a_flat_schema_of_calls_and_an_answer() -> None:
    schema = {"oneOf": [*(call(tool) for tool in TOOLS), ANSWER]}
    watch = watched(
        schema,
        b'{"',
        (b"tool", {b"tool": 0.8, b"answer": 0.2}),
        b'":"',
        (b"ask_user", {b"ask_user": 0.5, b"copy": 0.5}),
    )
    assert figures(only(watch)) == ("ask_user", 0.4, "copy_file", 0.4)
    assert watch.answer_probability() == pytest.approx(0.2)


def test_a_single_tool_is_certain() -> None:
    schema = thing({"calls": {"type": "array", "items": {"oneOf": [call("recall")]}, "minItems": 1}})
    choice = only(watched(schema, b'{"', b"calls", b'":[{"', b"tool", b'":"', b"recall"))
    assert figures(choice) == ("recall", 1.0, "", 0.0)


def test_a_schema_without_choices_has_none() -> None:
    assert watched(ANSWER, b'{"', b"answer", b'":"', b"x", b'"}').tool_choices() == ()
