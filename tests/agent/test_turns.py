"""Whole turns on the real starter model, judged by the files that are left and by what was called."""

from __future__ import annotations

from aria_desktop.assistant.reply import Answer, parse
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.events import DraftPiece
from aria_desktop.testing.scripted import ScriptedApprover
from aria_desktop.tools.registry import standard_tools
from tests.agent.conftest import Turn

YES = ScriptedApprover(otherwise=True)
NOBODY_IS_ASKED = ScriptedApprover()


def test_a_shopping_list_is_created(turn: Turn) -> None:
    result = turn.say("Create a file called shopping.txt with milk, eggs and bread", YES)
    assert turn.tools == ["create_file"]
    assert list(turn.files()) == ["shopping.txt"]
    assert turn.files()["shopping.txt"].lower().replace(",", " ").split() == ["milk", "eggs", "bread"]
    assert result.outcome is TurnOutcome.ANSWERED
    assert "shopping.txt" in result.answer
    assert len(turn.replies) == 1


def test_a_refused_creation_leaves_nothing_and_is_not_claimed(turn: Turn) -> None:
    result = turn.say("make a new file letter dot t x t which says dear mum", ScriptedApprover([False]))
    assert turn.files() == {}
    assert result.outcome is TurnOutcome.REFUSED
    assert result.answer.startswith("Nothing was changed. letter.txt was not created")


def test_a_question_about_the_world_calls_no_tool(turn: Turn) -> None:
    (turn.root / "todo.txt").write_text("wash the car\n")
    result = turn.say("what is the capital of Italy", NOBODY_IS_ASKED)
    assert turn.tools == []
    assert "Rome" in result.answer


def test_a_question_about_a_file_is_answered_from_it(turn: Turn) -> None:
    (turn.root / "router.conf").write_text("host = attic\nport = 7443\nuser = ines\n")
    result = turn.say("tell me the port that is set in router dot conf", NOBODY_IS_ASKED)
    assert set(turn.tools) == {"read_file"}
    assert "7443" in result.answer
    assert "ines" not in result.answer


def test_a_number_that_a_file_holds_is_read_and_not_guessed(turn: Turn) -> None:
    (turn.root / "shelf.md").write_text("# Shelf\n\n- 4 boards\n- 17 screws\n- glue\n")
    result = turn.say("how many screws does it take according to shelf dot m d", NOBODY_IS_ASKED)
    assert set(turn.tools) == {"read_file"}
    assert "17" in result.answer


def test_what_lies_outside_the_workspace_is_refused_and_said(turn: Turn) -> None:
    (turn.root / "todo.txt").write_text("wash the car\n")
    result = turn.say("read the file /etc/hostname to me", NOBODY_IS_ASKED)
    assert turn.files() == {"todo.txt": "wash the car\n"}
    assert "wash the car" not in result.answer
    assert any(word in result.answer.lower() for word in ("can't", "cannot", "not", "only"))


def test_what_no_tool_can_do_is_said_and_nothing_is_made(turn: Turn) -> None:
    result = turn.say("set the heating to twenty degrees", NOBODY_IS_ASKED)
    assert turn.files() == {}
    assert "can't" in result.answer or "cannot" in result.answer


def test_a_file_is_summed_up(turn: Turn) -> None:
    story = (
        "The ferry to the island will stop running in October. The old boat needs a new engine, and the company "
        "can't pay for it. People on the island want the county to help, since the school children cross every day. "
        "A meeting is called for the ninth of September in the fire station."
    )
    (turn.root / "ferry.txt").write_text(story)
    result = turn.say("please sum up ferry dot t x t", NOBODY_IS_ASKED)
    assert "summarize_text" in turn.tools
    assert "ferry" in result.answer.lower()
    assert turn.files() == {"ferry.txt": story}


def test_code_is_drafted_shown_and_saved(turn: Turn) -> None:
    approver = ScriptedApprover([True])
    turn.say("write a python function in cube dot p y that returns the cube of a number", approver)
    code = turn.files()["cube.py"]
    assert "def " in code
    assert "```" not in code
    assert approver.requests[0].after == code
    drafted = "".join(event.text for event in turn.events if isinstance(event, DraftPiece))
    assert drafted.strip() == code.strip() or turn.tools == ["create_file"]
    compile(code, "cube.py", "exec")


def test_every_reply_is_legal_and_the_fixed_start_is_evaluated_once(turn: Turn) -> None:
    turn.say("hello, who are you", NOBODY_IS_ASKED)
    turn.say("thanks", NOBODY_IS_ASKED)
    for reply in turn.replies:
        assert isinstance(parse(reply.raw, standard_tools()), Answer)
    assert turn.replies[-1].reused_tokens > 1_000
    assert turn.replies[-1].prompt_tokens - turn.replies[-1].reused_tokens < 100
