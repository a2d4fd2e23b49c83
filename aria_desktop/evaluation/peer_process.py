"""The process of `llama_peer`, asked one thing at a time."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from aria_desktop.core.chat import Message
from aria_desktop.core.errors import EngineFailed
from aria_desktop.evaluation.line_process import LineProcess
from aria_desktop.evaluation.llama_peer import Do

_NAME = "llama-cpp-python"


class PeerProcess:
    """Runs while it is entered, and sleeps while nothing is asked."""

    def __init__(self, gguf: str, context_tokens: int, threads: int) -> None:
        numbers = (str(context_tokens), str(threads))
        self._process = LineProcess(_NAME, "aria_desktop.evaluation.llama_peer", gguf, *numbers)

    def __enter__(self) -> Self:
        self._process.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.__exit__(kind, error, trace)

    def ask(self, what: Do, messages: Sequence[Message] = (), **more: object) -> Mapping[str, Any]:
        """Raises EngineFailed for what the library can't do, EngineDied."""
        spoken = [{"role": message.role.value, "content": message.text} for message in messages]
        answer = self._process.ask(json.dumps({"do": what, "messages": spoken, **more}))
        if "error" in answer:
            raise EngineFailed(f"{_NAME} can't do this: {answer['error']}.")
        return answer
