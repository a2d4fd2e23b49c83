"""Language models in GGUF files, run by llama.cpp.

What stays true:
- text of the user, of files and of the model never becomes a control token: only the template's own marks do;
- a schema is obeyed to the letter or nothing is generated;
- a start that was evaluated is not evaluated again while it is remembered (see `prompt_cache`), and what is
  remembered is what was evaluated, also after a cancel in the middle;
- the counters in `GenerationEnd` count calls, they are not estimated.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import psutil

from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.chat import Message
from aria_desktop.core.errors import EngineFailed
from aria_desktop.core.interfaces import Capabilities, Generation, GenerationEnd
from aria_desktop.engines.language.constrained import TokenChooser, forced
from aria_desktop.engines.language.grammar import to_gbnf
from aria_desktop.engines.language.kept_prefix import KeptPrefix, identity
from aria_desktop.engines.language.native_context import ContextShape, Evaluation, NativeContext
from aria_desktop.engines.language.native_grammar import NativeGrammar
from aria_desktop.engines.language.native_library import gpus
from aria_desktop.engines.language.native_model import NativeModel
from aria_desktop.engines.language.placement import gpu_layers, placement_words
from aria_desktop.engines.language.prompt_cache import PromptCache, shared_start
from aria_desktop.engines.language.reply import Reply
from aria_desktop.engines.language.templates import TEMPLATES, Template, recognised, rendered
from aria_desktop.engines.language.text_stream import TextStream
from aria_desktop.engines.model_files import model_file
from aria_desktop.engines.options import read_options

_BATCH = 256
"""Tokens evaluated at once: larger ones are no faster on a CPU and take more memory."""
_SEQUENCES = 2
"""Prompts remembered: the one that chooses tools, and another."""


@dataclass(frozen=True, slots=True)
class LlamaOptions:
    context_tokens: int = 4096
    """Prompt and reply together; less when the model was trained for less."""
    threads: int = 0
    """0: one for each physical core that this process may use."""
    gpu: Literal["auto", "off"] = "auto"
    """"auto": as many layers as fit into the graphics card's free memory."""
    template: str = ""
    """A name of `templates.TEMPLATES`; empty: by the marks in the model's vocabulary."""
    prefix_folder: str = ""
    """Where the evaluated start of the prompts is kept between starts; empty: nowhere."""


def load(model_path: str, options: Mapping[str, str | int | float | bool]) -> LlamaCpp:
    """`model_path`: the GGUF file, the first of its parts, or the folder it lies in."""
    wanted = read_options(LlamaOptions, "llama.cpp", options)
    file = model_file(model_path, ".gguf")
    threads = wanted.threads or _cores()
    layers, words = _place(file, wanted, threads)
    model = NativeModel(str(file), layers)
    template = _template(model, wanted.template, file)
    shape = ContextShape(min(wanted.context_tokens, model.trained_context), _BATCH, threads, _SEQUENCES)
    kept = KeptPrefix(Path(wanted.prefix_folder) if wanted.prefix_folder else None, identity(file, shape.tokens))
    capabilities = Capabilities(words, context_tokens=shape.tokens)
    return LlamaCpp(model, NativeContext(model, shape), template, capabilities, kept)


def _cores() -> int:
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, psutil.cpu_count(logical=False) or usable)


def _place(file: Path, wanted: LlamaOptions, threads: int) -> tuple[int, str]:
    cards = gpus() if wanted.gpu == "auto" else ()
    if not cards:
        return 0, placement_words(0, 0, cards, threads, wanted.gpu)
    size = NativeModel(str(file), 0, only_measure=True).size(wanted.context_tokens)
    layers = gpu_layers(size, cards)
    return layers, placement_words(layers, size.layers, cards, threads, wanted.gpu)


def _template(model: NativeModel, name: str, file: Path) -> Template:
    name = name or recognised(model.is_mark) or ""
    if name not in TEMPLATES:
        raise EngineFailed(
            f"{file.name} was trained on no chat template that ARIA knows.",
            f"ARIA knows {', '.join(TEMPLATES)}. Choose another model.",
        )
    return TEMPLATES[name]


