"""Moving, copying, deleting and making folders as tools: what is asked, what is said, what is checked."""

from __future__ import annotations

import os

import pytest

from aria_desktop.core.approval import RiskLevel
from aria_desktop.core.chat import Outcome, ToolResult
from aria_desktop.core.errors import PathRefused, ToolFailed
from aria_desktop.safety.paths import FileMissing
from aria_desktop.tools.placing import copy_file, delete_file, make_folder, move_file
from aria_desktop.tools.tool import Effect, Tool
from tests.unit.tools.conftest import Bench

QUESTIONS = [
    (move_file, {"source": "a.txt", "destination": "b.txt"}, "Rename a.txt to b.txt?", "I renamed a.txt to b.txt."),
    (move_file, {"source": "a.txt", "destination": "attic/"}, "Move a.txt into attic?", "I moved a.txt into attic."),
    (move_file, {"source": "a.txt", "destination": "attic"}, "Move a.txt into attic?", "I moved a.txt into attic."),
    (
        move_file,
        {"source": "a.txt", "destination": "attic/b.txt"},
        "Move a.txt to attic/b.txt?",
        "I moved a.txt to attic/b.txt.",
    ),
    (
        move_file,
        {"source": "attic/old.txt", "destination": "."},
        "Move attic/old.txt into the workspace itself?",
        "I moved attic/old.txt into the workspace itself.",
    ),
    (move_file, {"source": "attic", "destination": "loft"}, "Rename attic to loft?", "I renamed attic to loft."),
    (copy_file, {"source": "a.txt", "destination": "b.txt"}, "Copy a.txt to b.txt?", "I copied a.txt to b.txt."),
    (copy_file, {"source": "a.txt", "destination": "ATTIC"}, "Copy a.txt into attic?", "I copied a.txt into attic."),
    (delete_file, {"path": "a.txt"}, "Delete a.txt?", "I moved a.txt to the trash."),
    (
        delete_file,
        {"path": "attic"},
        "Delete the folder attic with 1 thing in it?",
        "I moved the folder attic with 1 thing in it to the trash.",
    ),
    (make_folder, {"path": "new"}, "Make the folder new?", "I made the folder new."),
]


@pytest.fixture
def stocked(bench: Bench) -> Bench:
    (bench.root / "a.txt").write_text("one\n")
    (bench.root / "attic").mkdir()
    (bench.root / "attic" / "old.txt").write_text("old\n")
    return bench


@pytest.mark.parametrize(("tool", "arguments", "question", "answer"), QUESTIONS)
def test_the_question_names_what_happens_and_the_answer_says_it(
    stocked: Bench, tool: Tool, arguments: dict[str, str], question: str, answer: str
) -> None:
    before = stocked.files()
    proposal = stocked.proposal(tool, **arguments)
    assert proposal.question == question
    assert proposal.path.startswith(str(stocked.root))
    assert stocked.files() == before
    assert stocked.carried_out(proposal) == ToolResult(Outcome.DONE, answer, answer=answer)
    assert stocked.files() != before or tool is make_folder


def test_all_four_are_asked_about() -> None:
    assert {tool.effect for tool in (move_file, copy_file, delete_file, make_folder)} == {Effect.CHANGES}


def test_what_a_question_does_not_say_stands_in_its_facts(stocked: Bench) -> None:
    proposal = stocked.proposal(move_file, source="a.txt", destination="x/y/b.txt")
    assert proposal.facts == (("To", "x/y/b.txt"), ("New folders", "x, x/y"))
    assert (proposal.before, proposal.after, proposal.risk.level) == (None, None, RiskLevel.LOW)
    assert proposal.refused == "a.txt was not moved"


def test_what_is_replaced_is_shown_as_a_loss(stocked: Bench) -> None:
    proposal = stocked.proposal(copy_file, source="a.txt", destination="attic/old.txt")
    assert proposal.risk.level is RiskLevel.HIGH
    assert (proposal.before, proposal.after) == ("old\n", "one\n")
    assert ("Replaces", "attic/old.txt, 4 bytes") in proposal.facts
    answer = stocked.carried_out(proposal).answer
    assert answer == "I copied a.txt to attic/old.txt, and the file that was there to the trash."
    assert stocked.files() == {"a.txt": "one\n", "attic/old.txt": "one\n"}


