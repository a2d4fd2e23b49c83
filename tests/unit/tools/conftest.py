"""A context for one call, with everything real but the language model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import ToolResult
from aria_desktop.core.events import Event
from aria_desktop.safety.paths import Workspace
from aria_desktop.testing.scripted import ScriptedLanguageModel
from aria_desktop.tools.memory import MemoryFacts
from aria_desktop.tools.prompts import PromptFiles
from aria_desktop.tools.tool import Proposal, Tool, ToolContext, ToolLimits
from tests.conftest import REPOSITORY


@dataclass
class Bench:
    """Calls tools on a workspace of its own; the language model says `script`, step by step."""

    root: Path
    workspace: Workspace
    script: list[str] = field(default_factory=list)
    reported: list[Event] = field(default_factory=list)
    draft: str | None = None
    spoken: str = "en"
    words: str = "what the user said"
    model: ScriptedLanguageModel | None = None
    facts: MemoryFacts = field(default_factory=MemoryFacts)

    def context(self) -> ToolContext:
        self.model = self.model or ScriptedLanguageModel(self.script)
        return ToolContext(
            turn_id="t1",
            call_id="c1",
            words=self.words,
            workspace=self.workspace,
            language=self.model,
            facts=self.facts,
            prompts=PromptFiles.read(REPOSITORY / "resources" / "prompts"),
            limits=ToolLimits(),
            cancel=CancelToken(),
            report=self.reported.append,
            draft=self.draft,
            spoken=self.spoken,
        )

    def call(self, tool: Tool, **arguments: object) -> object:
        return tool.run(self.context(), arguments)

    def proposal(self, tool: Tool, **arguments: object) -> Proposal:
        found = self.call(tool, **arguments)
        assert isinstance(found, Proposal)
        return found

    def carried_out(self, proposal: Proposal) -> ToolResult:
        """What comes of it, when it does not propose anything in its turn."""
        found = proposal.act(self.context())
        assert isinstance(found, ToolResult)
        return found

    def files(self) -> Mapping[str, str]:
        return {str(p.relative_to(self.root)): p.read_text() for p in sorted(self.root.rglob("*")) if p.is_file()}


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    root = tmp_path / "ws"
    root.mkdir()
    with Workspace(root, tmp_path / "trash") as workspace:
        bench = Bench(root, workspace)
        yield bench
    if bench.model is not None:
        bench.model.script.assert_used_up()
