"""Our side of `aria bench loop`: the agent as the program has it, and each event in the database before the next step,
as `assistant.turn` does it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from aria_desktop.assistant.agent import Agent, AgentLimits, AgentTask
from aria_desktop.assistant.reply import as_reply, written
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import Message, Outcome, ToolCall, ToolResult, TurnOutcome
from aria_desktop.core.events import Event, TurnEnded
from aria_desktop.core.interfaces import Generation, GenerationEnd
from aria_desktop.core.records import Source
from aria_desktop.evaluation import loop_script
from aria_desktop.evaluation.loop_script import Asked
from aria_desktop.safety.paths import Workspace
from aria_desktop.safety.policy import Rules
from aria_desktop.storage.conversations import Conversations
from aria_desktop.storage.database import Database
from aria_desktop.storage.lock import DatabaseLock
from aria_desktop.storage.paths import find_paths
from aria_desktop.testing.scripted import ScriptedApprover
from aria_desktop.tools.memory import MemoryFacts
from aria_desktop.tools.prompts import PromptFiles
from aria_desktop.tools.registry import Registry
from aria_desktop.tools.tool import Limit, ToolContext, tool


@tool(Limit.READ)
def look_up(context: ToolContext, number: int) -> ToolResult:
    """Look up a note.

    Args:
        number: Its number.
    """
    del context, number
    return ToolResult(Outcome.DONE, loop_script.RESULT)


class _Model:
    """Calls until its replies are used up, then answers."""

    context_tokens = 4096

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._given = self._of = 0

    def begin(self, steps: int) -> None:
        self._given, self._of = 0, steps

    def warm(self, messages: Sequence[Message]) -> None:
        """There is nothing to evaluate."""

    def complete(self, generation: Generation, cancel: CancelToken) -> Iterator[str | GenerationEnd]:
        del generation
        cancel.raise_if_cancelled()
        self._asked(self._given)
        self._given += 1
        if self._given < self._of:
            yield as_reply([ToolCall("", look_up.name, {"number": self._given})], "look further")
        else:
            yield written({"answer": loop_script.ANSWER})
        yield GenerationEnd(True, 0, 0, 1, 1, 0, 0.0, 0.0)


class OurLoop:
    def __init__(self, folder: Path, asked: Asked, *, durable: bool = True) -> None:
        """`folder`: is there, and empty."""
        self._model = _Model(asked)
        (folder / "files").mkdir()
        self._workspace = Workspace(folder / "files")
        prompts = PromptFiles.read(find_paths().resources / "prompts")
        self._agent = Agent(self._model, Registry((look_up,)), prompts, (), AgentLimits(), Rules(), facts=MemoryFacts())
        self._lock = DatabaseLock.take(folder / "ours.lock", "benchmark")
        self._database = Database.open(folder / "ours.db", self._lock)
        self._store = Conversations(self._database) if durable else None
        self._session = self._store.new_session() if self._store else ""

    def turn(self, turn_id: str, steps: int) -> None:
        self._model.begin(steps)
        if self._store:
            self._store.begin_turn(self._session, turn_id, Source.TEXT, loop_script.WORDS, str(self._workspace.root))
        task = AgentTask(turn_id, loop_script.WORDS, (), self._workspace)
        events = self._agent.run(task, ScriptedApprover(), CancelToken())
        while True:
            try:
                self._keep(next(events))
            except StopIteration as stop:
                self._keep(_end(turn_id, self._session, stop.value.answer))
                return

    def settle(self) -> None:
        self._database.wait_synced()

    def close(self) -> None:
        self._workspace.close()
        self._database.close()
        self._lock.release()

    def _keep(self, event: Event) -> None:
        if self._store:
            self._store.record(event)


def _end(turn_id: str, session_id: str, answer: str) -> TurnEnded:
    return TurnEnded(turn_id, session_id, "", TurnOutcome.ANSWERED, answer, (), {}, "", "", "")


def kept_steps(folder: Path, turn_id: str) -> int:
    """Calls of the turn that the database has with their results, read as the program reads it at its next start."""
    with (
        DatabaseLock.take(folder / "ours.lock", "benchmark") as lock,
        Database.open(folder / "ours.db", lock) as opened,
    ):
        store = Conversations(opened)
        turns = [turn for session in store.sessions() for turn in store.turns(session.session_id)]
        return sum(c.state == Outcome.DONE for turn in turns if turn.turn_id == turn_id for c in turn.calls)
