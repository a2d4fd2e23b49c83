"""The agent with the real starter model, in its child process, shared by all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from aria_desktop.assistant.agent import Agent, AgentLimits, AgentResult, AgentTask
from aria_desktop.assistant.prompt import read_examples
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.events import CallEnded, EngineRole, Event, ReplyReceived
from aria_desktop.core.records import TurnRecord
from aria_desktop.safety.paths import Workspace
from aria_desktop.safety.policy import Rules
from aria_desktop.testing.scripted import ScriptedApprover
from aria_desktop.tools.memory import MemoryFacts
from aria_desktop.tools.prompts import PromptFiles
from aria_desktop.tools.registry import standard_tools
from aria_desktop.workers.host import LoadSpec, WorkerHost
from aria_desktop.workers.remote import RemoteLanguageModel
from tests.conftest import REPOSITORY

MODEL = "qwen2.5-coder-1.5b-instruct"
PROMPTS = REPOSITORY / "resources" / "prompts"


@pytest.fixture(scope="package")
def agent(models_dir: Path) -> Iterator[Agent]:
    (file,) = (models_dir / MODEL).glob("*.gguf")
    limits = AgentLimits()
    spec = LoadSpec("llama.cpp", str(file), {"context_tokens": limits.context_tokens})
    host = WorkerHost(EngineRole.LANGUAGE, spec, lambda _state, _detail: None)
    try:
        host.start()
        host.loaded(CancelToken())
        language = RemoteLanguageModel(host)
        prompts, examples = PromptFiles.read(PROMPTS), read_examples(PROMPTS)
        yield Agent(language, standard_tools(), prompts, examples, limits, Rules(), facts=MemoryFacts())
    finally:
        host.close()


@dataclass
class Turn:
    """Words go in; what happened is kept."""

    agent: Agent
    root: Path
    events: list[Event] = field(default_factory=list)

    def say(self, words: str, approver: ScriptedApprover, history: Sequence[TurnRecord] = ()) -> AgentResult:
        with Workspace(self.root, self.root.parent / "trash") as workspace:
            running = self.agent.run(AgentTask("t1", words, tuple(history), workspace), approver, CancelToken())
            while True:
                try:
                    self.events.append(next(running))
                except StopIteration as end:
                    result: AgentResult = end.value
                    return result

    @property
    def tools(self) -> list[str]:
        return [event.call.tool for event in self.events if isinstance(event, CallEnded)]

    @property
    def replies(self) -> list[ReplyReceived]:
        return [event for event in self.events if isinstance(event, ReplyReceived)]

    def files(self) -> dict[str, str]:
        return {str(p.relative_to(self.root)): p.read_text() for p in sorted(self.root.rglob("*")) if p.is_file()}


@pytest.fixture
def turn(agent: Agent, tmp_path: Path) -> Turn:
    root = tmp_path / "workspace"
    root.mkdir()
    return Turn(agent, root)
