"""Scripted engines in real child processes: crashes, deafness, death of either side, and nothing left over."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from aria_desktop.core.audio import SPEECH
from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.chat import Message, Role
from aria_desktop.core.errors import EngineDied, EngineFailed, EngineGivenUp
from aria_desktop.core.events import EngineRole, EngineState
from aria_desktop.core.interfaces import Generation, GenerationEnd, RecognitionHints
from aria_desktop.core.transcript import RecognitionEnd, Segment
from aria_desktop.testing.script import ScriptFile
from aria_desktop.testing.sounds import silence
from aria_desktop.workers.host import LoadSpec, WorkerHost
from aria_desktop.workers.messages import Done, Greeting, Load, Synthesize, from_wire, to_wire
from aria_desktop.workers.process import ChildProcess, command_line
from aria_desktop.workers.remote import RemoteLanguageModel, RemoteSpeechToText, RemoteTextToSpeech
from aria_desktop.workers.restarts import RestartPlan
from aria_desktop.workers.wire import encode, read_frame
from tests.conftest import REPOSITORY, Children

PATIENCE = 30.0
SOON = RestartPlan(pauses=(0.01,))
ASK = Generation((Message(Role.USER, "Hello?"),))


class Stage:
    def __init__(self, role: EngineRole, script: Path, unload_after_s: float, late_after_s: float) -> None:
        self.changes: queue.Queue[tuple[EngineState, str]] = queue.Queue()
        self.record = ScriptFile(script, str(role))
        self.host = WorkerHost(
            role,
            LoadSpec("scripted", str(script)),
            lambda state, detail: self.changes.put((state, detail)),
            unload_after_s,
            late_after_s=late_after_s,
            plan=SOON,
        )

    def becomes(self, state: EngineState) -> str:
        while True:
            seen, detail = self.changes.get(timeout=PATIENCE)
            if seen is state:
                return detail

    def process(self) -> psutil.Process:
        self.host.loaded(CancelToken())
        assert self.host.pid is not None
        return psutil.Process(self.host.pid)


@contextmanager
def stage(
    role: EngineRole, folder: Path, script: dict[str, Any], unload_after_s: float = 0.0, late_after_s: float = 60.0
) -> Iterator[Stage]:
    path = folder / "script.json"
    path.write_text(json.dumps(script), encoding="utf-8")
    made = Stage(role, path, unload_after_s, late_after_s)
    try:
        yield made
    finally:
        made.host.close()


def reply(host: WorkerHost, cancel: CancelToken | None = None) -> list[str | GenerationEnd]:
    return list(RemoteLanguageModel(host).complete(ASK, cancel or CancelToken()))


def test_the_three_roles_answer_through_their_processes(tmp_path: Path) -> None:
    script = {"speech": ["Hello there."], "language": [["Hi", " you"]], "voice": "tone"}
    with stage(EngineRole.SPEECH, tmp_path, script) as s:
        language, segment, end = RemoteSpeechToText(s.host).transcribe(
            silence(2.0, SPEECH), RecognitionHints(phrases=("ARIA",)), CancelToken()
        )
        assert language == "en"
        assert isinstance(segment, Segment)
        assert (segment.text, segment.end, len(segment.words)) == ("Hello there.", 2.0, 2)
        assert end == RecognitionEnd(speech_s=2.0, passes=1)
    with stage(EngineRole.LANGUAGE, tmp_path, script) as s:
        model = RemoteLanguageModel(s.host)
        assert model.context_tokens == 0
        assert reply(s.host)[:2] == ["Hi", " you"]
        assert model.context_tokens == 4096
        s.record.assert_used_up("complete")
    with stage(EngineRole.VOICE, tmp_path, script) as s:
        voice = RemoteTextToSpeech(s.host)
        assert voice.language(CancelToken()) == "en"
        chunks = list(voice.synthesize("One. Two.", CancelToken()))
        assert [chunk.format.rate for chunk in chunks] == [22_050, 22_050]
        assert all(chunk.seconds > 0.1 for chunk in chunks)


def test_half_a_surrogate_pair_does_no_harm(tmp_path: Path) -> None:
    with stage(EngineRole.LANGUAGE, tmp_path, {"language": ["ok"]}) as s:
        broken = Generation((Message(Role.USER, "a\ud800b"),))
        assert next(iter(RemoteLanguageModel(s.host).complete(broken, CancelToken()))) == "ok"
        assert s.record.noted("complete")[0]["messages"] == ["a?b"]


def test_killed_in_mid_answer_and_the_next_job_works(tmp_path: Path) -> None:
    with stage(EngineRole.LANGUAGE, tmp_path, {"language": [{"pieces": ["a"], "then": "hang"}, "fine"]}) as s:
        answers = RemoteLanguageModel(s.host).complete(ASK, CancelToken())
        assert next(answers) == "a"
        first = s.process()
        first.kill()
        with pytest.raises(EngineDied, match="SIGKILL"):
            next(answers)
        assert reply(s.host)[0] == "fine"
        assert s.process().pid != first.pid


def test_an_engine_that_crashes_at_each_start_is_given_up(tmp_path: Path) -> None:
    with stage(EngineRole.LANGUAGE, tmp_path, {"language": ["fine"], "load": ["crash"] * 3}) as s:
        with pytest.raises(EngineGivenUp, match="3 times"):
            reply(s.host)
        assert len(s.record.noted("load")) == 3
        s.host.start()
        assert reply(s.host)[0] == "fine"


def test_a_crash_tells_the_last_words(tmp_path: Path) -> None:
    with stage(EngineRole.LANGUAGE, tmp_path, {"language": ["fine"]}) as s:
        os.kill(s.process().pid, signal.SIGTERM)
        assert "SIGTERM" in s.becomes(EngineState.RESTARTING)


def test_a_deaf_engine_frees_its_caller_and_is_replaced(tmp_path: Path) -> None:
    script = {"language": [{"pieces": ["a"], "then": "deaf"}, "fine"]}
    with stage(EngineRole.LANGUAGE, tmp_path, script, late_after_s=0.1) as s:
        cancel = CancelToken()
        answers = RemoteLanguageModel(s.host).complete(ASK, cancel)
        assert next(answers) == "a"
        deaf = s.process()
        cancel.cancel()
        with pytest.raises(Cancelled):
            next(answers)
        assert reply(s.host)[0] == "fine"
        assert not deaf.is_running()


def test_a_hanging_engine_is_cancelled_and_lives_on(tmp_path: Path) -> None:
    with stage(EngineRole.LANGUAGE, tmp_path, {"language": [{"then": "hang"}, "fine"]}) as s:
        cancel = CancelToken()
        before = s.process().pid
        timer = threading.Timer(0.05, cancel.cancel)
        timer.start()
        with pytest.raises(Cancelled):
            reply(s.host, cancel)
        timer.join()
        assert reply(s.host)[0] == "fine"
        assert s.process().pid == before


def test_an_unloaded_engine_has_no_process_until_the_next_job(tmp_path: Path, own_children: Children) -> None:
    with stage(EngineRole.LANGUAGE, tmp_path, {"language": ["one", "two"]}, unload_after_s=0.2) as s:
        assert reply(s.host)[0] == "one"
        s.becomes(EngineState.OFF)
        assert s.host.pid is None
        assert own_children() == []
        assert reply(s.host)[0] == "two"


@pytest.mark.parametrize(
    ("load", "reason"),
    [
        (LoadSpec("no-such-engine", "/x"), "There is no engine 'no-such-engine'"),
        (LoadSpec("scripted", "relative.json"), "not absolute"),
        (LoadSpec("scripted", "/no/such/script.json"), "can't be read"),
    ],
)
def test_an_engine_that_cannot_be_loaded_says_why(load: LoadSpec, reason: str) -> None:
    host = WorkerHost(EngineRole.LANGUAGE, load, lambda _state, _detail: None)
    try:
        with pytest.raises(EngineFailed, match=reason):
            reply(host)
        assert host.state is EngineState.FAILED
    finally:
        host.close()


def test_a_step_that_the_script_does_not_have_is_an_error_and_no_death(tmp_path: Path) -> None:
    with stage(EngineRole.LANGUAGE, tmp_path, {"language": []}) as s:
        before = s.process().pid
        with pytest.raises(EngineFailed, match="unexpected call"):
            reply(s.host)
        assert s.process().pid == before


HOLDER = """
import sys, threading
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.events import EngineRole
from aria_desktop.core.interfaces import Generation
from aria_desktop.workers.host import LoadSpec, WorkerHost
from aria_desktop.workers.remote import RemoteLanguageModel
host = WorkerHost(EngineRole.LANGUAGE, LoadSpec("scripted", sys.argv[1]), lambda state, detail: None)
answers = RemoteLanguageModel(host).complete(Generation(()), CancelToken())
print(next(answers), host.pid, flush=True)
next(answers)
"""


@pytest.mark.parametrize("then", ["hang", "deaf"])
def test_a_child_dies_with_the_program_however_it_dies(tmp_path: Path, then: str) -> None:
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"language": [{"pieces": ["a"], "then": then}]}), encoding="utf-8")
    program = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(script)], cwd=REPOSITORY, stdout=subprocess.PIPE, text=True
    )
    assert program.stdout is not None
    with program.stdout:
        child = psutil.Process(int(program.stdout.readline().split()[1]))
    program.kill()
    program.wait()
    gone, alive = psutil.wait_procs([child], timeout=PATIENCE)
    assert (len(gone), alive) == (1, [])


def worker(arguments: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        arguments,
        cwd=REPOSITORY,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )


@pytest.mark.parametrize("said", [b"nonsense\n", b"[]\n", encode(to_wire(Done(1)))])
def test_a_worker_that_is_told_nonsense_ends_and_says_why(said: bytes) -> None:
    with worker(command_line("voice")) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(said)
        process.stdin.flush()
        assert process.stdout.read() == b""
        assert process.stderr.read().startswith(b"worker: ")
    assert process.returncode not in (0, None)


def test_a_worker_whose_input_ends_ends_quietly() -> None:
    process = worker(command_line("voice"))
    assert process.communicate(b"", timeout=PATIENCE) == (b"", b"")
    assert process.returncode == 0


FAMILY = """
import os, subprocess, sys, time
own = subprocess.Popen(["sleep", "1000"], stdout=sys.stderr)
other = subprocess.Popen(["sleep", "1000"], stdout=sys.stderr, start_new_session=True)
print(own.pid, other.pid, file=open(sys.argv[1], "w"), flush=True)
os.rename(sys.argv[1], sys.argv[2])
time.sleep(1000 if sys.argv[3] == "lives" else 0)
"""


@pytest.mark.parametrize("fate", ["lives", "ends"])
def test_what_a_child_started_goes_with_it(tmp_path: Path, fate: str) -> None:
    ended: queue.Queue[str] = queue.Queue()
    told = tmp_path / "pids"
    command = [sys.executable, "-c", FAMILY, str(tmp_path / "part"), str(told), fate]
    child = ChildProcess("family", command, lambda _: None, ended.put)
    if fate == "lives":
        while not told.exists():
            assert ended.empty()
        child.end()
    assert ("SIGKILL" if fate == "lives" else "exit code 0") in ended.get(timeout=PATIENCE)
    child.end()
    own, other = (int(pid) for pid in told.read_text().split())
    with suppress(psutil.NoSuchProcess):
        psutil.Process(own).wait(PATIENCE)
    with suppress(psutil.NoSuchProcess, ProcessLookupError):
        # One that left the group of a parent that is gone by itself may be nobody's any more.
        if fate == "ends":
            os.kill(other, signal.SIGKILL)
        psutil.Process(other).wait(PATIENCE)


NOISY = """
import os, sys
from aria_desktop.core.interfaces import Capabilities
from aria_desktop.engines import registry
from aria_desktop.workers import child

