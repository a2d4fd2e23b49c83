"""THE STATE MACHINE: sole owner of the conversation's state. Requests in, events out.

One thread, one queue. Requests, the turn's events, the listener's and the engines' news all come through the queue,
so there is one order of things and every front end sees the same. What must stay true:

- The session's thread never waits for anything but its queue. Thinking, listening and reading files happen on other
  threads, which post what happened; the store is asked for short things only.
- Every `SubmitText`, `SubmitFile` and `StartListening` ends in exactly one `TurnEnded` with its `request_id`, or in
  one `Problem` with it when it was not even accepted.
- One turn at a time, and none begins while the microphone is open.
"""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import Enum
from queue import SimpleQueue

from aria_desktop.assistant import kept_files
from aria_desktop.assistant.ahead import HeardAhead
from aria_desktop.assistant.conversations import Conversations
from aria_desktop.assistant.ear import Ear, Recorded
from aria_desktop.assistant.offering import Accepted, Offers
from aria_desktop.assistant.order import Order
from aria_desktop.assistant.outlet import Outlet, Subscriber
from aria_desktop.assistant.parts import SessionParts
from aria_desktop.assistant.questions import Questions
from aria_desktop.assistant.said_alone import Alone, Said, said_alone
from aria_desktop.assistant.talking import Talking
from aria_desktop.assistant.transcriptions import Transcriptions
from aria_desktop.assistant.turn import Turn
from aria_desktop.assistant.turns import MOST_WAITING, Turns
from aria_desktop.core import events, listings, records, requests
from aria_desktop.core.approval import ApprovalDecision
from aria_desktop.core.errors import AriaError, Busy, UsageError
from aria_desktop.core.events import Activity, EngineChanged, EngineRole, Event, Problem
from aria_desktop.core.records import Source
from aria_desktop.core.requests import Request

log = logging.getLogger(__name__)


class _Signal(Enum):
    TURN_OVER = 1
    CLOSE = 2


@dataclass(frozen=True, slots=True)
class _Subscribed:
    key: object


_Item = Request | Event | Recorded | HeardAhead | _Signal | _Subscribed


