"""What is read out of free text, out of chat messages and out of replies of our own form."""

from __future__ import annotations

import pytest

from aria_desktop.evaluation.bfcl_cases import Case
from aria_desktop.evaluation.bfcl_contestants import calls_in_message
from aria_desktop.evaluation.bfcl_replies import answers, calls_in_reply, calls_in_text, typed

CALL = ("f.g", {"a": 1})


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>\n{"name": "f.g", "arguments": {"a": 1}}\n</tool_call>',
        '<tool_call>{"name": "f.g", "arguments": {"a": 1}}',
        'I call it.\n```json\n{"name": "f.g", "arguments": {"a": 1}}\n```\nDone.',
        '```\n[{"function": {"name": "f.g", "parameters": {"a": 1}}}]\n```',
        'Sure: {"function": "f.g", "args": {"a": 1}} and that is all.',
        '{"tool_calls": [{"type": "function", "function": {"name": "f.g", "arguments": "{\\"a\\": 1}"}}]}',
    ],
)
def test_a_call_in_any_usual_clothes(text: str) -> None:
    assert calls_in_text(text) == (CALL,)


@pytest.mark.parametrize(
    "text",
    ["", "No function fits {here}.", '{"name": "f.g"}', '{"name": "f.g", "arguments": "none"}', "[1, 2]", '{"a": {'],
)
def test_no_call(text: str) -> None:
    assert calls_in_text(text) == ()


def test_two_calls_are_two() -> None:
    one = '<tool_call>{"name": "f.g", "arguments": {"a": 1}}</tool_call>'
    assert calls_in_text(one + one) == (CALL, CALL)


def test_our_own_form() -> None:
    assert calls_in_reply('{"calls":[{"tool":"f.g","a":1}],"then":""}') == (CALL,)
    assert calls_in_reply('{"answer":"No."}') == ()
    with pytest.raises(ValueError, match="neither"):
        calls_in_reply("{}")


def test_whether_it_speaks() -> None:
    assert answers('{"answer":"No."}')
    assert not answers('{"calls":[{"tool":"f","answer":"No."}],"then":""}')


def test_a_list_of_fractions_is_handed_over_as_fractions(cases: dict[str, Case]) -> None:
    functions = cases["multiple"].functions
    ((name, arguments),) = typed([("map_scale", {"corner": [2.5, 4, True], "unit": [1]})], functions)
    assert (name, list(arguments.values())) == ("map_scale", [[2.5, 4.0, True], [1]])
    assert [type(item) for item in arguments["corner"]] == [float, float, bool]
    assert typed([("nobody", {"corner": [1]})], functions) == (("nobody", {"corner": [1]}),)


def test_a_chat_message() -> None:
    message = '{"content": null, "tool_calls": [{"function": {"name": "f.g", "arguments": "{\\"a\\": 1}"}}]}'
    assert calls_in_message(message) == (CALL,)
    assert calls_in_message('{"role": "assistant", "content": "functions.f:"}') == ()
    with pytest.raises(ValueError, match="no object"):
        calls_in_message('{"tool_calls": [{"function": {"name": "f.g", "arguments": "3"}}]}')