class Noisy:
    def __init__(self):
        print("python chatter")
        os.write(1, b"native chatter\\n")
        asked = os.read(0, 100)
        offline = [os.environ[name] for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DATASETS_OFFLINE")]
        self.capabilities = Capabilities(f"stdin {asked!r}, offline {offline}")
    def synthesize(self, text, cancel):
        print(text)
        yield from ()

registry.load_voice = lambda name, path, options: Noisy()
child.serve("voice")
"""


def test_what_an_engine_prints_goes_nowhere_near_the_frames() -> None:
    with worker([sys.executable, "-c", NOISY]) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(encode(to_wire(Load("any", "/x", {}))) + encode(to_wire(Synthesize(1, "spoken chatter"))))
        process.stdin.flush()
        frames = [read_frame(process.stdout) for _ in range(2)]
        greeting, final = (from_wire(frame) for frame in frames if frame is not None)
        process.stdin.close()
        noise = process.stderr.read()
    assert isinstance(greeting, Greeting)
    assert greeting.capabilities.detail == "stdin b'', offline ['1', '1', '1']"
    assert final == Done(1)
    for chatter in (b"python chatter", b"native chatter", b"spoken chatter"):
        assert chatter in noise


def test_a_program_in_the_current_folder_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "json.py").write_text("open('ran', 'w')")
    (tmp_path / "aria_desktop.py").write_text("open('ran', 'w')")
    monkeypatch.chdir(tmp_path)
    with stage(EngineRole.LANGUAGE, tmp_path, {"language": ["fine"]}) as s:
        assert reply(s.host)[0] == "fine"
    assert not (tmp_path / "ran").exists()
