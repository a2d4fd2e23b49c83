"""One turn, on its own thread: sound to words, words to deeds, and the answer to the voice while it is written.

What must stay true:

- Every turn ends in exactly one `TurnEnded`, on every path; it is the last event of the turn.
- The words are stored before the model runs, and each event before the agent goes on.
- When nothing was heard there is no turn: nothing is stored, and the end carries no id.
- The voice can only lose the sound of an answer, never the answer.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from aria_desktop.assistant.agent import AgentResult, AgentTask
from aria_desktop.assistant.ahead import HeardAhead
from aria_desktop.assistant.by_code import answered_by_code
from aria_desktop.assistant.doubts import hearing_of
from aria_desktop.assistant.filler import Filler
from aria_desktop.assistant.hearing import heard
from aria_desktop.assistant.narrator import Narrator
from aria_desktop.assistant.offering import Offers, accepted, has_to_be_offered
from aria_desktop.assistant.order import Order
from aria_desktop.assistant.pace import paced
from aria_desktop.assistant.parts import SessionParts
from aria_desktop.assistant.reading_aloud import PACES, Asked, asked, passage, read_aloud
from aria_desktop.assistant.said_alone import Alone, Said, said_alone
from aria_desktop.assistant.sentences import Clause, Clauses
from aria_desktop.assistant.so_far import Events
from aria_desktop.assistant.spoken_language import language_of_turn, spoken_language
from aria_desktop.assistant.timings import Timings
from aria_desktop.assistant.undoing import waits_for_undo
from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.errors import AriaError, NothingHeard
from aria_desktop.core.events import (
    AnswerGiven,
    AnswerPiece,
    CallEnded,
    CallProposed,
    CallStarted,
    Event,
    Heard,
    TurnEnded,
    TurnStarted,
    UntrustedTextRead,
)
from aria_desktop.core.interfaces import Approver
from aria_desktop.safety.paths import Workspace
from aria_desktop.tools.languages.wording import wording_in

log = logging.getLogger(__name__)

ENGLISH = "en"
"""What code says itself is English where the language is not known."""


@dataclass(frozen=True, slots=True)
class _End:
    outcome: TurnOutcome
    answer: str = ""
    error: str = ""
    text: str = ""
    hint: str = ""


class Turn:
    """`start` it once; `cancel` and `silence` may come from any thread."""

    def __init__(
        self,
        order: Order,
        parts: SessionParts,
        approver: Approver,
        offers: Offers,
        publish: Callable[[Event], None],
        done: Callable[[], None],
        ahead: HeardAhead | None = None,
    ) -> None:
        """`publish` and `done` are called on the turn's threads and must not block; `done` is the last deed.

        Args:
            ahead: what was, or is being, recognised of the order's recording before its turn.
        """
        self.order = order
        self._ahead = ahead
        self._parts = parts
        self._approver = approver
        self._offers = offers
        self._publish = publish
        self._done = done
        self._cancel = CancelToken()
        self._timings = ahead.timings if ahead else Timings(order.began, order.speech_ended)
        self._clauses = Clauses(ENGLISH)
        """Made anew in the language of the answer when that is known."""
        self._narrator = Narrator(order.turn_id, parts.voice, parts.open_speaker, self._tell, parts.language_of_voice)
        self._filler = Filler(self._fill)
        self._emitting = threading.Lock()
        self._stored = False
        self.said: Said | None = None
        """What code itself is to do; known once the words are."""
        self._answer = ""
        self._language = ""
        """Of the answer."""
        self._tools: list[str] = []
        self._thread = threading.Thread(target=self._run, name=f"turn {order.turn_id}")

    def start(self) -> None:
        self._thread.start()

    def cancel(self) -> None:
        """Stop thinking, waiting and speaking."""
        self._cancel.cancel()
        self._narrator.silence()

    def silence(self) -> None:
        """Stop speaking only."""
        self._narrator.silence()

    def join(self) -> None:
        self._thread.join()

    def _run(self) -> None:
        try:
            end = self._carried_out()
        except NothingHeard as nothing:
            end = _End(TurnOutcome.NOTHING_HEARD, text=nothing.text)
        except Cancelled:
            end = _End(TurnOutcome.CANCELLED, self._answer)
        except AriaError as error:
            end = _End(TurnOutcome.FAILED, self._answer, error.code, error.text, error.hint)
        except Exception:
            log.exception("turn %s failed", self.order.turn_id)
            text, hint = "Something in ARIA itself went wrong.", "The log tells more."
            end = _End(TurnOutcome.FAILED, self._answer, "internal", text, hint)
        self._filler.close()
        self._narrator.finish()
        self._end(end)
        self._done()

    def _carried_out(self) -> _End:
        order = self.order
        self._tell(TurnStarted(order.turn_id, order.session_id, order.request_id, order.source, order.words))
        found = None if order.words else self._heard()
        words = found.text if found else order.words
        with self._workspace(words, found) as workspace:
            self._begin(words, found, str(workspace.root))
            result = self._result(words, found, workspace)
        return _End(result.outcome, result.answer, result.error, result.answer if result.error else "")

    def _heard(self) -> Heard:
        """As it is to be carried out."""
        if self._ahead is not None:
            found = self._ahead.result(self._cancel)
        else:
            found = heard(self.order, self._parts, self._timings, self._cancel, self._tell)
        if not has_to_be_offered(found, self._parts.preferences().confirm_words):
            return found
        return accepted(found, self._offers, self._tell, self._cancel)

    def _workspace(self, words: str, found: Heard | None) -> Workspace:
        """The words are kept also when their folder can't be opened."""
        folder = self.order.resume.workspace if self.order.resume else self.order.workspace
        try:
            return self._parts.open_workspace(folder)
        except AriaError:
            self._begin(words, found, folder)
            raise

    def _begin(self, words: str, found: Heard | None, folder: str) -> None:
        """Store what was said; a resumed turn is stored already."""
        order = self.order
        if order.resume is None:
            self._parts.store.begin_turn(order.session_id, order.turn_id, order.source, words, folder)
        self._stored = True
        if found:
            self._record(found)
            if self._parts.last_utterance is not None:
                self._parts.last_utterance.accepted(order.turn_id)

    def _result(self, words: str, found: Heard | None, workspace: Workspace) -> AgentResult:
        task = self._task(words, found, workspace)
        for source in task.untrusted:
            self._record(UntrustedTextRead(task.turn_id, source))
        agent = self._deciding(task)
        self._timings.agent_started(time.monotonic())
        try:
            while True:
                self._take(next(agent))
        except StopIteration as stop:
            result: AgentResult = stop.value
            return result
        finally:
            agent.close()
            self._timings.agent_ended(time.monotonic())

    def _deciding(self, task: AgentTask) -> Events[AgentResult]:
        """The agent, unless the words are for code itself."""
        self.said = said_alone(task.words) if task.resume is None or waits_for_undo(task.resume) else None
        self._language = self.said.language if self.said else task.spoken
        wanted = self._wanted_read(task)
        reading = passage(wanted, task.workspace, self._parts.store, task.session_id) if wanted else None
        if wanted is not None and wanted.wish in PACES:
            self._language = wanted.language
        if reading is not None:
            self._language = spoken_language(reading.text) or self._language
        self._clauses = Clauses(self._language or ENGLISH)
        if wanted is not None and wanted.wish in PACES:
            return paced(task.turn_id, wanted, reading, self._parts)
        if reading is not None:
            return read_aloud(task.turn_id, reading)
        if self.said is None:
            return self._parts.agent.run(task, self._approver, self._cancel)
        return answered_by_code(self.said, task, self._parts.retell, self._approver, self._cancel)

    def _wanted_read(self, task: AgentTask) -> Asked | None:
        """What the words ask to have read aloud, or how, if they do and somebody listens."""
        return asked(task.words) if self.order.speak and self.said is None and task.resume is None else None

    def _task(self, words: str, found: Heard | None, workspace: Workspace) -> AgentTask:
        order, resume = self.order, self.order.resume
        history = self._parts.earlier.told(order.session_id, order.turn_id)
        turn, draft = (resume.turn, resume.request.after) if resume else (None, None)
        spoken = language_of_turn(words, found, history)
        before = resume.request.heard if resume else None
        heard = hearing_of(found.words) if found else before
        common = (order.turn_id, words, history, workspace, turn, draft, self._parts.preferences().level, spoken)
        return AgentTask(*common, order.session_id, heard, order.foreign)

    def _take(self, event: Event) -> None:
        """One event of the agent: kept, told, and spoken where it is a piece of the answer."""
        self._record(event)
        match event:
            case CallProposed():
                self._tools.append(event.call.tool)
            case CallStarted() if self._speaks:
                self._filler.tool_began()
            case CallEnded():
                self._filler.tool_ended()
            case AnswerPiece():
                self._say(self._clauses.feed(event.text))
            case AnswerGiven():
                self._answer = event.text
                self._say(self._clauses.end(event.text))
            case _:
                pass

    @property
    def _speaks(self) -> bool:
        return self.order.speak and not (self.said and self.said.what is Alone.STOP)

    def _say(self, clauses: list[Clause]) -> None:
        if self._speaks:
            for clause in clauses:
                self._filler.answer_began()
                self._narrator.say(clause.said, self._language, clause.written)

    def _fill(self) -> None:
        """On a thread of its own."""
        if not self._cancel.cancelled:
            self._narrator.say(wording_in(self._language).say("one_moment"), self._language, filler=True)

    def _record(self, event: Event) -> None:
        """Store what the event says, then publish it. Raises StorageError, with nothing published."""
        with self._emitting:
            self._timings.note(event, time.monotonic())
            if self._stored:
                self._parts.store.record(event)
            self._publish(event)

    def _tell(self, event: Event) -> None:
        """The same for events that may be lost: they are published also when they can't be stored."""
        try:
            self._record(event)
        except Exception:
            log.exception("%s could not be stored", type(event).__name__)
            self._publish(event)

    def _end(self, end: _End) -> None:
        order = self.order
        turn_id = "" if end.outcome is TurnOutcome.NOTHING_HEARD else order.turn_id
        timings = self._timings.ended(time.monotonic())
        self._tell(
            TurnEnded(
                turn_id,
                order.session_id,
                order.request_id,
                end.outcome,
                end.answer,
                tuple(self._tools),
                timings,
                end.error,
                end.text,
                end.hint,
            )
        )
