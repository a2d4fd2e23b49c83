"""Whom the public check compares: each is asked a case and says what it wrote, in seconds that it took.

All run the same model file with the same context, threads, longest reply and temperature 0, each in a process of its
own that sleeps while another one works.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Protocol, Self

from aria_desktop.assistant.reply import ANSWER, answer_schema
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.errors import EngineDied, EngineFailed
from aria_desktop.core.events import EngineRole
from aria_desktop.core.interfaces import Generation, GenerationEnd, LanguageModel
from aria_desktop.evaluation import bfcl_peers
from aria_desktop.evaluation.bfcl_cases import Case
from aria_desktop.evaluation.bfcl_peers import Form
from aria_desktop.evaluation.bfcl_prompt import prompt
from aria_desktop.evaluation.bfcl_replies import Call, answers, calls_in_reply, calls_in_text
from aria_desktop.evaluation.bfcl_schemas import as_registry, calls_only, described
from aria_desktop.evaluation.line_process import LineProcess
from aria_desktop.workers.host import LoadSpec, WorkerHost
from aria_desktop.workers.remote import RemoteLanguageModel

NAMES = ("ours", *Form)
MOST_TOKENS = 512
"""Of one reply."""


@dataclass(frozen=True, slots=True)
class Setting:
    gguf: str
    """Absolute path of the model's file."""
    context_tokens: int = 8192
    """Prompt and reply together: one case brings 37 functions."""
    threads: int = 2
    answer_from: float = 0.5
    """Ours answers, instead of calling, from this probability of an answer on. What is more than a half leans to calls,
    what is less leans to answers; to be chosen on cases that are not scored."""


@dataclass(frozen=True, slots=True)
class Wrote:
    raw: str
    error: str = ""
    """Why there is no reply; it counts as one without calls."""
    answer_probability: float | None = None
    """Of an answer instead of calls, as the model weighed it; None where nobody knows."""


class Contestant(Protocol):
    """Its process runs while it is entered; what a reply means can be asked at any time."""

    name: str

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def asked(self, case: Case) -> str:
        """All that decides about its reply, beside model and setting."""

    def ask(self, case: Case) -> Wrote:
        """Raises AriaError when it can't go on at all."""

    def calls(self, raw: str) -> Sequence[Call]:
        """What a reply means. Raises ValueError for one that it can't read."""


class Ours:
    """The functions of the case become our tools, the reply is decoded under the schema that they give."""

    name = "ours"

    def __init__(self, setting: Setting) -> None:
        options: dict[str, str | int | float | bool] = {
            "context_tokens": setting.context_tokens,
            "threads": setting.threads,
        }
        options["gpu"] = "off"
        self._load = LoadSpec("llama.cpp", setting.gguf, options)
        self._answer_from = setting.answer_from

    def __enter__(self) -> Self:
        self._host = WorkerHost(EngineRole.LANGUAGE, self._load, lambda _state, _detail: None)
        self._language: LanguageModel = RemoteLanguageModel(self._host)
        self._host.loaded(CancelToken())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._host.close()

    def asked(self, case: Case) -> str:
        messages, _, schema = prompt(case, as_registry(case.functions))
        return json.dumps([[message.text for message in messages], schema, self._answer_from])

    def ask(self, case: Case) -> Wrote:
        messages, stable, schema = prompt(case, as_registry(case.functions))
        generation = Generation(messages, schema, max_tokens=MOST_TOKENS, stable_messages=stable)
        first = self._generated(generation)
        chance = first.answer_probability
        if chance is None or first.error or (chance >= self._answer_from) == answers(first.raw):
            return first
        other = answer_schema() if chance >= self._answer_from else calls_only(schema)
        return replace(self._generated(replace(generation, reply_schema=other)), answer_probability=chance)

    def _generated(self, generation: Generation) -> Wrote:
        raw = ""
        try:
            for piece in self._language.complete(generation, CancelToken()):
                if isinstance(piece, GenerationEnd):
                    return Wrote(raw, "" if piece.complete else "cut off", _answer_probability(piece))
                raw += piece
        except EngineFailed as error:
            return Wrote(raw, error.text)
        raise EngineDied("The language model stopped without an end.")

    def calls(self, raw: str) -> Sequence[Call]:
        return calls_in_reply(raw)


def _answer_probability(end: GenerationEnd) -> float:
    answered = [choice.probability for choice in end.tool_choices if choice.name == ANSWER]
    return answered[0] if answered else end.answer_probability


class Peer:
    """llama-cpp-python in one of two forms; see `bfcl_peers`."""

    def __init__(self, form: Form, setting: Setting) -> None:
        self.name = str(form)
        self._form = form
        numbers = map(str, (setting.context_tokens, setting.threads, MOST_TOKENS))
        self._process = LineProcess(f"the contestant {form}", bfcl_peers.__name__, form, setting.gguf, *numbers)

    def __enter__(self) -> Self:
        self._process.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.__exit__(kind, error, trace)

    def asked(self, case: Case) -> str:
        tools = [described(function) for function in case.functions]
        return json.dumps({"messages": list(case.messages), "tools": tools})

    def ask(self, case: Case) -> Wrote:
        answer = self._process.ask(self.asked(case))
        return Wrote(answer["raw"], answer.get("error", ""))

    def calls(self, raw: str) -> Sequence[Call]:
        match self._form:
            case Form.FREE:
                return calls_in_text(raw)
            case Form.CHATML:
                return calls_in_message(raw)


def calls_in_message(raw: str) -> Sequence[Call]:
    """Those of a chat message in the usual notation. Raises ValueError where arguments are no JSON object."""
    calls = json.loads(raw).get("tool_calls") or ()
    found = [(call["function"]["name"], json.loads(call["function"]["arguments"])) for call in calls]
    if not all(isinstance(arguments, dict) for _, arguments in found):
        raise ValueError("arguments that are no object")
    return tuple(found)


def contestants(setting: Setting) -> tuple[Contestant, ...]:
    """Ours first, then whom it is compared with."""
    return (Ours(setting), Peer(Form.FREE, setting), Peer(Form.CHATML, setting))
