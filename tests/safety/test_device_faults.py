"""Twenty-four things that go wrong with sound devices, each many times: told in words within two seconds, other work
goes on, the next recording works, and no thread and no handle is left. PortAudio is a double that fails on order."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable

import numpy as np
import psutil
import pytest

from aria_desktop.audio import devices, microphone, speaker
from aria_desktop.audio.microphone import Microphone
from aria_desktop.audio.speaker import Speaker
from aria_desktop.core.audio import SPEECH, AudioFormat
from aria_desktop.core.errors import MicrophoneMissing, SpeakerMissing
from aria_desktop.testing.sounds import tone
from tests.safety.tiers import tries
from tests.unit.audio.fake_portaudio import BUSY, FakePortAudio, FakeStream

CYCLES = tries(9, 200)
SOUND = tone(0.1, SPEECH).pcm
SHORT_S = 0.05
"""Instead of the patience of the program, which is looked at by itself."""

Use = Callable[[FakePortAudio], FakePortAudio]
Fault = Callable[[FakePortAudio], None]


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Use:
    def install(fake: FakePortAudio) -> FakePortAudio:
        for module in (devices, microphone, speaker):
            monkeypatch.setattr(module, "portaudio", lambda _direction: fake)
        return fake

    for module, name in ((microphone, "PATIENCE_S"), (speaker, "PATIENCE_S"), (devices, "STUCK_S")):
        monkeypatch.setattr(module, name, SHORT_S)
    monkeypatch.setattr(microphone, "FIRST_PATIENCE_S", SHORT_S)
    return install


def heard(fake: FakePortAudio, *, channel: int = 0, pcm: bytes | None = None) -> bytes:
    """What a whole recording delivers of one piece of sound."""
    source = Microphone(channel=channel)
    stream = fake.streams[-1]
    sound = tone(0.1, AudioFormat(stream.rate, stream.channels)).pcm if pcm is None else pcm
    stream.deliver(sound)
    try:
        return next(iter(source)).pcm
    finally:
        source.close()


def loud(pcm: bytes) -> bool:
    return bool(np.abs(np.frombuffer(pcm, "<i2").astype(int)).max() > 1000)


def refused(words: str) -> None:
    with pytest.raises(MicrophoneMissing, match=words) as missing:
        Microphone()
    assert missing.value.hint


def no_device(fake: FakePortAudio) -> None:
    fake.devices = 0
    refused("There is no microphone")


def another_default(fake: FakePortAudio) -> None:
    """The open one stays; the next recording has the new one."""
    source = Microphone()
    fake.first_index = 7
    fake.streams[-1].deliver(SOUND)
    assert next(iter(source)).pcm == SOUND
    source.close()
    assert heard(fake) == SOUND
    assert fake.streams[-1].device == 7


def gone(source: Microphone, words: str) -> None:
    began = time.monotonic()
    with pytest.raises(MicrophoneMissing, match=words):
        for _ in source:
            pass
    assert time.monotonic() - began < 2.0


def callback_stops(fake: FakePortAudio) -> None:
    source = Microphone()
    fake.streams[-1].deliver(SOUND)
    gone(source, "delivers nothing any more")


def unplugged_while_closing(fake: FakePortAudio) -> None:
    """The driver hangs: the caller goes on, the next recording says why it can't begin, and later ones work."""
    fake.hangs = threading.Event()
    source = Microphone()
    try:
        began = time.monotonic()
        source.close()
        assert time.monotonic() - began < 2.0
        refused("hangs in a call for a device that went away")
    finally:
        fake.hangs.set()
    wait_for_closed(fake.streams[-1])


def wait_for_closed(stream: FakeStream) -> None:
    until = time.monotonic() + 10
    while stream.open or devices.PORTAUDIO.locked():
        assert time.monotonic() < until
        time.sleep(0.001)


def switched_silently(fake: FakePortAudio) -> None:
    """The system moves the stream to another microphone: nobody is told, and the sound goes on."""
    source = Microphone()
    chunks = iter(source)
    for _ in range(3):
        fake.streams[-1].deliver(SOUND)
        assert next(chunks).pcm == SOUND
    source.close()


def new_index(fake: FakePortAudio) -> None:
    source = Microphone("Fake 0")
    fake.streams[-1].end()
    gone(source, "Fake 0 is gone")
    fake.first_index = 3
    assert heard(fake) == SOUND
    assert fake.streams[-1].device == 3


def no_sixteen_kilohertz(fake: FakePortAudio) -> None:
    fake.rates = (48_000,)
    assert loud(heard(fake))


def no_mono(fake: FakePortAudio) -> None:
    fake.channels = (2,)
    assert loud(heard(fake))


def no_sixteen_bit(fake: FakePortAudio) -> None:
    fake.samples = ("float32",)
    sound = (np.frombuffer(SOUND, "<i2") / 32767).astype("<f4").tobytes()
    assert heard(fake, pcm=sound) == SOUND


def unusual_rates(fake: FakePortAudio) -> None:
    for rate in (44_100, 48_000, 96_000, 192_000):
        fake.rates, fake.device_rate = (rate,), rate
        assert loud(heard(fake))


def overflow_once(fake: FakePortAudio) -> None:
    source = Microphone()
    fake.streams[-1].deliver(SOUND, overflow=True)
    assert next(iter(source)).pcm == SOUND
    assert source.lost == 1
    source.close()