class Session:
    """An `Assistant`. Works from construction to `close`; requests that come later are dropped."""

    def __init__(self, parts: SessionParts) -> None:
        self._parts = parts
        self._inbox: SimpleQueue[_Item] = SimpleQueue()
        self._outlet = Outlet()
        self._questions = Questions(lambda: self._outlet.anybody)
        self._offers = Offers(lambda: self._outlet.anybody)
        self._conversations = Conversations(parts.store, parts.archive)
        self._turns = Turns(parts, self._questions, self._offers, self.publish, self._tell_turn_over, self._inbox.put)
        self._ear = Ear(parts, self.publish, self._inbox.put)
        self._talking = Talking(parts.preferences, self._carry_out)
        self._transcriptions = Transcriptions(parts, self.publish)
        self._engines: dict[EngineRole, EngineChanged] = {event.role: event for event in parts.engines}
        self._activity = Activity.IDLE
        self._confirming = self._speaking = self._closing = False
        self._closed = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="session")
        self._thread.start()

    def submit(self, request: Request) -> None:
        self._inbox.put(request)

    def publish(self, event: Event) -> None:
        """Tell all front ends, in the order of the calls; from any thread, returns at once."""
        self._inbox.put(event)

    def subscribe(self, listener: Subscriber) -> Callable[[], None]:
        """Begins with the engines' states as they are now."""
        key = self._outlet.add(listener)
        self._inbox.put(_Subscribed(key))

        def unsubscribe() -> None:
            if self._outlet.remove(key):
                self._questions.nobody_left()
                self._offers.nobody_left()

        return unsubscribe

    def close(self) -> None:
        """Not from a subscriber: it waits for the thread that calls those."""
        with self._closed:
            if not self._thread.is_alive():
                return
            self._inbox.put(_Signal.CLOSE)
            self._thread.join()
            self._parts.earlier.close()
            self._parts.close_engines()

    def _run(self) -> None:
        self._guarded("", self._parts.store.close_orphans)
        while not (self._closing and self._all_quiet()):
            self._take(self._inbox.get())
        # The end of a file is published after it is no longer counted.
        self._transcriptions.join()
        self._ear.join()
        while not self._inbox.empty():
            self._take(self._inbox.get())

    def _all_quiet(self) -> bool:
        return not (self._turns.running or self._turns.hearing or self._ear.open or self._transcriptions.waiting)

    def _take(self, item: _Item) -> None:
        match item:
            case Request() if not self._closing:
                self._guarded(getattr(item, "request_id", ""), lambda: self._carry_out(item))
            case Event():
                self._note(item)
                self._outlet.send(item)
            case Recorded():
                self._guarded(item.request.request_id, lambda: self._take_recording(item))
            case HeardAhead():
                self._heed_recorded(item)
            case _Subscribed():
                for state in self._engines.values():
                    self._outlet.send(state, only=item.key)
            case _Signal.TURN_OVER:
                self._turn_over(self._turns.ended())
            case _Signal.CLOSE:
                self._stop_all()
        if not (self._closing or self._ear.open):
            self._turns.start_next()
        if not (self._closing or self._ear.open or self._turns.running or self._turns.hearing or self._speaking):
            self._guarded("", self._talking.nothing_goes_on)
        if not self._closing:
            self._turns.hear_ahead()
        if self._closing or self._ear.open or self._turns.running:
            self._parts.earlier.stop()
        self._tell_activity()

    def _tell_turn_over(self) -> None:
        """On a turn's thread."""
        self._inbox.put(_Signal.TURN_OVER)

    def _guarded(self, request_id: str, work: Callable[[], object]) -> None:
        """Whatever goes wrong with one request is told, and the session goes on."""
        try:
            work()
        except AriaError as error:
            self._outlet.send(Problem(request_id, error.code, error.text, error.hint))
        except Exception:
            log.exception("a request failed")
            text, hint = "Something in ARIA itself went wrong.", "The log tells more."
            self._outlet.send(Problem(request_id, "internal", text, hint))

    def _carry_out(self, request: Request) -> None:
        send = self._outlet.send
        match request:
            case requests.SubmitText(words=words) if not words.strip():
                raise UsageError("There are no words to carry out.")
            case requests.SubmitText():
                self._heed(request.words)
                self._turns.add(self._order(request, Source.TEXT, words=request.words))
            case requests.SubmitFile():
                self._turns.add(self._order(request, Source.FILE, path=request.path))
            case requests.StartListening():
                session_id = self._conversations.of(request.session_id)
                self._turns.silence()
                self._ear.start(request, session_id)
            case requests.StopListening():
                self._ear.release()
            case requests.DropRecording():
                self._ear.drop()
            case requests.MoveTalkKey():
                act = self._talking.move(request, listening=self._ear.open)
                send(events.TalkKeyMoved(request.request_id, act))
            case requests.CancelTurn():
                self._cancel(request)
            case requests.SilenceVoice():
                self._turns.silence()
            case requests.AnswerApproval():
                self._answer(request)
            case requests.AnswerTranscript(turn_id, words, by):
                if not self._offers.answer(turn_id, Accepted(words, by)):
                    raise UsageError("Those words are no longer waiting.", "Nothing was done because of this answer.")
            case requests.TranscribeFile():
                self._transcribe(request)
            case requests.CancelTranscription():
                self._transcriptions.cancel(request.request_id)
            case requests.PauseTranscription():
                self._transcriptions.pause(request.request_id)
            case requests.ContinueTranscription():
                self._transcriptions.go_on(request.request_id)
            case requests.NewSession():
                send(self._conversations.new(request.request_id))
            case requests.OpenSession():
                send(self._conversations.opened(request.request_id, request.session_id))
                self._resume(request)
            case requests.ListSessions():
                send(self._conversations.listed(request.request_id))
            case requests.ShowSession():
                send(self._conversations.shown(request.request_id, request.session_id))
            case requests.ShowRun():
                send(self._conversations.run(request.request_id, request.turn_id))
            case requests.DeleteSession():
                self._delete(request)
            case requests.SearchSessions():
                send(self._conversations.found(request))
            case requests.RenameSession(request_id, session_id, title):
                send(self._conversations.renamed(request_id, session_id, title))
            case requests.PinSession(request_id, session_id, pinned):
                send(self._conversations.pinned(request_id, session_id, pinned=pinned))
            case requests.BranchSession(request_id, session_id, turn_id):
                send(self._conversations.branched(request_id, session_id, turn_id))
            case requests.ImportSession(request_id, title, turns):
                send(self._conversations.imported(request_id, title, turns))
            case requests.ListFiles():
                send(kept_files.listed(request, self._parts.open_workspace))
            case requests.ShowFile():
                send(kept_files.shown(request, self._parts.open_workspace))
            case requests.ListFacts():
                send(listings.FactsListed(request.request_id, self._parts.facts.facts()))
            case requests.ForgetFacts():
                send(listings.FactsForgotten(request.request_id, self._forgotten(request.numbers)))
            case requests.ListAudit(request_id, last, turn_id, tool):
                send(listings.AuditListed(request_id, self._parts.store.audited(last, turn_id, tool)))
            case requests.ChangeSetting(request_id, name, value):
                self._parts.change_setting(name, value)
                send(listings.SettingChanged(request_id, name, value))
            case requests.ListMicrophones(request_id):
                send(listings.MicrophonesListed(request_id, self._parts.microphones()))
            case requests.ListModels() | requests.WorkOnModel() | requests.StopModelWork():
                self._parts.models(request)
            case requests.ShowWindow():
                send(events.WindowWanted())
            case _:
                raise UsageError(f"{type(request).__name__} is not a request that ARIA knows.")

    def _heed(self, words: str) -> None:
        """What is said alone and concerns the turns before it does so at once. The rest waits for its own turn."""
        match said_alone(words):
            case Said(Alone.STOP):
                self._turns.cancel_all()
                self._ear.drop()
            case Said(Alone.GOODBYE):
                self._turns.silence()
            case _:
                pass

    def _heed_recorded(self, ahead: HeardAhead) -> None:
        """A stop that was said while a turn ran does so as soon as it is known. What was asked for after it goes on."""
        said = said_alone(self._turns.heard_ahead(ahead))
        if said is not None and said.what is Alone.STOP:
            self._turns.cancel_before(ahead.order.turn_id)

    def _turn_over(self, turn: Turn | None) -> None:
        """What is left to do after a turn; a summary of earlier ones is given up as soon as anything else comes."""
        if turn is None:
            return
        if turn.said is None and not self._closing:
            self._parts.earlier.sum_up(turn.order.session_id)
        begins = turn.said is not None and turn.said.what is Alone.NEW_CONVERSATION
        if begins and turn.order.session_id == self._conversations.current:
            self._guarded("", lambda: self._outlet.send(self._conversations.new(turn.order.request_id)))

    def _order(
        self, request: requests.SubmitText | requests.SubmitFile, source: Source, words: str = "", path: str = ""
    ) -> Order:
        now = time.monotonic()
        session_id = self._conversations.of(request.session_id)
        folder, speak = request.workspace, request.speak
        foreign = request.foreign if isinstance(request, requests.SubmitText) else ""
        common = (_new_id(), session_id, request.request_id, source, folder, speak, now, now, words, path)
        return Order(*common, foreign=foreign)

    def _take_recording(self, recorded: Recorded) -> None:
        end = self._ear.ended(recorded, _new_id())
        if isinstance(end, Order):
            self._turns.add(end)
        else:
            self._outlet.send(end)

    def _cancel(self, request: requests.CancelTurn) -> None:
        """Without an id also what is being said right now: for its speaker that is the turn."""
        if request.request_id:
            self._turns.cancel_request(request.request_id)
            self._ear.drop_if(request.request_id)
            return
        self._turns.cancel(request.turn_id)
        if not request.turn_id:
            self._ear.drop()

    def _answer(self, request: requests.AnswerApproval) -> None:
        decision = ApprovalDecision(request.allowed, request.by, request.extent)
        if not self._questions.answer(request.approval_id, decision):
            raise UsageError("That question is no longer open.", "Nothing was done because of this answer.")

    def _transcribe(self, request: requests.TranscribeFile) -> None:
        if self._transcriptions.waiting >= MOST_WAITING:
            raise Busy(f"{MOST_WAITING} sound files wait already.", "Wait until some are done.")
        self._transcriptions.add(request.request_id, request.path, request.language)

    def _resume(self, request: requests.OpenSession) -> None:
        """Questions that were open when the program ended are asked again."""
        now, speak = time.monotonic(), self._parts.preferences().speak
        for waiting in self._parts.store.waiting(request.session_id):
            turn, session_id = waiting.turn, waiting.session_id
            if self._turns.has(turn.turn_id):
                continue
            common = (turn.turn_id, session_id, request.request_id, turn.source, waiting.workspace, speak)
            self._turns.add(Order(*common, now, now, turn.words, resume=waiting))

    def _delete(self, request: requests.DeleteSession) -> None:
        if self._turns.concern(request.session_id):
            raise Busy("A command of this conversation is being carried out.", "Stop it first.")
        self._outlet.send(self._conversations.deleted(request.request_id, request.session_id))

    def _forgotten(self, numbers: Collection[int]) -> tuple[records.Fact, ...]:
        facts = self._parts.facts
        return tuple(fact for fact in facts.facts() if fact.number in numbers and facts.forget(fact.number))

    def _stop_all(self) -> None:
        self._closing = True
        self._turns.cancel_all()
        self._ear.close()
        self._transcriptions.cancel_all()

    def _note(self, event: Event) -> None:
        """What an event changes in the state. A question is open before anybody sees it."""
        match event:
            case EngineChanged():
                self._engines[event.role] = event
            case events.ApprovalRequested(granted=""):
                self._questions.opened(event.request.id)
                self._confirming = True
            case events.TranscriptOffered():
                self._confirming = True
            case events.ApprovalDecided() | events.TranscriptSettled():
                self._confirming = False
            case events.SpeakingStarted():
                self._speaking = True
            case events.SpeakingEnded():
                self._speaking = False
            case events.TurnEnded():
                self._confirming = self._speaking = False
            case _:
                pass

    def _tell_activity(self) -> None:
        now = activity_of(
            listening=self._ear.open,
            confirming=self._confirming,
            speaking=self._speaking,
            thinking=self._turns.running,
        )
        if now is not self._activity:
            self._activity = now
            self._outlet.send(events.ActivityChanged(now))


def activity_of(*, listening: bool, confirming: bool, speaking: bool, thinking: bool) -> Activity:
    """What the user cares about most of all that goes on. Pure."""
    stages = ((listening, Activity.LISTENING), (confirming, Activity.CONFIRMING), (speaking, Activity.SPEAKING))
    for is_so, activity in (*stages, (thinking, Activity.THINKING)):
        if is_so:
            return activity
    return Activity.IDLE


def _new_id() -> str:
    """For a turn; unique in the database."""
    return uuid.uuid4().hex[:12]
