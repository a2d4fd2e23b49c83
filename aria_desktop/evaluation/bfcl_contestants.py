"""Whom the public check compares: each is asked a case and says what it wrote, in seconds that it took.

All run the same model file with the same context, threads, longest reply and temperature 0, each in a process of its
own that sleeps while another one works.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol, Self

from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.errors import EngineDied, EngineFailed
from aria_desktop.core.events import EngineRole
from aria_desktop.core.interfaces import Generation, GenerationEnd
from aria_desktop.evaluation.bfcl_cases import Case
from aria_desktop.evaluation.bfcl_peers import Form
from aria_desktop.evaluation.bfcl_prompt import prompt
from aria_desktop.evaluation.bfcl_replies import Call, calls_in_reply, calls_in_text
from aria_desktop.evaluation.bfcl_schemas import as_registry, described
from aria_desktop.workers.host import LoadSpec, WorkerHost
from aria_desktop.workers.remote import RemoteLanguageModel

MOST_TOKENS = 512
"""Of one reply."""


@dataclass(frozen=True, slots=True)
class Setting:
    gguf: str
    """Absolute path of the model's file."""
    context_tokens: int = 8192
    """Prompt and reply together: one case brings 37 functions."""
    threads: int = 2


@dataclass(frozen=True, slots=True)
class Wrote:
    raw: str
    error: str = ""
    """Why there is no reply; it counts as one without calls."""


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

    def __enter__(self) -> Self:
        self._host = WorkerHost(EngineRole.LANGUAGE, self._load, lambda _state, _detail: None)
        self._language = RemoteLanguageModel(self._host)
        self._host.loaded(CancelToken())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._host.close()

    def asked(self, case: Case) -> str:
        messages, _, schema = prompt(case, as_registry(case.functions))
        return json.dumps([[message.text for message in messages], schema])

    def ask(self, case: Case) -> Wrote:
        messages, stable, schema = prompt(case, as_registry(case.functions))
        generation = Generation(messages, schema, max_tokens=MOST_TOKENS, stable_messages=stable)
        raw = ""
        try:
            for piece in self._language.complete(generation, CancelToken()):
                if isinstance(piece, GenerationEnd):
                    return Wrote(raw, "" if piece.complete else "cut off")
                raw += piece
        except EngineFailed as error:
            return Wrote(raw, error.text)
        raise EngineDied("The language model stopped without an end.")

    def calls(self, raw: str) -> Sequence[Call]:
        return calls_in_reply(raw)


class Peer:
    """llama-cpp-python in one of two forms; see `bfcl_peers`."""

    def __init__(self, form: Form, setting: Setting) -> None:
        self.name = str(form)
        self._form = form
        numbers = map(str, (setting.context_tokens, setting.threads, MOST_TOKENS))
        self._command = [sys.executable, "-m", "aria_desktop.evaluation.bfcl_peers", form, setting.gguf, *numbers]

    def __enter__(self) -> Self:
        surroundings = {**os.environ, "OMP_WAIT_POLICY": "PASSIVE", "GGML_NO_BACKTRACE": "1"}
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            env=surroundings,
        )
        self._answer()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def asked(self, case: Case) -> str:
        tools = [described(function) for function in case.functions]
        return json.dumps({"messages": list(case.messages), "tools": tools})

    def ask(self, case: Case) -> Wrote:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(self.asked(case) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError as error:
            raise self._died() from error
        answer = self._answer()
        return Wrote(answer["raw"], answer.get("error", ""))

    def calls(self, raw: str) -> Sequence[Call]:
        match self._form:
            case Form.FREE:
                return calls_in_text(raw)
            case Form.CHATML:
                return calls_in_message(raw)

    def _answer(self) -> Mapping[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise self._died()
        answer: Mapping[str, Any] = json.loads(line)
        return answer

    def _died(self) -> EngineDied:
        return EngineDied(f"The process of the contestant {self.name} ended with {self._process.wait()}.")


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
