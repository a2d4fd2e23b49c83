"""A tool's name, description and schema come from its signature and docstring, and from nowhere else."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from aria_desktop.core.chat import Outcome, ToolResult
from aria_desktop.tools.registry import Registry, standard_tools
from aria_desktop.tools.tool import MOST_CHARACTERS, Effect, Limit, LongText, Proposal, ToolContext, tool


@tool(Limit.READ)
def look_up(
    context: ToolContext,
    word: str,
    text: LongText,
    count: int,
    mode: Literal["fast", "slow"],
    tags: list[str],
    near: float = 0.5,
) -> ToolResult:
    """Look a word up
    in the book.

    Args:
        word: the word,
            as it is written.
        text: all of it.
        count: how many.
        mode: how.
        tags: what for.
        near: how near.
    """
    return ToolResult(Outcome.DONE, f"{word} {text} {count} {mode} {tags} {near} {context}")


def test_the_signature_and_docstring_say_it_all() -> None:
    assert look_up.name == "look_up"
    assert look_up.text == "Look a word up in the book."
    assert look_up.effect is Effect.LOOKS
    assert not look_up.changes
    assert [(p.name, dict(p.schema), p.text, p.required) for p in look_up.parameters] == [
        ("word", {"type": "string", "maxLength": MOST_CHARACTERS}, "the word, as it is written.", True),
        ("text", {"type": "string"}, "all of it.", True),
        ("count", {"type": "integer"}, "how many.", True),
        ("mode", {"enum": ["fast", "slow"]}, "how.", True),
        ("tags", {"type": "array", "items": {"type": "string", "maxLength": MOST_CHARACTERS}}, "what for.", True),
        ("near", {"type": "number"}, "how near.", False),
    ]


def _undocumented(context: ToolContext, word: str) -> ToolResult:  # noqa: ARG001
    """Text."""
    raise AssertionError


def _silent(context: ToolContext) -> ToolResult:  # noqa: ARG001
    raise AssertionError


def _without_context(word: str) -> ToolResult:  # noqa: ARG001
    """Text.

    Args:
        word: a word.
    """
    raise AssertionError


def _odd(context: ToolContext, word: dict[str, str]) -> ToolResult:  # noqa: ARG001
    """Text.

    Args:
        word: a word.
    """
    raise AssertionError


@pytest.mark.parametrize("function", [_undocumented, _silent, _without_context, _odd])
def test_a_function_that_does_not_say_all_is_no_tool(function: Any) -> None:
    with pytest.raises(TypeError):
        tool(Limit.READ)(function)


def test_a_tool_that_returns_a_proposal_changes_something() -> None:
    changing = {tool.name for tool in standard_tools() if tool.changes}
    assert changing >= {
        "create_file",
        "write_code",
        "append_file",
        "edit_file",
        "move_file",
        "copy_file",
        "delete_file",
    }
    assert changing.isdisjoint({"list_files", "read_file", "search_files", "summarize_text", "ask_user"})
    assert Proposal.__annotations__["act"]


def _note(context: ToolContext) -> ToolResult:  # noqa: ARG001
    """Text."""
    raise AssertionError


def _change(context: ToolContext) -> Proposal:  # noqa: ARG001
    """Text."""
    raise AssertionError


def test_what_a_tool_returns_tells_its_effect_and_only_keeping_has_to_be_said() -> None:
    assert tool(Limit.CHANGE)(_change).effect is Effect.CHANGES
    keeping = tool(Limit.READ, Effect.KEEPS)(_note)
    assert (keeping.effect, keeping.changes) == (Effect.KEEPS, False)


@pytest.mark.parametrize(
    ("function", "effect"), [(_note, Effect.CHANGES), (_change, Effect.KEEPS), (_change, Effect.LOOKS)]
)
def test_a_tool_that_changes_something_proposes_it(function: Any, effect: Effect) -> None:
    with pytest.raises(TypeError, match="returns a Proposal exactly if it changes something"):
        tool(Limit.READ, effect)(function)


def test_the_registry_finds_tools_by_name_and_takes_no_name_twice() -> None:
    registry = standard_tools()
    assert registry.names == tuple(tool.name for tool in registry)
    assert {"list_files", "read_file", "delete_file", "ask_user"} <= set(registry.names)
    found = registry.find("read_file")
    assert found is not None
    assert found.name == "read_file"
    assert registry.find("READ_FILE") is None
    with pytest.raises(ValueError, match="same name"):
        Registry((look_up, look_up))
