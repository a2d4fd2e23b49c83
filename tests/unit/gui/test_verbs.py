"""How calls read in the conversation."""

from __future__ import annotations

import pytest

from aria_desktop.core.chat import ToolCall
from aria_desktop.gui.state.verbs import call_object, verbs
from tests.conftest import REPOSITORY

TOOLS = (
    "list_files", "read_file", "search_files", "create_file", "write_code", "append_file", "edit_file", "move_file",
    "copy_file", "delete_file", "make_folder", "summarize_text", "run_terminal", "remember", "recall", "ask_user",
)  # fmt: skip


@pytest.mark.parametrize("tool", TOOLS)
def test_every_tool_has_words_and_an_icon(tool: str) -> None:
    found = verbs(tool)
    assert found.icon != "wrench"
    assert (REPOSITORY / "resources" / "icons" / f"{found.icon}.svg").is_file()
    assert found.running != found.done


def test_an_unknown_tool_is_shown_under_its_own_name() -> None:
    assert verbs("fly_kite").running == "Running fly kite"


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ({"path": "a.txt", "content": "x"}, "a.txt"),
        ({"source": "a.txt", "destination": "b/\n"}, "a.txt to b/<U+000A>"),
        ({"query": "rent"}, "rent"),
        ({"command": "ls"}, "ls"),
        ({"question": "Which?"}, ""),
    ],
)
def test_what_a_call_is_about(arguments: dict[str, str], shown: str) -> None:
    assert call_object(ToolCall("c1", "move_file", arguments)) == shown
