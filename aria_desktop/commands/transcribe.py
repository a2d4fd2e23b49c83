"""Write down what is said in sound files, to standard output or to files beside each other.

A file that can't be read stops none of the others; the exit code is that of the first one that failed.
"""

from __future__ import annotations

import argparse
import queue
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from aria_desktop.core.events import Event, RecognitionProgress
    from aria_desktop.core.interfaces import Assistant
    from aria_desktop.core.transcript import Transcript

FORMAT_NAMES = ("txt", "json", "srt", "vtt")
STEP_PERCENT = 10
_CLEAR = "\r\x1b[K"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="WAV, MP3, M4A, OGG, Opus, FLAC or WebM")
    parser.add_argument("--format", choices=FORMAT_NAMES, default="txt", help="text (default), JSON or subtitles")
    parser.add_argument("--out", metavar="DIR", help="write FILE's transcript into this folder instead of printing it")
    parser.add_argument("--language", default="", metavar="CODE", help="what is spoken, as in en, de or es")


def run(arguments: argparse.Namespace) -> int:
    from aria_desktop.app import assistant_for
    from aria_desktop.core.events import EngineRole

    jobs = planned(arguments.files, arguments.format, arguments.out)
    with assistant_for(kind="transcribe", prepare=(EngineRole.SPEECH,)) as assistant:
        return carry_out(assistant, jobs, arguments.format, arguments.language)


class _Stopped(Exception):
    """The file was cancelled, here or by another front end."""


@dataclass(frozen=True, slots=True)
class Job:
    path: Path
    """Absolute."""
    out: Path | None
    """None: standard output."""


def planned(files: Sequence[str], format_name: str, out: str | None) -> list[Job]:
    """What goes where. Raises UsageError before anything is done when two would go to one place, or over a file."""
    from aria_desktop.core.errors import UsageError

    paths = [Path(file).absolute() for file in files]
    if out is None:
        if len(paths) > 1 and format_name in ("srt", "vtt"):
            raise UsageError("Subtitles of several files can't be printed together.", "Name a folder with --out.")
        return [Job(path, None) for path in paths]
    jobs = [Job(path, Path(out).absolute() / f"{path.stem}.{format_name}") for path in paths]
    for job in jobs:
        assert job.out is not None
        if job.out.exists():
            raise UsageError(f"{job.out} is there already.", "Move it away, or name another folder with --out.")
    twice = next((job.out for number, job in enumerate(jobs) if job.out in [j.out for j in jobs[:number]]), None)
    if twice is not None:
        raise UsageError(f"Two of the files would be written to {twice}.", "Rename one, or do them one by one.")
    return jobs


def carry_out(assistant: Assistant, jobs: Sequence[Job], format_name: str, language: str) -> int:
    """Do all jobs in order; returns an exit code. Ctrl+C stops the running one and leaves out the rest."""
    from aria_desktop.core.errors import AriaError, ExitCode

    first_bad = ExitCode.OK
    line = ProgressLine(sys.stderr)
    events: queue.SimpleQueue[Event] = queue.SimpleQueue()
    unsubscribe = assistant.subscribe(events.put)
    try:
        for job in jobs:
            try:
                deliver(job, transcript_of(assistant, job, language, events, line), format_name, several=len(jobs) > 1)
            except AriaError as error:
                line.say_broken_off(f"aria: {error.text} {error.hint}".rstrip())
                first_bad = first_bad or error.exit_code
            finally:
                line.end()
    finally:
        unsubscribe()
    return first_bad


def transcript_of(
    assistant: Assistant, job: Job, language: str, events: queue.SimpleQueue[Event], line: ProgressLine
) -> Transcript:
    """Raises the error of the file, NothingHeard when it holds no words, KeyboardInterrupt once it is stopped."""
    from aria_desktop.commands.turns import new_id
    from aria_desktop.core.requests import CancelTranscription, TranscribeFile

    request_id = new_id()
    stopped = False
    assistant.submit(TranscribeFile(request_id, str(job.path), language))
    while True:
        try:
            transcript = _taken(events.get(), request_id, job.path.name, line)
        except KeyboardInterrupt:
            if stopped:
                raise
            stopped = True
            assistant.submit(CancelTranscription(request_id))
            continue
        except _Stopped:
            raise KeyboardInterrupt from None
        if transcript is not None:
            return transcript


def _taken(event: Event, request_id: str, name: str, line: ProgressLine) -> Transcript | None:
    """The transcript, once it is there."""
    from aria_desktop.core import events
    from aria_desktop.core.errors import error_named

    match event:
        case events.RecognitionProgress(job_id=job_id) if job_id == request_id:
            line.show(name, event)
        case events.FileTranscribed() if event.request_id == request_id:
            return _checked(event.transcript, name)
        case events.FileRejected(error="cancelled") if event.request_id == request_id:
            raise _Stopped
        case events.FileRejected() if event.request_id == request_id:
            raise error_named(event.error, event.text, event.hint)
        case events.Problem() if event.request_id == request_id or event.error == "window_gone":
            raise error_named(event.error, event.text, event.hint)
    return None


def _checked(transcript: Transcript, name: str) -> Transcript:
    from aria_desktop.core.errors import NothingHeard

    if not transcript.text:
        raise NothingHeard(f"{name}: nothing was heard in {transcript.seconds:.1f} seconds of sound.")
    return transcript


def deliver(job: Job, transcript: Transcript, format_name: str, *, several: bool) -> None:
    """Print it, or write its file. Raises StorageError."""
    from aria_desktop.commands.transcript_formats import FORMATS
    from aria_desktop.core.visible import visible, visible_line
    from aria_desktop.storage.files import replace_file

    text = FORMATS[format_name](str(job.path), transcript)
    if job.out is not None:
        replace_file(job.out, text.encode("utf-8"))
        print(visible_line(str(job.out)))
        return
    heading = f"{visible_line(job.path.name)}:\n" if several and format_name == "txt" else ""
    print(heading + visible(text), end="", flush=True)


class ProgressLine:
    """Seconds of sound done and time left: one changing line on a terminal, else a line for every tenth."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._changing = out.isatty()
        self._open = False
        self._step = -1
        self._so_far = ""

    def show(self, name: str, progress: RecognitionProgress) -> None:
        step = int(progress.done / progress.total * 100 // STEP_PERCENT) if progress.total else 0
        if self._changing:
            self._out.write(_CLEAR + words(name, progress))
            self._open = True
        elif step != self._step:
            self._out.write(words(name, progress) + "\n")
        self._step, self._so_far = step, progress.text
        self._out.flush()

    def say_broken_off(self, error: str) -> None:
        """Why the file ended before its time, and the words that were recognised until then: they are not lost."""
        so_far = self._so_far
        self.say(error)
        if so_far:
            self.say(f"What was recognised before that: {so_far}")

    def say(self, text: str) -> None:
        """A line that stays."""
        from aria_desktop.core.visible import visible

        self.end()
        self._out.write(visible(text) + "\n")
        self._out.flush()

    def end(self) -> None:
        """The file is done; what comes next begins on an empty line."""
        if self._open:
            self._out.write(_CLEAR)
        self._open, self._step, self._so_far = False, -1, ""


def words(name: str, progress: RecognitionProgress) -> str:
    """`talk.mp3: 61.0 of 300.0 s, 42 s left`."""
    from aria_desktop.core.visible import visible_line

    left = "" if progress.remaining is None else f", {progress.remaining:.0f} s left"
    of = f" of {progress.total:.1f}" if progress.total else ""
    return f"{visible_line(name)}: {progress.done:.1f}{of} s{left}"
