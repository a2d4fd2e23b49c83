"""The story of one turn: its events in, a `TurnView` out.

Tolerant by design: an event that comes twice, late or for a call never proposed changes nothing that is
wrong, because the window must show what it is told even by a newer or older assistant.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from aria_desktop.core import events, records
from aria_desktop.core.approval import ApprovalRequest
from aria_desktop.core.chat import ToolCall
from aria_desktop.gui.state import figures
from aria_desktop.gui.state.heard import heard_words
from aria_desktop.gui.state.run import RunStory
from aria_desktop.gui.state.run_view import NO_RUN
from aria_desktop.gui.state.shown import one_line
from aria_desktop.gui.state.steps import MARKS, call_step, decision_step, ending_note, reason
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.state.turn import Card, CardState, HeardWord, Mark, Note, Speech, Step, Tone, TurnView
from aria_desktop.gui.state.verbs import call_object, verbs


@dataclass(frozen=True, slots=True)
class Moment:
    """When an event reached the window."""

    steady: float
    """Seconds of a clock that never jumps, for durations."""
    wall: float
    """Unix time, for "10:41"."""


@dataclass(slots=True)
class _Call:
    """What is known of one call so far."""

    call: ToolCall
    mark: Mark = Mark.ACTIVE
    started: float = 0.0
    figure: str = ""
    draft: str = ""
    request: ApprovalRequest | None = None
    decision: Step | None = None
    footer: str = ""


class TurnStory:
    def __init__(self, turn_id: str, source: records.Source, words: str, began: float = 0.0) -> None:
        """`began`: when, on the steady clock."""
        self._run: RunStory | None = RunStory(source, began)
        self._view = TurnView(turn_id, source, (HeardWord(words),) if words else ())
        self._calls: dict[str, _Call] = {}
        self._doing = "" if words else tr("Recognising")
        """What goes on between the calls, in a word; empty when nothing does."""
        self._doing_figure = ""

    @classmethod
    def recorded(cls, record: records.TurnRecord) -> TurnStory:
        """A past turn from what is stored of it; one that still waits goes on with its next events."""
        story = cls(record.turn_id, record.source, record.words)
        story._run = None
        story._doing = ""
        for entry in record.calls:
            known = _Call(entry.call, _RECORDED.get(entry.state, Mark.UNKNOWN), request=entry.question)
            if entry.decision is not None:
                known.decision = decision_step(entry.decision.allowed, entry.decision.by, "")
            story._calls[entry.call.id] = known
        waits = any(entry.mark is Mark.WAITING for entry in story._calls.values())
        note = None
        if record.outcome is not None:
            note = None if record.answer else ending_note(record.outcome, record.text, "")
        elif not waits:
            note = Note(Tone.DOUBT, tr("This turn was cut off."))
        total = record.timings.get("total")
        figure = figures.duration(total) if total is not None else ""
        story._view = replace(story._view, answer=record.answer, figure=figure, note=note, ended=not waits)
        return story

    def apply(self, event: events.Event, at: Moment) -> None:
        """Take in an event of this turn; those that show nothing are passed over."""
        if self._run is not None:
            self._run.apply(event, at.steady)
        match event:
            case events.RecognitionProgress():
                self._recognising(event)
            case events.Heard():
                self._doing = ""
                self._view = replace(self._view, words=heard_words(event.text, event.words), tentative="")
            case events.StepStarted():
                self._doing, self._doing_figure = tr("Thinking"), ""
            case events.AnswerPiece():
                self._doing = ""
                self._view = replace(self._view, answer=self._view.answer + event.text)
            case events.AnswerGiven():
                self._doing = ""
                self._view = replace(self._view, answer=event.text)
            case events.CallProposed():
                self._doing = ""
                self._calls[event.call.id] = _Call(event.call, started=at.steady)
            case events.SpeakingStarted():
                self._view = replace(self._view, speech=Speech.SPEAKING)
            case events.SpeakingEnded():
                speech = Speech.INTERRUPTED if event.interrupted else Speech.SPOKEN
                self._view = replace(self._view, speech=speech)
            case events.AnswerUnspoken():
                note = Note(Tone.QUIET, event.text)
                self._view = replace(self._view, speech=Speech.UNSPOKEN, note=note)
            case events.TurnEnded():
                self._ended(event)
            case _:
                self._about_a_call(event, at)

    def view(self) -> TurnView:
        calls = self._calls.values()
        doing = (Step(Mark.ACTIVE, self._doing, figure=self._doing_figure),) if self._doing else ()
        return replace(
            self._view,
            badges=tuple(dict.fromkeys(verbs(entry.call.tool) for entry in calls)),
            steps=tuple(step for entry in calls for step in _steps(entry)) + doing,
            cards=tuple(card for entry in calls if (card := _card(entry)) is not None),
            run=self._run.view() if self._run is not None else NO_RUN,
        )

    def _recognising(self, event: events.RecognitionProgress) -> None:
        self._doing = tr("Recognising")
        self._doing_figure = tr("{done} of {all}", done=figures.position(event.done), all=figures.position(event.total))
        self._view = replace(self._view, tentative=event.text)

    def _about_a_call(self, event: events.Event, at: Moment) -> None:
        match event:
            case events.DraftPiece(call_id=call_id, text=text) if call_id in self._calls:
                self._calls[call_id].draft += text
            case events.ApprovalRequested(request=request) if request.call_id in self._calls:
                entry = self._calls[request.call_id]
                entry.request, entry.mark = request, Mark.WAITING
            case events.ApprovalDecided():
                self._decided(event, at)
            case events.CallStarted(call_id=call_id) if call_id in self._calls:
                self._calls[call_id].mark, self._calls[call_id].started = Mark.ACTIVE, at.steady
            case events.CallProgress(call_id=call_id) if call_id in self._calls:
                self._calls[call_id].figure = one_line(event.text)
            case events.CallEnded():
                self._call_ended(event, at)
            case _:
                pass

    def _decided(self, event: events.ApprovalDecided, at: Moment) -> None:
        for entry in self._calls.values():
            if entry.request is not None and entry.request.id == event.request_id:
                allowed = event.decision.allowed
                entry.decision = decision_step(allowed, event.decision.by, figures.clock(at.wall))
                entry.footer = f"{entry.decision.verb}, {figures.clock(at.wall)}"
                entry.mark = Mark.ACTIVE if allowed else Mark.REFUSED

    def _call_ended(self, event: events.CallEnded, at: Moment) -> None:
        entry = self._calls.setdefault(event.call.id, _Call(event.call, started=at.steady))
        entry.mark = MARKS[event.result.outcome]
        if entry.mark is not Mark.DONE:
            entry.figure = (
                "" if entry.decision is not None and entry.mark is Mark.REFUSED else reason(event.result.text)
            )
        elif entry.request is not None and entry.request.after is not None:
            entry.figure = figures.text_size(entry.request.after)
        else:
            seconds = at.steady - entry.started
            entry.figure = figures.duration(seconds) if seconds >= 0.1 else ""

    def _ended(self, event: events.TurnEnded) -> None:
        self._doing = ""
        for entry in self._calls.values():
            if entry.mark in (Mark.ACTIVE, Mark.WAITING):
                entry.mark = Mark.STOPPED
        total = event.timings.get("total")
        self._view = replace(
            self._view,
            answer=event.answer or self._view.answer,
            figure=figures.duration(total) if total is not None else "",
            tentative="",
            note=ending_note(event.outcome, event.text, event.hint) or self._view.note,
            ended=True,
        )


_RECORDED = {
    "proposed": Mark.STOPPED,
    "waiting": Mark.WAITING,
    "running": Mark.UNKNOWN,
    **{outcome.value: mark for outcome, mark in MARKS.items()},
}


def _steps(entry: _Call) -> tuple[Step, ...]:
    step = call_step(entry.call, entry.mark, entry.figure)
    if entry.decision is None:
        return (step,)
    return (entry.decision,) if entry.mark is Mark.REFUSED else (entry.decision, step)


def _card(entry: _Call) -> Card | None:
    """The text that a call writes. None for calls that write none."""
    text = entry.request.after if entry.request is not None and entry.request.after is not None else entry.draft
    if not text:
        return None
    name = call_object(entry.call) or verbs(entry.call.tool).badge
    match entry.mark:
        case Mark.DONE:
            return Card(entry.call.id, name, text, CardState.SAVED, entry.footer or tr("Saved"))
        case Mark.WAITING:
            return Card(entry.call.id, name, text, CardState.WAITING, tr("Nothing is saved until you allow it"))
        case Mark.ACTIVE if entry.decision is not None:
            return Card(entry.call.id, name, text, CardState.WAITING, tr("Being saved"))
        case Mark.ACTIVE:
            return Card(entry.call.id, name, text, CardState.WRITING, tr("Nothing is saved yet"))
        case Mark.UNKNOWN:
            return Card(entry.call.id, name, text, CardState.NOT_SAVED, tr("This may or may not have been saved"))
        case _:
            return Card(entry.call.id, name, text, CardState.NOT_SAVED, tr("Not saved"))
