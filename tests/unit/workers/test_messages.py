"""Every message survives the way there and back, and nothing else gets through. The walk finds them all."""

from __future__ import annotations

import inspect
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any

import pytest

from aria_desktop.core import chat
from aria_desktop.core.audio import AudioFormat
from aria_desktop.core.chat import ToolChoice
from aria_desktop.core.interfaces import Capabilities, Generation, GenerationEnd, RecognitionHints, Voice
from aria_desktop.core.plain import wire_name
from aria_desktop.core.transcript import Nothing, RecognitionEnd, Segment, Word
from aria_desktop.workers import messages
from aria_desktop.workers.messages import Message, Part, from_wire, to_wire
from aria_desktop.workers.wire import Frame, WireError

CHAT = (chat.Message(chat.Role.SYSTEM, "s"), chat.Message(chat.Role.TOOL, "grün \u202e\n\x00"))
SAMPLES: dict[str, Any] = {
    "int": 7,
    "str": "grün \u202e\n\x00",
    "bytes": bytes(range(256)),
    "AudioFormat": AudioFormat(22_050, 2),
    "Capabilities": Capabilities("CPU", 4096, ("en", "es"), Voice(AudioFormat(22_050), "en")),
    "Generation": Generation(CHAT, {"type": "object", "required": ["a"], "x": [1, None, True]}, 9, 0.7, 3, ("\n",)),
    "GenerationEnd": GenerationEnd(
        True,
        10,
        9,
        3,
        2,
        1,
        0.25,
        0.5,
        (ToolChoice("copy_file", 0.5, "move_file", 0.25), ToolChoice("recall", 1.0)),
        0.125,
    ),
    "RecognitionEnd": RecognitionEnd(Nothing.UNCLEAR, 1.25, 2, 3600, 19),
    "RecognitionHints": RecognitionHints("es", ("ARIA", "shopping.txt")),
    "Segment": Segment("hi there", 0.0, 1.5, (Word("hi", 0.0, 0.5, 0.75), Word("there", 0.5, 1.5, 1.0))),
    "tuple[ChatMessage, ...]": CHAT,
    "Mapping[str, str | int | float | bool]": {"gpu": "auto", "threads": 2, "speed": 1.5, "x": True},
}
ALL = [
    cls
    for _, cls in inspect.getmembers(messages, inspect.isclass)
    if issubclass(cls, Message) and cls not in (Message, Part) and cls.__module__ == messages.__name__
]


def sample(cls: type[Any]) -> Any:
    return cls(**{known.name: SAMPLES[str(known.type)] for known in fields(cls)})


def test_the_walk_finds_them_all() -> None:
    assert len(ALL) == 17
    assert len({wire_name(cls) for cls in ALL}) == 17


@pytest.mark.parametrize("cls", ALL, ids=lambda cls: cls.__name__)
def test_there_and_back(cls: type[Any]) -> None:
    value = sample(cls)
    frame = to_wire(value)
    assert from_wire(frame) == value
    assert type(from_wire(frame)) is cls


@pytest.mark.parametrize("cls", ALL, ids=lambda cls: cls.__name__)
def test_sound_travels_as_raw_bytes_and_text_does_not(cls: type[Any]) -> None:
    frame = to_wire(sample(cls))
    carries = "pcm" in {known.name for known in fields(cls)}
    assert frame.payload == (SAMPLES["bytes"] if carries else b"")
    assert "pcm" not in frame.data


def test_no_sound_at_all_is_sound() -> None:
    message = messages.SpeechChunk(1, AudioFormat(22_050), b"")
    assert from_wire(to_wire(message)) == message


def test_a_frozen_schema_crosses() -> None:
    schema = MappingProxyType({"type": "object"})
    message = messages.Complete(1, replace(SAMPLES["Generation"], reply_schema=schema))
    arrived = from_wire(to_wire(message))
    assert isinstance(arrived, messages.Complete)
    assert arrived.generation.reply_schema == {"type": "object"}


@pytest.mark.parametrize(
    "frame",
    [
        Frame("message", {}),
        Frame("part", {"job": 1}),
        Frame("os.system", {"job": 1}),
        Frame("done", {}),
        Frame("done", {"job": "1"}),
        Frame("done", {"job": 1, "more": 2}),
        Frame("done", {"job": 1}, b"bytes"),
        Frame("text_piece", {"job": 1, "text": None}),
        Frame("text_piece", {"job": 1, "text": "\ud800"}),
        Frame("speech_chunk", {"job": 1, "format": {"rate": 16000, "channels": 1}, "pcm": ""}, b"12"),
        Frame("speech_chunk", {"job": 1, "format": "wide"}, b"12"),
        Frame("greeting", {"capabilities": {}}),
    ],
    ids=str,
)
def test_what_does_not_fit_is_refused(frame: Frame) -> None:
    with pytest.raises(WireError):
        from_wire(frame)
