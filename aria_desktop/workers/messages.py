"""What crosses the pipe between the program and an engine's process, one frozen type each.

The program sends `Load` once, then jobs; each job has a number, chosen by the program and never used twice
in one process. The engine's process answers `Load` with `Greeting` or `LoadFailed`, and each job with any
number of parts and exactly one final message: `Done`, `Failed` or `Stopped`. The end of the stream without
a final message means that the engine died.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from aria_desktop.core.audio import AudioFormat
from aria_desktop.core.chat import Message as ChatMessage
from aria_desktop.core.interfaces import Capabilities, Generation, GenerationEnd, RecognitionHints
from aria_desktop.core.plain import from_plain, to_plain, wire_name
from aria_desktop.core.transcript import RecognitionEnd, Segment
from aria_desktop.workers.wire import Frame, WireError


class Message:
    """The common parent; only subclasses are ever sent."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Part(Message):
    """Some of what a job yields; only subclasses are ever sent."""

    job: int


@dataclass(frozen=True, slots=True)
class Load(Message):
    engine: str
    """A name of `engines.registry`."""
    model_path: str
    """Absolute path of a file or folder; never a name that a library could look up elsewhere."""
    options: Mapping[str, str | int | float | bool]


@dataclass(frozen=True, slots=True)
class Transcribe(Message):
    job: int
    hints: RecognitionHints
    pcm: bytes
    """In the format `core.audio.SPEECH`."""


@dataclass(frozen=True, slots=True)
class Complete(Message):
    job: int
    generation: Generation


@dataclass(frozen=True, slots=True)
class Warm(Message):
    """Evaluate these messages so that a later `Complete` that starts with them begins at once."""

    job: int
    messages: tuple[ChatMessage, ...]


@dataclass(frozen=True, slots=True)
class Synthesize(Message):
    job: int
    text: str


@dataclass(frozen=True, slots=True)
class Cancel(Message):
    """Answered by the job's own final message; one that comes too late is passed over."""

    job: int


@dataclass(frozen=True, slots=True)
class Greeting(Message):
    capabilities: Capabilities


@dataclass(frozen=True, slots=True)
class LoadFailed(Message):
    """The engine can't be loaded, for a reason that it knows. Its process ends."""

    code: str
    """Of the `AriaError`."""
    text: str
    hint: str


@dataclass(frozen=True, slots=True)
class LanguageFound(Part):
    language: str


@dataclass(frozen=True, slots=True)
class SegmentHeard(Part):
    segment: Segment


@dataclass(frozen=True, slots=True)
class HearingEnd(Part):
    end: RecognitionEnd


@dataclass(frozen=True, slots=True)
class TextPiece(Part):
    text: str


@dataclass(frozen=True, slots=True)
class TextEnd(Part):
    end: GenerationEnd


@dataclass(frozen=True, slots=True)
class SpeechChunk(Part):
    format: AudioFormat
    pcm: bytes


@dataclass(frozen=True, slots=True)
class Done(Message):
    job: int


@dataclass(frozen=True, slots=True)
class Stopped(Message):
    """The job was cancelled."""

    job: int


@dataclass(frozen=True, slots=True)
class Failed(Message):
    job: int
    code: str
    text: str
    hint: str


Job = Transcribe | Complete | Warm | Synthesize
Final = Done | Stopped | Failed

_RAW = "pcm"
"""The field that travels as raw bytes behind the header."""


_TYPES: dict[str, type[Message]] = {
    wire_name(cls): cls
    for cls in list(vars().values())
    if isinstance(cls, type) and issubclass(cls, Message) and cls not in (Message, Part)
}


def to_wire(message: Message) -> Frame:
    payload = getattr(message, _RAW, b"")
    bare: Any = replace(message, **{_RAW: b""}) if payload else message  # type: ignore[type-var]
    data = to_plain(bare)
    data.pop(_RAW, None)
    return Frame(wire_name(type(message)), data, payload)


def from_wire(frame: Frame) -> Message:
    """Raises WireError for a type that nobody declares and for fields that don't fit."""
    cls: Any = _TYPES.get(frame.type)
    if cls is None:
        raise WireError(f"there is no message of type {frame.type!r}")
    carries_bytes = _RAW in {known.name for known in fields(cls)}
    if _RAW in frame.data or (frame.payload and not carries_bytes):
        raise WireError(f"a {frame.type!r} message carries bytes where none belong")
    try:
        message = from_plain(cls, {**frame.data, _RAW: ""} if carries_bytes else frame.data)
    except (ValueError, RecursionError) as error:
        raise WireError(f"a {frame.type!r} message does not fit: {error}") from error
    result: Message = replace(message, **{_RAW: frame.payload}) if carries_bytes else message
    return result
