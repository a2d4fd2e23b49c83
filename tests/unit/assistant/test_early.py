"""What is recognised of a recording before it ends: when, how often, and what of it a turn may take."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from queue import SimpleQueue

import pytest

from aria_desktop.assistant.early import Early, EarlyHearing, Progress, is_the_same
from aria_desktop.assistant.parts import Preferences
from aria_desktop.assistant.segmenter import Rules, Segmenter
from aria_desktop.core.audio import SPEECH, AudioChunk
from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.errors import EngineFailed
from aria_desktop.core.events import Heard, ListeningEnded, TurnEnded, WordsSoFar
from aria_desktop.core.interfaces import Recognised, RecognitionHints
from aria_desktop.core.requests import DropRecording, ListenMode, StartListening
from aria_desktop.core.transcript import RecognitionEnd, Segment
from tests.unit.assistant.stage import WAIT_S, Stage, answering, quiet, speech

FRAME_S = 0.02


class Ears:
    """Hears how many seconds of sound there are, as soon as it is let."""

    def __init__(self, *, fails: bool = False) -> None:
        self.asked: SimpleQueue[float] = SimpleQueue()
        self.let_go = threading.Event()
        self.ended: list[str] = []
        self._fails = fails

    def transcribe(self, audio: AudioChunk, hints: RecognitionHints, cancel: CancelToken) -> Iterator[Recognised]:
        assert hints.language == "en"
        self.asked.put(audio.seconds)
        until = time.monotonic() + WAIT_S
        while not cancel.cancelled and not self.let_go.wait(0.005):
            assert time.monotonic() < until
        if cancel.cancelled:
            self.ended.append("cancelled")
            raise Cancelled
        if self._fails:
            raise EngineFailed("It is broken.")
        self.ended.append("heard")
        yield "en"
        yield Segment(f"{audio.seconds:.1f} seconds", 0.0, audio.seconds)
        yield RecognitionEnd()


class Recording:
    """Frames into a real segmenter, watched by the early hearing."""

    def __init__(self, ears: Ears, when: Early) -> None:
        self.told: list[Progress] = []
        self.segmenter = Segmenter(FRAME_S, Rules(None))
        self.early = EarlyHearing(ears, RecognitionHints("en"), self.told.append, when)

    def say(self, seconds: float) -> None:
        self._push(b"\1\0" * 320, seconds, True)

    def pause(self, seconds: float) -> None:
        self._push(bytes(640), seconds, False)

    def end(self) -> AudioChunk | None:
        utterance = self.segmenter.utterance()
        audio = AudioChunk(SPEECH, utterance.pcm) if utterance else None
        self.early.recorded(audio)
        return audio

    def _push(self, frame: bytes, seconds: float, speech: bool) -> None:
        for _ in range(round(seconds / FRAME_S)):
            self.segmenter.push(frame, speech)
            self.early.watch(self.segmenter)


@pytest.fixture
def ears() -> Ears:
    return Ears()


def test_what_was_said_before_a_pause_is_all_that_was_said(ears: Ears) -> None:
    recording = Recording(ears, Early.IN_PAUSES)
    ears.let_go.set()
    recording.say(3.0)
    assert ears.asked.empty()
    recording.pause(0.5)
    recording.end()
    found = recording.early.result(CancelToken())
    recording.early.join()
    assert found is not None
    assert found.text == "3.2 seconds"
    assert [(told.text, told.pausing) for told in recording.told] == [("3.2 seconds", True)]
    assert ears.ended == ["heard"]


def test_when_speech_goes_on_it_is_thrown_away(ears: Ears) -> None:
    recording = Recording(ears, Early.IN_PAUSES)
    recording.say(1.0)
    recording.pause(0.3)
    ears.asked.get(timeout=WAIT_S)
    recording.say(1.0)
    recording.end()
    assert recording.early.result(CancelToken()) is None
    recording.early.join()
    assert (ears.ended, recording.told) == (["cancelled"], [])


def test_the_second_pause_counts(ears: Ears) -> None:
    recording = Recording(ears, Early.IN_PAUSES)
    recording.say(1.0)
    recording.pause(0.3)
    ears.asked.get(timeout=WAIT_S)
    recording.say(1.0)
    recording.pause(0.3)
    assert ears.asked.get(timeout=WAIT_S) == pytest.approx(2.46)
    ears.let_go.set()
    recording.end()
    found = recording.early.result(CancelToken())
    recording.early.join()
    assert found is not None
    assert ears.ended == ["cancelled", "heard"]


def test_the_words_so_far_are_never_a_turns_words(ears: Ears) -> None:
    recording = Recording(ears, Early.ALL_THE_TIME)
    recording.say(1.2)
    assert ears.asked.get(timeout=WAIT_S) == pytest.approx(1.0, abs=0.1)
    ears.let_go.set()
    recording.end()
    assert recording.early.result(CancelToken()) is None
    recording.early.join()


def test_only_one_is_recognised_at_a_time_however_long_it_takes(ears: Ears) -> None:
    recording = Recording(ears, Early.ALL_THE_TIME)
    recording.say(1.2)
    ears.asked.get(timeout=WAIT_S)
    recording.say(20.0)
    assert ears.asked.empty()
    recording.end()
    recording.early.join()
    assert ears.ended == ["cancelled"]


def test_a_pause_ends_what_is_recognised_of_less(ears: Ears) -> None:
    recording = Recording(ears, Early.ALL_THE_TIME)
    recording.say(1.2)
    ears.asked.get(timeout=WAIT_S)
    recording.pause(0.3)
    assert ears.asked.get(timeout=WAIT_S) == pytest.approx(1.36)
    ears.let_go.set()
    recording.end()
    assert recording.early.result(CancelToken()) is not None
    recording.early.join()
    assert ears.ended == ["cancelled", "heard"]


def test_a_turn_that_is_stopped_does_not_wait(ears: Ears) -> None:
    recording = Recording(ears, Early.IN_PAUSES)
    recording.say(1.0)
    recording.pause(0.3)
    ears.asked.get(timeout=WAIT_S)
    recording.end()
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        recording.early.result(cancel)
    recording.early.join()


def test_what_goes_wrong_is_left_to_the_turn() -> None:
    ears = Ears(fails=True)
    ears.let_go.set()
    recording = Recording(ears, Early.IN_PAUSES)
    recording.say(1.0)
    recording.pause(0.3)
    recording.end()
    assert recording.early.result(CancelToken()) is None
    recording.early.join()


@pytest.mark.parametrize("spoken", [(), (0.5,)])
def test_without_a_pause_nothing_is_begun(ears: Ears, spoken: Sequence[float]) -> None:
    recording = Recording(ears, Early.IN_PAUSES)
    for seconds in spoken:
        recording.say(seconds)
    recording.end()
    assert recording.early.result(CancelToken()) is None
    recording.early.join()
    assert ears.asked.empty()


def test_what_is_the_same_but_for_the_rest_of_a_pause() -> None:
    said = speech(1.0)
    assert is_the_same(said, AudioChunk(SPEECH, said.pcm + quiet(0.2).pcm))
    assert not is_the_same(said, AudioChunk(SPEECH, said.pcm + quiet(0.3).pcm))
    assert not is_the_same(said, AudioChunk(SPEECH, quiet(1.0).pcm))
    assert not is_the_same(said, speech(0.5))


def test_a_recording_that_ends_in_a_pause_is_recognised_once_and_before_its_end(stage: Stage) -> None:
    stage.will_hear("Turn on the lamp.")
    stage.will(answering("Yes."))
    with stage.session(preferences=lambda: Preferences(hear_early=Early.IN_PAUSES)) as session:
        stage.microphone.feed(speech(1.0), quiet(0.5))
        session.submit(StartListening("r1", ListenMode.UNTIL_SILENCE, speak=False))
        stage.log.wait(WordsSoFar, request_id="r1", pausing=True, text="Turn on the lamp.")
        assert stage.log.of(ListeningEnded) == []
        stage.microphone.feed(quiet(2.0))
        assert stage.ended().outcome is TurnOutcome.ANSWERED
    assert stage.log.wait(Heard).text == "Turn on the lamp."
    assert len(stage.speech.heard) == 1


def test_a_dropped_recording_leaves_nothing_behind(stage: Stage) -> None:
    stage.will_hear("Turn on the lamp.")
    with stage.session(preferences=lambda: Preferences(hear_early=Early.IN_PAUSES)) as session:
        stage.microphone.feed(speech(1.0), quiet(0.5))
        session.submit(StartListening("r1", ListenMode.HOLD, speak=False))
        stage.log.wait(WordsSoFar, pausing=True)
        session.submit(DropRecording())
        stage.microphone.idle()
        assert stage.log.wait(TurnEnded, request_id="r1").outcome is TurnOutcome.CANCELLED
