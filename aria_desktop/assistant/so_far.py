"""One turn while it runs: what it is to do, and what has happened so far."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from aria_desktop.assistant.closing import Ended, summed_up
from aria_desktop.assistant.grounding import Ground
from aria_desktop.assistant.prompt import Step
from aria_desktop.assistant.reply import Call
from aria_desktop.assistant.untrusted import UntrustedText, of_turns
from aria_desktop.assistant.workspace_names import WorkspaceNames
from aria_desktop.core.approval import Hearing
from aria_desktop.core.chat import Outcome
from aria_desktop.core.events import AnswerGiven, AnswerPiece, Event
from aria_desktop.core.records import TurnRecord
from aria_desktop.safety.paths import Workspace

Result = TypeVar("Result")
Events = Generator[Event, None, Result]
"""A part of a turn: yields what happens, returns what came of it."""


@dataclass(frozen=True, slots=True)
class AgentTask:
    turn_id: str
    words: str
    history: tuple[TurnRecord, ...]
    """Earlier turns of the session, oldest first."""
    workspace: Workspace
    resume: TurnRecord | None = None
    """This turn as it was stored before the program ended: what was done is not done again."""
    draft: str | None = None
    """The text that the waiting question of `resume` showed."""
    level: str = "intermediate"
    """Whom answers are written for: "beginner", "intermediate" or "advanced"."""
    spoken: str = "en"
    """ISO 639-1 code of the user's language; empty when it is not known. What code says itself is said in it, where
    code speaks it, and else in English."""
    session_id: str = ""
    heard: Hearing | None = None
    """None when the words were typed."""
    foreign: str = ""
    """Where the words come from when they are not the user's own; empty when they are."""

    @property
    def untrusted(self) -> tuple[str, ...]:
        """Sources of text that is in the conversation when the turn begins and that nobody vouches for."""
        own = [self.foreign] if self.foreign else []
        before = [*self.history, *([self.resume] if self.resume else [])]
        return tuple(dict.fromkeys([*of_turns(before), *own]))


@dataclass(slots=True)
class TurnSoFar:
    task: AgentTask
    names: WorkspaceNames
    """Of what there was in the workspace when the turn began."""
    calls: list[Ended] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    waiting: dict[str, str] = field(default_factory=dict)
    """Tools that the model wanted before it knew what it looked up, and has not called again -> with what they are
    about, as the model is told."""
    owed: bool = False
    """The model wanted a change that was held back with a way out, and has made none since."""
    owes_answer: bool = False
    """The model wanted to answer from what it had not looked at: what it looks at now is not yet the answer."""
    said: str = ""
    """What went out as pieces of the answer."""
    untrusted: UntrustedText = field(init=False)
    """Text in the conversation that nobody vouches for."""

    def __post_init__(self) -> None:
        self.untrusted = UntrustedText(self.task.untrusted)

    @property
    def id(self) -> str:
        return self.task.turn_id

    def ground(self) -> Ground:
        """What a change in this turn may rest on."""
        earlier = " ".join(f"{turn.words} {turn.answer}" for turn in self.task.history)
        found = " ".join(ended.result.text for ended in self.calls)
        return Ground(self.task.words, earlier, found, self.names.known)

    def repeats(self, call: Call) -> bool:
        """Whether this call was made before and nothing was changed since, so that it would come to the same."""
        for ended in reversed(self.calls):
            if ended.call.tool == call.tool and ended.call.arguments == call.arguments:
                return True
            if ended.changes and ended.result.outcome is Outcome.DONE:
                return False
        return False

    def all_is_said(self) -> bool:
        """Whether a piece that goes out now follows all that the answer has before it."""
        return self.said.strip() == summed_up(self.calls)

    def say(self, text: str) -> Iterator[Event]:
        """A piece of the answer goes out."""
        if text:
            yield AnswerPiece(self.id, text)
            self.said += text

    def give(self, whole: str) -> Iterator[Event]:
        """What is not said yet of the whole answer, and then the whole."""
        if whole.startswith(self.said):
            yield from self.say(whole[len(self.said) :])
        yield AnswerGiven(self.id, whole)
