"""What is asked before a command runs, and what is told after it, with the real cage."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from aria_desktop.core.approval import RiskLevel
from aria_desktop.core.cancel import Cancelled
from aria_desktop.core.chat import Outcome, ToolResult
from aria_desktop.core.errors import ToolFailed
from aria_desktop.core.events import CallProgress
from aria_desktop.safety import cage_system
from aria_desktop.safety.cage import CageLimits, CageMissing, CommandRefused
from aria_desktop.safety.cage_output import Printed
from aria_desktop.safety.cage_run import Ran
from aria_desktop.safety.cage_watch import Ending
from aria_desktop.safety.journal import Journal
from aria_desktop.safety.journaled import JournaledWorkspace
from aria_desktop.safety.paths import Workspace
from aria_desktop.tools.terminal import (
    MOST_CHARACTERS,
    NAMED,
    SAID_LINES,
    TOLD_CHARACTERS,
    TOLD_LINES,
    run_terminal,
    said,
    told,
)
from aria_desktop.tools.tool import Effect, OnCancel, Proposal, ToolContext
from tests.unit.tools.conftest import Bench

LIMITS = CageLimits(seconds=30)


def ran(*lines: str, status: int | None = 0, ending: Ending = Ending.ITSELF, more: int = 0) -> Ran:
    return Ran(ending, status, Printed(lines, len(lines) + more, 99), 0.1)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """On a workspace with a journal: without one a command can't change anything."""
    root = tmp_path / "ws"
    root.mkdir()
    with JournaledWorkspace(root, Journal(tmp_path / "journal", tmp_path / "trash")) as workspace:
        yield Bench(root, workspace)
    assert list((tmp_path / "staging").iterdir() if (tmp_path / "staging").exists() else ()) == []


def carried_out(bench: Bench, command: str) -> ToolResult:
    return bench.carried_out(bench.proposal(run_terminal, command=command))


def test_it_is_asked_about_word_for_word_and_can_be_stopped(bench: Bench) -> None:
    command = "rm -rf * ; echo done"
    (bench.root / "kept.txt").write_text("x")
    proposal = bench.proposal(run_terminal, command=command)
    assert run_terminal.effect is Effect.CHANGES
    assert (proposal.question, proposal.after, proposal.before) == ("Run this command?", command, None)
    assert proposal.risk.level is RiskLevel.LOW
    assert "asked again" in proposal.risk.text
    assert proposal.on_cancel is OnCancel.DROP
    facts = dict(proposal.facts)
    assert facts["Runs in"] == str(bench.root)
    assert facts["Network"] == "none"
    assert "30 seconds" in facts["Time"]
    assert "counts only if you allow it" in facts["Can change"]
    assert bench.files() == {"kept.txt": "x"}


@pytest.mark.parametrize(
    ("command", "labels"),
    [
        ("ls", set()),
        ("ls\n\n\n\nrm -rf *", {"Lines"}),
        ("ls \x1b[8m; rm *", {"Hidden"}),
        ("ls \u202e; rm *\nx", {"Lines", "Hidden"}),
        ("ls" + "\u3164" * 3 + "; rm *", {"Hidden"}),
    ],
)
def test_what_an_eye_could_miss_is_told(bench: Bench, command: str, labels: set[str]) -> None:
    facts = dict(bench.proposal(run_terminal, command=command).facts)
    assert facts.keys() - {"Runs in", "Network", "Can change", "Time"} == labels


def test_what_it_does_not_reach_in_the_workspace_is_told(bench: Bench) -> None:
    (bench.root / ".git").mkdir()
    (bench.root / "one.txt").write_text("x")
    for number in range(NAMED):
        (bench.root / f"twin{number}.txt").hardlink_to(bench.root / "one.txt")
    facts = dict(bench.proposal(run_terminal, command="ls").facts)
    assert facts["Can't change"] == ".git"
    assert "and 1 more" in facts["Can't read"]
    assert "second name" in facts["Can't read"]


def test_a_name_can_not_pass_for_another_fact(bench: Bench) -> None:
    (bench.root / "x\nNetwork: all" / ".git").mkdir(parents=True)
    facts = dict(bench.proposal(run_terminal, command="ls").facts)
    assert facts["Can't change"] == "x<U+000A>Network: all/.git"


