"""A transcript as a file: plain text, JSON, SubRip and WebVTT subtitles. Pure."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Mapping

from aria_desktop.core.plain import to_plain
from aria_desktop.core.transcript import Segment, Transcript


def as_text(_name: str, transcript: Transcript) -> str:
    """A line for each segment, which is usually a sentence."""
    return "".join(f"{_line(segment)}\n" for segment in transcript.segments)


def as_json(name: str, transcript: Transcript) -> str:
    """One object on one line, so that several make JSON Lines. Times are seconds from the start of the sound."""
    return json.dumps({"file": name, "text": transcript.text, **to_plain(transcript)}, ensure_ascii=False) + "\n"


def as_srt(_name: str, transcript: Transcript) -> str:
    blocks = [
        f"{number}\n{_clock(segment.start, ',')} --> {_clock(segment.end, ',')}\n{_line(segment)}\n"
        for number, segment in enumerate(transcript.segments, 1)
    ]
    return "\n".join(blocks)


def as_vtt(_name: str, transcript: Transcript) -> str:
    """WebVTT gives <, > and & a meaning in cues, so they are escaped."""
    blocks = [
        f"{_clock(segment.start, '.')} --> {_clock(segment.end, '.')}\n{html.escape(_line(segment), quote=False)}\n"
        for segment in transcript.segments
    ]
    return "\n".join(["WEBVTT\n", *blocks])


FORMATS: Mapping[str, Callable[[str, Transcript], str]] = {
    "txt": as_text,
    "json": as_json,
    "srt": as_srt,
    "vtt": as_vtt,
}
"""By the name of the format, which is also the ending of its files."""


def _line(segment: Segment) -> str:
    return " ".join(segment.text.split())


def _clock(seconds: float, mark: str) -> str:
    """`01:02:03,450`."""
    whole, thousandths = divmod(round(max(0.0, seconds) * 1000), 1000)
    return f"{whole // 3600:02}:{whole % 3600 // 60:02}:{whole % 60:02}{mark}{thousandths:03}"
