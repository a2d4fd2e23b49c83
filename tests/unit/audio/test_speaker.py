"""The loudspeaker against a PortAudio with faults, whose thread the test plays."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from aria_desktop.audio import devices, speaker
from aria_desktop.audio.speaker import Speaker
from aria_desktop.core.audio import AudioChunk, AudioFormat
from aria_desktop.core.errors import SpeakerMissing
from aria_desktop.testing.sounds import tone
from tests.unit.audio.fake_portaudio import BUSY, FakePortAudio, FakeStream

VOICE = AudioFormat(16_000)
PART = AudioChunk(VOICE, b"\1\0" * 1600)


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Callable[[FakePortAudio], FakePortAudio]:
    """Makes a fake the PortAudio of this test."""

    def install(fake: FakePortAudio) -> FakePortAudio:
        for module in (devices, speaker):
            monkeypatch.setattr(module, "portaudio", lambda _direction: fake)
        return fake

    return install


class Playing:
    """PortAudio's thread: takes 10 ms at a time as fast as it can, until told to stop."""

    def __init__(self, stream: FakeStream) -> None:
        self.heard = bytearray()
        self._stream = stream
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Playing:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.is_set() and self._stream.open:
            self.heard += self._stream.want(self._stream.rate // 100)
            self._stop.wait(0.0005)


def test_all_is_heard_followed_by_silence_for_what_is_on_its_way(use: Callable[[FakePortAudio], FakePortAudio]) -> None:
    fake = use(FakePortAudio())
    sink = Speaker()
    sink.play(PART)
    sink.play(PART)
    with Playing(fake.streams[0]) as device:
        assert sink.finish() == pytest.approx(0.2)
    assert bytes(device.heard).startswith(PART.pcm * 2)
    after = device.heard[len(PART.pcm) * 2 :]
    assert len(after) / 32_000 >= speaker.BUFFER_S
    assert not any(after)
    assert not fake.streams[0].open


def test_a_long_chunk_is_taken_as_it_is_played(use: Callable[[FakePortAudio], FakePortAudio]) -> None:
    fake = use(FakePortAudio())
    sink = Speaker()
    sink.play(PART)
    sound = tone(5.0, VOICE)
    with Playing(fake.streams[0]) as device:
        sink.play(sound)
        assert sink.finish() == pytest.approx(5.1)
    assert bytes(device.heard).startswith(PART.pcm + sound.pcm)


def test_silenced_it_says_what_was_heard_and_plays_nothing_more_of_that_reply(
    use: Callable[[FakePortAudio], FakePortAudio],
) -> None:
    fake = use(FakePortAudio())
    sink = Speaker()
    sink.play(PART)
    fake.streams[0].want(800, delay_s=0.02)
    assert sink.stop_now() == pytest.approx(0.05 - 0.02)
    assert not fake.streams[0].open
    sink.play(PART)
    assert sink.finish() == 0.0
    assert len(fake.streams) == 1
    sink.play(PART)
    assert len(fake.streams) == 2
    assert sink.stop_now() == 0.0
    assert sink.stop_now() == 0.0


def test_whoever_waits_for_room_is_freed_by_the_silence(use: Callable[[FakePortAudio], FakePortAudio]) -> None:
    use(FakePortAudio())
    sink = Speaker()
    timer = threading.Timer(0.05, sink.stop_now)
    timer.start()
    sink.play(tone(10.0, VOICE))
    timer.join()
    assert sink.finish() == 0.0


def test_another_rate_is_resampled(use: Callable[[FakePortAudio], FakePortAudio]) -> None:
    fake = use(FakePortAudio(rates=(48_000,)))
    sink = Speaker()
    sink.play(tone(0.5, VOICE))
    assert fake.streams[0].rate == 48_000
    with Playing(fake.streams[0]):
        assert sink.finish() == pytest.approx(0.5, abs=0.001)


@pytest.mark.parametrize("noticed", [True, False])
def test_a_loudspeaker_that_goes_away_is_not_waited_for(
    noticed: bool, use: Callable[[FakePortAudio], FakePortAudio], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speaker, "PATIENCE_S", 0.05)
    fake = use(FakePortAudio())
    sink = Speaker()
    sink.play(PART)
    if noticed:
        fake.streams[0].end()
    with pytest.raises(SpeakerMissing, match="Fake 0 is gone"):
        sink.finish()
    assert not fake.streams[0].open


def test_a_device_that_can_not_be_opened_is_named_with_the_reason(
    use: Callable[[FakePortAudio], FakePortAudio],
) -> None:
    use(FakePortAudio(refuses=BUSY))
    with pytest.raises(SpeakerMissing, match=r"Fake 0 can't be opened: Device unavailable\."):
        Speaker().play(PART)
    use(FakePortAudio(devices=0))
    with pytest.raises(SpeakerMissing, match="There is no loudspeaker"):
        Speaker()


def test_nothing_played_opens_nothing(use: Callable[[FakePortAudio], FakePortAudio]) -> None:
    fake = use(FakePortAudio())
    sink = Speaker()
    assert sink.finish() == 0.0
    assert fake.streams == []
