"""Whole turns, commands with staged changes among them: the first state comes back to the byte, with names, permissions
and times of files, and undoing that undo brings the other one back."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from aria_desktop.core.errors import AriaError
from aria_desktop.safety import undo_choice
from aria_desktop.safety.cage import System
from aria_desktop.safety.journal import Action, Deed
from aria_desktop.safety.journaled import JournaledWorkspace
from tests.safety.conftest import Tried
from tests.safety.layers import readable_system
from tests.safety.staging_stage import Bed, furnish
from tests.safety.tiers import tries
from tests.safety.users import UIDS, acting_as, folder_for

SET = "undo, whole turns"
Deeds = Sequence[Callable[[Bed], object]]


@dataclass(frozen=True)
class Place:
    """Where one user's turns run, each in a workspace of its own."""

    uid: int
    folder: Path
    system: System

    @contextmanager
    def bed(self) -> Iterator[Bed]:
        with acting_as(self.uid), tempfile.TemporaryDirectory(dir=self.folder) as made:
            there = Bed(Path(made), self.system)
            furnish(there)
            yield there


@pytest.fixture(scope="module", params=UIDS, ids=lambda uid: f"uid{uid}")
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    with folder_for(request.param) as folder:
        yield Place(request.param, folder, readable_system(folder))


def taken_back(there: Bed, choose: Callable[[Sequence[Action]], tuple[Action, ...]], by: str) -> int:
    """How many changes were, all that were chosen."""
    with JournaledWorkspace(there.root, there.journal) as opened:
        workspace = opened.acting_for(Deed(by, by, "undo"))
        plan = workspace.plan_undo(choose(there.journal.actions()))
        assert not plan.refused, plan.refused
        taken = workspace.take_back(plan)
        assert taken.fault == ""
        return len(taken.numbers)


def judged(there: Bed, deeds: Deeds) -> tuple[int, int]:
    """Carries out a turn, undoes it and undoes that, twice over: how many changes it made, and how often the workspace
    or what lies outside was another than it had to be."""
    before = there.picture()
    for deed in deeds:
        deed(there)
    after, made, wrong = there.picture(), len(there.journal.actions()), int(there.picture()[1] != before[1])
    for number in range(2 if made else 0):
        assert taken_back(there, lambda actions: undo_choice.of_turn(actions, "t1"), f"undo{number}") == made
        wrong += there.picture() != before
        assert taken_back(there, undo_choice.last_undo, f"again{number}") == made
        wrong += there.picture() != after
    return made, wrong


Work = Callable[[JournaledWorkspace], object]


def by_tool(work: Work) -> Callable[[Bed], object]:
    def deed(there: Bed) -> None:
        with there.opened() as workspace:
            work(workspace)

    return deed


def by_command(command: str) -> Callable[[Bed], object]:
    return lambda there: there.kept(command)


TEN = (
    by_tool(lambda w: w.apply(w.plan_write("new/made.txt", "fresh\n"))),
    by_tool(lambda w: w.apply(w.plan_append("a.txt", "three"))),
    by_command("tac a.txt > t; mv t a.txt; chmod 700 run.sh; rm sub/f.txt; mkdir -m 711 n; echo x > n/x; rmdir empty"),
    by_tool(lambda w: w.apply(w.plan_edit("a.txt", w.read_text("a.txt"), w.read_text("a.txt").upper()))),
    by_tool(lambda w: w.carry_out(w.plan_move("b.bin", "new/moved.bin"))),
    by_tool(lambda w: w.carry_out(w.plan_copy("new/moved.bin", "n/x"))),
    by_tool(lambda w: w.carry_out(w.plan_folder("made/inner"))),
    by_command("mv new made/inner/; cp 'c d.md' n/copy; : > run.sh; touch -d 2001-01-01 n/copy"),
    by_tool(lambda w: w.carry_out(w.plan_delete("sub"))),
    by_tool(lambda w: w.apply(w.plan_write("c d.md", "another text\n"))),
)  # fmt: skip


def test_ten_actions_two_of_them_commands(place: Place, tried: Tried) -> None:
    with place.bed() as there:
        made, wrong = judged(there, TEN)
    assert made == 10
    tried(SET, cases=4, controls=0, escapes=wrong, uid=place.uid)


def test_without_the_journal_the_same_turn_can_not_be_taken_back(place: Place, tried: Tried) -> None:
    """The control: the records are gone, and so is the way back, though the workspace is another one now."""
    with place.bed() as there:
        before = there.picture()
        for deed in TEN:
            deed(there)
        for record in (there.folder / "data" / "journal").iterdir():
            record.unlink()
        control = there.journal.actions() == () and there.picture() != before
    tried.control(SET, int(control), uid=place.uid)


NAMES = ("a.txt", "b.bin", "run.sh", "sub", "sub/f.txt", "sub/deep", "sub/deep/e.txt", "n", "n/x", "empty")
names, texts = st.sampled_from(NAMES), st.text("xyz\n", min_size=1, max_size=6)
shells = st.one_of(
    st.builds("mv -- {} {}".format, names, names),
    st.builds("cp -r -- {} {}".format, names, names),
    st.builds("rm -r -- {}".format, names),
    st.builds("mkdir -p -- {}".format, names),
    st.builds("echo more >> {}".format, names),
    st.builds("chmod {} {}".format, st.sampled_from(("600", "755", "u-w", "000")), names),
    st.builds("touch -d 2001-01-01 {}".format, names),
    st.builds("ln -s a.txt {}".format, names),
    st.builds("ln {} {}".format, names, names),
)
wishes = st.one_of(
    st.tuples(st.sampled_from(["create", "append", "edit"]), names, texts),
    st.tuples(st.sampled_from(["move", "copy"]), names, names),
    st.tuples(st.sampled_from(["delete", "folder"]), names, st.just("")),
    st.tuples(st.just("command"), st.lists(shells, min_size=1, max_size=4).map("; ".join), st.just("")),
)
Wish = tuple[str, str, str]


def granted(wish: Wish) -> Callable[[Bed], object]:
    """What is refused changes nothing, and the turn goes on."""
    what, path, other = wish

    def work(workspace: JournaledWorkspace) -> None:
        match what:
            case "create":
                workspace.apply(workspace.plan_write(path, other))
            case "append":
                workspace.apply(workspace.plan_append(path, other))
            case "edit":
                workspace.apply(workspace.plan_edit(path, workspace.read_text(path), other))
            case "move":
                workspace.carry_out(workspace.plan_move(path, other))
            case "copy":
                workspace.carry_out(workspace.plan_copy(path, other))
            case "delete":
                workspace.carry_out(workspace.plan_delete(path))
            case _:
                workspace.carry_out(workspace.plan_folder(path))

    def deed(there: Bed) -> None:
        try:
            (by_command(path) if what == "command" else by_tool(work))(there)
        except AriaError:
            return

    return deed


@settings(max_examples=tries(20, 1_500), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example([("delete", "sub/f.txt", ""), ("move", "sub", "a.txt"), ("create", "sub", "x")])
@example([("command", "mv -- sub n; mkdir -p -- sub; echo more >> sub/f.txt", ""), ("move", "n", "sub")])
@given(st.lists(wishes, min_size=1, max_size=12))
def test_any_turn(place: Place, tried: Tried, turn: list[Wish]) -> None:
    with place.bed() as there:
        _, wrong = judged(there, [granted(wish) for wish in turn])
    tried(SET, cases=1, controls=0, escapes=wrong, uid=place.uid)
