"""What an open microphone costs while nobody speaks, and what a day of listening leaves behind. Be quiet meanwhile."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aria_desktop.core.audio import AudioChunk
    from aria_desktop.evaluation.report import Report

_SENTENCE = "Please write down that the window stays open."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seconds", type=int, metavar="N", default=60, help="of the real microphone (default: 60; 0: without it)"
    )
    parser.add_argument("--hours", type=int, metavar="N", default=24, help="fed at full speed (default: 24; 0: none)")


def measure(arguments: argparse.Namespace) -> Report:
    from aria_desktop import app_audio
    from aria_desktop.commands.bench_line import BenchLine
    from aria_desktop.evaluation import idle
    from aria_desktop.storage.paths import find_paths
    from aria_desktop.storage.settings import load_settings

    settings = load_settings(find_paths().settings_file)
    line = BenchLine()
    return idle.run(
        lambda: app_audio.microphone(settings.microphone),
        app_audio.strict_detector,
        _spoken(),
        arguments.seconds,
        arguments.hours * 60,
        lambda done, of: line.show(done, of, 0, None),
    )


def _spoken() -> AudioChunk:
    from aria_desktop.commands.bench_voice import fresh_voice
    from aria_desktop.core.audio import joined
    from aria_desktop.core.cancel import CancelToken

    with fresh_voice(whole=True) as voice:
        return joined(list(voice.synthesize(_SENTENCE, CancelToken())))