def test_what_replaces_something_that_is_no_text_does_not_look_like_a_new_file(stocked: Bench) -> None:
    (stocked.root / "photo.bin").write_bytes(b"\0" * 10)
    proposal = stocked.proposal(move_file, source="a.txt", destination="photo.bin")
    assert (proposal.before, proposal.after) == (None, None)
    assert ("Replaces", "photo.bin, 10 bytes") in proposal.facts


def test_what_is_deleted_is_shown_whole(stocked: Bench) -> None:
    assert stocked.proposal(delete_file, path="a.txt").before == "one\n"
    (stocked.root / "photo.bin").write_bytes(b"\0" * 10)
    assert stocked.proposal(delete_file, path="photo.bin").facts == (("Size", "10 bytes"),)
    folder = stocked.proposal(delete_file, path="attic")
    assert folder.facts == (("Holds", "old.txt"),)
    assert folder.risk.level is RiskLevel.MEDIUM


def test_a_guessed_name_stands_in_the_question_and_the_given_one_beside_it(stocked: Bench) -> None:
    proposal = stocked.proposal(delete_file, path="attick/old dot t x t")
    assert proposal.question == "Delete attic/old.txt?"
    assert ("Name given", "attick/old dot t x t") in proposal.facts


def test_what_there_is_not_is_told(stocked: Bench) -> None:
    for tool, arguments in (
        (delete_file, {"path": "invoice-12.txt"}),
        (move_file, {"source": "invoice-12.txt", "destination": "b.txt"}),
        (copy_file, {"source": "invoice-12.txt", "destination": "b.txt"}),
    ):
        with pytest.raises(FileMissing, match=r"There is: a\.txt"):
            stocked.call(tool, **arguments)
    with pytest.raises(PathRefused):
        stocked.call(delete_file, path="../secret")


def test_a_file_does_not_lose_its_ending(stocked: Bench) -> None:
    with pytest.raises(ToolFailed, match=r'Write "boxes/" for a folder, or "boxes\.txt" for a new name'):
        stocked.call(move_file, source="a.txt", destination="boxes")
    (stocked.root / "plain").write_text("x")
    for source, destination in (("a.txt", "README"), ("plain", "simple"), ("attic", "loft"), ("a.txt", "new/")):
        assert stocked.proposal(move_file, source=source, destination=destination).question


def test_a_folder_that_there_is_is_not_made_again(stocked: Bench) -> None:
    with pytest.raises(ToolFailed, match=r'There is a folder "attic" already'):
        stocked.call(make_folder, path="attic")


def test_the_end_is_looked_at_and_what_is_so_on_disk_is_said(stocked: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    deleting = stocked.proposal(delete_file, path="a.txt")
    making = stocked.proposal(make_folder, path="new")
    copying = stocked.proposal(copy_file, source="a.txt", destination="b.txt")
    moving = stocked.proposal(move_file, source="a.txt", destination="c.txt")
    monkeypatch.setattr(stocked.workspace, "carry_out", lambda _: (stocked.root / "b.txt").write_text("half"[:1]))
    for proposal, told in (
        (deleting, r'^"a\.txt" is still there'),
        (making, r'^There is no "new" now'),
        (copying, r'^"b\.txt" is there, but it is not what "a\.txt" was'),
        (moving, r'^"a\.txt" is still there'),
    ):
        with pytest.raises(ToolFailed, match=told):
            stocked.carried_out(proposal)


@pytest.mark.parametrize(
    ("tool", "arguments", "changed"),
    [
        (delete_file, {"path": "a.txt"}, "a.txt"),
        (move_file, {"source": "a.txt", "destination": "attic/old.txt"}, "a.txt"),
        (copy_file, {"source": "a.txt", "destination": "attic/old.txt"}, "attic/old.txt"),
    ],
)
def test_a_text_that_is_no_longer_what_was_shown_is_left_alone(
    stocked: Bench, tool: Tool, arguments: dict[str, str], changed: str
) -> None:
    """Also where size and time were put back, so that nothing but the text tells it."""
    proposal = stocked.proposal(tool, **arguments)
    state = (stocked.root / changed).stat()
    (stocked.root / changed).write_text("two\n"[: state.st_size])
    os.utime(stocked.root / changed, ns=(state.st_atime_ns, state.st_mtime_ns))
    before = stocked.files()
    with pytest.raises(ToolFailed, match="changed meanwhile; nothing was done"):
        proposal.act(stocked.context())
    assert stocked.files() == before