def test_a_workspace_that_can_not_be_guarded_is_not_even_asked_about(bench: Bench) -> None:
    (bench.root / ".git").symlink_to(bench.root)
    with pytest.raises(CommandRefused, match="is a link"):
        bench.call(run_terminal, command="ls")


@pytest.mark.parametrize("command", ["", "  \n", "echo \0", "echo \ud800", "x" * (MOST_CHARACTERS + 1)])
def test_what_is_no_command_is_not_even_asked_about(bench: Bench, command: str) -> None:
    with pytest.raises(ToolFailed):
        bench.call(run_terminal, command=command)


def test_it_runs_in_the_workspace_and_tells_line_by_line(bench: Bench) -> None:
    (bench.root / "names.txt").write_text("Zoe\nAnn\n")
    result = carried_out(bench, "sort names.txt")
    assert result == ToolResult(
        Outcome.DONE, "Exit status 0. It printed:\nAnn\nZoe", answer="I ran the command. It printed:\nAnn\nZoe"
    )
    assert bench.reported == [CallProgress("t1", "c1", "Ann"), CallProgress("t1", "c1", "Zoe")]


def test_a_status_of_failure_is_told_as_it_is(bench: Bench) -> None:
    result = carried_out(bench, "cat nothing.txt")
    assert result.outcome is Outcome.DONE
    assert result.text.startswith("Exit status 1.")
    assert "exit status 1" in result.answer
    assert "nothing.txt" in result.answer


def test_a_cancel_stops_it(bench: Bench) -> None:
    proposal = bench.proposal(run_terminal, command="sleep 1000")
    context: ToolContext = bench.context()
    context.cancel.cancel()
    with pytest.raises(Cancelled):
        proposal.act(context)


def test_without_a_journal_a_command_can_only_look_and_that_is_said(bench: Bench, tmp_path: Path) -> None:
    with Workspace(bench.root, tmp_path / "trash") as bench.workspace:
        proposal = bench.proposal(run_terminal, command="touch made; echo $?")
        assert dict(proposal.facts)["Can change"].startswith("nothing")
        assert bench.carried_out(proposal).answer.endswith("1")
    assert bench.files() == {}


