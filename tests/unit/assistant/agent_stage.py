"""One turn of the agent with a scripted model, on a workspace of its own."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from aria_desktop.assistant.ablations import Ablation
from aria_desktop.assistant.agent import Agent, AgentLimits, AgentResult, AgentTask
from aria_desktop.assistant.prompt import read_examples
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import Outcome, ToolResult
from aria_desktop.core.errors import ToolFailed
from aria_desktop.core.events import CallEnded, Event
from aria_desktop.core.interfaces import Approver
from aria_desktop.core.records import TurnRecord
from aria_desktop.safety.paths import Workspace
from aria_desktop.safety.policy import Rules
from aria_desktop.testing.script import Step
from aria_desktop.testing.scripted import ScriptedApprover, ScriptedLanguageModel
from aria_desktop.tools.memory import MemoryFacts
from aria_desktop.tools.prompts import PromptFiles
from aria_desktop.tools.registry import Registry, standard_tools
from aria_desktop.tools.tool import Limit, ToolContext, tool
from tests.conftest import REPOSITORY

PROMPTS = REPOSITORY / "resources" / "prompts"


@tool(Limit.READ)
def wait_long(context: ToolContext) -> ToolResult:
    """Wait until stopped."""
    context.cancel.wait(60)
    raise ToolFailed("stopped")


MEETING = threading.Barrier(2)


@tool(Limit.READ)
def meet(context: ToolContext, name: str) -> ToolResult:  # noqa: ARG001
    """Go on as soon as another one has come here.

    Args:
        name: who comes.
    """
    MEETING.wait(30)
    return ToolResult(Outcome.DONE, "met", answer=f"{name} met.")


@tool(Limit.READ)
def break_down(context: ToolContext) -> ToolResult:  # noqa: ARG001
    """Have a bug."""
    raise ZeroDivisionError("a bug")


def call(tool_name: str, then: str = "", **arguments: object) -> str:
    return calls({"tool": tool_name, **arguments}, then=then)


def calls(*wanted: Mapping[str, object], then: str = "") -> str:
    return json.dumps({"calls": wanted, "then": then})


def answer(text: str) -> str:
    return json.dumps({"answer": text})


CREATE = call("create_file", path="a.txt", content="milk")

Kind = TypeVar("Kind", bound=Event)


@dataclass
class Run:
    """One turn on a workspace of its own."""

    root: Path
    script: Sequence[str | Step]
    approver: Approver = field(default_factory=ScriptedApprover)
    limits: AgentLimits = field(default_factory=AgentLimits)
    rules: Rules = field(default_factory=Rules)
    resume: TurnRecord | None = None
    draft: str | None = None
    words: str = "put milk and eggs, or whatever x and one or two are, into a.txt, b.txt or c.txt"
    cancel: CancelToken = field(default_factory=CancelToken)
    facts: MemoryFacts = field(default_factory=MemoryFacts)
    without: frozenset[Ablation] = frozenset()
    spoken: str = "en"
    events: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.use(ScriptedLanguageModel(self.script))

    def use(self, model: ScriptedLanguageModel) -> None:
        self.model = model
        registry = Registry((*standard_tools().tools, wait_long, break_down, meet))
        prompts = PromptFiles.read(PROMPTS)
        self.agent = Agent(
            self.model, registry, prompts, read_examples(PROMPTS), self.limits, self.rules,
            facts=self.facts, without=self.without,
        )  # fmt: skip

    def steps(self) -> Iterator[Event]:
        """The turn's events; the result is kept at the end."""
        with self.opened() as workspace:
            self.result = yield from self.agent.run(self.task_of(workspace), self.approver, self.cancel)

    def opened(self) -> Workspace:
        return Workspace(self.root, self.root.parent / "trash")

    result: AgentResult = field(init=False)

    def task_of(self, workspace: Workspace) -> AgentTask:
        return AgentTask("t1", self.words, (), workspace, self.resume, self.draft, spoken=self.spoken)

    def __call__(self) -> AgentResult:
        for event in self.steps():
            self.events.append(event)
        self.model.script.assert_used_up()
        if isinstance(self.approver, ScriptedApprover):
            self.approver.assert_used_up()
        return self.result

    def cancelled_at(self, kind: type) -> None:
        """Run, and cancel from another thread as soon as an event of that kind comes."""
        timer = threading.Timer(0, self.cancel.cancel)
        for event in self.steps():
            self.events.append(event)
            if isinstance(event, kind):
                timer.start()
        timer.join()

    def kinds(self) -> list[str]:
        return [type(event).__name__ for event in self.events]

    def of(self, kind: type[Kind]) -> list[Kind]:
        return [event for event in self.events if isinstance(event, kind)]

    def ends(self) -> list[tuple[str, Outcome]]:
        return [(event.call.tool, event.result.outcome) for event in self.events if isinstance(event, CallEnded)]

    def files(self) -> dict[str, str]:
        return {str(p.relative_to(self.root)): p.read_text() for p in sorted(self.root.rglob("*")) if p.is_file()}
