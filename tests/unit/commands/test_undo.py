"""`aria undo`: what it lists, shows, asks and takes back, and that it says what it can't."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from aria_desktop.cli import main
from aria_desktop.core.errors import ExitCode
from aria_desktop.safety.journal import Deed, Journal
from aria_desktop.safety.journaled import JournaledWorkspace
from aria_desktop.storage.audit import Audit
from aria_desktop.storage.database import Database
from aria_desktop.storage.lock import DatabaseLock


@pytest.fixture
def data(user_folders: Path) -> Path:
    return user_folders / "data"


@pytest.fixture
def journal(data: Path) -> Journal:
    return Journal(data / "journal", data / "trash")


@pytest.fixture
def root(tmp_path: Path, journal: Journal) -> Path:
    """A workspace in which two turns have changed something."""
    folder = tmp_path / "ws"
    folder.mkdir()
    (folder / "a.txt").write_text("one\n")
    (folder / "b.txt").write_text("bee\n")
    with JournaledWorkspace(folder, journal) as workspace:
        first, second = workspace.acting_for(Deed("t1", "c1", "x")), workspace.acting_for(Deed("t2", "c2", "x"))
        first.apply(first.plan_append("a.txt", "two"))
        second.carry_out(second.plan_delete("b.txt"))
        second.apply(second.plan_append("a.txt", "three"))
    return folder


Said = Callable[[], str]


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    return lambda: capsys.readouterr().out


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """What somebody types at a terminal."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    return lambda text: monkeypatch.setattr("sys.stdin", Terminal(text))


@pytest.mark.usefixtures("root")
def test_the_list_names_each_change_with_its_turn_and_what_became_of_it(said: Said) -> None:
    main(["undo", "1", "--yes"])  # refused: a.txt was changed by the second turn
    main(["undo", "--yes"])
    said()
    assert main(["undo", "list"]) == ExitCode.OK
    lines = said().splitlines()
    assert [line.rpartition("  ")[2].strip() for line in lines] == [
        "append a.txt",
        "delete b.txt",
        "append a.txt (undone)",
        "undo append a.txt",
    ]
    assert main(["undo", "list", "--json"]) == ExitCode.OK
    assert [row["undone"] for row in json.loads(said())] == [False, False, True, False]


def test_nothing_to_list_and_nothing_to_undo(said: Said, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["undo", "list"]) == ExitCode.OK
    assert said() == "no changes yet\n"
    assert main(["undo"]) == ExitCode.USAGE
    assert "There is no change that can be taken back." in capsys.readouterr().err


def test_show_changes_nothing(root: Path, said: Said, data: Path) -> None:
    assert main(["undo", "show", "--turn", "t2"]) == ExitCode.OK
    shown = said()
    assert shown.startswith("Undo 2 changes?\n")
    for part in ("Then: b.txt comes back", "a.txt gets the content that it had", "-three"):
        assert part in shown
    assert (root / "a.txt").read_text() == "one\ntwo\nthree\n"
    assert not (data / "aria.db").exists()


@pytest.mark.parametrize("answer", ["", "n\n", "yeah\n", "\n"])
def test_only_a_whole_yes_is_one(root: Path, typed: Callable[[str], None], answer: str) -> None:
    typed(answer)
    assert main(["undo"]) == ExitCode.REFUSED
    assert (root / "a.txt").read_text() == "one\ntwo\nthree\n"