def test_a_bubblewrap_of_the_workspace_is_never_used(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """It could be anybody's, also where a link leads to it."""
    planted = bench.root / "bwrap"
    planted.write_text(f"#!/bin/sh\necho bubblewrap 9.9\ntouch '{bench.root}/ran'\n")
    planted.chmod(0o755)
    (bench.root.parent / "bwrap").symlink_to(planted)
    monkeypatch.setattr(cage_system, "PROGRAM_FOLDERS", (str(bench.root.parent),))
    monkeypatch.setattr(cage_system, "BUNDLED", ())
    with pytest.raises(CageMissing):
        bench.call(run_terminal, command="ls")
    assert "ran" not in bench.files()


def second(bench: Bench, command: str) -> Proposal:
    found = bench.proposal(run_terminal, command=command).act(bench.context())
    assert isinstance(found, Proposal)
    return found


class TestWhatItChanged:
    @pytest.fixture
    def kept(self, bench: Bench) -> Iterator[list[Proposal]]:
        """Proposals that are let go before it is looked at what is left."""
        proposals: list[Proposal] = []
        yield proposals
        for proposal in proposals:
            proposal.let_go()
        assert bench.reported == []

    def test_one_file_is_shown_as_what_it_was_and_would_be(self, bench: Bench, kept: list[Proposal]) -> None:
        (bench.root / "a.txt").write_text("one\n")
        proposal = second(bench, "echo two >> a.txt")
        kept.append(proposal)
        assert (proposal.before, proposal.after) == ("one\n", "one\ntwo\n")
        assert proposal.path == str(bench.root / "a.txt")
        assert proposal.risk.level is RiskLevel.MEDIUM
        facts = dict(proposal.facts)
        assert facts == {
            "Command": "echo two >> a.txt", "Ended": "exit status 0", "Changes": "a.txt, 4 to 8 bytes"
        }  # fmt: skip
        assert bench.files() == {"a.txt": "one\n"}

    def test_several_are_shown_so_that_no_text_passes_for_a_name(self, bench: Bench, kept: list[Proposal]) -> None:
        (bench.root / "a.txt").write_text("one\nb.txt\n")
        proposal = second(bench, "rm a.txt; printf 'x\\na.txt' > b.txt; mkdir c; chmod +x b.txt; exit 3")
        kept.append(proposal)
        assert proposal.path == str(bench.root)
        assert proposal.before == "a.txt\n  one\n  b.txt\n"
        assert proposal.after == "b.txt\n  x\n  a.txt\n"
        facts = dict(proposal.facts)
        assert facts["Makes"] == "b.txt, 7 bytes, can be run"
        assert facts["Deletes"] == "a.txt, 10 bytes"
        assert facts["New folders"] == "c/"
        assert "exit status 3" in facts["Ended"]
        assert proposal.refused == "I ran the command; it ended with exit status 3. Nothing of what it changed was kept"

    def test_what_can_not_be_shown_is_named(self, bench: Bench, kept: list[Proposal]) -> None:
        proposal = second(bench, "head -c 5 /dev/zero > a.bin; ln -s a.bin link; touch '.envrc'")
        kept.append(proposal)
        facts = dict(proposal.facts)
        assert facts["Not shown"].startswith("a.bin\n")
        assert [line.partition(" is ")[0] for line in facts["Left out"].split("\n")] == ['".envrc"', '"link"']
        assert (proposal.before, proposal.after) == (None, None)

    def test_a_yes_keeps_it_and_says_what(self, bench: Bench) -> None:
        proposal = second(bench, "echo hello; echo x > a.txt; ln -s a.txt link")
        result = bench.carried_out(proposal)
        proposal.let_go()
        assert result.answer == (
            "I ran the command. It printed:\nhello\nWhat it changed was kept: a.txt. This was not kept: link."
        )
        assert bench.files() == {"a.txt": "x\n"}

    def test_only_what_can_not_be_kept_is_no_question(self, bench: Bench) -> None:
        result = carried_out(bench, "ln -s /etc/passwd link; mkfifo fifo; chmod +s .; mkdir .git")
        assert result.answer == "I ran the command. It printed nothing. This was not kept: .git, fifo and link."
        assert list(bench.root.iterdir()) == []

    def test_too_much_is_told_and_not_kept(self, bench: Bench) -> None:
        result = carried_out(bench, "touch {1..1001}")
        assert result.answer.endswith("It changed more than can be shown, so nothing of it was kept.")
        assert bench.files() == {}


def test_silence_is_told() -> None:
    assert told(ran(), LIMITS) == "Exit status 0. It printed nothing."
    assert said(ran(), LIMITS) == "I ran the command. It printed nothing."


def test_much_is_told_by_its_end() -> None:
    much = ran(*[f"line {i}" for i in range(40)], more=1000)
    assert told(much, LIMITS).startswith(
        f"Exit status 0. It printed {1040 - TOLD_LINES:,} lines more, and then:\nline 20"
    )
    assert told(much, LIMITS).endswith("line 39")
    assert said(much, LIMITS) == "I ran the command. It printed 1,040 lines, the last: line 39"
    assert said(ran(*["x"] * SAID_LINES), LIMITS).count("x") == SAID_LINES


def test_what_the_model_is_told_is_short_whatever_was_printed() -> None:
    assert len(told(ran(*["x" * 500] * 40), LIMITS)) < TOLD_CHARACTERS + 100
    assert len(said(ran(*["x" * 500] * 40), LIMITS)) < 500


@pytest.mark.parametrize(
    ("ending", "words"),
    [
        (Ending.TIME, "after 30 seconds"),
        (Ending.PROCESSES, "more than 128 processes"),
        (Ending.MEMORY, "more than 2,048 MB of memory"),
        (Ending.OUTPUT, "printed more than 32 MB"),
        (Ending.CHANGES, "changed more than 512 MB or 5,000 files"),
    ],
)
def test_a_command_that_was_stopped_is_never_told_as_done(ending: Ending, words: str) -> None:
    stopped = ran("begun", status=None, ending=ending)
    for text in (told(stopped, LIMITS), said(stopped, LIMITS)):
        assert words in text
        assert "was stopped" in text
        assert "begun" in text
        assert "I ran" not in text
