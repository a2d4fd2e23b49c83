"""Legal replies are read, everything else is refused in words; nothing is ever converted."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aria_desktop.assistant.reply import MOST_CALLS, Answer, Call, Calls, answer_schema, as_reply, parse, reply_schema
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
MEASURE = '{"calls": [{"tool": "measure", "count": 1, "size": 2.5, "exact": true, "tags": ["a"]}], "then": ""}'
CREATE = '{"calls": [{"tool": "create_file", "path": "a.txt", "content": "milk"}], "then": ""}'


def calls(*found: Call, then: str = "") -> Calls:
    return Calls(found, then)


def reply(*inside: str, then: str = "") -> str:
    return '{"calls": [' + ", ".join(f"{{{call}}}" for call in inside) + f'], "then": "{then}"}}'


def test_calls_and_an_answer_are_read() -> None:
    created = Call("create_file", {"path": "a.txt", "content": "milk"})
    assert parse(CREATE, REGISTRY) == calls(created)
    assert parse('{"answer": " Hello\\nyou. "}\n', REGISTRY) == Answer("Hello\nyou.")
    assert parse('{"answer": ""}', REGISTRY) == Answer("")
    both = reply('"tool": "list_files", "folder": "."', '"tool": "read_file", "path": "a.txt"', then=" count them ")
    looks = (Call("list_files", {"folder": "."}), Call("read_file", {"path": "a.txt"}))
    assert parse(both, REGISTRY) == calls(*looks, then="count them")


def test_what_is_just_short_enough_is_read() -> None:
    assert parse('{"answer": "' + "x" * 1500 + '"}', REGISTRY) == Answer("x" * 1500)
    name, text = "a" * 400, "x" * 9_000
    written = reply(f'"tool": "create_file", "path": "{name}", "content": "{text}"', then="y" * 300)
    assert parse(written, REGISTRY) == calls(Call("create_file", {"path": name, "content": text}), then="y" * 300)


def test_arguments_with_a_default_may_be_left_out() -> None:
    assert parse(reply('"tool": "list_files"'), REGISTRY) == calls(Call("list_files", {}))
    measured = Call("measure", {"count": 1, "size": 2.5, "exact": True, "tags": ["a"]})
    assert parse(MEASURE, REGISTRY) == calls(measured)


def test_a_whole_number_is_a_number() -> None:
    match parse(MEASURE.replace("2.5", "2"), REGISTRY):
        case Calls((call,), _):
            assert call.arguments["size"] == 2
        case other:
            pytest.fail(f"{other}")


def test_an_unknown_tool_is_a_call_that_will_fail_by_name() -> None:
    assert parse(reply('"tool": "send_mail", "to": "Bob"'), REGISTRY) == calls(Call("send_mail", {"to": "Bob"}))


def test_the_arguments_can_not_be_changed_afterwards() -> None:
    found = parse(CREATE, REGISTRY)
    assert isinstance(found, Calls)
    with pytest.raises(TypeError):
        found.calls[0].arguments["path"] = "b.txt"  # type: ignore[index]


SYNTAX = [
    "", " \n\t ", "null", "[]", "3", '"answer"', CREATE + CREATE, CREATE + " Done.", f"```json\n{CREATE}\n```",
    CREATE.replace('"', "'"), "\ufeff" + CREATE, '{"answer": "x"} // comment', '{"answer": "x",}', '{answer: "x"}',
    "[" * 100_000, '{"a":' * 100_000, "x" * 10_000_000, '{"answer": "' + "x" * 300_000 + '"}',
    *(CREATE[:cut] for cut in (1, 9, 20, 45, len(CREATE) - 1)), 'Sure! {"answer": "x"}', '{"answer": "tab\tinside"}',
    f"[{CREATE}]", f"[{CREATE}, {CREATE}]",
]  # fmt: skip
ACCEPTED_BY_PYTHON = [
    '{"answer": "a", "answer": "b"}',
    MEASURE.replace('"count": 1', '"count": 1, "count": 2'), reply('"tool": "x", "deep": {"a": 1, "a": 2}'),
    CREATE.replace('"then"', '"calls": [], "then"'),
    MEASURE.replace("2.5", "NaN"), MEASURE.replace("2.5", "Infinity"), MEASURE.replace("2.5", "-Infinity"),
    MEASURE.replace("2.5", "1e999"), '{"answer": "\\ud800"}', '{"answer": "a\\u0000b"}',
    CREATE.replace("milk", "a\\u0000b"), CREATE.replace("a.txt", "a\\ud83d.txt"),
    MEASURE.replace(": 1,", ": true,"), MEASURE.replace(": 1,", ": 1.0,"), MEASURE.replace("true", '"true"'),
    MEASURE.replace("true", "1"), CREATE.replace('"then"', '"approved": true, "then"'),
    CREATE.replace('"path"', '"approved": true, "path"'),
]  # fmt: skip
SCHEMA = [
    "{}", '{"then": ""}', '{"calls": [], "then": ""}', '{"calls": null, "then": ""}', '{"calls": {}, "then": ""}',
    '{"calls": ["list_files"], "then": ""}', '{"calls": [[]], "then": ""}', reply('"tool": 3'), reply(""),
    reply('"tool": "Create_File"'), reply('"tool": "create\u200b_file"'), reply('"tool": "../create_file"'),
    reply('"tool": ""'), reply('"tool": "create_file"'), reply('"tool": "create_file", "path": "a"'),
    reply(*['"tool": "list_files"'] * (MOST_CALLS + 1)), reply('"tool": "list_files"', '"tool": "read_file"'),
    CREATE.replace(', "then": ""', ""), CREATE.replace('"then": ""', '"then": null'),
    CREATE.replace('"then": ""', '"then": "\\ud800"'),
    CREATE.replace('"milk"', '["milk"]'), CREATE.replace('"milk"', "null"), CREATE.replace('"a.txt"', "7"),
    MEASURE.replace('["a"]', "[1]"), MEASURE.replace('["a"]', '"a"'), MEASURE.replace(": 1,", f": {'9' * 5000},"),
    reply('"tool": "list_files"' + "".join(f', "a{n}": "x"' for n in range(1000))),
    '{"tool": "list_files", "then": ""}', '{"answer": 3}', '{"answer": null}', '{"answer": "x", "then": ""}',
    '{"answer": "x", "calls": []}', '{"answer": "' + "x" * 1501 + '"}', reply('"tool": "list_files"', then="x" * 301),
    CREATE.replace("a.txt", "a" * 401), MEASURE.replace('["a"]', f'["{"a" * 401}"]'),
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
        found = parse(changed, REGISTRY)
    except ReplyInvalid:
        return
    if isinstance(found, Calls):
        again = [ToolCall("c", call.tool, call.arguments) for call in found.calls]
        assert parse(as_reply(again, found.then), REGISTRY) == found


def test_the_schema_holds_each_tool_once_and_the_answer_last() -> None:
    schema: Any = reply_schema(STANDARD)
    using, answering = schema["oneOf"]
    assert answering == answer_schema()
    assert list(using["properties"]) == using["required"] == ["calls", "then"]
    array = using["properties"]["calls"]
    assert (array["minItems"], array["maxItems"]) == (1, MOST_CALLS)
    assert [call["properties"]["tool"]["const"] for call in array["items"]["oneOf"]] == list(STANDARD.names)
    (created,) = [c for c in array["items"]["oneOf"] if c["properties"]["tool"]["const"] == "create_file"]
    assert list(created["properties"]) == created["required"] == ["tool", "path", "content"]
    assert created["additionalProperties"] is False
    assert json.loads(json.dumps(schema)) == schema


def test_what_the_schema_requires_the_parser_requires_too() -> None:
    for tool_ in STANDARD:
        required = {p.name: "x" for p in tool_.parameters if p.required}
        raw = as_reply([ToolCall("c", tool_.name, required)], "")
        assert isinstance(parse(raw, STANDARD), Calls)
        for name in required:
            rest = {k: v for k, v in required.items() if k != name}
            without = as_reply([ToolCall("c", tool_.name, rest)], "")
            with pytest.raises(ReplyInvalid, match=name):
                parse(without, STANDARD)