def overflow_always(fake: FakePortAudio) -> None:
    source = Microphone()
    for _ in range(50):
        fake.streams[-1].deliver(SOUND, overflow=True)
    assert source.lost == 50
    source.close()


def late(fake: FakePortAudio) -> None:
    """By half of the patience, as half a second is by far less than the real one."""
    assert microphone.PATIENCE_S == SHORT_S
    source = Microphone()
    chunks = iter(source)
    fake.streams[-1].deliver(SOUND)
    next(chunks)
    timer = threading.Timer(SHORT_S / 2, fake.streams[-1].deliver, (SOUND,))
    timer.start()
    assert next(chunks).pcm == SOUND
    timer.join()
    source.close()


def block(frames: int) -> Fault:
    def fault(fake: FakePortAudio) -> None:
        source = Microphone()
        sound = tone(frames / SPEECH.rate, SPEECH).pcm if frames else b""
        fake.streams[-1].deliver(sound)
        fake.streams[-1].deliver(SOUND)
        assert next(iter(source)).pcm == sound + SOUND
        source.close()

    return fault


def zeros(fake: FakePortAudio) -> None:
    """Delivered as they are; the recording says what they mean (tests/unit/assistant/test_talking.py)."""
    assert not any(heard(fake, pcm=bytes(3200)))


def no_numbers(fake: FakePortAudio) -> None:
    fake.samples = ("float32",)
    assert not any(heard(fake, pcm=np.full(1600, np.nan, "<f4").tobytes()))
    assert loud(heard(fake, pcm=np.full(1600, np.inf, "<f4").tobytes()))


def fast_clock(fake: FakePortAudio) -> None:
    """Two in a hundred more than the time that went by."""
    source = Microphone()
    chunks, came = iter(source), 0
    for _ in range(20):
        fake.streams[-1].deliver(SOUND + SOUND[: len(SOUND) // 50 // 2 * 2])
        came += len(next(chunks).pcm)
    assert came == 20 * (len(SOUND) + len(SOUND) // 50 // 2 * 2)
    assert source.lost == 0
    source.close()


def permission(fake: FakePortAudio) -> None:
    fake.refuses = ("Error opening", -9999, (0, -13, "Permission denied"))
    refused("can't be opened: Permission denied")


def busy(fake: FakePortAudio) -> None:
    fake.refuses = BUSY
    refused("Device unavailable")


def slept(fake: FakePortAudio) -> None:
    source = Microphone()
    chunks = iter(source)
    fake.streams[-1].deliver(SOUND)
    next(chunks)
    clock = time.time
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "time", lambda: clock() + 600)
        fake.streams[-1].deliver(SOUND)
        with pytest.raises(MicrophoneMissing, match="computer slept"):
            next(chunks)


def loudspeaker_lost(fake: FakePortAudio) -> None:
    voice = Speaker()
    voice.play(tone(0.1, SPEECH))
    with pytest.raises(SpeakerMissing, match="is gone"):
        voice.finish()
    assert not fake.streams[-1].open


def closed_during_a_callback(fake: FakePortAudio) -> None:
    source = Microphone()
    stream, stop = fake.streams[-1], threading.Event()

    def deliver() -> None:
        while not stop.is_set():
            stream.deliver(SOUND)

    thread = threading.Thread(target=deliver)
    thread.start()
    source.close()
    assert list(source) == []
    stop.set()
    thread.join()


FAULTS: dict[str, Fault] = {
    "no device": no_device,
    "the default changes": another_default,
    "unplugged: the callback just stops": callback_stops,
    "unplugged while closing": unplugged_while_closing,
    "switched silently": switched_silently,
    "plugged in again with a new index": new_index,
    "16 kHz refused": no_sixteen_kilohertz,
    "mono refused": no_mono,
    "16-bit refused": no_sixteen_bit,
    "only 44.1, 48, 96, 192 kHz": unusual_rates,
    "overflow once": overflow_once,
    "overflow always": overflow_always,
    "a late callback": late,
    "0 frames": block(0),
    "1 frame": block(1),
    "65,536 frames": block(65_536),
    "all zeros": zeros,
    "all NaN": no_numbers,
    "a clock 2 % fast": fast_clock,
    "permission denied": permission,
    "busy": busy,
    "sleep": slept,
    "loudspeaker lost": loudspeaker_lost,
    "closed during a callback": closed_during_a_callback,
}


def test_there_are_as_many_faults_as_were_promised() -> None:
    assert len(FAULTS) == 24


def test_the_real_patience_tells_within_two_seconds() -> None:
    assert microphone.PATIENCE_S + 2 * microphone.POLL_S < 2.0


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_fault_is_told_and_the_next_recording_works_without_a_leak(fault: Fault, use: Use) -> None:
    process = psutil.Process()
    counts: list[tuple[int, int, int]] = []
    for _ in range(CYCLES):
        fault(use(FakePortAudio()))
        healthy = use(FakePortAudio())
        assert heard(healthy) == SOUND
        assert not any(stream.open for stream in healthy.streams)
        handles = process.num_fds() if os.name == "posix" else process.num_handles()
        counts.append((handles, threading.active_count(), len(process.children())))
    assert counts[-1] == counts[1]
    assert devices._Streams.open == 0
