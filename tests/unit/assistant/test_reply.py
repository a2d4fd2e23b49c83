"""Legal replies are read, everything else is refused in words; nothing is ever converted."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aria_desktop.assistant.reply import Answer, Call, answer_schema, as_reply, parse, reply_schema
from aria_desktop.core.chat import Outcome, ToolCall, ToolResult
from aria_desktop.core.errors import ReplyInvalid
from aria_desktop.tools.registry import Registry, standard_tools
from aria_desktop.tools.tool import Limit, ToolContext, tool


@tool(Limit.READ)
def measure(
    context: ToolContext,  # noqa: ARG001
    count: int,
    size: float,
    exact: bool,
    tags: list[str],
    note: str = "",
) -> ToolResult:
    """Measure.

    Args:
        count: a whole number.
        size: a number.
        exact: yes or no.
        tags: words.
        note: more.
    """
    return ToolResult(Outcome.DONE, f"{count}{size}{exact}{tags}{note}")


STANDARD = standard_tools()
REGISTRY = Registry((*STANDARD.tools, measure))
MEASURE = '{"tool": "measure", "count": 1, "size": 2.5, "exact": true, "tags": ["a"], "then": ""}'
CREATE = '{"tool": "create_file", "path": "a.txt", "content": "milk", "then": ""}'


def test_a_call_and_an_answer_are_read() -> None:
    assert parse(CREATE, REGISTRY) == Call("create_file", {"path": "a.txt", "content": "milk"}, "")
    assert parse('{"answer": " Hello\\nyou. "}\n', REGISTRY) == Answer("Hello\nyou.")
    assert parse('{"answer": ""}', REGISTRY) == Answer("")
    then = parse('{"tool": "list_files", "folder": ".", "then": " count them "}', REGISTRY)
    assert then == Call("list_files", {"folder": "."}, "count them")


def test_arguments_with_a_default_may_be_left_out() -> None:
    assert parse('{"tool": "list_files", "then": ""}', REGISTRY) == Call("list_files", {}, "")
    assert parse(MEASURE, REGISTRY) == Call("measure", {"count": 1, "size": 2.5, "exact": True, "tags": ["a"]}, "")


def test_a_whole_number_is_a_number() -> None:
    reply = parse(MEASURE.replace("2.5", "2"), REGISTRY)
    assert isinstance(reply, Call)
    assert reply.arguments["size"] == 2


def test_an_unknown_tool_is_a_call_that_will_fail_by_name() -> None:
    assert parse('{"tool": "send_mail", "to": "Bob", "then": ""}', REGISTRY) == Call("send_mail", {"to": "Bob"}, "")
    assert parse('{"tool": "send_mail"}', REGISTRY) == Call("send_mail", {}, "")


def test_the_arguments_can_not_be_changed_afterwards() -> None:
    reply = parse(CREATE, REGISTRY)
    assert isinstance(reply, Call)
    with pytest.raises(TypeError):
        reply.arguments["path"] = "b.txt"  # type: ignore[index]


SYNTAX = [
    "", " \n\t ", "null", "[]", "3", '"answer"', CREATE + CREATE, CREATE + " Done.", f"```json\n{CREATE}\n```",
    CREATE.replace('"', "'"), "\ufeff" + CREATE, '{"answer": "x"} // comment', '{"answer": "x",}', '{answer: "x"}',
    "[" * 100_000, '{"a":' * 100_000, "x" * 10_000_000, '{"answer": "' + "x" * 300_000 + '"}',
    *(CREATE[:cut] for cut in (1, 9, 20, 45, len(CREATE) - 1)), 'Sure! {"answer": "x"}', '{"answer": "tab\tinside"}',
    f"[{CREATE}]", f"[{CREATE}, {CREATE}]",
]  # fmt: skip
ACCEPTED_BY_PYTHON = [
    '{"answer": "a", "answer": "b"}',
    '{"tool": "measure", "count": 1, "count": 2, "size": 1, "exact": true, "tags": [], "then": ""}',
    '{"tool": "x", "deep": {"a": 1, "a": 2}, "then": ""}',
    MEASURE.replace("2.5", "NaN"), MEASURE.replace("2.5", "Infinity"), MEASURE.replace("2.5", "-Infinity"),
    MEASURE.replace("2.5", "1e999"), '{"answer": "\\ud800"}', '{"answer": "a\\u0000b"}',
    CREATE.replace("milk", "a\\u0000b"), CREATE.replace("a.txt", "a\\ud83d.txt"),
    MEASURE.replace(": 1,", ": true,"), MEASURE.replace(": 1,", ": 1.0,"), MEASURE.replace("true", '"true"'),
    MEASURE.replace("true", "1"), CREATE.replace('"then"', '"approved": true, "then"'),
]  # fmt: skip
SCHEMA = [
    "{}", '{"then": ""}', '{"tool": 3, "then": ""}', '{"tool": "Create_File", "then": ""}',
    '{"tool": "create\u200b_file", "then": ""}', '{"tool": "../create_file", "then": ""}', '{"tool": "", "then": ""}',
    '{"tool": "create_file", "then": ""}', '{"tool": "create_file", "path": "a", "then": ""}',
    CREATE.replace(', "then": ""', ""), CREATE.replace('"then": ""', '"then": null'),
    CREATE.replace('"milk"', '["milk"]'), CREATE.replace('"milk"', "null"), CREATE.replace('"a.txt"', "7"),
    MEASURE.replace('["a"]', "[1]"), MEASURE.replace('["a"]', '"a"'), MEASURE.replace(": 1,", f": {'9' * 5000},"),
    '{"tool": "list_files", ' + "".join(f'"a{n}": "x", ' for n in range(1000)) + '"then": ""}',
    '{"answer": 3}', '{"answer": null}', '{"answer": "x", "tool": "list_files"}', '{"answer": "x", "then": ""}',
]  # fmt: skip


@pytest.mark.parametrize("raw", SYNTAX + ACCEPTED_BY_PYTHON + SCHEMA, ids=lambda raw: raw[:40] or "empty")
def test_what_the_schema_does_not_allow_is_refused_in_words(raw: str) -> None:
    with pytest.raises(ReplyInvalid) as caught:
        parse(raw, REGISTRY)
    assert caught.value.text.endswith(".")
    assert len(caught.value.text) < 300


@given(st.sampled_from([CREATE, MEASURE, '{"answer": "Hello, \\u00e4 \\"you\\"."}']), st.data())
def test_a_changed_reply_is_read_or_refused_and_nothing_else_happens(raw: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(raw)))
    end = data.draw(st.integers(start, min(len(raw), start + 6)))
    changed = raw[:start] + data.draw(st.text(max_size=6)) + raw[end:]
    try:
        reply = parse(changed, REGISTRY)
    except ReplyInvalid:
        return
    if isinstance(reply, Call):
        assert parse(as_reply(ToolCall("c", reply.tool, reply.arguments), reply.then), REGISTRY) == reply


def test_the_schema_holds_each_tool_once_and_the_answer_last() -> None:
    schema = reply_schema(STANDARD)
    alternatives = schema["oneOf"]
    assert isinstance(alternatives, list)
    assert [a["properties"].get("tool", {}).get("const") for a in alternatives] == [*STANDARD.names, None]
    assert alternatives[-1] == answer_schema()
    created = alternatives[2]
    assert list(created["properties"]) == ["tool", "path", "content", "then"]
    assert created["required"] == ["tool", "path", "content", "then"]
    assert created["additionalProperties"] is False
    assert json.loads(json.dumps(schema)) == schema


def test_what_the_schema_requires_the_parser_requires_too() -> None:
    for tool_ in STANDARD:
        required = {p.name: "x" for p in tool_.parameters if p.required}
        raw = as_reply(ToolCall("c", tool_.name, required), "")
        assert isinstance(parse(raw, STANDARD), Call)
        for name in required:
            without = as_reply(ToolCall("c", tool_.name, {k: v for k, v in required.items() if k != name}), "")
            with pytest.raises(ReplyInvalid, match=name):
                parse(without, STANDARD)
