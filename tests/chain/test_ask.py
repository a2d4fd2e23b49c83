"""A command in words becomes a file, on the real models; without anybody's yes it does not."""

from __future__ import annotations

import re

import pytest

from tests.chain.conftest import Aria

SHOPPING = "Create a file called shopping.txt with milk, eggs and bread"


def test_a_command_becomes_a_file(aria: Aria) -> None:
    run = aria("ask", SHOPPING, "--allow", "create_file", "--json")
    assert run.code == 0, run.err
    content = (aria.output / "shopping.txt").read_text(encoding="utf-8").lower()
    assert all(word in content for word in ("milk", "eggs", "bread"))
    assert run.ended["outcome"] == "answered"
    assert run.ended["tools"] == ["create_file"]
    assert {"think", "act", "total"} <= run.ended["timings"].keys()
    names = [event["event"] for event in run.events]
    assert names.index("approval_requested") < names.index("call_started") < names.index("call_ended")


def test_without_a_yes_nothing_is_left_and_nothing_is_claimed(aria: Aria) -> None:
    run = aria("ask", SHOPPING, "--json")
    assert run.code == 6
    assert list(aria.output.iterdir()) == []
    assert run.ended["outcome"] == "refused"
    assert not re.search(r"\b(created|saved|made|wrote|written)\b(?! nothing)", run.ended["answer"], re.IGNORECASE) or (
        re.search(r"\b(not|nothing|no)\b", run.ended["answer"], re.IGNORECASE)
    )
    assert "call_started" not in [event["event"] for event in run.events]


def test_the_conversation_goes_on_in_its_session(aria: Aria) -> None:
    first = aria("ask", SHOPPING, "--allow", "create_file", "--json").ended
    again = aria("ask", "What is in that file?", "--session", first["session_id"], "--json")
    assert again.code == 0, again.err
    assert "milk" in again.ended["answer"].lower()
    shown = aria("sessions", "show", first["session_id"])
    assert SHOPPING in shown.out
    assert "create_file" in shown.out


def test_the_workspace_is_the_one_that_is_named(aria: Aria) -> None:
    other = aria.output.parent / "other"
    other.mkdir()
    run = aria("ask", SHOPPING, "--allow", "create_file", "--workspace", str(other))
    assert run.code == 0, run.err
    assert (other / "shopping.txt").is_file()
    assert list(aria.output.iterdir()) == []


@pytest.mark.parametrize("folder", [".", "config", ".."])
def test_no_workspace_reaches_the_settings(aria: Aria, folder: str) -> None:
    settings = aria.home / "config" / "settings.toml"
    settings.parent.mkdir(parents=True)
    (aria.output / "script.json").write_text('{"language": []}')
    settings.write_text(f'[engines]\nlanguage = "scripted:{aria.output / "script.json"}"\n')
    run = aria("ask", "hi", "--allow", "append_file", "--workspace", str(aria.home / folder))
    assert run.code == 2
    assert "ARIA keeps its own data in" in run.out


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("ask", "hi", "--allow", "format_disk"), 2, "format_disk"),
        (("ask", "hi", "--workspace", "/nowhere/at/all"), 2, "/nowhere/at/all"),
        (("ask", "   "), 2, "no words"),
        (("ask", "hi", "--session", "no-such-session"), 2, "no-such-session"),
        (("frobnicate",), 2, "frobnicate"),
    ],
)
def test_wrong_arguments_are_named(aria: Aria, words: tuple[str, ...], code: int, says: str) -> None:
    run = aria(*words)
    assert run.code == code
    assert says in run.err + run.out
