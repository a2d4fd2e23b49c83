"""The voice of a turn, by itself."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from aria_desktop.assistant.narrator import Narrator
from aria_desktop.core.audio import AudioChunk
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.errors import EngineDied, SpeakerMissing
from aria_desktop.core.events import AnswerUnspoken, Event, Problem, SpeakingEnded, SpeakingStarted
from aria_desktop.core.interfaces import AudioSink
from aria_desktop.testing.scripted import ScriptedTextToSpeech
from tests.unit.assistant.stage import FakeSpeaker


def nowhere() -> AudioSink:
    raise SpeakerMissing("There is no loudspeaker.", "Plug one in.")


def test_all_that_was_said_is_played_once_and_in_order() -> None:
    events: list[Event] = []
    voice, speaker = ScriptedTextToSpeech(["One.", "Two. Three."]), FakeSpeaker()
    narrator = Narrator("t", voice, lambda: speaker, events.append)
    narrator.say("One.")
    narrator.say("Two. Three.")
    narrator.finish()
    whole = [
        chunk for text in ("One.", "Two. Three.") for chunk in ScriptedTextToSpeech().synthesize(text, CancelToken())
    ]
    assert b"".join(chunk.pcm for chunk in speaker.played) == b"".join(chunk.pcm for chunk in whole)
    assert events[0] == SpeakingStarted("t", "fake speaker")
    assert events[1:] == [SpeakingEnded("t", round(sum(chunk.seconds for chunk in speaker.played), 3), False)]


def test_a_narrator_with_nothing_to_say_has_no_thread_and_no_events() -> None:
    before = threading.active_count()
    narrator = Narrator("t", ScriptedTextToSpeech([]), nowhere, lambda event: pytest.fail(str(event)))
    narrator.silence()
    narrator.finish()
    assert threading.active_count() == before


def test_silenced_before_the_first_sound_it_opens_nothing() -> None:
    narrator = Narrator("t", ScriptedTextToSpeech([]), nowhere, lambda event: pytest.fail(str(event)))
    narrator.silence()
    narrator.say("One.")
    narrator.finish()


def test_without_a_loudspeaker_it_says_so_once() -> None:
    events: list[Event] = []
    narrator = Narrator("t", ScriptedTextToSpeech(), nowhere, events.append)
    for clause in ("One.", "Two."):
        narrator.say(clause)
    narrator.finish()
    assert events == [
        Problem("", "speaker_missing", "The answer can't be spoken. There is no loudspeaker.", "Plug one in.")
    ]


class DyingVoice(ScriptedTextToSpeech):
    def synthesize(self, text: str, cancel: CancelToken) -> Iterator[AudioChunk]:
        yield from super().synthesize(text, cancel)
        raise EngineDied("The voice died.", "It is started again.")


def test_a_voice_that_dies_in_the_middle_has_still_ended() -> None:
    events: list[Event] = []
    narrator = Narrator("t", DyingVoice(), FakeSpeaker, events.append)
    narrator.say("One.")
    narrator.finish()
    assert [type(event) for event in events] == [SpeakingStarted, Problem, SpeakingEnded]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("es", "No hay ninguna voz en español, así que la respuesta no se lee en voz alta."),
        ("fr", "There is no voice for this language, so the answer is not spoken."),
    ],
)
def test_a_voice_of_another_language_says_nothing_and_that_is_told_once(language: str, text: str) -> None:
    events: list[Event] = []
    narrator = Narrator("t", ScriptedTextToSpeech([]), nowhere, events.append, lambda _: "en")
    for clause in ("Uno.", "Dos."):
        narrator.say(clause, language)
    narrator.finish()
    assert events == [AnswerUnspoken("t", language, text)]


@pytest.mark.parametrize(("language", "of_voice"), [("es", "es"), ("es", ""), ("", "en")])
def test_what_may_be_its_language_is_spoken(language: str, of_voice: str) -> None:
    events: list[Event] = []
    voice = ScriptedTextToSpeech(["Uno."])
    narrator = Narrator("t", voice, FakeSpeaker, events.append, lambda _: of_voice)
    narrator.say("Uno.", language)
    narrator.finish()
    assert [type(event) for event in events] == [SpeakingStarted, SpeakingEnded]


def test_a_voice_that_can_not_be_loaded_is_told_as_such() -> None:
    def died(_: CancelToken) -> str:
        raise EngineDied("The voice died.", "Try again.")

    events: list[Event] = []
    narrator = Narrator("t", ScriptedTextToSpeech([]), nowhere, events.append, died)
    narrator.say("One.", "en")
    narrator.finish()
    assert events == [Problem("", "engine_died", "The answer can't be spoken. The voice died.", "Try again.")]


def test_a_filler_is_played_and_is_no_part_of_the_answer() -> None:
    events: list[Event] = []
    speaker = FakeSpeaker()
    narrator = Narrator("t", ScriptedTextToSpeech(["One moment."]), lambda: speaker, events.append)
    narrator.say("One moment.", filler=True)
    narrator.finish()
    assert speaker.played
    assert events == []


def test_what_was_heard_before_the_silence_is_told_as_it_was_written() -> None:
    events: list[Event] = []
    started = threading.Event()

    def publish(event: Event) -> None:
        events.append(event)
        started.set()

    speaker = FakeSpeaker(holding=True)
    narrator = Narrator("t", ScriptedTextToSpeech(), lambda: speaker, publish)
    narrator.say("One moment.", filler=True)
    narrator.say(
        "There are two files here and more of them there.", written="There are **2** files here and more of ..."
    )
    assert started.wait(5)
    narrator.silence()
    narrator.finish()
    (ended,) = [event for event in events if isinstance(event, SpeakingEnded)]
    assert ended.interrupted
    assert "There are **2** files here and more of ...".startswith(ended.heard)
