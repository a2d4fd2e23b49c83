"""Storage on a disk that is really full, or really read-only.

Run as `python -m tests.safety.small_disk FOLDER CASE` in a mount namespace where FOLDER is a small disk of its
own. Prints what was found as one JSON object.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from aria_desktop.core.approval import RiskLevel
from aria_desktop.core.errors import AriaError, StorageError
from aria_desktop.core.events import AnswerGiven
from aria_desktop.core.records import Source
from aria_desktop.safety.grants import Grant, Granted
from aria_desktop.safety.journal import Deed, Journal
from aria_desktop.safety.journaled import JournaledWorkspace
from aria_desktop.storage.conversations import Conversations
from aria_desktop.storage.database import Database
from aria_desktop.storage.grants import GrantFile
from aria_desktop.storage.lock import DatabaseLock
from aria_desktop.storage.migrations import MIGRATIONS
from aria_desktop.storage.settings import load_settings, save_setting

Found = dict[str, object]


@contextlib.contextmanager
def opened(folder: Path) -> Iterator[Conversations]:
    with DatabaseLock.take(folder / "aria.lock", "test") as lock, Database.open(folder / "aria.db", lock) as database:
        yield Conversations(database)


def code_of(action: Callable[..., object], *arguments: object) -> str:
    """The code of the error that `action` raises; "no hint" when it comes without a way out."""
    try:
        action(*arguments)
    except AriaError as error:
        return error.code if error.hint else "no hint"
    return "none"


def filled(folder: Path) -> Path:
    """Take all the space that is left."""
    ballast = folder / "ballast"
    with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as file:
        while file.write(bytes(4096)):
            pass
    return ballast


def full_while_writing(folder: Path) -> Found:
    """Turns with long answers until the disk is full, then on after space was made."""
    ballast = folder / "ballast"
    ballast.write_bytes(bytes(1_200_000))
    with opened(folder) as store:
        session = store.new_session()
        acknowledged, code = 0, "none"
        while code == "none":
            code = code_of(turn, store, session, f"t{acknowledged}")
            acknowledged += code == "none"
        refused_again = code_of(turn, store, session, "later")
        ballast.unlink()
        turn(store, session, "after")
    with opened(folder) as store:
        kept = [(t.turn_id, len(t.answer)) for t in store.turns(session) if t.answer]
    return {
        "code": code,
        "refused_again": refused_again,
        "all_kept": kept == [(name, 20_000) for name in (*(f"t{number}" for number in range(acknowledged)), "after")],
        "acknowledged": acknowledged,
    }


def turn(store: Conversations, session: str, turn_id: str) -> None:
    store.begin_turn(session, turn_id, Source.TEXT, "words", "/w")
    store.record(AnswerGiven(turn_id, turn_id.ljust(20_000, "x")))


def full_from_the_start(folder: Path) -> Found:
    ballast = filled(folder)

    def start() -> None:
        with opened(folder):
            pass

    code = code_of(start)
    left = sorted(path.name for path in folder.iterdir() if path.name.endswith(".db"))
    ballast.unlink()
    start()
    return {"code": code, "databases": left}


def full_while_saving_settings(folder: Path) -> Found:
    path = folder / "settings.toml"
    save_setting(path, "limits.steps", 3)
    with path.open("a") as file:
        file.write("# a long comment\n" * 500)
    before = path.read_bytes()
    filled(folder)
    code = code_of(save_setting, path, "limits.steps", 4)
    return {
        "code": code,
        "untouched": path.read_bytes() == before,
        "files": sorted(file.name for file in folder.iterdir()),
        "steps": load_settings(path).limits.steps,
    }


def full_while_changing_a_file(folder: Path) -> Found:
    """The workspace has room and ARIA's own disk has none for the old bytes: so nothing is changed."""
    root = Path(os.environ["ELSEWHERE"]) / "workspace"
    root.mkdir()
    (root / "a.txt").write_text("one\n" * 50_000)
    journal = Journal(folder / "journal", folder / "trash")
    with JournaledWorkspace(root, journal) as opened:
        workspace = opened.acting_for(Deed("t1", "c1", "append_file"))
        change = workspace.plan_append("a.txt", "two")
        ballast = filled(folder)
        code = code_of(workspace.apply, change)
        kept = (root / "a.txt").read_text() == "one\n" * 50_000
        ballast.unlink()
        workspace.apply(workspace.plan_append("a.txt", "two"))
    done = [action.state.value for action in journal.actions()]
    return {"code": code, "kept": kept, "files": sorted(file.name for file in root.iterdir()), "done": done}


def full_while_giving_leave(folder: Path) -> Found:
    """What stood before stands, and no more."""
    file = GrantFile(folder / "data" / "grants.json")
    grant = Grant("g1", "create_file", (("path", "*.txt"),), "/w", "", RiskLevel.LOW, 1.0, 2.0)
    file.change(lambda _: Granted(1.0, (grant,)))
    ballast = filled(folder)
    code = code_of(file.change, lambda _: Granted(2.0, (grant,) * 200))
    stands = len(file.read().grants)
    ballast.unlink()
    return {"code": code, "stands": stands, "left": sorted(path.name for path in (folder / "data").iterdir())}


def one_more(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE more (x)")


def full_while_saving_a_copy(folder: Path) -> Found:
    """Before a migration the database is copied; without room for that it stays at the version that it has."""
    with opened(folder) as store:
        turn(store, store.new_session(), "t1")
    path, before = folder / "aria.db", (folder / "aria.db").read_bytes()
    ballast = filled(folder)

    def start() -> None:
        with DatabaseLock.take(folder / "aria.lock", "test") as lock:
            Database.open(path, lock, (*MIGRATIONS, one_more))

    code = code_of(start)
    untouched = path.read_bytes() == before
    ballast.unlink()
    with opened(folder) as store:
        turns = sum(session.turns for session in store.sessions())
    return {"code": code, "untouched": untouched, "turns": turns}


def read_only(folder: Path) -> Found:
    with opened(folder) as store:
        store.begin_turn(store.new_session(), "t1", Source.TEXT, "words", "/w")
    (folder / "settings.toml").write_text("[limits]\nsteps = 3\n")
    subprocess.run(["mount", "-o", "remount,bind,ro", str(folder)], check=True)

    def start() -> None:
        with opened(folder):
            raise StorageError("a read-only disk was opened for writing", "")

    return {
        "lock": code_of(start),
        "save": code_of(save_setting, folder / "settings.toml", "limits.steps", 4),
        "steps": load_settings(folder / "settings.toml").limits.steps,
    }


def read_only_database(folder: Path) -> Found:
    """The lock lies elsewhere, so that it is the database that can't be written."""
    with opened(folder):
        pass
    subprocess.run(["mount", "-o", "remount,bind,ro", str(folder)], check=True)
    with DatabaseLock.take(Path(os.environ["ELSEWHERE"]) / "aria.lock", "test") as lock:
        return {"code": code_of(Database.open, folder / "aria.db", lock)}


if __name__ == "__main__":
    CASES = (
        full_while_writing,
        full_from_the_start,
        full_while_saving_settings,
        full_while_changing_a_file,
        full_while_giving_leave,
        full_while_saving_a_copy,
        read_only,
        read_only_database,
    )
    case = {function.__name__: function for function in CASES}[sys.argv[2]]
    print(json.dumps(case(Path(sys.argv[1]))))