def test_without_a_terminal_nobody_is_asked_and_nothing_is_done(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    assert main(["undo"]) == ExitCode.REFUSED
    assert (root / "a.txt").read_text() == "one\ntwo\nthree\n"


def test_a_turn_and_back_and_again(root: Path, typed: Callable[[str], None]) -> None:
    for words in (["undo", "--turn"], ["undo", "redo"], ["undo", "--turn", "t2"]):
        typed("y\n")
        assert main(words) == ExitCode.OK
        undone = words[1] != "redo"
        assert (root / "b.txt").exists() is undone
        assert (root / "a.txt").read_text() == ("one\ntwo\n" if undone else "one\ntwo\nthree\n")


@pytest.mark.parametrize("absolute", [True, False])
def test_a_file(root: Path, absolute: bool) -> None:
    assert main(["undo", "--yes", "--file", str(root / "b.txt") if absolute else "b.txt"]) == ExitCode.OK
    assert (root / "b.txt").read_text() == "bee\n"
    assert (root / "a.txt").read_text() == "one\ntwo\nthree\n"


def test_what_was_changed_since_is_told_and_the_rest_undone(root: Path, said: Said) -> None:
    (root / "a.txt").write_text("mine\n")
    assert main(["undo", "--turn", "--yes"]) == ExitCode.FAILED
    shown = said()
    assert 'Not undone: append a.txt: "a.txt" was changed since.' in shown
    assert "undone: 1 of 2" in shown
    assert (root / "b.txt").read_text() == "bee\n"
    assert (root / "a.txt").read_text() == "mine\n"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["undo", "99"], "There is no change 99"),
        (["undo", "everything"], "everything is no change"),
        (["undo", "redo"], "Nothing is taken back"),
        (["undo", "--turn", "t9"], "Nothing of turn t9"),
        (["undo", "--file", "c.txt"], "No change to c.txt"),
        (["undo", "--file", "/elsewhere/c.txt"], "No change to /elsewhere/c.txt"),
        (["undo", "restore", "nothing"], 'There is no "nothing" in the trash'),
    ],
)
@pytest.mark.usefixtures("root")
def test_what_is_not_there_is_said(words: list[str], reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == ExitCode.USAGE
    assert reason in capsys.readouterr().err


@pytest.mark.usefixtures("root")
def test_a_damaged_record_is_said(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (data / "journal" / "00000003.json").write_text("{")
    assert main(["undo", "list"]) == ExitCode.OK
    assert "its record is damaged" in capsys.readouterr().out
    assert main(["undo", "3", "--yes"]) == ExitCode.FAILED
    assert "The record of change 3 is damaged" in capsys.readouterr().err


def test_while_another_aria_owns_the_data_it_looks_and_does_not_touch(
    root: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with DatabaseLock.take(data / "aria.lock", "window"):
        assert main(["undo", "list"]) == ExitCode.OK
        assert main(["undo", "show"]) == ExitCode.OK
        assert main(["undo", "--yes"]) == ExitCode.BUSY
    assert 'say or type "undo that"' in capsys.readouterr().err
    assert (root / "a.txt").read_text() == "one\ntwo\nthree\n"


@pytest.mark.usefixtures("root")
def test_it_is_told_in_the_audit(data: Path, typed: Callable[[str], None]) -> None:
    typed("no\n")
    main(["undo"])
    main(["undo", "--yes"])
    with DatabaseLock.take(data / "aria.lock", "test") as lock, Database.open(data / "aria.db", lock) as database:
        found = Audit(database).records(10)
    assert [(one.what, one.outcome, one.by) for one in found] == [
        ("decided", "refused", "you"),
        ("decided", "allowed", "--yes"),
        ("ended", "done", ""),
    ]
    assert all(len(one.shown) == 64 for one in found[:2])


class TestTheTrash:
    def test_is_listed_restored_and_that_undone(self, root: Path, said: Said) -> None:
        main(["undo", "trash", "--json"])
        (entry,) = [entry for entry in json.loads(said()) if entry["why"] == "kept"]
        assert main(["undo", "restore", entry["name"]]) == ExitCode.OK
        assert (root / "b.txt").read_text() == "bee\n"
        assert main(["undo", "--yes"]) == ExitCode.OK
        assert not (root / "b.txt").exists()

    def test_never_writes_over_anything(self, root: Path, said: Said) -> None:
        main(["undo", "trash", "--json"])
        (entry,) = [entry for entry in json.loads(said()) if entry["why"] == "kept"]
        (root / "b.txt").write_text("mine")
        assert main(["undo", "restore", entry["name"]]) == ExitCode.FAILED
        assert (root / "b.txt").read_text() == "mine"

    @pytest.mark.usefixtures("root")
    def test_is_emptied_for_good_after_a_yes(self, data: Path, typed: Callable[[str], None], said: Said) -> None:
        typed("no\n")
        assert main(["undo", "empty"]) == ExitCode.REFUSED
        assert len(list((data / "trash").iterdir())) == 3
        typed("yes\n")
        assert main(["undo", "empty"]) == ExitCode.OK
        assert list((data / "trash").iterdir()) == []
        said()
        assert main(["undo", "--turn", "--yes"]) == ExitCode.FAILED
        assert "is no longer kept" in said()
