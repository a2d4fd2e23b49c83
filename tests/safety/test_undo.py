"""Every change can be taken back to the byte, and so can taking it back; what was changed since is left alone."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from aria_desktop.core.errors import AriaError, UsageError
from aria_desktop.safety import undo_choice
from aria_desktop.safety.journal import ActionState, Keeping
from aria_desktop.safety.journaled import JournaledWorkspace
from aria_desktop.safety.paths import Workspace
from aria_desktop.safety.trash_content import TrashContent
from aria_desktop.safety.undo_words import shown
from tests.safety.conftest import Tried
from tests.safety.undo_stage import Stage, furnished, state_of, ten_actions
from tests.safety.users import UIDS, acting_as, folder_for


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    root = tmp_path / "ws"
    root.mkdir()
    furnished(root)
    return Stage(root, tmp_path / "data")


def words_of(workspace: JournaledWorkspace, turn: str = "") -> dict[str, str]:
    plan = workspace.plan_undo(undo_choice.of_turn(workspace.journal.actions(), turn))
    return {told.text: told.diff for told in shown(plan, workspace.text_now, workspace.text_kept)}


class TestATurn:
    @pytest.mark.parametrize("uid", UIDS)
    def test_of_ten_actions_is_taken_back_to_the_byte_and_done_again_and_taken_back_again(
        self, uid: int, tried: Tried
    ) -> None:
        tried.begin("undo", 4, uid=uid)
        with folder_for(uid) as folder, acting_as(uid):
            stage = Stage(folder / "ws", folder / "data")
            stage.root.mkdir()
            furnished(stage.root)
            before = state_of(stage.root)
            with stage.acting() as workspace:
                ten_actions(workspace)
            after = state_of(stage.root)
            assert len(stage.actions()) == 10
            assert after.keys() != before.keys()
            for _ in range(2):
                assert len(stage.undo_turn("t1").numbers) == 10
                assert state_of(stage.root) == before
                assert len(stage.undo_undo().numbers) == 10
                assert state_of(stage.root) == after

    @pytest.mark.parametrize("uid", UIDS)
    def test_without_the_journal_the_old_bytes_are_lost(self, uid: int, tried: Tried) -> None:
        with folder_for(uid) as folder, acting_as(uid):
            root = folder / "ws"
            root.mkdir()
            furnished(root)
            before = (root / "b.txt").read_bytes()
            with Workspace(root, folder / "trash") as workspace:
                workspace.apply(workspace.plan_write("b.txt", "another\n"))
            assert before not in [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
        tried.control("undo", uid=uid)

    def test_the_last_one_is_meant_and_then_the_one_before(self, stage: Stage) -> None:
        first = state_of(stage.root)
        for turn, text in (("t1", "x"), ("t2", "y")):
            with stage.acting(turn) as workspace:
                workspace.apply(workspace.plan_append("a.txt", text))
        stage.undo_turn()
        assert (stage.root / "a.txt").read_bytes() == b"one\r\ntwo\r\nx\r\n"
        stage.undo_turn()
        assert state_of(stage.root) == first
        with pytest.raises(UsageError, match="no change that can be taken back"):
            stage.undo_turn()

    def test_is_shown_as_what_comes_of_it_all(self, stage: Stage) -> None:
        with stage.acting() as workspace:
            workspace.apply(workspace.plan_append("script.sh", "echo 1"))
            workspace.apply(workspace.plan_append("script.sh", "echo 2"))
            workspace.carry_out(workspace.plan_move("a.txt", "new/z.txt"))
            workspace.carry_out(workspace.plan_delete("b.txt"))
            workspace.carry_out(workspace.plan_copy("script.sh", "copy.sh"))
            now = state_of(stage.root)
            told = words_of(workspace)
        assert told == {
            "b.txt comes back": "",
            "copy.sh goes to the trash": "",
            "new/z.txt becomes a.txt": "",
            "script.sh gets the content that it had": "@@ -1,3 +1 @@\n #!/bin/sh\n-echo 1\n-echo 2",
            "the folder new goes away": "",
        }
        assert state_of(stage.root) == now


class TestWhatWasChangedSince:
    def test_is_left_alone_and_the_rest_is_taken_back(self, stage: Stage) -> None:
        before = state_of(stage.root)
        with stage.acting() as workspace:
            workspace.apply(workspace.plan_append("a.txt", "three"))
            workspace.carry_out(workspace.plan_delete("b.txt"))
            (stage.root / "a.txt").write_bytes(b"mine")
            plan = workspace.plan_undo(undo_choice.of_turn(stage.actions()))
            assert [(refused.action.number, refused.reason) for refused in plan.refused] == [
                (1, '"a.txt" was changed since.')
            ]
            assert workspace.take_back(plan).numbers == (2,)
        found = state_of(stage.root)
        assert found["b.txt"] == before["b.txt"]
        assert found["a.txt"][3] == b"mine"

    def test_also_when_it_is_changed_after_it_was_shown(self, stage: Stage) -> None:
        with stage.acting() as workspace:
            workspace.apply(workspace.plan_append("a.txt", "three"))
            workspace.apply(workspace.plan_append("script.sh", "four"))
            plan = workspace.plan_undo(undo_choice.of_turn(stage.actions()))
            (stage.root / "script.sh").write_bytes(b"mine")
            taken = workspace.take_back(plan)
        assert taken.numbers == ()
        assert "changed meanwhile" in taken.fault
        assert (stage.root / "script.sh").read_bytes() == b"mine"
        assert (stage.root / "a.txt").read_bytes().endswith(b"three\r\n")

    def test_a_folder_that_holds_other_things_now_stays(self, stage: Stage) -> None:
        with stage.acting() as workspace:
            workspace.apply(workspace.plan_write("new/a.txt", "a"))
            (stage.root / "new" / "mine.txt").write_text("mine")
            plan = workspace.plan_undo(stage.actions())
            assert plan.stays == ("new",)
            assert workspace.take_back(plan).numbers == (1,)
        assert [path.name for path in (stage.root / "new").iterdir()] == ["mine.txt"]

    def test_what_a_killed_change_left_in_a_folder_does_not_keep_it(self, stage: Stage) -> None:
        before = state_of(stage.root)
        with stage.acting() as workspace:
            workspace.apply(workspace.plan_write("new/a.txt", "a"))
        left = stage.root / "new" / ".aria-0123456789ab.tmp"
        left.write_text("half")
        os.utime(left, ns=(0, 0))
        stage.undo_turn()
        assert state_of(stage.root) == before

    def test_a_folder_that_is_gone_is_made_again_for_what_comes_back(self, stage: Stage) -> None:
        kept = (stage.root / "notes" / "c.md").read_bytes()
        with stage.acting() as workspace:
            workspace.carry_out(workspace.plan_delete("notes/c.md"))
        (stage.root / "notes" / "d.bin").unlink()
        (stage.root / "notes").rmdir()
        stage.undo_turn()
        assert (stage.root / "notes" / "c.md").read_bytes() == kept

    def test_a_name_that_is_taken_is_never_written_over(self, stage: Stage) -> None:
        with stage.acting() as workspace:
            workspace.carry_out(workspace.plan_delete("a.txt"))
            (stage.root / "a.txt").write_text("mine")
            (refused,) = workspace.plan_undo(stage.actions()).refused
        assert refused.reason == 'There is something called "a.txt" now.'
        assert (stage.root / "a.txt").read_text() == "mine"

    def test_a_file_in_the_place_of_its_folder_stops_what_would_come_back(self, stage: Stage) -> None:
        with stage.acting() as workspace:
            workspace.carry_out(workspace.plan_delete("notes/c.md"))
            (stage.root / "notes" / "d.bin").unlink()
            (stage.root / "notes").rmdir()
            (stage.root / "notes").write_text("mine")
            (refused,) = workspace.plan_undo(stage.actions()).refused
        assert refused.reason == 'There is something called "notes" now.'
        assert (stage.root / "notes").read_text() == "mine"

    def test_a_link_in_the_place_of_a_file_is_not_followed(self, stage: Stage, tmp_path: Path) -> None:
        outside = tmp_path / "outside"
        with stage.acting() as workspace:
            workspace.apply(workspace.plan_append("a.txt", "three"))
            outside.write_bytes((stage.root / "a.txt").read_bytes())
            (stage.root / "a.txt").unlink()
            (stage.root / "a.txt").symlink_to(outside)
            assert workspace.plan_undo(stage.actions()).refused
        assert outside.read_bytes().endswith(b"three\r\n")


class TestTheChoice:
    def test_by_number_and_by_file(self, stage: Stage) -> None:
        with stage.acting() as workspace:
            workspace.apply(workspace.plan_append("a.txt", "x"))
            workspace.apply(workspace.plan_append("script.sh", "y"))
        stage.undo(undo_choice.of_file(stage.actions(), "./a.txt"), "u")
        assert (stage.root / "a.txt").read_bytes() == b"one\r\ntwo\r\n"
        stage.undo(undo_choice.numbered(stage.actions(), 2), "u")
        assert (stage.root / "script.sh").read_bytes() == b"#!/bin/sh\n"
        with pytest.raises(UsageError, match="taken back already"):
            undo_choice.numbered(stage.actions(), 2)
        with pytest.raises(UsageError, match="no change 99"):
            undo_choice.numbered(stage.actions(), 99)
        with pytest.raises(UsageError, match=r"No change to nothing\.txt"):
            undo_choice.of_file(stage.actions(), "nothing.txt")

    def test_an_undo_is_undone_by_its_own_number(self, stage: Stage) -> None:
        with stage.acting() as workspace:
            workspace.carry_out(workspace.plan_delete("a.txt"))
        stage.undo_turn()
        stage.undo(undo_choice.numbered(stage.actions(), 2), "again")
        assert not (stage.root / "a.txt").exists()
        stage.undo(undo_choice.numbered(stage.actions(), 1), "back")
        assert (stage.root / "a.txt").exists()

    def test_changes_of_another_workspace_are_refused(self, stage: Stage, tmp_path: Path) -> None:
        with stage.acting() as workspace:
            workspace.carry_out(workspace.plan_delete("a.txt"))
        other = tmp_path / "other"
        other.mkdir()
        with JournaledWorkspace(other, stage.journal) as workspace, pytest.raises(AriaError, match="not in"):
            workspace.plan_undo(stage.actions())


class TestTheJournal:
    def test_is_the_user_s_alone(self, stage: Stage) -> None:
        with stage.acting() as workspace:
            workspace.apply(workspace.plan_append("a.txt", "x"))
        for path in stage.home.rglob("*"):
            kept = path.name == "kept"
            allowed = 0o700 if path.is_dir() else 0o644 if kept else 0o600
            assert stat.S_IMODE(path.stat().st_mode) == allowed, path

    def test_what_can_not_be_written_down_is_not_changed(self, stage: Stage) -> None:
        stage.home.mkdir()
        (stage.home / "journal").write_text("in the way")
        before = state_of(stage.root)
        with stage.acting() as workspace, pytest.raises(AriaError):
            workspace.apply(workspace.plan_append("a.txt", "x"))
        assert state_of(stage.root) == before

    @pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b'{"at": 1}', b"\xff\xfe", b'{"steps": [{}]}'])
    def test_a_damaged_record_is_told_and_refused_and_the_others_work(self, stage: Stage, content: bytes) -> None:
        with stage.acting() as workspace:
            workspace.apply(workspace.plan_append("a.txt", "x"))
            workspace.carry_out(workspace.plan_delete("b.txt"))
            (stage.home / "journal" / "00000001.json").write_bytes(content)
            states = [action.state for action in stage.actions()]
            assert states == [ActionState.DAMAGED, ActionState.DONE]
            plan = workspace.plan_undo(stage.actions())
            assert [refused.reason for refused in plan.refused] == ["The record of this change is damaged."]
            assert workspace.take_back(plan).numbers == (2,)

    @pytest.mark.parametrize(
        "changed",
        [
            {"path": "../secret"},
            {"path": "/etc/passwd"},
            {"path": ""},
            {"path": "a//b"},
            {"path": ".git/hooks/pre-commit"},
            {"path": 5},
            {"kind": "moved", "to": "../a.txt"},
            {"kind": "moved", "to": ""},
            {"kind": "other"},
            {"slot": "../../secret"},
            {"slot": "/etc"},
            {"slot": None},
            {"print": 5},
            {"mode": "x"},
            {"more": 1},
        ],
        ids=str,
    )
    def test_a_record_is_not_trusted_to_name_places(
        self, stage: Stage, tmp_path: Path, changed: dict[str, object]
    ) -> None:
        (tmp_path / "secret").write_text("secret")
        with stage.acting() as workspace:
            workspace.carry_out(workspace.plan_delete("b.txt"))
            record = stage.home / "journal" / "00000001.json"
            data = json.loads(record.read_bytes())
            data["steps"][0] |= changed
            record.write_text(json.dumps(data))
            before = state_of(stage.root)
            plan = workspace.plan_undo(stage.actions())
            assert [refused.reason for refused in plan.refused] == ["The record of this change is damaged."]
            assert workspace.take_back(plan).numbers == ()
        assert state_of(stage.root) == before
        assert (tmp_path / "secret").read_text() == "secret"

    @pytest.mark.parametrize("harm", ["gone", "other bytes", "link"])
    def test_old_bytes_that_are_gone_or_damaged_are_not_put_back(self, stage: Stage, tmp_path: Path, harm: str) -> None:
        with stage.acting() as workspace:
            workspace.apply(workspace.plan_append("a.txt", "x"))
            before = state_of(stage.root)
            (kept,) = stage.home.glob("trash/*/kept")
            content = kept.read_bytes()
            kept.unlink()
            if harm == "other bytes":
                kept.write_bytes(content[:-1] + b"!")
            elif harm == "link":
                (tmp_path / "evil").write_bytes(content)
                kept.symlink_to(tmp_path / "evil")
            plan = workspace.plan_undo(stage.actions())
            assert len(plan.refused) == 1
            assert workspace.take_back(plan).numbers == ()
        assert state_of(stage.root) == before

    def test_old_records_go_and_never_those_of_the_newest_turn(self, stage: Stage) -> None:
        now = [1e9]
        journal = stage.keeping(Keeping(days=30), lambda: now[0])
        for turn in ("t1", "t2", "t3"):
            with stage.acting(turn, journal=journal) as workspace:
                workspace.apply(workspace.plan_append("a.txt", turn))
            now[0] += 20 * 86_400
        assert [action.deed.turn_id for action in journal.actions()] == ["t2", "t3"]
        now[0] += 1e9
        journal.tidy()
        assert [action.deed.turn_id for action in journal.actions()] == ["t3"]

    def test_the_size_is_bounded_oldest_first(self, stage: Stage) -> None:
        journal = stage.keeping(Keeping(size=2_500), lambda: 1e9)
        for number in range(5):
            (stage.root / "big.txt").write_text(f"{number}" * 999 + "\n")
            with stage.acting(f"t{number}", journal=journal) as workspace:
                workspace.apply(workspace.plan_write("big.txt", "small\n"))
        assert [action.number for action in journal.actions()] == [4, 5]
        assert TrashContent(stage.home / "trash").size() <= 2_500

    def test_one_that_is_larger_than_all_that_is_kept_can_still_be_taken_back(self, stage: Stage) -> None:
        before, bounded = state_of(stage.root), replace(stage, limits=Keeping(size=1))
        with bounded.acting() as workspace:
            ten_actions(workspace)
        after = state_of(stage.root)
        bounded.undo_turn()
        assert state_of(stage.root) == before
        bounded.undo_undo()
        assert state_of(stage.root) == after
