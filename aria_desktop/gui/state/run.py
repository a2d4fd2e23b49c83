"""The run of one turn: its events in, a `RunView` out. The same code tells a running turn and one of years ago.

A turn is a list of visits: it came to a node, was there for a while, and something came of it. The nodes of the
picture, its edges and its loops all follow from that list. Pure; the clock is whoever brings the events.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from aria_desktop.core import events, records
from aria_desktop.core.chat import Outcome, ToolChoice, TurnOutcome
from aria_desktop.gui.state import figures
from aria_desktop.gui.state.run_steps import at_call, at_prompt, at_reply, choices_of, first_line
from aria_desktop.gui.state.run_view import Loop, Node, NodeLook, NodeView, RunView, Visit, label
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.state.verbs import call_object, verbs

_ORDER = tuple(Node)


@dataclass(slots=True)
class _Stay:
    """A visit that is being told."""

    node: Node
    number: int
    began: float
    look: NodeLook = NodeLook.ACTIVE
    seconds: float | None = None
    under: str = ""
    facts: dict[str, str] = field(default_factory=dict)
    prompt: str = ""
    reply: str = ""
    choices: tuple[ToolChoice, ...] = ()


class RunStory:
    def __init__(self, source: records.Source, at: float) -> None:
        """`at`: seconds of the clock that all events are told with."""
        self._source = source
        self._stays: list[_Stay] = []
        self._loops: list[Loop] = []
        self._now = ""
        self._over = False
        self._failed = ""
        """Why the last check failed; empty when it did not."""
        self._attempts = (1, 1)
        if source is not records.Source.TEXT:
            if source is records.Source.MICROPHONE:
                self._come(Node.LISTEN, at).look = NodeLook.DONE
            self._come(Node.RECOGNISE, at)
            self._now = tr("Your words are being recognised.")

    def apply(self, event: events.Event, at: float) -> None:
        """Take in an event of this turn; those that change no node are passed over."""
        match event:
            case events.Heard():
                self._heard(event, at)
            case events.PromptSent():
                self._asked_model(event, at)
            case events.StepStarted(step=step):
                self._think(step, at)
            case events.ReplyReceived():
                self._replied(event, at)
            case events.CallWithheld():
                self._failed = event.reason
                self._check(at, failed=first_line(event.reason))
            case events.ApprovalRequested(granted=""):
                self._ask(event, at)
            case events.ApprovalDecided():
                self._decided(event, at)
            case events.CallStarted() | events.CallProposed():
                self._act(event, at)
            case events.CallEnded():
                self._call_ended(event, at)
            case events.DraftPiece():
                self._drafting()
            case events.AnswerPiece():
                self._now = tr("It is telling you the answer.")
            case events.SpeakingStarted():
                # While it goes on thinking: the two overlap, and both are shown as what is going on.
                self._come(Node.SPEAK, at).facts[tr("Goes to")] = event.sink
            case events.SpeakingEnded():
                self._spoken(event)
            case events.TurnEnded():
                self._ended(event, at)
            case _:
                pass

    def view(self) -> RunView:
        visits = tuple(self._visit(stay) for stay in self._stays)
        return RunView(
            nodes=tuple(self._node(node) for node in _ORDER),
            taken=self._taken(),
            loop=self._loops[-1] if self._loops else None,
            loops=len(self._loops),
            now="" if self._over else self._now,
            visits=visits,
            over=self._over,
        )

    def _heard(self, event: events.Heard, at: float) -> None:
        listened = self._last(Node.LISTEN)
        if listened is not None:
            listened.seconds, listened.under = event.audio_seconds, figures.duration(event.audio_seconds)
        stay = self._last(Node.RECOGNISE)
        if stay is not None:
            self._finish(stay, at)
            stay.facts |= {tr("Language"): event.language or tr("unknown"), tr("Words"): str(len(event.text.split()))}
            if event.words:
                least = min(event.words, key=lambda word: word.probability)
                stay.facts[tr("Least sure")] = f"{least.text.strip()}, {least.probability:.0%}"
            stay.reply = event.text

    def _think(self, step: int, at: float) -> _Stay:
        current = self._current
        if current is not None and current.node is Node.THINK:
            return current
        back = self._stays[-1].node if self._stays else None
        self._leave(at)
        stay = self._come(Node.THINK, at)
        if back in (Node.ACT, Node.CHECK, Node.ASK) and stay.number > 1:
            again = bool(self._failed)
            self._loops.append(
                Loop(
                    Node.CHECK,
                    Node.THINK,
                    tr("Try again, step {step}", step=step) if again else tr("Step {step}", step=step),
                    again,
                )
            )
            self._now = (
                tr("That did not work, so it is thinking again: {why}", why=first_line(self._failed))
                if again
                else tr("It is thinking about what comes next, with the result.")
            )
        else:
            self._now = tr("It is thinking about what you want.")
        self._failed = ""
        return stay

    def _asked_model(self, event: events.PromptSent, at: float) -> None:
        if event.attempt > 1:
            self._leave(at)
            stay = self._come(Node.THINK, at)
            words = tr("Retry {number} of {most}", number=event.attempt - 1, most=event.attempts - 1)
            self._loops.append(Loop(Node.THINK, Node.THINK, words, again=True))
            self._now = tr("The reply could not be used, so the model is asked again and told why.")
        else:
            stay = self._think(event.step, at)
        stay.prompt, facts = at_prompt(event)
        stay.facts |= facts

    def _replied(self, event: events.ReplyReceived, at: float) -> None:
        stay = self._last(Node.THINK) or self._come(Node.THINK, at)
        stay.reply, stay.choices = event.raw, event.choices
        stay.facts |= at_reply(event)
        self._finish(stay, at)

    def _drafting(self) -> None:
        """The model writes the text of a call, which is thinking still."""
        stay = self._last(Node.THINK)
        if stay is not None and self._current in (None, stay):
            stay.look = NodeLook.ACTIVE

    def _ask(self, event: events.ApprovalRequested, at: float) -> None:
        self._leave(at)
        stay = self._come(Node.ASK, at)
        stay.look, stay.under = NodeLook.WAITING, tr("waits for you")
        stay.facts |= {tr("Question"): event.request.question, tr("Tool"): event.request.tool}
        self._now = tr("It waits for your answer. Nothing has changed yet.")

    def _decided(self, event: events.ApprovalDecided, at: float) -> None:
        stay = self._last(Node.ASK)
        if stay is None:
            return
        allowed = event.decision.allowed
        self._finish(stay, at)
        stay.look = NodeLook.DONE if allowed else NodeLook.FAILED
        stay.under = (
            (tr("you allowed") if allowed else tr("you said no")) if event.decision.by == "you" else event.decision.by
        )
        by = event.decision.by
        stay.facts[tr("Answer")] = tr("allowed by {name}", name=by) if allowed else tr("refused by {name}", name=by)
        if allowed:
            self._now = tr("You allowed it. It is being done.")

    def _act(self, event: events.CallStarted | events.CallProposed, at: float) -> None:
        """A proposed call is still being thought out: its text may be drafted before anybody is asked."""
        current = self._current
        if isinstance(event, events.CallProposed):
            if current is None or current.node is not Node.ACT:
                doing = " ".join(filter(None, (verbs(event.call.tool).running, call_object(event.call))))
                self._now = tr("{doing}. Nothing has changed yet.", doing=doing)
            return
        if current is not None and current.node is Node.ACT:
            return
        self._leave(at)
        self._come(Node.ACT, at)
        self._now = tr("It is being done.")

    def _call_ended(self, event: events.CallEnded, at: float) -> None:
        outcome = event.result.outcome
        stay = self._last(Node.ACT)
        if stay is not None and self._current is stay:
            stay.facts |= at_call(event)
            self._finish(stay, at)
            stay.under = verbs(event.call.tool).badge.lower()
            stay.look = NodeLook.DONE if outcome is Outcome.DONE else NodeLook.FAILED
        if outcome is Outcome.REFUSED:
            return
        self._failed = event.result.text if outcome is not Outcome.DONE else ""
        self._check(at, failed=first_line(event.result.text) if self._failed else "")

    def _check(self, at: float, failed: str) -> None:
        """Code compares what came of it with what was wanted: that takes no time that anybody could see."""
        self._leave(at)
        stay = self._come(Node.CHECK, at)
        stay.seconds, stay.look = 0.0, NodeLook.FAILED if failed else NodeLook.DONE
        stay.under = tr("did not work") if failed else tr("as it should be")
        stay.facts[tr("Found")] = failed or tr("It was done as it was shown.")

    def _spoken(self, event: events.SpeakingEnded) -> None:
        stay = self._last(Node.SPEAK)
        if stay is not None:
            stay.look, stay.seconds = NodeLook.DONE, event.seconds
            stay.under = tr("interrupted") if event.interrupted else figures.duration(event.seconds)

    def _ended(self, event: events.TurnEnded, at: float) -> None:
        for stay in self._stays:
            self._finish(stay, at)
        self._over, self._now = True, ""
        if event.outcome is TurnOutcome.FAILED and self._stays:
            self._stays[-1].look, self._stays[-1].under = NodeLook.FAILED, tr("failed")
            self._stays[-1].facts[tr("Why")] = event.text
        for measured, name in ((self._last(Node.LISTEN), "listen"), (self._last(Node.RECOGNISE), "recognise")):
            if measured is not None and name in event.timings:
                measured.seconds = event.timings[name]
                measured.under = figures.duration(measured.seconds)

    @property
    def _current(self) -> _Stay | None:
        """Where the turn is now; None between two nodes."""
        stay = self._stays[-1] if self._stays else None
        return stay if stay is not None and stay.look in (NodeLook.ACTIVE, NodeLook.WAITING) else None

    def _last(self, node: Node) -> _Stay | None:
        return next((stay for stay in reversed(self._stays) if stay.node is node), None)

    def _come(self, node: Node, at: float) -> _Stay:
        stay = _Stay(node, 1 + sum(one.node is node for one in self._stays), at)
        self._stays.append(stay)
        return stay

    def _leave(self, at: float) -> None:
        if self._current is not None:
            self._finish(self._current, at)

    def _finish(self, stay: _Stay, at: float) -> None:
        if stay.look in (NodeLook.ACTIVE, NodeLook.WAITING):
            stay.look, stay.seconds = NodeLook.DONE, max(0.0, at - stay.began)
            stay.under = figures.duration(stay.seconds)

    def _node(self, node: Node) -> NodeView:
        stay = self._last(node)
        if stay is not None:
            return NodeView(node, stay.look, label(node), stay.under)
        later = any(_ORDER.index(one.node) > _ORDER.index(node) for one in self._stays)
        skipped = self._over or (later and node in (Node.LISTEN, Node.RECOGNISE)) or self._typed(node)
        return NodeView(
            node, NodeLook.SKIPPED if skipped else NodeLook.TODO, label(node), tr("not needed") if skipped else ""
        )

    def _typed(self, node: Node) -> bool:
        """What a turn without a voice leaves out, known from its start."""
        return (node is Node.LISTEN and self._source is not records.Source.MICROPHONE) or (
            node is Node.RECOGNISE and self._source is records.Source.TEXT
        )

    def _taken(self) -> frozenset[tuple[Node, Node]]:
        steps = ((a.node, b.node) for a, b in pairwise(self._stays))
        return frozenset((a, b) for a, b in steps if _ORDER.index(b) > _ORDER.index(a))

    def _visit(self, stay: _Stay) -> Visit:
        facts: Mapping[str, str] = {tr("Took"): figures.duration(stay.seconds)} if stay.seconds is not None else {}
        return Visit(
            node=stay.node,
            number=stay.number,
            look=stay.look,
            seconds=stay.seconds,
            under=stay.under,
            choices=choices_of(stay.choices),
            prompt=stay.prompt,
            reply=stay.reply,
            state=tuple({**stay.facts, **facts}.items()),
        )
