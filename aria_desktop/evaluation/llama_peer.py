"""llama-cpp-python as its users have it, in a process of its own, to be measured beside the program.

Run as `python -m aria_desktop.evaluation.llama_peer GGUF CONTEXT THREADS`. Reads one JSON object a line, {"do": one of
`Do`, ...}, and writes one. The model file's own chat template makes the prompts, temperature is 0. What counts is when
the library's own `eval` returned: it is the library's work that is timed, not ours around it.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

from aria_desktop.evaluation.plain_llama import plain_llama


class Do(StrEnum):
    GRAMMAR = "grammar"
    """{"messages", "schema", "most"}: generate under the library's grammar for the schema."""
    FOLLOW = "follow"
    """{"messages", "text"}: generate without a grammar, and go on with the text's own tokens whatever is chosen."""
    FIRST = "first"
    """{"messages"}: until one token is chosen; the library reuses what its last prompt begins with."""
    FORGET = "forget"
    """{}: the next prompt is evaluated from its first token on."""
    REMEMBER = "remember"
    """{"bytes"}: use the library's `LlamaRAMCache` from now on."""


def main(arguments: list[str]) -> None:
    """Serve until standard input ends. Standard output carries answers alone; what libraries print goes beside it."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    gguf, context, threads = arguments
    peer = _Peer(gguf, int(context), int(threads))
    print(json.dumps({"ready": True}), file=answers, flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            answer = peer.do(Do(asked["do"]), asked)
        except Exception as error:  # Whatever the library can't do is its answer.
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


class _Peer:
    def __init__(self, gguf: str, context: int, threads: int) -> None:
        self._model = _clocked_model(gguf, context, threads)
        self._template = _template(self._model.metadata["tokenizer.chat_template"])
        self._grammars: dict[str, Any] = {}

    def do(self, what: Do, asked: Mapping[str, Any]) -> Mapping[str, object]:
        match what:
            case Do.GRAMMAR:
                return self._under_grammar(self._prompt(asked), json.dumps(asked["schema"]), asked["most"])
            case Do.FOLLOW:
                return self._followed(self._prompt(asked), asked["text"])
            case Do.FIRST:
                return self._first(self._prompt(asked))
            case Do.FORGET:
                self._model.reset()
                return {}
            case Do.REMEMBER:
                from llama_cpp import LlamaRAMCache

                self._model.set_cache(LlamaRAMCache(asked["bytes"]))
                return {}

    def _prompt(self, asked: Mapping[str, Any]) -> list[int]:
        text = self._template(messages=asked["messages"], add_generation_prompt=True)
        return list(self._model.tokenize(text.encode("utf-8"), add_bos=False, special=True))

    def _under_grammar(self, prompt: list[int], schema: str, most: int) -> Mapping[str, object]:
        from llama_cpp import LlamaGrammar

        if schema not in self._grammars:
            self._grammars[schema] = LlamaGrammar.from_json_schema(schema, verbose=False)
        tokens: list[int] = []
        clock = self._model.clock
        clock.restart()
        for token in self._model.generate(prompt, temp=0.0, repeat_penalty=1.0, grammar=self._grammars[schema]):
            if token == self._model.token_eos() or len(tokens) == most:
                break
            tokens.append(token)
        ended = time.perf_counter()
        text = self._model.detokenize(tokens).decode("utf-8", "replace")
        return {"text": text, "tokens": len(tokens), "steps": clock.evaluations - 1, "seconds": ended - clock.first}

    def _followed(self, prompt: list[int], text: str) -> Mapping[str, object]:
        tokens = self._model.tokenize(text.encode("utf-8"), add_bos=False, special=False)
        clock = self._model.clock
        clock.restart()
        next(self._model.generate(prompt, temp=0.0, repeat_penalty=1.0))
        for token in tokens:
            self._model.eval([token])
            self._model.sample(temp=0.0, repeat_penalty=1.0)
        ended = time.perf_counter()
        return {"text": text, "tokens": len(tokens), "steps": clock.evaluations - 1, "seconds": ended - clock.first}

    def _first(self, prompt: list[int]) -> Mapping[str, object]:
        started = time.perf_counter()
        clock = self._model.clock
        clock.restart()
        self._model.create_completion(prompt, max_tokens=1, temperature=0.0, repeat_penalty=1.0)
        return {"prompt_tokens": len(prompt), "evaluated": clock.tokens, "seconds": time.perf_counter() - started}


class _Clock:
    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        self.first = 0.0
        """When the first evaluation, that of the prompt, was done."""
        self.evaluations = 0
        self.tokens = 0
        """Evaluated."""


def _clocked_model(gguf: str, context: int, threads: int) -> Any:
    class Clocked(plain_llama()):  # type: ignore[misc]
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            self.clock = _Clock()
            super().__init__(*args, **kwargs)

        def eval(self, tokens: Any) -> None:
            super().eval(tokens)
            self.clock.first = self.clock.first or time.perf_counter()
            self.clock.evaluations += 1
            self.clock.tokens += len(tokens)

    return Clocked(gguf, n_ctx=context, n_threads=threads, n_threads_batch=threads, n_gpu_layers=0, verbose=False)


def _template(source: str) -> Callable[..., str]:
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    surroundings = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    render: Callable[..., str] = surroundings.from_string(source).render
    return render


if __name__ == "__main__":
    main(sys.argv[1:])
