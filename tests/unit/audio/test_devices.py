"""Choosing a device and the words when there is none."""

from __future__ import annotations

import pytest

from aria_desktop.audio.devices import Device, Direction, chosen, reason
from aria_desktop.audio.microphone import formats_to_try
from aria_desktop.core.audio import AudioFormat
from aria_desktop.core.errors import MicrophoneMissing, SpeakerMissing

HEADSET = Device("Headset", 4, 48_000, 1, True)
ARRAY = Device("Array", 2, 44_100, 8, False)
PLAIN = Device("Plain", 1, 16_000, 1, False)


def test_the_default_is_taken_unless_another_one_is_named() -> None:
    assert chosen([HEADSET, ARRAY], "", Direction.IN) is HEADSET
    assert chosen([HEADSET, ARRAY], "Array", Direction.IN) is ARRAY


def test_without_a_device_the_error_says_which_kind_and_what_to_do() -> None:
    with pytest.raises(MicrophoneMissing) as heard:
        chosen([], "", Direction.IN)
    assert heard.value.text == "There is no microphone."
    assert "Plug in a microphone" in heard.value.hint
    with pytest.raises(SpeakerMissing) as said:
        chosen([], "Hi-Fi", Direction.OUT)
    assert said.value.text == "There is no loudspeaker."
    assert "voice.speak_replies" in said.value.hint


def test_a_wrong_name_is_answered_with_the_right_ones() -> None:
    with pytest.raises(MicrophoneMissing, match=r"called Webcam\. There is: Headset, Array\."):
        chosen([HEADSET, ARRAY], "Webcam", Direction.IN)


@pytest.mark.parametrize(
    ("device", "formats"),
    [
        (HEADSET, [AudioFormat(16_000), AudioFormat(48_000)]),
        (ARRAY, [AudioFormat(16_000), AudioFormat(16_000, 2), AudioFormat(44_100), AudioFormat(44_100, 2)]),
        (PLAIN, [AudioFormat(16_000)]),
    ],
)
def test_what_needs_no_conversion_is_tried_first(device: Device, formats: list[AudioFormat]) -> None:
    assert [wanted.format for wanted in formats_to_try(device)] == formats * 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("Error opening RawInputStream: Invalid sample rate", -9997), "Invalid sample rate"),
        (("Error opening: Unanticipated host error", -9999, (0, -5, "Input/output error")), "Input/output error"),
        (("Error opening: Unanticipated host error", -9999, (0, 0, "")), "Unanticipated host error"),
        ((), "RuntimeError"),
    ],
)
def test_the_reason_is_in_the_systems_words(arguments: tuple[object, ...], words: str) -> None:
    assert reason(RuntimeError(*arguments)) == words
