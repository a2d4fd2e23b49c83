"""The real microphone code on a real sound system."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import numpy as np
import pytest

from aria_desktop.audio.devices import microphones
from aria_desktop.audio.microphone import Microphone
from aria_desktop.core.audio import SPEECH, AudioChunk, joined
from aria_desktop.core.errors import MicrophoneMissing
from aria_desktop.testing.sounds import silence
from tests.ears.virtual_sound import VirtualSound


def recorded(microphone: Microphone, seconds: float) -> AudioChunk:
    chunks: list[AudioChunk] = []
    for chunk in microphone:
        chunks.append(chunk)
        if sum(part.seconds for part in chunks) >= seconds:
            break
    return joined(chunks)


def likeness(said: AudioChunk, heard: AudioChunk) -> tuple[float, float]:
    """How alike the two sounds are where they fit best, up to 1, and where in `heard` that is, in seconds."""
    one, other = (np.frombuffer(sound.pcm, "<i2").astype(np.float64) for sound in (said, heard))
    size = len(one) + len(other)
    match = np.fft.irfft(np.fft.rfft(other, size) * np.conj(np.fft.rfft(one, size)), size)[: len(other) - len(one)]
    at = int(match.argmax())
    part = other[at : at + len(one)]
    return float(match[at] / np.sqrt((one**2).sum() * (part**2).sum())), at / SPEECH.rate


def test_what_is_said_is_recorded_whole(sound: VirtualSound, clip: Callable[[str], AudioChunk]) -> None:
    said = clip("read/jfk_inaugural_en.flac")
    microphone = Microphone()
    with sound.speaking(joined([silence(0.5, SPEECH), said])):
        heard = recorded(microphone, said.seconds + 2.0)
    microphone.close()
    alike, at = likeness(said, heard)
    assert alike > 0.98
    assert 0.3 < at < 2.0
    assert microphone.lost == 0


def test_the_default_microphone_is_listed_first(sound: VirtualSound) -> None:
    del sound
    listed = microphones()
    assert listed[0].is_default
    assert listed[0].channels >= 1
    microphone = Microphone(listed[0].name)
    microphone.close()
    assert microphone.name == listed[0].name


def test_an_unplugged_microphone_is_noticed(sound: VirtualSound) -> None:
    sound.unplug_speaker()
    microphone = Microphone()
    chunks = iter(microphone)
    next(chunks)
    sound.unplug_microphone()
    pulled = time.monotonic()
    with pytest.raises(MicrophoneMissing, match=r"is gone|delivers nothing") as missing:
        for _ in chunks:
            pass
    assert time.monotonic() - pulled < 2.0
    assert "aria doctor" in missing.value.hint


def test_plugged_in_again_it_works_again(sound: VirtualSound) -> None:
    sound.unplug_microphone()
    sound.plug_microphone()
    microphone = Microphone()
    assert recorded(microphone, 0.2).seconds >= 0.2
    microphone.close()


def test_without_any_microphone_the_error_names_the_way_out(
    sound: VirtualSound, capfd: pytest.CaptureFixture[str]
) -> None:
    sound.unplug_microphone()
    sound.unplug_speaker()
    with pytest.raises(MicrophoneMissing, match="can't be opened") as missing:
        Microphone()
    assert missing.value.hint.startswith("Plug in a microphone")
    assert capfd.readouterr().err == ""


def test_a_name_that_is_not_there_is_answered_with_those_that_are(sound: VirtualSound) -> None:
    del sound
    with pytest.raises(MicrophoneMissing, match=r"no microphone called Webcam\. There is: .*default"):
        Microphone("Webcam")


def test_closing_from_another_thread_ends_the_recording(sound: VirtualSound) -> None:
    del sound
    microphone = Microphone()
    started = threading.Event()

    def close() -> None:
        started.wait()
        microphone.close()
        microphone.close()

    thread = threading.Thread(target=close)
    thread.start()
    for _ in microphone:
        started.set()
    thread.join()
    assert list(microphone) == []


def test_opened_and_closed_again_and_again_nothing_is_left(sound: VirtualSound) -> None:
    import psutil

    del sound
    process = psutil.Process()
    Microphone().close()
    native = process.num_threads()
    counts = []
    for _ in range(12):
        microphone = Microphone()
        next(iter(microphone))
        microphone.close()
        counts.append((process.num_fds(), len(threading.enumerate())))
    assert counts[-1] == counts[3]
    # A thread that has ended is counted by the system for a moment more.
    until = time.monotonic() + 10
    while process.num_threads() > native:
        assert time.monotonic() < until, "threads of the sound library are left"
        time.sleep(0.01)
