"""An engine's process gets the memory that its model is reckoned to need, and no more: beyond that it is an error that
says so, and the machine goes on."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.errors import AriaError, EngineDied, EngineOutOfMemory
from aria_desktop.core.events import EngineRole
from aria_desktop.safety.models.memory_limit import MARGIN, claim, limit, ran_out
from aria_desktop.workers.host import LoadSpec, WorkerHost
from aria_desktop.workers.process import ChildProcess
from aria_desktop.workers.remote import RemoteTextToSpeech
from tests.conftest import REPOSITORY
from tests.safety.conftest import Tried

SET = "engines that take memory"
ENGINE = """
import ctypes, os, sys
from aria_desktop.core.audio import AudioChunk, AudioFormat
from aria_desktop.core.interfaces import Capabilities, Voice
from aria_desktop.engines import registry
from aria_desktop.safety.models import memory_limit
from aria_desktop.workers import child

FORMAT = AudioFormat(22050)

class Engine:
    capabilities = Capabilities("one that takes memory", voice=Voice(FORMAT, "en"))
    def synthesize(self, text, cancel):
        take(text)
        yield AudioChunk(FORMAT, bytes(200))

def take(how):
    if how == "Python":
        kept = bytearray(SIZE)
    elif how == "native":
        libc = ctypes.CDLL(None)
        libc.malloc.restype = ctypes.c_void_p
        if not libc.malloc(ctypes.c_size_t(SIZE)):
            sys.stderr.write("terminate called after throwing an instance of 'std::bad_alloc'\\n")
            sys.stderr.flush()
            os.abort()

SIZE = memory_limit.MARGIN + (1 << 30)

def load(name, path, options):
    memory_limit.claim(100 << 20)
    take(options["load"])
    return Engine()

if sys.argv[1] == "control":
    memory_limit.confine = lambda: None
registry.load_voice = load
child.serve("voice")
"""


@contextmanager
def engine(how: str, at_load: str = "") -> Iterator[WorkerHost]:
    """One that is `held` to its claim, or the control, which is not."""

    def start(on_message: object, on_end: object) -> ChildProcess:
        return ChildProcess("voice", [sys.executable, "-P", "-c", ENGINE, how], on_message, on_end)  # type: ignore[arg-type]

    spec = LoadSpec("greedy", "/x", {"load": at_load})
    host = WorkerHost(EngineRole.VOICE, spec, lambda _state, _words: None, start_child=start)
    try:
        yield host
    finally:
        host.close()


def outcome(host: WorkerHost, texts: Sequence[str]) -> list[type[AriaError] | None]:
    """What came of each; None: it was said."""
    found = [trouble(host, text) for text in texts]
    assert all("more memory than" in error.text and error.hint for error in found if error is not None), found
    return [None if error is None else type(error) for error in found]


def trouble(host: WorkerHost, text: str) -> AriaError | None:
    try:
        list(RemoteTextToSpeech(host).synthesize(text, CancelToken()))
    except AriaError as error:
        return error
    return None


def test_what_a_job_takes_beyond_it_is_an_error_and_the_engine_goes_on(tried: Tried) -> None:
    tried.begin(SET)
    with engine("held") as host:
        assert outcome(host, ["little", "Python", "little"]) == [None, EngineOutOfMemory, None]
    with engine("control") as host:
        assert outcome(host, ["Python"]) == [None]
    tried.control(SET)


def test_an_engine_that_ends_over_it_is_said_to_have_and_comes_back(tried: Tried) -> None:
    tried.begin(SET)
    with engine("held") as host:
        assert outcome(host, ["native", "little"]) == [EngineDied, None]
    with engine("control") as host:
        assert outcome(host, ["native"]) == [None]
    tried.control(SET)


def test_what_loading_takes_beyond_it_is_said(tried: Tried) -> None:
    tried.begin(SET)
    with engine("held", at_load="Python") as host:
        assert outcome(host, ["little"]) == [EngineOutOfMemory]
    with engine("control", at_load="Python") as host:
        assert outcome(host, ["little"]) == [None]
    tried.control(SET)


def test_a_process_that_was_not_confined_claims_nothing() -> None:
    claim(1)
    assert limit() == 0
    bytearray(MARGIN + (1 << 30))


INHERITS = """
import subprocess, sys
from aria_desktop.safety.models import memory_limit
memory_limit.confine()
memory_limit.claim(1 << 20)
code = f"bytearray({memory_limit.MARGIN + (1 << 30)}); print('got it')"
print(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout)
memory_limit.claim(4 << 30)
bytearray(memory_limit.MARGIN + (1 << 30))
print("a later claim counts")
"""


def test_children_are_held_to_it_too_and_a_later_claim_takes_its_place() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INHERITS], cwd=REPOSITORY, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "\na later claim counts\n"


@pytest.mark.parametrize(
    ("words", "out"),
    [
        ("terminate called after throwing an instance of 'std::bad_alloc'", True),
        ("ggml_backend_cpu_buffer_type_alloc_buffer: failed to allocate buffer of size 9", True),
        ("[Errno 12] Cannot allocate memory", True),
        ("GGML_ASSERT(n > 0) failed", False),
        ("", False),
    ],
)
def test_last_words_that_tell_of_memory(words: str, out: bool) -> None:
    assert ran_out(words) is out
