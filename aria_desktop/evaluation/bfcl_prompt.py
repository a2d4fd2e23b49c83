"""The prompt of our contestant: built like the program's own, for functions that change with each case.

First what never changes, then this case: so the functions stand in the user's message, beside the words. The
examples are our own; none of their functions, names or sentences comes from the leaderboard.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from aria_desktop.assistant.reply import ANSWER, CALLS, THEN, TOOL, reply_schema, written
from aria_desktop.core.chat import Message, Role
from aria_desktop.evaluation.bfcl_cases import Case, Function
from aria_desktop.evaluation.bfcl_examples import EXAMPLES
from aria_desktop.tools.registry import Registry

SYSTEM = f"""You carry out what a user asks by calling functions.

Every reply is one JSON object, one of these two:
{{"{CALLS}":[{{"{TOOL}":"NAME",ARGUMENTS}}],"{THEN}":""}} calls a function, with all of its arguments.
{{"{ANSWER}":"..."}} speaks to the user, when no function can do it.

Rules:
- A function is called when it does what is asked. A function about the same subject that does something else is no \
help: then answer that no function does it.
- An argument with ? is left out, unless the user says something about it.
- Values come from the user's words, in the form that the argument's description asks for. Numbers stay numbers, names \
stay as they are written, and units stay outside unless the description wants them.
- One request is one call."""


def prompt(case: Case, registry: Registry) -> tuple[tuple[Message, ...], int, Mapping[str, object]]:
    """(messages, how many of the first never change, schema of the reply)."""
    stable = (Message(Role.SYSTEM, SYSTEM), *_shown())
    words = "\n".join(message["content"] for message in case.messages)
    return (*stable, _asked(case.functions, words)), len(stable), reply_schema(registry)


def _shown() -> Iterator[Message]:
    for example in EXAMPLES:
        yield _asked(example.functions, example.words)
        if example.call is None:
            yield Message(Role.ASSISTANT, written({ANSWER: example.answer}))
        else:
            yield Message(Role.ASSISTANT, written({CALLS: [{TOOL: example.tool, **example.call}], THEN: ""}))


def _asked(functions: tuple[Function, ...], words: str) -> Message:
    cards = "\n".join(map(card, functions))
    return Message(Role.USER, f"Functions:\n{cards}\nUser: {words}")


def card(function: Function) -> str:
    """A function on a few lines: name and arguments as the program's own cards have them, types and choices beside."""
    schema = function["parameters"]
    arguments = ", ".join(_argument(name, schema) for name in schema["properties"])
    lines = [f"- {function['name']}({arguments}): {function['description']}"]
    return "\n".join([*lines, *_described(schema, "  ")])


def _argument(name: str, schema: Mapping[str, Any]) -> str:
    return name if name in schema.get("required", ()) else f"{name}?"


def _described(schema: Mapping[str, Any], margin: str) -> Iterator[str]:
    for name, inner in (schema.get("properties") or {}).items():
        choices = f" One of: {', '.join(map(str, inner['enum']))}." if inner.get("enum") else ""
        yield f"{margin}{_argument(name, schema)} ({_type(inner)}): {inner.get('description', '')}{choices}"
        yield from _described(inner, margin + "  ")
        yield from _described(inner.get("items") or {}, margin + "  ")


def _type(schema: Mapping[str, Any]) -> str:
    if schema["type"] in ("array", "tuple") and schema.get("items"):
        return f"list of {_type(schema['items'])}"
    return str(schema["type"])
