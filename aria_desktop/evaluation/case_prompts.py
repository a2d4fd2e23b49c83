"""What the agent asks the model for a case: its real prompts and schema, made without a model."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from aria_desktop.assistant.agent import AgentTask
from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest
from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.chat import Message
from aria_desktop.core.interfaces import Generation, GenerationEnd
from aria_desktop.evaluation.cases import Case
from aria_desktop.evaluation.end_state import lay_out
from aria_desktop.evaluation.evaluated import AgentMaker, EvaluatedModel
from aria_desktop.safety.paths import Workspace


class _Listener:
    """A `LanguageModel` that gives the replies it was given, keeps what it is asked next, and stops the turn there."""

    context_tokens = 0

    def __init__(self, replies: Sequence[str]) -> None:
        self._replies = list(replies)
        self.asked: Generation | None = None

    def complete(self, generation: Generation, cancel: CancelToken) -> Iterator[str | GenerationEnd]:
        cancel.raise_if_cancelled()
        if not self._replies:
            self.asked = generation
            raise Cancelled
        yield self._replies.pop(0)
        yield GenerationEnd(True, 1, 0, 1, 1, 0, 0.0, 0.0)

    def warm(self, messages: Sequence[Message]) -> None:
        raise AssertionError(f"nothing is warmed in a turn: {messages[:1]}")


class _No:
    def ask(self, request: ApprovalRequest, cancel: CancelToken) -> ApprovalDecision:
        del request
        cancel.raise_if_cancelled()
        return ApprovalDecision(False, "the benchmark")


def asked_for(make: AgentMaker, case: Case, replies: Sequence[str] = ()) -> Generation | None:
    """What the model is asked after it gave `replies`; None when the turn ends without that question."""
    listener = _Listener(replies)
    with tempfile.TemporaryDirectory(prefix="aria-case-") as folder:
        lay_out(Path(folder), case.files)
        with Workspace(Path(folder)) as workspace:
            task = AgentTask("t1", case.say, case.earlier_turns(), workspace)
            try:
                for _ in make(listener, case.facts).run(task, _No(), CancelToken()):
                    continue
            except Cancelled:
                return listener.asked
    return None


def deciding(model: EvaluatedModel, cases: Sequence[Case]) -> dict[str, object]:
    """What decides the measurements of a model on cases, beside the benchmark."""
    stable = model.make_agent(_Listener(()), ()).stable_messages()
    contents = repr((stable, [case.model_dump_json() for case in cases])).encode("utf-8", "surrogatepass")
    return {
        "model": model.fingerprint,
        "settings": model.settings,
        "prompt and cases": hashlib.sha256(contents).hexdigest()[:16],
    }


def crossed(cases: Sequence[Case], number: int) -> Case:
    """The case of this number in an endless row without repeats at first: each with its own files and earlier turns,
    then each with those of the next one, and so on."""
    words = cases[number % len(cases)]
    around = cases[(number + number // len(cases)) % len(cases)]
    surroundings = {"history": around.history, "files": around.files, "facts": around.facts}
    return words.model_copy(update={"id": f"{words.id}+{around.id}", **surroundings})


def with_temperature(generation: Generation, temperature: float, seed: int) -> Generation:
    return replace(generation, temperature=temperature, seed=seed)
