"""Sound files that are only written down: one after another, on a thread of their own, beside the turns.

The thread lives while there is work. Each file ends in exactly one `FileTranscribed` or `FileRejected`, also when it
is cancelled while it waits. A file is read while it is heard, a stretch at a time, and each stretch is stored before
the next one is heard: memory does not grow with its length, and a killed program goes on where it was.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from aria_desktop.assistant.file_hearing import FileHearing
from aria_desktop.assistant.parts import SessionParts
from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.errors import AriaError
from aria_desktop.core.events import (
    EngineRole,
    Event,
    FileRejected,
    FileTranscribed,
    TranscriptionContinued,
    TranscriptionPaused,
)
from aria_desktop.core.transcript import Transcript

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Job:
    request_id: str
    path: str
    language: str
    cancel: CancelToken = field(default_factory=CancelToken)
    go_on: threading.Event = field(default_factory=threading.Event)
    """Set unless it is paused."""


class Transcriptions:
    """All methods but `join` return at once and may be called from any thread."""

    def __init__(self, parts: SessionParts, publish: Callable[[Event], None]) -> None:
        self._parts = parts
        self._publish = publish
        self._lock = threading.Lock()
        self._jobs: deque[_Job] = deque()
        self._thread: threading.Thread | None = None

    @property
    def waiting(self) -> int:
        """Files that are not done yet. The last one's end is published after it is no longer counted."""
        return len(self._jobs)

    def add(self, request_id: str, path: str, language: str = "") -> None:
        """`language`: ISO 639-1 code of what is spoken in it; empty: as for all that is heard."""
        with self._lock:
            job = _Job(request_id, path, language or self._parts.preferences().language)
            job.go_on.set()
            self._jobs.append(job)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="transcriptions")
                self._thread.start()

    def cancel(self, request_id: str) -> bool:
        """False when no file of that request waits or is being worked on."""
        found = self._of(request_id)
        for job in found:
            job.cancel.cancel()
        return bool(found)

    def pause(self, request_id: str) -> None:
        """After the stretch that it is at; the files behind it wait too."""
        for job in self._of(request_id):
            job.go_on.clear()

    def go_on(self, request_id: str) -> None:
        for job in self._of(request_id):
            job.go_on.set()

    def _of(self, request_id: str) -> list[_Job]:
        with self._lock:
            return [job for job in self._jobs if job.request_id == request_id]

    def cancel_all(self) -> None:
        with self._lock:
            jobs = list(self._jobs)
        for job in jobs:
            job.cancel.cancel()

    def join(self) -> None:
        """Blocks until all files are done."""
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        while (job := self._next()) is not None:
            end = self._end_of(job)
            with self._lock:
                self._jobs.popleft()
            self._publish(end)

    def _next(self) -> _Job | None:
        with self._lock:
            if not self._jobs:
                self._thread = None
                return None
            return self._jobs[0]

    def _end_of(self, job: _Job) -> Event:
        try:
            job.cancel.raise_if_cancelled()
            return FileTranscribed(job.request_id, job.path, self._transcript(job))
        except Cancelled:
            return FileRejected(job.request_id, job.path, "cancelled", "It was stopped.", "")
        except AriaError as error:
            return FileRejected(job.request_id, job.path, error.code, error.text, error.hint)
        except Exception:
            log.exception("transcribing %s failed", job.path)
            text, hint = "Something in ARIA itself went wrong.", "The log tells more."
            return FileRejected(job.request_id, job.path, "internal", text, hint)

    def _transcript(self, job: _Job) -> Transcript:
        model = next((engine.model for engine in self._parts.engines if engine.role is EngineRole.SPEECH), "")
        identity = f"{self._parts.identify_audio(job.path)} {job.language} {model}"
        stored = self._parts.transcripts.begin(identity)
        hearing = FileHearing(self._parts, job.request_id, job.language, stored, self._publish)
        for window in hearing.windows(job.path, job.cancel):
            self._wait_while_paused(job)
            hearing.hear(window, job.cancel)
        self._parts.transcripts.finish(stored.number)
        return hearing.transcript

    def _wait_while_paused(self, job: _Job) -> None:
        if job.go_on.is_set():
            return
        forget = job.cancel.on_cancel(job.go_on.set)
        self._publish(TranscriptionPaused(job.request_id))
        job.go_on.wait()
        forget()
        job.cancel.raise_if_cancelled()
        self._publish(TranscriptionContinued(job.request_id))
