"""Recognise labelled speech beside plain faster-whisper with its defaults, on the same weights: how much faster, and
how many words more or less are right. Goes on where an earlier run with the same --records stopped."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from aria_desktop.commands.bench_arguments import add_speech_arguments, count

if TYPE_CHECKING:
    from aria_desktop.evaluation.report import Report


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_speech_arguments(parser)
    parser.add_argument("--limit", type=count, metavar="N", help="at most N clips, spread over all")


def measure(arguments: argparse.Namespace) -> Report:
    from aria_desktop.commands.bench_line import BenchLine
    from aria_desktop.evaluation import stt
    from aria_desktop.evaluation.evaluated import evaluated_speech
    from aria_desktop.evaluation.records import Records
    from aria_desktop.evaluation.speech_clips import Half, clips_hash, speech_clips, spread

    clips = spread(speech_clips(arguments.data, Half(arguments.half)), arguments.limit)
    speech = evaluated_speech(arguments.model)
    settings = {"bench": "stt", "engine": speech.fingerprint, "clips": clips_hash(clips)}
    records = Records(arguments.records, settings, fresh=arguments.fresh)
    line = BenchLine()
    return stt.run(speech.spec, clips, records, lambda done, of, left: line.show(done, of, 0, left))
