"""The voice of one turn, on its own thread: clauses in, sound out, without gaps between them.

The thread starts with the first clause, so a silent turn costs nothing. While the sink plays what it holds, the
next clause is already being made. What must stay true:

- Silenced once, the turn stays silent.
- A voice says nothing in a language that is not its own; that it does not is told, once.
- `SpeakingStarted` comes with the first sample of the answer that is handed to the sink, and is always followed by one
  `SpeakingEnded`. A filler is no part of the answer: it is played and not told.
- What was heard of an answer that was silenced is told by the samples that were played.
- A voice that fails takes nothing else along: the answer stands, and the reason is a `Problem`.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from queue import SimpleQueue

from aria_desktop.assistant.heard_part import Spoken, heard_part
from aria_desktop.core.audio import AudioChunk
from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.errors import AriaError
from aria_desktop.core.events import AnswerUnspoken, Event, Problem, SpeakingEnded, SpeakingStarted
from aria_desktop.core.interfaces import AudioSink, TextToSpeech
from aria_desktop.tools.languages.wording import wording_in

log = logging.getLogger(__name__)

FIRST_S = 0.02
"""Of the first chunk go ahead, so that the answer's beginning is told when it happens: a sink takes a long chunk
no sooner than it has room for it."""


@dataclass(frozen=True, slots=True)
class _Line:
    said: str
    language: str
    written: str
    filler: bool


class Narrator:
    """`finish` belongs to the turn's thread, and nothing is said after it; all else may come from any."""

    def __init__(
        self,
        turn_id: str,
        voice: TextToSpeech,
        open_sink: Callable[[], AudioSink],
        publish: Callable[[Event], None],
        language_of_voice: Callable[[CancelToken], str] = lambda _: "",
    ) -> None:
        """`language_of_voice`: see `assistant.parts.SessionParts`."""
        self._turn_id = turn_id
        self._language_of_voice = language_of_voice
        self._voice = voice
        self._open_sink = open_sink
        self._publish = publish
        self._clauses: SimpleQueue[_Line | None] = SimpleQueue()
        self._cancel = CancelToken()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._sink: AudioSink | None = None
        self._started = False
        self._heard = 0.0
        self._spoken: list[Spoken] = []

    def say(self, clause: str, language: str = "", written: str = "", *, filler: bool = False) -> None:
        """Speak it after what was said before; returns at once.

        Args:
            language: ISO 639-1 code of all that is said in this turn; empty: whatever the voice speaks.
            written: the clause as it stands in the answer; empty: as it is said.
            filler: it is no part of the answer.
        """
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._speak, name=f"voice of {self._turn_id}")
                self._thread.start()
        self._clauses.put(_Line(clause, language, "" if filler else written or f"{clause} ", filler))

    def finish(self) -> None:
        """Wait until all is heard, or silenced. Has to be called once, on every path."""
        if self._thread is not None:
            self._clauses.put(None)
            self._thread.join()

    def silence(self) -> None:
        """At once and for good."""
        with self._lock:
            self._cancel.cancel()
            if self._sink is not None:
                self._heard += self._sink.stop_now()

    def _speak(self) -> None:
        try:
            for line in self._until_finished():
                if not self._speaks(line.language):
                    text = wording_in(line.language).say("no_voice")
                    self._publish(AnswerUnspoken(self._turn_id, line.language, text))
                    break
                self._say(line)
        except Cancelled:
            pass
        except AriaError as error:
            self._publish(Problem("", error.code, f"The answer can't be spoken. {error.text}", error.hint))
        except Exception:
            log.exception("the voice failed")
            self._publish(Problem("", "internal", "The answer can't be spoken.", "The log tells more."))
        finally:
            self._close()

    def _until_finished(self) -> Iterator[_Line]:
        while (line := self._clauses.get()) is not None:
            self._cancel.raise_if_cancelled()
            yield line

    def _say(self, line: _Line) -> None:
        seconds = 0.0
        self._spoken.append(Spoken(seconds, line.written))
        for chunk in self._voice.synthesize(line.said, self._cancel):
            self._cancel.raise_if_cancelled()
            seconds += chunk.seconds
            self._spoken[-1] = Spoken(seconds, line.written)
            self._play(chunk, line)

    def _speaks(self, language: str) -> bool:
        """Waits until the voice is loaded, where that has to be known."""
        return not language or self._language_of_voice(self._cancel) in ("", language)

    def _play(self, chunk: AudioChunk, line: _Line) -> None:
        sink = self._sink or self._opened()
        if self._started or line.filler:
            sink.play(chunk)
            return
        sink.play(chunk.cut(0.0, FIRST_S))
        self._started = True
        self._publish(SpeakingStarted(self._turn_id, sink.name))
        sink.play(chunk.cut(FIRST_S, chunk.seconds))

    def _opened(self) -> AudioSink:
        sink = self._open_sink()
        with self._lock:
            self._cancel.raise_if_cancelled()
            self._sink = sink
        return sink

    def _close(self) -> None:
        """What was heard is known only when a `silence` that is under way is through, which the lock says."""
        if self._sink is None:
            return
        seconds = 0.0
        try:
            seconds = self._sink.finish()
        except AriaError as error:
            self._publish(Problem("", error.code, f"The answer can't be spoken. {error.text}", error.hint))
        with self._lock:
            seconds += self._heard
        if self._started:
            silenced = self._cancel.cancelled
            heard = heard_part(self._spoken, seconds) if silenced else ""
            self._publish(SpeakingEnded(self._turn_id, round(seconds, 3), silenced, heard))
