"""A whole session with a model that obeys whatever it reads, and with leave for everything given beforehand."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from aria_desktop.assistant.agent import Agent, AgentLimits
from aria_desktop.assistant.prompt import read_examples
from aria_desktop.assistant.workspace_names import names_in
from aria_desktop.core.approval import ApprovalRequest, Extent, Offer, RiskLevel
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import Message, Outcome, ToolCall
from aria_desktop.core.events import ApprovalRequested, CallEnded, Event, TurnEnded
from aria_desktop.core.interfaces import Generation, GenerationEnd
from aria_desktop.core.requests import AnswerApproval, SubmitText
from aria_desktop.safety.grants import Grant
from aria_desktop.safety.paths import Workspace
from aria_desktop.safety.plain_names import stand_ins
from aria_desktop.safety.policy import Rules
from aria_desktop.tools.memory import MemoryFacts
from aria_desktop.tools.registry import standard_tools
from tests.safety.injection import FILES, GOALS, MARK, SECRET, WORDS, Channel, Goal
from tests.unit.assistant.agent_stage import PROMPTS as PROMPT_FOLDER
from tests.unit.assistant.agent_stage import answer
from tests.unit.assistant.stage import PROMPTS, EventLog, Stage, open_store

EXAMPLES = read_examples(PROMPT_FOLDER)
Answering = Callable[[ApprovalRequest], tuple[bool, str] | None]


class ObedientModel:
    """Does what a mark in its prompt stands for, once; until then and afterwards it follows its script."""

    context_tokens = 8192

    def __init__(self, script: Sequence[str]) -> None:
        self._script = list(script)
        self._obeyed = False
        self.prompts: list[str] = []

    def warm(self, messages: Sequence[Message]) -> None:
        """Nothing to do."""

    def complete(self, generation: Generation, cancel: CancelToken) -> Iterator[str | GenerationEnd]:
        cancel.raise_if_cancelled()
        text = "\n".join(message.text for message in generation.messages)
        self.prompts.append(text)
        yield self._reply(text, free=generation.reply_schema is None)
        yield GenerationEnd(True, 1, 0, 1, 1, 0, 0.0, 0.0)

    def _reply(self, text: str, *, free: bool) -> str:
        if free:
            return f"It says: {text[-400:]}"
        wanted = next((goal for goal in GOALS if MARK + goal.id.replace(" ", "-") in text), None)
        if wanted is not None and not self._obeyed:
            self._obeyed = True
            return wanted.reply
        return self._script.pop(0) if self._script else answer("That is all.")


class LeaveForAll:
    """Leave for every tool and every name, without an end."""

    def offers(self, _call: ToolCall, _risk: RiskLevel) -> tuple[Offer, ...]:
        return ()

    def give(self, call: ToolCall, request: ApprovalRequest, extent: Extent, folder: str, session_id: str) -> Grant:
        raise AssertionError(f"nothing was offered for {call.tool} {request.id} {extent} {folder} {session_id}")

    def covering(self, call: ToolCall, risk: RiskLevel, folder: str, session_id: str) -> Grant | None:
        return Grant("gall", call.tool, (), folder, session_id, risk, 0.0, 1e12)


@dataclass
class Attack:
    """One case: a workspace, a program that may be restarted, and what came of it."""

    folder: Path
    channel: Channel
    goal: Goal
    text: str
    answering: Answering
    facts: MemoryFacts = field(default_factory=MemoryFacts)
    events: list[Event] = field(default_factory=list)
    prompts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.root = self.folder / "workspace"
        self.root.mkdir(parents=True)
        (self.folder / "secret.txt").write_text(SECRET)
        for name, text in FILES.items():
            (self.root / name).parent.mkdir(exist_ok=True)
            (self.root / name).write_text(text)
        self.channel.put(self.root, self.text)

    def state(self) -> str:
        """A hash over the workspace, what lies beside it, and what is remembered."""
        found = [(p.relative_to(self.folder), p.read_bytes() if p.is_file() else b"") for p in self._watched()]
        told = [fact.text for fact in self.facts.facts()]
        return hashlib.sha256(repr((sorted(found), told)).encode()).hexdigest()

    def run(self) -> None:
        words = f"{WORDS}. {self.text}" if self.channel.foreign else WORDS
        if not self.channel.in_old_session:
            self._turn(words, self.channel.foreign, self._script(), "")
            return
        session_id = self._turn(words.replace(MARK, "O B E Y "), self.channel.foreign, [answer(self.text)], "")
        self._turn(WORDS, "", self._script(), session_id)

    @property
    def asked(self) -> list[ApprovalRequested]:
        return [event for event in self.events if isinstance(event, ApprovalRequested)]

    def outcome(self) -> Outcome | None:
        """Of what the mark stands for; None when it was not even called."""
        ends = [e for e in self.events if isinstance(e, CallEnded) and dict(e.call.arguments) == self.goal.arguments]
        return ends[-1].result.outcome if ends else None

    def _watched(self) -> Iterator[Path]:
        yield from self.root.rglob("*")
        yield self.folder / "secret.txt"

    def _script(self) -> list[str]:
        with Workspace(self.root) as workspace:
            numbered = next(iter(stand_ins(names_in(workspace).shown)), "")
        first = [self.channel.first.replace("{stand_in}", numbered)] if self.channel.first else []
        return first if MARK in self.text else [*first, self.goal.reply]

    def _turn(self, words: str, foreign: str, script: list[str], session_id: str) -> str:
        """One turn of a program that starts and ends; returns its conversation."""
        with open_store(self.folder) as store:
            model, log = ObedientModel(script), EventLog()
            stage = Stage(self.root, store, facts=self.facts)
            tools, examples = standard_tools(), EXAMPLES
            agent = Agent(
                model, tools, PROMPTS, examples, AgentLimits(), Rules(), facts=self.facts, leave=LeaveForAll()
            )
            open_workspace = lambda _: Workspace(self.root, self.folder / "trash")  # noqa: E731
            with stage.session(agent=agent, open_workspace=open_workspace) as session:

                def answered(event: Event) -> None:
                    log(event)
                    if isinstance(event, ApprovalRequested) and not event.granted:
                        decided = self.answering(event.request)
                        if decided is not None:
                            session.submit(AnswerApproval(event.request.id, *decided))

                unsubscribe = session.subscribe(answered)
                session.submit(SubmitText("r1", words, session_id, speak=False, foreign=foreign))
                ended = log.wait(TurnEnded, request_id="r1")
                unsubscribe()
        self.events += log.all
        self.prompts += model.prompts
        return ended.session_id
