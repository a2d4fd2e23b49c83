"""The microphone against a PortAudio with faults."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pytest

from aria_desktop.audio import devices, microphone
from aria_desktop.audio.microphone import Microphone
from aria_desktop.core.audio import SPEECH, AudioFormat, joined
from aria_desktop.core.errors import MicrophoneMissing
from aria_desktop.testing.sounds import tone
from tests.unit.audio.fake_portaudio import BUSY, FakePortAudio


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Callable[[FakePortAudio], FakePortAudio]:
    """Makes a fake the PortAudio of this test."""

    def install(fake: FakePortAudio) -> FakePortAudio:
        for module in (devices, microphone):
            monkeypatch.setattr(module, "portaudio", lambda _direction: fake)
        return fake

    return install


def test_sixteen_kilohertz_mono_passes_untouched(use: Callable[[FakePortAudio], FakePortAudio]) -> None:
    fake = use(FakePortAudio())
    source = Microphone()
    sound = tone(0.5, SPEECH)
    fake.streams[0].deliver(sound.pcm)
    chunk = next(iter(source))
    assert (chunk.format, chunk.pcm) == (SPEECH, sound.pcm)
    assert source.name == "Fake 0"
    source.close()
    assert not fake.streams[0].open


@pytest.mark.parametrize(
    ("rates", "channels", "opened"),
    [
        ((48_000,), (1,), AudioFormat(48_000, 1)),
        ((16_000,), (2,), AudioFormat(16_000, 2)),
        ((48_000,), (2,), AudioFormat(48_000, 2)),
    ],
)
def test_what_the_device_refuses_is_converted(
    rates: tuple[int, ...],
    channels: tuple[int, ...],
    opened: AudioFormat,
    use: Callable[[FakePortAudio], FakePortAudio],
) -> None:
    fake = use(FakePortAudio(rates=rates, channels=channels))
    source = Microphone()
    stream = fake.streams[0]
    assert AudioFormat(stream.rate, stream.channels) == opened
    stream.deliver(tone(1.0, opened, hertz=440).pcm)
    heard = np.frombuffer(next(iter(source)).pcm, "<i2")
    source.close()
    assert 15_500 < len(heard) <= 16_000
    spectrum = np.abs(np.fft.rfft(heard[1000:15000]))
    assert int(spectrum.argmax()) * 16_000 / 14_000 == pytest.approx(440, abs=1.5)


def test_a_device_that_takes_no_format_is_named_with_the_reason(
    use: Callable[[FakePortAudio], FakePortAudio],
) -> None:
    use(FakePortAudio(rates=()))
    with pytest.raises(MicrophoneMissing, match=r"Fake 0 can't be opened: Invalid sample rate\."):
        Microphone()
    use(FakePortAudio(refuses=BUSY))
    with pytest.raises(MicrophoneMissing, match="Device unavailable"):
        Microphone()
    use(FakePortAudio(devices=0))
    with pytest.raises(MicrophoneMissing, match="There is no microphone"):
        Microphone()


def test_the_channel_that_was_chosen_is_heard(use: Callable[[FakePortAudio], FakePortAudio]) -> None:
    fake = use(FakePortAudio(channels=(2,)))
    left, right = tone(0.1, SPEECH, hertz=300).pcm, tone(0.1, SPEECH, hertz=700).pcm
    both = np.stack([np.frombuffer(left, "<i2"), np.frombuffer(right, "<i2")], axis=1).tobytes()
    for channel, expected in ((1, left), (2, right)):
        source = Microphone(channel=channel)
        fake.streams[-1].deliver(both)
        assert next(iter(source)).pcm == expected
        source.close()


def test_a_channel_that_the_device_lacks_is_named(use: Callable[[FakePortAudio], FakePortAudio]) -> None:
    use(FakePortAudio())
    with pytest.raises(MicrophoneMissing, match="has 2 channels, and no number 3") as missing:
        Microphone(channel=3)
    assert "microphone.channel" in missing.value.hint


def test_lost_sound_is_counted(use: Callable[[FakePortAudio], FakePortAudio], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(microphone, "RING_S", 0.1)
    fake = use(FakePortAudio())
    source = Microphone()
    stream = fake.streams[0]
    stream.deliver(bytes(640), overflow=True)
    for _ in range(6):
        stream.deliver(bytes(640))
    assert source.lost == 3
    assert next(iter(source)).seconds == pytest.approx(0.1)
    source.close()


@pytest.mark.parametrize("size", [0, 2, 65_536])
def test_blocks_of_any_size_are_taken(size: int, use: Callable[[FakePortAudio], FakePortAudio]) -> None:
    fake = use(FakePortAudio())
    source = Microphone()
    fake.streams[0].deliver(bytes(size))
    fake.streams[0].deliver(b"\1\0")
    chunks = iter(source)
    got = [next(chunks)]
    while sum(len(chunk.pcm) for chunk in got) < size + 2:
        got.append(next(chunks))
    assert joined(got).pcm == bytes(size) + b"\1\0"
    source.close()


def test_a_stream_that_ends_by_itself_is_a_missing_microphone(use: Callable[[FakePortAudio], FakePortAudio]) -> None:
    fake = use(FakePortAudio())
    source = Microphone()
    fake.streams[0].deliver(bytes(640))
    chunks = iter(source)
    next(chunks)
    fake.streams[0].end()
    with pytest.raises(MicrophoneMissing, match="Fake 0 is gone"):
        next(chunks)
    assert not fake.streams[0].open


def test_a_callback_that_just_stops_coming_is_one_too(
    use: Callable[[FakePortAudio], FakePortAudio], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(microphone, "PATIENCE_S", 0.05)
    fake = use(FakePortAudio())
    source = Microphone()
    fake.streams[0].deliver(bytes(640))
    chunks = iter(source)
    next(chunks)
    with pytest.raises(MicrophoneMissing, match="delivers nothing any more"):
        next(chunks)
    assert not fake.streams[0].open


def test_a_device_that_never_begins_is_one_too(
    use: Callable[[FakePortAudio], FakePortAudio], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(microphone, "FIRST_PATIENCE_S", 0.05)
    use(FakePortAudio())
    with pytest.raises(MicrophoneMissing, match="delivers nothing"):
        next(iter(Microphone()))


def test_it_may_be_closed_by_any_thread_and_more_than_once(use: Callable[[FakePortAudio], FakePortAudio]) -> None:
    fake = use(FakePortAudio())
    source = Microphone()
    threads = [threading.Thread(target=source.close) for _ in range(4)]
    for thread in threads:
        thread.start()
    assert list(source) == []
    for thread in threads:
        thread.join()
    assert not fake.streams[0].open


def test_devices_are_listed_anew_unless_a_stream_is_open(use: Callable[[FakePortAudio], FakePortAudio]) -> None:
    fake = use(FakePortAudio())
    fake.initialized = 1
    assert [device.name for device in devices.microphones()] == ["Fake 0"]
    source = Microphone()
    fake.devices = 2
    assert [device.name for device in devices.microphones()] == ["Fake 0", "Fake 1"]
    source.close()
    assert [device.is_default for device in devices.microphones()] == [True, False]
    assert fake.initialized == 1
