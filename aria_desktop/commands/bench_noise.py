"""Ten minutes of noise, music and silence, in which nothing must be heard, and spoken commands in a kitchen, in which
all must be. Goes on where an earlier run with the same --records stopped."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from aria_desktop.commands.bench_arguments import add_speech_arguments

if TYPE_CHECKING:
    from aria_desktop.evaluation.report import Report


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_speech_arguments(parser)


def measure(arguments: argparse.Namespace) -> Report:
    from aria_desktop.commands.bench_line import BenchLine
    from aria_desktop.evaluation import noise
    from aria_desktop.evaluation.evaluated import evaluated_speech
    from aria_desktop.evaluation.records import Records
    from aria_desktop.evaluation.speech_clips import Half, clips_hash, noise_clips, speech_clips

    sounds, clips = noise_clips(arguments.data), speech_clips(arguments.data, Half(arguments.half))
    speech = evaluated_speech(arguments.model)
    settings = {"bench": "noise", "engine": speech.fingerprint, "clips": clips_hash([*sounds, *clips])}
    records = Records(arguments.records, settings, fresh=arguments.fresh)
    line = BenchLine()
    return noise.run(speech.spec, sounds, clips, records, lambda done, of, left: line.show(done, of, 0, left))
