"""From what is said in the room to the words of a turn: microphone, detector, segmenter, session and recogniser, all
real. Only the agent, whose task the words are, follows a script."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from aria_desktop.assistant.early import Early
from aria_desktop.assistant.parts import Preferences
from aria_desktop.assistant.recognition import speech_in
from aria_desktop.audio.files import read_audio
from aria_desktop.audio.microphone import Microphone
from aria_desktop.audio.speaker import Speaker
from aria_desktop.core.audio import SPEECH, AudioChunk, joined
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.events import (
    EngineRole,
    Heard,
    LevelMeasured,
    ListeningEnded,
    ListeningStarted,
    SpeakingEnded,
    SpeakingStarted,
    WordsSoFar,
)
from aria_desktop.core.requests import ListenMode, StartListening, StopListening, SubmitFile, SubmitText
from aria_desktop.engines.vad.webrtc import WebRtcDetector
from aria_desktop.testing.sounds import silence
from aria_desktop.workers.host import LoadSpec, WorkerHost
from aria_desktop.workers.remote import RemoteSpeechToText
from tests.ears.conftest import DATA
from tests.ears.test_speaker import loud_spans
from tests.ears.virtual_sound import VirtualSound
from tests.unit.assistant.stage import Stage, answering, open_store

SELF = "read/librivox_austen_0930_en.flac"
LIGHT = "read/command_living_room_light_en.flac"
"""The small model hears these right wherever a frame begins; others it does not (of forty "lamp" one is "Liam")."""
UNTIL_SILENCE = StartListening("r1", ListenMode.UNTIL_SILENCE, speak=False)


@pytest.fixture(scope="module")
def recogniser(models_dir: Path) -> Iterator[RemoteSpeechToText]:
    """The real one in its own process, with the small English model."""
    load = LoadSpec("faster-whisper", str(models_dir / "faster-whisper-tiny.en"), {"gpu": "off"})
    host = WorkerHost(EngineRole.SPEECH, load, lambda _state, _detail: None)
    host.loaded(CancelToken())
    yield RemoteSpeechToText(host)
    host.close()


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    with open_store(tmp_path / "data") as store:
        yield Stage(workspace, store)


@pytest.fixture
def ears(recogniser: RemoteSpeechToText) -> dict[str, Any]:
    """The parts of a session that are real here."""
    return {
        "speech": recogniser,
        "make_vad": WebRtcDetector,
        "open_microphone": Microphone,
        "open_speaker": Speaker,
        "read_audio": lambda path, cancel: read_audio(path, cancel),
        "preferences": lambda: Preferences(language="en"),
    }


def plain(text: str) -> list[str]:
    return re.findall(r"[a-z']+", text.lower())


@pytest.mark.parametrize("name", [SELF, LIGHT])
def test_a_spoken_sentence_arrives_word_for_word(
    name: str,
    sound: VirtualSound,
    stage: Stage,
    ears: dict[str, Any],
    clips: dict[str, dict[str, Any]],
    clip: Callable[[str], AudioChunk],
) -> None:
    stage.will(answering("Yes."))
    with stage.session(**ears) as session:
        session.submit(UNTIL_SILENCE)
        stage.log.wait(ListeningStarted)
        stage.log.wait(LevelMeasured)
        sound.speak(joined([silence(0.6, SPEECH), clip(name)]))
        ended = stage.ended()
    assert ended.outcome is TurnOutcome.ANSWERED, ended
    assert plain(stage.log.wait(Heard).text) == plain(clips[name]["text"])
    assert plain(stage.agent.tasks[0].words) == plain(clips[name]["text"])
    assert stage.log.wait(ListeningEnded).reason == "silence"


def test_the_words_are_there_before_the_recording_ends(
    sound: VirtualSound, stage: Stage, ears: dict[str, Any], clips: dict[str, dict[str, Any]], clip: Callable[..., Any]
) -> None:
    stage.will(answering("Yes."))
    wanted = Preferences(language="en", hear_early=Early.ALL_THE_TIME, silence_s=3.0)
    with stage.session(**ears | {"preferences": lambda: wanted}) as session:
        session.submit(UNTIL_SILENCE)
        stage.log.wait(ListeningStarted)
        stage.log.wait(LevelMeasured)
        sound.speak(joined([silence(0.6, SPEECH), clip(SELF)]))
        assert stage.ended().outcome is TurnOutcome.ANSWERED
    told = [event for event in stage.log.all if isinstance(event, WordsSoFar | ListeningEnded | Heard)]
    at_the_end = told.index(stage.log.wait(ListeningEnded))
    last = told[at_the_end - 1]
    assert isinstance(last, WordsSoFar)
    assert last.pausing
    assert plain(last.text) == plain(stage.log.wait(Heard).text) == plain(clips[SELF]["text"])


def test_a_held_button_takes_all_that_is_said_until_it_is_let_go(
    sound: VirtualSound,
    stage: Stage,
    ears: dict[str, Any],
    clips: dict[str, dict[str, Any]],
    clip: Callable[[str], AudioChunk],
) -> None:
    stage.will(answering("Yes."))
    with stage.session(**ears) as session:
        session.submit(StartListening("r1", ListenMode.HOLD, speak=False))
        stage.log.wait(LevelMeasured)
        sound.speak(joined([clip(SELF), silence(1.5, SPEECH), clip(LIGHT)]))
        session.submit(StopListening())
        stage.ended()
    assert plain(stage.log.wait(Heard).text) == plain(f"{clips[SELF]['text']} {clips[LIGHT]['text']}")
    assert stage.log.wait(ListeningEnded).reason == "released"


def test_a_quiet_room_makes_no_turn(sound: VirtualSound, stage: Stage, ears: dict[str, Any]) -> None:
    del sound
    with stage.session(**ears | {"preferences": lambda: Preferences(language="en", max_s=1.5)}) as session:
        session.submit(UNTIL_SILENCE)
        ended = stage.ended()
    assert (ended.outcome, ended.turn_id) == (TurnOutcome.NOTHING_HEARD, "")
    assert "only zeros" in ended.text
    assert stage.store.sessions() == ()


def test_pulling_the_plug_ends_the_recording_and_the_next_one_works(
    sound: VirtualSound, stage: Stage, ears: dict[str, Any], clip: Callable[[str], AudioChunk]
) -> None:
    stage.will(answering("Yes."))
    sound.unplug_speaker()
    with stage.session(**ears) as session:
        session.submit(UNTIL_SILENCE)
        stage.log.wait(LevelMeasured)
        sound.unplug_microphone()
        failed = stage.ended("r1")
        sound.plug_microphone()
        session.submit(StartListening("r2", ListenMode.UNTIL_SILENCE, speak=False))
        stage.log.wait(ListeningStarted, 2)
        sound.speak(joined([silence(0.6, SPEECH), clip(SELF)]))
        assert stage.ended("r2").outcome is TurnOutcome.ANSWERED
    assert (failed.outcome, failed.error) == (TurnOutcome.FAILED, "microphone_missing")
    assert "microphone" in stage.log.of(ListeningEnded)[0].reason


def test_speaking_into_an_answer_silences_it(sound: VirtualSound, stage: Stage, ears: dict[str, Any]) -> None:
    answer = "This is a rather long answer that goes on and on and on for quite a while. " * 3
    stage.will(answering(answer))
    with sound.ear_at_the_speaker() as heard, stage.session(**ears) as session:
        session.submit(SubmitText("r0", "Tell me"))
        stage.log.wait(SpeakingStarted)
        session.submit(StartListening("r1", ListenMode.HOLD, speak=False))
        spoken = stage.log.wait(SpeakingEnded)
        assert stage.ended("r0").outcome is TurnOutcome.ANSWERED
        session.submit(StopListening())
        stage.ended("r1")
    assert spoken.interrupted
    assert sum(end - start for start, end in loud_spans(heard)) == pytest.approx(spoken.seconds, abs=0.3)
    assert spoken.seconds < 3.0


def test_a_sound_file_is_carried_out(stage: Stage, ears: dict[str, Any], clips: dict[str, dict[str, Any]]) -> None:
    stage.will(answering("Yes."))
    with stage.session(**ears) as session:
        session.submit(SubmitFile("r1", str(DATA / LIGHT), speak=False))
        assert stage.ended().outcome is TurnOutcome.ANSWERED
    assert plain(stage.agent.tasks[0].words) == plain(clips[LIGHT]["text"])


def test_speech_is_found_in_every_clip_with_speech_and_in_no_silence(
    clips: dict[str, dict[str, Any]], clip: Callable[[str], AudioChunk]
) -> None:
    for name, label in clips.items():
        found = speech_in(clip(name), WebRtcDetector())
        if not name.startswith("noise/"):
            assert found is not None, name
            assert found.start <= label["measured"]["level_start_s"] + 0.05, name
    assert speech_in(clip("noise/silence_10s.flac"), WebRtcDetector()) is None
    assert speech_in(silence(600.0, SPEECH), WebRtcDetector()) is None
