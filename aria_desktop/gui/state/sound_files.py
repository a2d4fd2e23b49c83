"""Sound files on their way to text: a queue that works on one file at a time and never stops at a bad one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import PurePath

from aria_desktop.core import events
from aria_desktop.core.requests import (
    CancelTranscription,
    ContinueTranscription,
    PauseTranscription,
    Request,
    TranscribeFile,
)
from aria_desktop.gui.state import figures
from aria_desktop.gui.state.shown import one_line
from aria_desktop.gui.state.translation import tr

MOST_WAITING = 50
"""Files in the queue at one time."""


class Stage(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    """There is text: carry it out, or keep it."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class SoundFile:
    key: str
    """Also the `request_id`."""
    path: str
    stage: Stage = Stage.WAITING
    part: float = 0.0
    """0 to 1."""
    words: str = field(default_factory=lambda: tr("Waiting"))
    """Progress, or what went wrong."""
    hint: str = ""
    text: str = ""
    held: bool = False
    """The user wants it to wait; it does so after the stretch that it is at."""

    @property
    def name(self) -> str:
        return one_line(PurePath(self.path).name)


class SoundQueue:
    """Takes in files and events, gives out requests. Nothing is sent twice, and one file's trouble is its own."""

    def __init__(self) -> None:
        self._files: dict[str, SoundFile] = {}
        self._count = 0

    def files(self) -> tuple[SoundFile, ...]:
        return tuple(self._files.values())

    def file(self, key: str) -> SoundFile | None:
        return self._files.get(key)

    @property
    def room(self) -> int:
        """How many more files may be added."""
        return max(0, MOST_WAITING - len(self._files))

    def add(self, paths: Sequence[str]) -> Request | None:
        """Returns what has to be asked of the assistant now, if anything. At most `room` paths."""
        for path in paths[: self.room]:
            self._count += 1
            key = f"file-{self._count}"
            self._files[key] = SoundFile(key, path)
        return self._next()

    def apply(self, event: events.Event) -> tuple[bool, Request | None]:
        """Whether the queue changed, and what has to be asked now."""
        key = _key(event)
        file = self._files.get(key)
        if file is None or file.stage is not Stage.RUNNING:
            return False, None
        self._files[key] = _after(file, event)
        return True, self._next()

    def take(self, key: str) -> tuple[SoundFile | None, tuple[Request, ...]]:
        """Take a file out, whatever it is doing, with what has to be asked because of it."""
        file = self._files.pop(key, None)
        stop: tuple[Request, ...] = ()
        if file is not None and file.stage is Stage.RUNNING:
            stop = (CancelTranscription(key),)
        following = self._next()
        return file, stop if following is None else (*stop, following)

    def hold(self, key: str) -> Request | None:
        """Let the file that is read wait, or go on."""
        file = self._files.get(key)
        if file is None or file.stage is not Stage.RUNNING:
            return None
        words = tr("Goes on") if file.held else tr("Pauses after this stretch")
        self._files[key] = replace(file, held=not file.held, words=words)
        return ContinueTranscription(key) if file.held else PauseTranscription(key)

    def _next(self) -> Request | None:
        if any(file.stage is Stage.RUNNING for file in self._files.values()):
            return None
        for key, file in self._files.items():
            if file.stage is Stage.WAITING:
                self._files[key] = replace(file, stage=Stage.RUNNING, words=tr("Reading the file"))
                return TranscribeFile(key, file.path)
        return None


def _key(event: events.Event) -> str:
    if isinstance(event, events.RecognitionProgress):
        return event.job_id
    if isinstance(event, events.TranscriptionPaused | events.TranscriptionContinued):
        return event.request_id
    if isinstance(event, events.FileTranscribed | events.FileRejected | events.Problem):
        return event.request_id
    return ""


def _after(file: SoundFile, event: events.Event) -> SoundFile:
    match event:
        case events.RecognitionProgress():
            part = event.done / event.total if event.total > 0 else 0.0
            words = file.words if file.held else progress_words(event)
            return replace(file, part=min(1.0, part), words=words, text=event.text)
        case events.TranscriptionPaused() if file.held:
            return replace(file, words=tr("Paused"))
        case events.FileTranscribed():
            text = event.transcript.text
            length = figures.position(event.transcript.seconds)
            if not text:
                hint = tr("The file plays, but nobody speaks in it.")
                none = tr("No speech was found in it")
                return replace(file, stage=Stage.FAILED, words=none, hint=hint, text="", held=False)
            return replace(file, stage=Stage.DONE, part=1.0, words=length, text=text, held=False)
        case events.FileRejected() | events.Problem():
            said = (one_line(event.text), one_line(event.hint))
            return replace(file, stage=Stage.FAILED, words=said[0], hint=said[1], held=False)
        case _:
            return file


def progress_words(event: events.RecognitionProgress) -> str:
    """ "0:12 of 0:40, about 8 s left"."""
    if not event.total:
        return figures.position(event.done)
    words = tr("{done} of {all}", done=figures.position(event.done), all=figures.position(event.total))
    if event.remaining is None:
        return words
    return tr("{progress}, about {time} left", progress=words, time=figures.whole_duration(event.remaining))
