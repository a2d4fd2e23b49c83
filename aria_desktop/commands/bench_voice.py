"""From the first clause of a reply to its first sample, and gaps between clauses, beside the same voice used the plain
way. Needs no loudspeaker."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from aria_desktop.commands.bench_arguments import count

if TYPE_CHECKING:
    from aria_desktop.core.interfaces import TextToSpeech
    from aria_desktop.evaluation.report import Report


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--limit", type=count, metavar="N", help="only the first N of the 40 replies")


def measure(arguments: argparse.Namespace) -> Report:
    from aria_desktop.commands.bench_line import BenchLine
    from aria_desktop.evaluation import voice
    from aria_desktop.evaluation.voice_replies import REPLIES

    line = BenchLine()
    return voice.run(fresh_voice, REPLIES[: arguments.limit], lambda done, of: line.show(done, of, 0, None))


@contextmanager
def fresh_voice(whole: bool) -> Iterator[TextToSpeech]:
    from dataclasses import replace

    from aria_desktop.core.cancel import CancelToken
    from aria_desktop.core.events import EngineRole
    from aria_desktop.storage.paths import find_paths
    from aria_desktop.storage.settings import load_settings
    from aria_desktop.workers.engines import Engines
    from aria_desktop.workers.host import WorkerHost
    from aria_desktop.workers.remote import RemoteTextToSpeech

    paths = find_paths()
    spec = Engines(paths, lambda: load_settings(paths.settings_file)).load_spec(EngineRole.VOICE)
    with_whole = replace(spec, options={**spec.options, "whole": whole})
    host = WorkerHost(EngineRole.VOICE, with_whole, lambda _state, _detail: None)
    try:
        host.loaded(CancelToken())
        yield RemoteTextToSpeech(host)
    finally:
        host.close()
