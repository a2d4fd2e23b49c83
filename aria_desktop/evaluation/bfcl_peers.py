"""The two contestants that are not ours, in a process of their own: llama-cpp-python as people use it.

Run as `python -m aria_desktop.evaluation.bfcl_peers FORM GGUF CONTEXT THREADS MOST`; reads one JSON object a line,
writes one. Each has its own model, so that each keeps the start of its own last prompt. Both are set up in good
faith: temperature 0, no penalty for repetition, a system message where a form lists functions only in one.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

from aria_desktop.evaluation.plain_llama import plain_llama

Ask = Callable[[Mapping[str, Any]], str]
"""{"messages", "tools"} -> what the model wrote."""


class Form(StrEnum):
    FREE = "free"
    """The chat template in the model's own file, given the tools; whatever it writes."""
    CHATML = "chatml"
    """llama-cpp-python's `chatml-function-calling` with `tool_choice="auto"`, under its grammars."""


SYSTEM = (
    "A chat between a curious user and an artificial intelligence assistant. The assistant gives helpful, detailed, "
    "and polite answers to the user's questions. The assistant calls functions with appropriate input when necessary."
)
"""The one that the library's own guide shows, for cases without: `chatml-function-calling` tells of the functions in a
system message alone."""


def main(arguments: list[str]) -> None:
    """Serve until standard input ends. Standard output carries answers alone; what libraries print goes beside it."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    form, gguf, context, threads, most = arguments
    ask = _loaded(Form(form), gguf, int(context), int(threads), int(most))
    print(json.dumps({"ready": True}), file=answers, flush=True)
    for line in sys.stdin:
        try:
            answer = {"raw": ask(json.loads(line))}
        except Exception as error:  # Whatever the library can't do is its reply to this case.
            answer = {"raw": "", "error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


def _loaded(form: Form, gguf: str, context: int, threads: int, most: int) -> Ask:
    class Bounded(plain_llama()):  # type: ignore[misc]
        """The function-calling form asks for replies without an end; all contestants have the same one."""

        def create_completion(self, *args: Any, max_tokens: int | None = None, **kwargs: Any) -> Any:
            return super().create_completion(*args, max_tokens=max_tokens or most, **kwargs)

    chat_format = "chatml-function-calling" if form is Form.CHATML else None
    model = Bounded(
        gguf,
        n_ctx=context,
        n_threads=threads,
        n_threads_batch=threads,
        n_gpu_layers=0,
        chat_format=chat_format,
        verbose=False,
        seed=0,
    )
    match form:
        case Form.FREE:
            return lambda asked: _free(model, asked)
        case Form.CHATML:
            return lambda asked: _function_calling(model, asked)


def _free(model: Any, asked: Mapping[str, Any]) -> str:
    # As a Jinja chat formatter of the library would, with the tools it passes on.
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    surroundings = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    surroundings.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "sort_keys": False}
    surroundings.filters["tojson"] = lambda value: json.dumps(value, ensure_ascii=False)
    template = surroundings.from_string(model.metadata["tokenizer.chat_template"])
    prompt = template.render(**asked, add_generation_prompt=True)
    tokens = model.tokenize(prompt.encode("utf-8"), add_bos=False, special=True)
    done = model.create_completion(tokens, temperature=0.0, repeat_penalty=1.0)
    return str(done["choices"][0]["text"])


def _function_calling(model: Any, asked: Mapping[str, Any]) -> str:
    """The message as JSON: {"content", "tool_calls"?}."""
    messages = list(asked["messages"])
    if messages[0]["role"] != "system":
        messages.insert(0, {"role": "system", "content": SYSTEM})
    done = model.create_chat_completion(
        messages, tools=asked["tools"], tool_choice="auto", temperature=0.0, repeat_penalty=1.0
    )
    return json.dumps(done["choices"][0]["message"], ensure_ascii=False)


if __name__ == "__main__":
    main(sys.argv[1:])
