"""Ten bugs that public systems of this kind really had, each with what the rival did as the control."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from aria_desktop.commands.ask import Answerer
from aria_desktop.commands.elsewhere import Elsewhere
from aria_desktop.commands.transcribe import Job, carry_out
from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest
from aria_desktop.core.audio import SPEECH
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import Message, Outcome, Role
from aria_desktop.core.errors import AriaError, EngineDied, EngineFailed, ExitCode, ModelDamaged, StorageError
from aria_desktop.core.events import ApprovalRequested, TurnEnded
from aria_desktop.core.interfaces import Generation, RecognitionHints
from aria_desktop.core.requests import ListenMode, StartListening, SubmitText
from aria_desktop.engines.language import llama_cpp
from aria_desktop.gui.state.arming import DELAY
from aria_desktop.safety.models.gguf_check import check_gguf
from aria_desktop.storage.lock import DatabaseLock
from aria_desktop.storage.recovery import open_or_recover
from aria_desktop.testing.script import Ending, Step
from aria_desktop.testing.scripted import ScriptedSpeechToText
from aria_desktop.testing.sounds import tone
from tests.conftest import REPOSITORY
from tests.safety import bad_databases, test_rival_bugs
from tests.safety.bad_models import EMPTY_KEY, GGUF
from tests.safety.conftest import Tried
from tests.safety.staging_stage import bed
from tests.safety.test_bad_models import native
from tests.safety.test_storage_kill import reopened, victim
from tests.safety.tiers import tries
from tests.safety.undo_stage import Stage as Undoing
from tests.safety.undo_stage import furnished, state_of
from tests.safety.users import UIDS
from tests.tiny_model import TinyModel
from tests.unit.assistant.agent_stage import Run, answer, call, calls
from tests.unit.assistant.stage import Stage, answering, open_store, quiet

SET = "rival bugs"
REPORTS = {
    "R1": "NousResearch/hermes-agent#89737",
    "R2": "google-gemini/gemini-cli#4586",
    "R3": "anthropics/claude-code#88462",
    "R4": "anthropics/claude-code#93602",
    "R5": "anthropics/claude-code#44288",
    "R6": "aaif-goose/goose#1469",
    "R7": "openai/codex#37081",
    "R8": "ggml-org/llama.cpp#24884 and #19051",
    "R9": "SYSTRAN/faster-whisper#1293",
    "R10": "NousResearch/hermes-agent#75780",
}


def test_every_report_has_its_test() -> None:
    found = {match[1].upper() for name in vars(test_rival_bugs) if (match := re.match(r"test_(r\d+)_", name))}
    assert found == set(REPORTS)


@pytest.fixture
def stage(tmp_path: Path) -> Undoing:
    root = tmp_path / "ws"
    root.mkdir()
    furnished(root)
    return Undoing(root, tmp_path / "data")


# R1: a short-lived second process on the database of a running one.


def acknowledged_beside(path: Path, visitor: Callable[[], object]) -> set[str]:
    """The turns that a writing process acknowledged while visitors came and went, until it was killed."""
    told = []
    with victim(path, "endless") as process:
        assert process.stdout is not None
        for _ in range(3):
            told += [process.stdout.readline().strip() for _ in range(30)]
            visitor()
        process.kill()
        told += process.stdout.read().split("\n")[:-1]
    return set(told)


def stored(path: Path) -> set[str]:
    with reopened(path) as store:
        return {turn.turn_id for session in store.sessions() for turn in store.turns(session.session_id)}


def test_r1_a_second_process_on_the_database_costs_nothing(tmp_path: Path, tried: Tried) -> None:
    tried.begin(SET)
    data = tmp_path / "home" / "data"
    data.mkdir(parents=True, mode=0o700)
    environment = {**os.environ, "ARIA_HOME": str(tmp_path / "home")}

    def other_commands() -> None:
        for words in (("sessions", "list"), ("audit", "--last", "1"), ("facts", "list")):
            aria = [sys.executable, "-m", "aria_desktop", *words]
            subprocess.run(aria, env=environment, cwd=REPOSITORY, capture_output=True, check=False, timeout=60)

    told = acknowledged_beside(data / "aria.db", other_commands)
    assert len(told) >= 90
    assert told <= stored(data / "aria.db")

    careless = tmp_path / "careless" / "aria.db"
    careless.parent.mkdir()

    def takes_the_journal_away() -> None:
        careless.with_name("aria.db-wal").unlink(missing_ok=True)

    lost = acknowledged_beside(careless, takes_the_journal_away)
    try:
        control = not lost <= stored(careless)
    except AriaError:
        control = True
    assert control
    tried.control(SET)


def test_r1_a_database_that_can_not_be_put_right_is_no_reason_for_another_one(tmp_path: Path, tried: Tried) -> None:
    tried.begin(SET)
    path = tmp_path / "aria.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE bookmarks (x)")
    connection.close()
    bad_databases.pipe(path)
    with DatabaseLock.take(path.with_suffix(".lock"), "test") as lock, pytest.raises(StorageError):
        open_or_recover(path, lock)
    assert [file.name for file in tmp_path.glob("*.db*")] == ["aria.db"]
    assert path.is_fifo()


# R2: thirty files moved into a folder that is not there.


def test_r2_thirty_files_moved_into_a_folder_that_is_missing_are_thirty_files(stage: Undoing, tried: Tried) -> None:
    tried.begin(SET)
    for number in range(30):
        (stage.root / f"f{number}.dat").write_bytes(bytes([number]) * 100)
    before = state_of(stage.root)
    with stage.acting() as workspace:
        for number in range(30):
            workspace.carry_out(workspace.plan_move(f"f{number}.dat", "sorted/"))
    moved = {path.name: path.read_bytes() for path in (stage.root / "sorted").iterdir()}
    assert moved == {f"f{number}.dat": bytes([number]) * 100 for number in range(30)}
    stage.undo_turn()
    assert state_of(stage.root) == before
    naive = stage.root.parent / "naive"
    naive.mkdir()
    for number in range(30):
        (naive / f"f{number}").write_bytes(bytes([number]))
        (naive / f"f{number}").rename(naive / "sorted")
    assert len(list(naive.iterdir())) == 1
    tried.control(SET)


# R3: a script of the agent's own that deletes something else than it says.

SCRIPT = 'd=/tmp/aria-scratch\ntrap \'rm -rf "$d"\' EXIT\nmkdir -p "$d"\nd="$HOME/outside"; d="${d:-$HOME}"\n'


@pytest.mark.parametrize("uid", UIDS)
def test_r3_a_script_with_a_trap_is_shown_whole_and_reaches_no_home(uid: int, tried: Tried) -> None:
    tried.begin(SET, uid=uid)
    with bed(uid) as there:
        with there.opened() as workspace:
            change = workspace.plan_write("clean.sh", SCRIPT)
            assert change.after == SCRIPT
            workspace.apply(change)
        outside = there.picture()[1]
        there.kept("bash clean.sh")
        assert there.picture()[1] == outside
        there.plainly("bash clean.sh")
        assert there.picture()[1] != outside
    tried.control(SET, uid=uid)


# R4: one way to delete is refused, another one is tried.


@pytest.mark.parametrize("spelling", ["notes", "notes/", "./notes", "notes/.", ".//notes", "ws/notes"])
def test_r4_one_deletion_in_six_spellings_is_one_outcome_and_comes_back_whole(
    stage: Undoing, spelling: str, tried: Tried
) -> None:
    tried.begin(SET)
    before = state_of(stage.root)
    with stage.acting() as workspace:
        placement = workspace.plan_delete(spelling)
        assert placement.seen is not None
        assert placement.seen.inside == ("c.md", "d.bin")
        workspace.carry_out(placement)
    assert state_of(stage.root) == {path: told for path, told in before.items() if not path.startswith("notes")}
    stage.undo_turn()
    assert state_of(stage.root) == before


WAYS = (
    "rm -rf sub",
    "find sub -delete",
    "mv sub ~/",
    "python3 -c 'import shutil; shutil.rmtree(\"sub\")'",
    "perl -MFile::Path -e 'File::Path::rmtree(\"sub\")'",
    'd=; rm -rf "$PWD/$d"sub',
)


@pytest.mark.parametrize("uid", UIDS)
@pytest.mark.parametrize("way", WAYS)
def test_r4_each_way_around_a_refusal_is_the_same_list_of_losses_and_comes_back(
    way: str, uid: int, tried: Tried
) -> None:
    tried.begin(SET, uid=uid)
    with bed(uid) as there:
        before = there.picture()
        staged = there.kept(way)
        told = {(change.kind.value, change.path) for change in staged.changes}
        assert told == {
            ("deleted", "sub/deep/e.txt"),
            ("deleted", "sub/f.txt"),
            ("folder deleted", "sub/deep"),
            ("folder deleted", "sub"),
        }
        there.taken_back()
        assert there.picture() == before
        there.plainly(way)
        assert not (there.root / "sub").exists()
    tried.control(SET, uid=uid)


# R5: a question and a deletion in one reply.


def test_r5_nothing_happens_in_the_reply_that_asks_something(tmp_path: Path, tried: Tried) -> None:
    tried.begin(SET)
    (tmp_path / "ws").mkdir()
    file = tmp_path / "ws" / "a.txt"
    file.write_text("mine\n")
    delete = {"tool": "delete_file", "path": "a.txt"}
    for wanted in (
        ({"tool": "ask_user", "question": "Really?"}, delete),
        (delete, {"tool": "ask_user", "question": "?"}),
    ):
        run = Run(tmp_path / "ws", [calls(*wanted)], words="delete a.txt")
        run()
        assert not any(end == ("delete_file", Outcome.DONE) for end in run.ends())
        assert run.of(ApprovalRequested) == []
        assert file.read_text() == "mine\n"
    assert DELAY >= 0.7
    alone = Run(tmp_path / "ws", [calls(delete)], words="delete a.txt", approver=_Yes())
    alone()
    assert not file.exists()
    tried.control(SET)


class _Yes:
    def __init__(self) -> None:
        self.requests: list[ApprovalRequest] = []

    def ask(self, request: ApprovalRequest, cancel: CancelToken) -> ApprovalDecision:
        cancel.raise_if_cancelled()
        self.requests.append(request)
        return ApprovalDecision(True, "you")


# R6: without anybody to ask, what needed approval was done; the question named neither tool nor reach.


@pytest.mark.parametrize("allowed", [False, True])
def test_r6_where_nobody_can_be_asked_the_answer_is_no(tmp_path: Path, tried: Tried, allowed: bool) -> None:
    if not allowed:
        tried.begin(SET)
    root = tmp_path / "ws"
    root.mkdir()
    (root / "app.log").write_text("lines\n")
    (tmp_path / "system.log").write_text("lines\n")
    settled = Elsewhere()
    nobody = Answerer(["delete_file"] if allowed else [], settled, terminal=False, elsewhere=False)
    run = Run(root, [call("delete_file", path="app.log"), answer("That is all.")], words="delete app.log")
    run.approver = _Answered(nobody)
    with suppress(AssertionError):  # after a no the model is not asked again
        run()
    settled.close()
    (asked,) = run.approver.requests
    assert asked.tool == "delete_file"
    assert asked.path == str(root / "app.log")
    assert (root / "app.log").exists() is not allowed
    assert (tmp_path / "system.log").exists()
    if allowed:
        tried.control(SET)


class _Answered(_Yes):
    def __init__(self, answerer: Answerer) -> None:
        super().__init__()
        self._answerer = answerer

    def ask(self, request: ApprovalRequest, cancel: CancelToken) -> ApprovalDecision:
        super().ask(request, cancel)
        told = self._answerer(request)
        assert told is not None
        return ApprovalDecision(*told)


# R7: only the outermost .git was protected.


@pytest.mark.parametrize("uid", UIDS)
def test_r7_a_hook_of_a_nested_repository_is_never_planted(uid: int, tried: Tried) -> None:
    tried.begin(SET, uid=uid)
    plant = "echo evil > project/.git/hooks/pre-commit; mkdir -p a/b/.git/hooks; echo evil > a/b/.git/hooks/post-merge"
    with bed(uid) as there:
        hook = there.root / "project" / ".git" / "hooks" / "pre-commit"
        there.kept(plant)
        assert hook.read_text() == "as it was\n"
        assert not (there.root / "a" / "b" / ".git").exists()
        there.plainly(plant)
        assert hook.read_text() == "evil\n"
    tried.control(SET, uid=uid)


# R8: a file of 37 bytes ends the process; a grammar that does not parse means no grammar.


def test_r8_a_model_of_37_bytes_is_refused_before_llama_cpp_sees_it(tmp_path: Path, tried: Tried) -> None:
    tried.begin(SET)
    path = tmp_path / "bad.gguf"
    path.write_bytes(EMPTY_KEY)
    assert path.stat().st_size == 37
    with pytest.raises(ModelDamaged, match="empty name"):
        check_gguf(path)
    (dies,) = (case for case in GGUF if case.name == "no layers")
    assert native(dies.make(tmp_path)) == "died"
    tried.control(SET)


def test_r8_without_its_grammar_nothing_is_generated(
    tmp_path: Path, tried: Tried, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried.begin(SET)
    engine = llama_cpp.load(str(TinyModel().write(tmp_path / "tiny.gguf")), {"context_tokens": 512})
    asked = Generation((Message(Role.USER, "hello"),), {"type": "string", "maxLength": 4}, max_tokens=8)
    assert len(list(engine.complete(asked, CancelToken()))) > 1
    monkeypatch.setattr(llama_cpp, "to_gbnf", lambda _: "root ::= (((")
    came: list[object] = []
    with pytest.raises(EngineFailed, match="does not accept"):
        came.extend(engine.complete(asked, CancelToken()))
    assert came == []
    free = Generation((Message(Role.USER, "hello"),), None, max_tokens=8)
    assert len(list(engine.complete(free, CancelToken()))) > 1
    tried.control(SET)


# R9: the recogniser dies in the middle, and with it what it had recognised.


def test_r9_what_was_recognised_before_the_engine_died_is_told_and_the_next_file_works(
    tmp_path: Path, tried: Tried, capsys: pytest.CaptureFixture[str]
) -> None:
    tried.begin(SET)
    with open_store(tmp_path) as store:
        stage = Stage(tmp_path, store)
        stage.files = {name: tone(5.0, SPEECH) for name in ("/sounds/a.wav", "/sounds/b.wav")}
        stage.will_hear(Step(("One.", "Two.", "Three."), then=Ending.CRASH), "All of it.")
        with stage.session() as session:
            code = carry_out(session, [Job(Path(name), None) for name in stage.files], "txt", "")
    printed = capsys.readouterr()
    assert code == EngineDied.exit_code != ExitCode.OK
    assert "What was recognised before that: One. Two. Three.\n" in printed.err
    assert printed.out == "b.wav:\nAll of it.\n"
    dying = ScriptedSpeechToText([Step(("One.", "Two.", "Three."), then=Ending.CRASH)])
    collected = []
    with pytest.raises(EngineDied):
        collected += list(dying.transcribe(tone(5.0, SPEECH), RecognitionHints(), CancelToken()))
    tried.control(SET, int(collected == []))


# R10: it hears its own voice, and answers it.


def test_r10_a_hundred_replies_into_its_own_microphone_are_no_turn(tmp_path: Path, tried: Tried) -> None:
    tried.begin(SET)
    turns = tries(20, 100)
    with open_store(tmp_path) as store:
        stage = Stage(tmp_path, store)
        stage.will(*(answering("Hello there.") for _ in range(turns + 1)))
        stage.will_hear("Hello there.")
        stage.speaker.heard_by(stage.microphone)
        with stage.session() as session:
            for number in range(turns):
                session.submit(SubmitText(f"r{number}", "say hello", speak=True))
                stage.ended(f"r{number}")
            assert len(stage.log.of(TurnEnded)) == turns
            assert len(stage.speaker.played) >= turns
            session.submit(StartListening("open", ListenMode.UNTIL_SILENCE, speak=False))
            stage.microphone.feed(quiet(2.0))
            assert stage.ended("open").turn_id
    tried.control(SET)
