"""The host against children that do all that a child may do."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.errors import EngineDied, EngineFailed, EngineGivenUp, ModelMissing
from aria_desktop.core.events import EngineState
from aria_desktop.workers import wire
from aria_desktop.workers.host import WorkerHost
from aria_desktop.workers.messages import (
    Cancel,
    Done,
    Failed,
    Greeting,
    LoadFailed,
    Message,
    Part,
    Stopped,
    Synthesize,
    TextPiece,
    Warm,
)
from tests.unit.workers.fake_child import CAPABILITIES, PATIENCE, stage


def speak(text: str) -> Callable[[int], Synthesize]:
    return lambda job: Synthesize(job, text)


def warm(job: int) -> Warm:
    return Warm(job, ())


class Caller:
    """Runs a job on a thread of its own and keeps what came of it."""

    def __init__(self, host: WorkerHost, text: str) -> None:
        self.cancel = CancelToken()
        self.parts: list[Part] = []
        self._pool = ThreadPoolExecutor(1)
        self._future: Future[None] = self._pool.submit(self._run, host, text)

    def _run(self, host: WorkerHost, text: str) -> None:
        for part in host.run(speak(text), self.cancel):
            self.parts.append(part)

    def result(self) -> None:
        try:
            self._future.result(timeout=PATIENCE)
        finally:
            self._pool.shutdown()

    @property
    def waits(self) -> bool:
        return not self._future.done()


def heard(message: Message) -> tuple[int, str]:
    assert isinstance(message, Synthesize)
    return message.job, message.text


def test_nothing_is_started_before_it_is_needed() -> None:
    with stage() as s:
        assert s.children.empty()
        assert s.host.capabilities is None
        assert s.host.pid is None


def test_a_job_starts_the_engine_and_gets_its_parts_in_order() -> None:
    with stage() as s:
        caller = Caller(s.host, "one")
        child = s.greeted()
        job, _ = heard(child.hears())
        for text in ("a", "b"):
            child.say(TextPiece(job, text))
        child.say(Done(job))
        caller.result()
        assert caller.parts == [TextPiece(job, "a"), TextPiece(job, "b")]
        assert s.host.capabilities == CAPABILITIES


def test_one_job_at_a_time_in_the_order_they_came() -> None:
    with stage() as s:
        s.host.start()
        child = s.greeted()
        first = Caller(s.host, "one")
        job, text = heard(child.hears())
        second = Caller(s.host, "two")
        assert (text, second.waits, child.hears_nothing_more()) == ("one", True, True)
        child.say(Done(job))
        first.result()
        job, text = heard(child.hears())
        child.say(Done(job))
        second.result()
        assert text == "two"


def test_the_engine_dies_in_the_middle_and_the_next_job_works() -> None:
    with stage() as s:
        caller = Caller(s.host, "one")
        child = s.greeted()
        job, _ = heard(child.hears())
        child.say(TextPiece(job, "half"))
        child.die("killed by SIGKILL")
        with pytest.raises(EngineDied, match="killed by SIGKILL") as raised:
            caller.result()
        assert raised.value.hint
        assert "SIGKILL" in s.becomes(EngineState.RESTARTING)
        again = Caller(s.host, "two")
        child = s.greeted()
        job, _ = heard(child.hears())
        child.say(Done(job))
        again.result()


def test_death_without_a_job_is_noticed_too() -> None:
    with stage() as s:
        s.host.start()
        s.greeted().die("exit code 3")
        assert "exit code 3" in s.becomes(EngineState.RESTARTING)
        s.greeted()
        s.becomes(EngineState.READY)


def test_three_deaths_and_it_is_given_up_until_it_is_started_again() -> None:
    with stage() as s:
        caller = Caller(s.host, "one")
        for _ in range(3):
            s.child().die("killed by SIGSEGV")
        with pytest.raises(EngineGivenUp, match="3 times within 60 seconds") as raised:
            caller.result()
        assert "aria models verify" in raised.value.hint
        assert "SIGSEGV" in s.becomes(EngineState.FAILED)
        with pytest.raises(EngineGivenUp):
            Caller(s.host, "two").result()
        assert s.children.empty()
        s.host.start()
        s.greeted()
        s.becomes(EngineState.READY)


def test_a_job_waits_through_restarts() -> None:
    with stage() as s:
        caller = Caller(s.host, "one")
        s.child().die("exit code 1")
        s.child().die("exit code 1")
        child = s.greeted()
        job, _ = heard(child.hears())
        child.say(Done(job))
        caller.result()


def test_a_cancelled_caller_is_free_although_the_engine_goes_on() -> None:
    with stage() as s:
        caller = Caller(s.host, "one")
        child = s.greeted()
        job, _ = heard(child.hears())
        caller.cancel.cancel()
        with pytest.raises(Cancelled):
            caller.result()
        assert child.hears() == Cancel(job)
        waiting = Caller(s.host, "two")
        child.say(TextPiece(job, "too late"))
        assert child.hears_nothing_more()
        child.say(Done(job))
        second, text = heard(child.hears())
        assert text == "two"
        child.say(Done(second))
        waiting.result()
        assert waiting.parts == []
        assert not child.ended


def test_an_engine_that_does_not_come_back_is_replaced() -> None:
    with stage(late_after_s=0.05) as s:
        caller = Caller(s.host, "one")
        deaf = s.greeted()
        deaf.hears()
        caller.cancel.cancel()
        with pytest.raises(Cancelled):
            caller.result()
        waiting = Caller(s.host, "two")
        child = s.greeted()
        assert deaf.ended
        job, text = heard(child.hears())
        child.say(Done(job))
        waiting.result()
        assert text == "two"


def test_what_a_replaced_child_says_is_not_heard() -> None:
    with stage(late_after_s=0.05) as s:
        caller = Caller(s.host, "one")
        deaf = s.greeted()
        job, _ = heard(deaf.hears())
        caller.cancel.cancel()
        with pytest.raises(Cancelled):
            caller.result()
        child = s.greeted()
        deaf.say(Done(job))
        deaf.die("at last")
        last = Caller(s.host, "two")
        job, _ = heard(child.hears())
        child.say(Done(job))
        last.result()
        assert s.children.empty()


def test_a_waiting_job_that_is_cancelled_is_never_sent() -> None:
    with stage() as s:
        first = Caller(s.host, "one")
        child = s.greeted()
        job, _ = heard(child.hears())
        second, third = Caller(s.host, "two"), Caller(s.host, "three")
        second.cancel.cancel()
        with pytest.raises(Cancelled):
            second.result()
        child.say(Done(job))
        first.result()
        job, text = heard(child.hears())
        assert text == "three"
        child.say(Done(job))
        third.result()


def test_a_token_that_is_set_already_starts_nothing() -> None:
    cancel = CancelToken()
    cancel.cancel()
    with stage() as s:
        with pytest.raises(Cancelled):
            list(s.host.run(speak("one"), cancel))
        assert s.children.empty()


def test_closing_the_iterator_stops_the_job() -> None:
    with stage() as s:
        s.host.start()
        child = s.greeted()
        answers = iter(s.host.run(speak("one"), CancelToken()))
        reader = threading.Thread(target=lambda: next(answers))
        reader.start()
        job, _ = heard(child.hears())
        child.say(TextPiece(job, "a"))
        reader.join(PATIENCE)
        answers.close()  # type: ignore[attr-defined]
        assert child.hears() == Cancel(job)


@pytest.mark.parametrize("final", [Stopped(0), Failed(0, "engine_failed", "no", "try"), Failed(0, "odd", "no", "")])
def test_finals_become_exceptions(final: Stopped | Failed) -> None:
    with stage() as s:
        caller = Caller(s.host, "one")
        child = s.greeted()
        job, _ = heard(child.hears())
        child.say(Stopped(job) if isinstance(final, Stopped) else Failed(job, final.code, final.text, final.hint))
        with pytest.raises(Cancelled if isinstance(final, Stopped) else EngineFailed):
            caller.result()


def test_a_model_that_is_missing_is_said_and_tried_again_later() -> None:
    with stage() as s:
        caller = Caller(s.host, "one")
        child = s.child()
        child.say(LoadFailed("model_missing", "There is no model.", "Fetch it."))
        with pytest.raises(ModelMissing) as raised:
            caller.result()
        assert (raised.value.text, raised.value.hint) == ("There is no model.", "Fetch it.")
        assert s.becomes(EngineState.FAILED) == "There is no model. Fetch it."
        assert child.ended
        again = Caller(s.host, "two")
        child = s.greeted()
        job, _ = heard(child.hears())
        child.say(Done(job))
        again.result()


def test_a_process_that_cannot_be_started() -> None:
    with stage() as s:
        s.cannot_start = FileNotFoundError("no such program")
        with pytest.raises(EngineFailed, match="no such program"):
            Caller(s.host, "one").result()
        assert s.host.state is EngineState.FAILED


def test_an_engine_that_does_not_greet_in_time_counts_as_dead() -> None:
    with stage(greet_within_s=0.05) as s:
        with pytest.raises(EngineGivenUp, match="not ready within"):
            Caller(s.host, "one").result()
        assert s.children.qsize() == 3


@pytest.mark.parametrize(
    "nonsense", [Done(99), TextPiece(99, "x"), Greeting(CAPABILITIES), Cancel(1), LoadFailed("a", "b", "c")]
)
def test_a_child_that_talks_nonsense_is_replaced(nonsense: Message) -> None:
    with stage() as s:
        caller = Caller(s.host, "one")
        child = s.greeted()
        child.hears()
        child.say(nonsense)
        with pytest.raises(EngineDied, match="made no sense"):
            caller.result()
        assert child.ended
        s.greeted()


def test_it_is_unloaded_when_nothing_is_to_do_and_comes_back() -> None:
    with stage(unload_after_s=0.05) as s:
        s.host.start()
        child = s.greeted()
        assert "loaded again when it is needed" in s.becomes(EngineState.OFF)
        assert child.ended
        assert s.host.capabilities is None
        caller = Caller(s.host, "one")
        child = s.greeted()
        job, _ = heard(child.hears())
        child.say(Done(job))
        caller.result()
        s.becomes(EngineState.OFF)


def test_it_is_not_unloaded_while_it_works() -> None:
    with stage(unload_after_s=0.05) as s:
        caller = Caller(s.host, "one")
        child = s.greeted()
        job, _ = heard(child.hears())
        assert not threading.Event().wait(0.2)
        assert (child.ended, caller.waits) == (False, True)
        child.say(Done(job))
        caller.result()
        s.becomes(EngineState.OFF)


def test_warming_gives_way_to_a_job() -> None:
    with stage() as s:
        s.host.run_behind(warm)
        s.host.run_behind(warm)
        child = s.greeted()
        first = child.hears()
        assert isinstance(first, Warm)
        caller = Caller(s.host, "one")
        assert child.hears() == Cancel(first.job)
        child.say(Stopped(first.job))
        job, text = heard(child.hears())
        assert text == "one"
        child.say(Done(job))
        caller.result()
        assert child.hears_nothing_more()


def test_warming_happens_while_nothing_else_is_to_do() -> None:
    with stage() as s:
        caller = Caller(s.host, "one")
        child = s.greeted()
        job, _ = heard(child.hears())
        s.host.run_behind(warm)
        child.say(Done(job))
        caller.result()
        assert isinstance(child.hears(), Warm)


def test_waiting_until_it_is_loaded() -> None:
    with stage() as s:
        with ThreadPoolExecutor(1) as pool:
            loaded = pool.submit(s.host.loaded, CancelToken())
            s.greeted()
            assert loaded.result(PATIENCE) == CAPABILITIES
        assert s.host.loaded(CancelToken()) == CAPABILITIES
        caller = Caller(s.host, "one")
        assert s.host.loaded(CancelToken()) == CAPABILITIES
        assert caller.waits
        s.host.close()
        with pytest.raises((Cancelled, EngineFailed)):
            caller.result()


def test_closing_frees_all_callers_and_ends_the_child() -> None:
    with stage() as s:
        running = Caller(s.host, "one")
        child = s.greeted()
        child.hears()
        waiting = Caller(s.host, "two")
        s.host.close()
        for caller in (running, waiting):
            with pytest.raises((Cancelled, EngineFailed)):
                caller.result()
        assert child.ended
        s.host.close()
        with pytest.raises(EngineFailed, match="closed"):
            list(s.host.run(speak("three"), CancelToken()))


def test_what_is_too_long_for_the_pipe_is_refused_before_it_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "HEADER_LIMIT", 1000)
    with stage() as s:
        with pytest.raises(EngineFailed, match="over the limit"):
            list(s.host.run(speak("x" * 2000), CancelToken()))
        s.host.run_behind(speak("x" * 2000))
        assert s.children.empty()


def test_another_model_is_loaded_in_a_new_process_after_the_job_under_way() -> None:
    with stage() as s:
        caller = Caller(s.host, "one")
        child = s.greeted()
        job, _ = heard(child.hears())
        s.host.reload()
        child.say(TextPiece(job, "a"))
        child.say(Done(job))
        caller.result()
        assert caller.parts == [TextPiece(job, "a")]
        s.greeted()
        assert s.becomes(EngineState.LOADING) == ""
        assert s.becomes(EngineState.LOADING) == "Another one was chosen."
        s.becomes(EngineState.READY)


def test_an_idle_engine_loads_another_model_at_once_and_one_that_is_not_loaded_waits() -> None:
    with stage() as s:
        s.host.reload()
        s.becomes(EngineState.OFF)
        assert s.children.empty()
        s.host.start()
        s.greeted()
        s.becomes(EngineState.READY)
        s.host.reload()
        s.greeted()
        s.becomes(EngineState.READY)


def test_another_model_is_tried_also_after_the_one_before_was_given_up() -> None:
    with stage() as s:
        s.host.start()
        for _ in range(3):
            s.child().die("killed by SIGSEGV")
        s.becomes(EngineState.FAILED)
        s.host.reload()
        s.greeted()
        s.becomes(EngineState.READY)