class LlamaCpp:
    """Used by one thread; only a cancel token may be set from another one."""

    def __init__(
        self,
        model: NativeModel,
        context: NativeContext,
        template: Template,
        capabilities: Capabilities,
        kept: KeptPrefix,
    ) -> None:
        self.capabilities = capabilities
        self._model = model
        self._context = context
        self._template = template
        self._cache = PromptCache(context, _SEQUENCES)
        self._kept = kept
        self._cache.brought_back(kept.restore(context, self._cache.active))
        self._alphabet = model.alphabet()
        self._end = np.array([model.end_token()], dtype=np.int32)

    def prefill(self, messages: Sequence[Message], cancel: CancelToken) -> None:
        prompt = self._tokens(messages, reply=False)
        self._check_room(prompt)
        if prompt and not self._cache.knows(prompt):
            self._evaluate_stable(self._cache.begin(prompt), prompt, cancel)

    def complete(self, generation: Generation, cancel: CancelToken) -> Iterator[str | GenerationEnd]:
        started = time.perf_counter()
        prompt = self._tokens(generation.messages, reply=True)
        limit = min(generation.max_tokens, self._check_room(prompt))
        with ExitStack() as stack:
            grammar = None
            if generation.reply_schema is not None:
                gbnf = to_gbnf(generation.reply_schema)
                grammar = stack.enter_context(closing(NativeGrammar.parsed(self._model, gbnf)))
            reply = Reply(TextStream(generation.stop if grammar is None else ()), limit)
            chooser = TokenChooser(generation.temperature, generation.seed, grammar)
            stable = self._tokens(generation.messages[: generation.stable_messages], reply=False)
            reused = self._cache.begin(prompt)
            self._evaluate_stable(reused, prompt[: shared_start(stable, prompt)], cancel)
            yield from self._forced(reply, grammar)
            self._evaluate_from(self._cache.length, [*prompt, *reply.take_pending()], cancel)
            first = time.perf_counter()
            yield from self._reply(reply, chooser, grammar, cancel)
        yield GenerationEnd(
            complete=reply.complete,
            prompt_tokens=len(prompt),
            reused_tokens=reused,
            tokens=reply.tokens,
            decode_steps=reply.steps,
            grammar_checks=chooser.full_checks,
            seconds_to_first=first - started,
            seconds=time.perf_counter() - started,
        )

    def _reply(
        self, reply: Reply, chooser: TokenChooser, grammar: NativeGrammar | None, cancel: CancelToken
    ) -> Iterator[str]:
        while reply.tokens < reply.limit:
            if reply.pending:
                self._evaluate(reply.take_pending(), cancel)
                reply.steps += 1
            cancel.raise_if_cancelled()
            token = chooser.choose(self._context.logits())
            if self._model.ends(token):
                reply.complete = True
                break
            yield from self._said(reply, token)
            if grammar is not None:
                grammar.accept(token)
                reply.complete = self._is_whole(token, grammar)
            if reply.complete:
                break
            yield from self._forced(reply, grammar)
        if rest := reply.stream.finish():
            yield rest

    def _forced(self, reply: Reply, grammar: NativeGrammar | None) -> Iterator[str]:
        """Say what the grammar leaves no choice about; it is evaluated together with what came before."""
        if grammar is None or self._alphabet is None:
            return
        for token in forced(grammar, self._alphabet, reply.limit - reply.tokens):
            yield from self._said(reply, token)

    def _said(self, reply: Reply, token: int) -> Iterator[str]:
        if text := reply.take(token, self._model.piece(token)):
            yield text

    def _is_whole(self, token: int, grammar: NativeGrammar) -> bool:
        """Is the value complete behind `token`, so that nothing can follow and the end need not be awaited?"""
        return self._model.piece(token).endswith((b"}", b"]", b'"')) and bool(grammar.legal(self._end)[0])

    def _tokens(self, messages: Sequence[Message], *, reply: bool) -> list[int]:
        parts = rendered(self._template, messages, reply=reply)
        return [token for part in parts for token in self._model.tokenize(part.text, marks=part.mark)]

    def _check_room(self, prompt: Sequence[int]) -> int:
        """How many tokens of reply fit behind `prompt`."""
        room = self.capabilities.context_tokens - len(prompt)
        if room <= 0:
            raise EngineFailed(
                f"The conversation has {len(prompt)} tokens and the model's context holds "
                f"{self.capabilities.context_tokens}, the reply included.",
                "Start a new conversation, or set language_model.context_tokens higher.",
            )
        return room

    def _evaluate_stable(self, start: int, stable: Sequence[int], cancel: CancelToken) -> None:
        """Evaluate what is left of the part that no prompt changes, and keep it for the next start."""
        if start < len(stable):
            self._evaluate_from(start, stable, cancel)
            self._kept.save(self._context, self._cache.active, stable)

    def _evaluate_from(self, start: int, prompt: Sequence[int], cancel: CancelToken) -> None:
        for at in range(start, len(prompt), _BATCH):
            cancel.raise_if_cancelled()
            self._evaluate(prompt[at : at + _BATCH], cancel)

    def _evaluate(self, tokens: Sequence[int], cancel: CancelToken) -> None:
        """Evaluate behind what the active sequence holds. Whatever happens, record and memory agree afterwards."""
        try:
            outcome = self._context.evaluate(self._cache.active, self._cache.length, tokens, cancel)
            while outcome is Evaluation.NO_ROOM and self._cache.make_room():
                outcome = self._context.evaluate(self._cache.active, self._cache.length, tokens, cancel)
        except EngineFailed:
            self._cache.undo()
            raise
        match outcome:
            case Evaluation.DONE:
                self._cache.evaluated(tokens)
            case Evaluation.STOPPED:
                self._cache.undo()
                raise Cancelled
            case Evaluation.NO_ROOM:
                raise EngineFailed(f"The model's context has no room for {len(tokens)} more tokens.")
