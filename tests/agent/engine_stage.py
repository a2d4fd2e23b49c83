"""What the tests of the language engine on a real model share."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import pytest

from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import Message, Role
from aria_desktop.core.interfaces import Generation, GenerationEnd
from aria_desktop.engines.language.llama_cpp import LlamaCpp
from aria_desktop.engines.language.native_context import Evaluation, NativeContext

SMALL = "qwen2.5-coder-0.5b-instruct"
SYSTEM = Message(Role.SYSTEM, "You help with files. Answer in JSON. " + "Be short and exact. " * 15)
REPLY: dict[str, Any] = {
    "type": "object",
    "properties": {
        "say": {"type": "string"},
        "tool": {"enum": ["create_file", "list_files", "read_file", "none"]},
        "count": {"type": "integer"},
        "tags": {"type": "array", "items": {"type": "string", "maxLength": 12}, "maxItems": 3},
    },
    "required": ["say", "tool", "count"],
    "additionalProperties": False,
}
CALLS: dict[str, Any] = {
    "oneOf": [
        {
            "type": "object",
            "properties": {"tool": {"const": tool}, "path": {"type": "string"}, "sure": {"type": "boolean"}},
            "required": ["tool", "path", "sure"],
            "additionalProperties": False,
        }
        for tool in ("create_file", "create_folder", "delete_file")
    ]
}


def ask(words: str, schema: dict[str, Any] | None = None, **more: Any) -> Generation:
    return Generation((SYSTEM, Message(Role.USER, words)), schema, **{"max_tokens": 80, **more})


def run(engine: LlamaCpp, generation: Generation) -> tuple[str, GenerationEnd]:
    *pieces, end = engine.complete(generation, CancelToken())
    assert isinstance(end, GenerationEnd)
    assert all(isinstance(piece, str) and piece for piece in pieces)
    return "".join(map(str, pieces)), end


class Watched:
    """Counts what a context evaluates."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, stop_at: int = 0, cancel: CancelToken | None = None) -> None:
        self.sizes: list[int] = []
        real = NativeContext.evaluate

        def evaluate(
            context: NativeContext, sequence: int, start: int, tokens: Sequence[int], on_trial: int, token: CancelToken
        ) -> Evaluation:
            self.sizes.append(len(tokens))
            if cancel is not None and len(self.sizes) == stop_at:
                threading.Timer(0.05, cancel.cancel).start()
            return real(context, sequence, start, tokens, on_trial, token)

        monkeypatch.setattr(NativeContext, "evaluate", evaluate)
