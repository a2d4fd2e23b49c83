"""Transcripts in every format, byte for byte."""

from __future__ import annotations

import json

from aria_desktop.commands.transcript_formats import FORMATS
from aria_desktop.core.transcript import Segment, Transcript, Word

TALK = Transcript(
    (
        Segment(" Milk & eggs -->  <now>.", 0.0, 1.25, (Word("Milk", 0.0, 0.4, 0.9),)),
        Segment("Grüße.", 3725.5, 3726.0005),
    ),
    "en",
    4000.0,
)


def test_text_has_a_line_for_each_segment() -> None:
    assert FORMATS["txt"]("talk.wav", TALK) == "Milk & eggs --> <now>.\nGrüße.\n"


def test_subtitles_have_numbers_and_times() -> None:
    assert FORMATS["srt"]("talk.wav", TALK) == (
        "1\n00:00:00,000 --> 00:00:01,250\nMilk & eggs --> <now>.\n\n2\n01:02:05,500 --> 01:02:06,000\nGrüße.\n"
    )


def test_web_subtitles_escape_what_would_mean_something() -> None:
    assert FORMATS["vtt"]("talk.wav", TALK) == (
        "WEBVTT\n\n00:00:00.000 --> 00:00:01.250\nMilk &amp; eggs --&gt; &lt;now&gt;.\n\n"
        "01:02:05.500 --> 01:02:06.000\nGrüße.\n"
    )


def test_json_is_one_line_with_everything() -> None:
    text = FORMATS["json"]("talk.wav", TALK)
    assert text.count("\n") == 1
    data = json.loads(text)
    assert (data["file"], data["language"], data["seconds"]) == ("talk.wav", "en", 4000.0)
    assert data["text"] == "Milk & eggs -->  <now>. Grüße."
    assert data["segments"][0]["words"] == [{"text": "Milk", "start": 0.0, "end": 0.4, "probability": 0.9}]
