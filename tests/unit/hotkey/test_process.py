"""The key's process as the program holds it: started, told, restarted, ended. Its part is played by small programs."""

from __future__ import annotations

import os
import queue
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from aria_desktop.hotkey import process as module
from aria_desktop.hotkey.lines import Ended, Ready, line, read
from aria_desktop.hotkey.moves import Move, What
from aria_desktop.hotkey.process import TalkKeyProcess
from aria_desktop.hotkey.ways import Refusal

READY = Ready("x11", (Refusal("portal", "no bus", ""),))
PRESS, RELEASE = Move(What.PRESS), Move(What.RELEASE, 1.5)
WAIT_S = 20

Told = queue.SimpleQueue[Ready | Ended | Move]


@contextmanager
def started(code: str) -> Iterator[tuple[TalkKeyProcess, Told]]:
    told: Told = queue.SimpleQueue()
    program = f"import sys\nfrom sys import stdin\ndef say(x): sys.stdout.buffer.write(x); sys.stdout.flush()\n{code}"
    helper = TalkKeyProcess([sys.executable, "-c", program], os.environ, told.put, told.put)
    helper.start()
    try:
        yield helper, told
    finally:
        helper.close()
        helper.close()


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAUSES_S", (0.0, 0.0))


@pytest.mark.parametrize("told", [READY, Ready("", ()), PRESS, RELEASE, Ended("the X server has ended")])
def test_lines_say_what_they_were_made_from(told: Ready | Ended | Move) -> None:
    assert read(line(told)) == told


@pytest.mark.parametrize(
    "data", [b"", b"nonsense", b"{}", b"[1]", b'{"tell": "jump", "held_s": 0}', b'{"tell": "press"}']
)
def test_what_is_no_line_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        read(data)


def test_what_is_heard_is_passed_on_and_the_microphone_is_told() -> None:
    waits = "assert 'true' in stdin.readline()"
    code = f"say({line(READY)!r})\nsay({line(PRESS)!r})\n{waits}\nsay({line(RELEASE)!r})\nstdin.read()"
    with started(code) as (helper, told):
        assert [told.get(timeout=WAIT_S) for _ in range(2)] == [READY, PRESS]
        helper.listening(True)
        assert told.get(timeout=WAIT_S) == RELEASE
    assert told.empty()


@pytest.mark.usefixtures("at_once")
def test_a_process_that_dies_during_a_press_lets_the_key_go_and_is_started_again() -> None:
    with started(f"say({line(READY)!r})\nsay({line(PRESS)!r})\nimport os; os.abort()") as (_, told):
        lives = [[told.get(timeout=WAIT_S) for _ in range(3)] for _ in range(3)]
        for ready, press, release in lives:
            assert (ready, press) == (READY, PRESS)
            assert isinstance(release, Move)
            assert release.what is What.RELEASE
        assert told.get(timeout=WAIT_S) == Ended("it died")


@pytest.mark.usefixtures("at_once")
def test_the_reason_of_the_last_end_is_told() -> None:
    with started(f"say({line(READY)!r})\nsay({line(Ended('the X server has ended'))!r})") as (_, told):
        assert [told.get(timeout=WAIT_S) for _ in range(4)] == [READY] * 3 + [Ended("the X server has ended")]


@pytest.mark.usefixtures("at_once")
def test_nonsense_ends_it() -> None:
    with started("say(b'hello\\n')\nstdin.read()") as (_, told):
        assert isinstance(told.get(timeout=WAIT_S), Ended)


def test_where_no_way_works_it_is_not_started_again() -> None:
    with started(f"say({line(Ready('', ()))!r})\nsys.exit(1)") as (helper, told):
        assert told.get(timeout=WAIT_S) == Ready("", ())
        helper.listening(True)
    assert told.empty()


def test_a_program_that_is_not_there_is_told() -> None:
    told: Told = queue.SimpleQueue()
    helper = TalkKeyProcess(["/nowhere/at/all"], {}, told.put, told.put)
    helper.start()
    ended = told.get(timeout=WAIT_S)
    assert isinstance(ended, Ended)
    assert "can't be started" in ended.reason
    helper.close()


def test_one_that_was_never_started_can_be_closed() -> None:
    TalkKeyProcess(["/nowhere/at/all"], {}, lambda _: None, lambda _: None).close()
