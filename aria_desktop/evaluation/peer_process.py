"""The process of `llama_peer`, asked one thing at a time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from aria_desktop.core.chat import Message
from aria_desktop.core.errors import EngineDied, EngineFailed
from aria_desktop.evaluation.llama_peer import Do


class PeerProcess:
    """Runs while it is entered, and sleeps while nothing is asked."""

    def __init__(self, gguf: str, context_tokens: int, threads: int) -> None:
        numbers = (str(context_tokens), str(threads))
        self._command = [sys.executable, "-m", "aria_desktop.evaluation.llama_peer", gguf, *numbers]

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

    def ask(self, what: Do, messages: Sequence[Message] = (), **more: object) -> Mapping[str, Any]:
        """Raises EngineFailed for what the library can't do, EngineDied."""
        spoken = [{"role": message.role.value, "content": message.text} for message in messages]
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps({"do": what, "messages": spoken, **more}) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError as error:
            raise self._died() from error
        answer = self._answer()
        if "error" in answer:
            raise EngineFailed(f"llama-cpp-python can't do this: {answer['error']}.")
        return answer

    def _answer(self) -> Mapping[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise self._died()
        answer: Mapping[str, Any] = json.loads(line)
        return answer

    def _died(self) -> EngineDied:
        return EngineDied(f"The process of llama-cpp-python ended with {self._process.wait()}.")
