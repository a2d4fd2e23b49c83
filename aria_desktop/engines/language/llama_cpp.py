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

import psutil

from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import Message
from aria_desktop.core.errors import EngineFailed
from aria_desktop.core.interfaces import Capabilities, Generation, GenerationEnd
from aria_desktop.engines.language.choices import ChoiceWatch
from aria_desktop.engines.language.constrained import TokenChooser
from aria_desktop.engines.language.decoding import Constraint, Decoding
from aria_desktop.engines.language.grammar import to_gbnf
from aria_desktop.engines.language.kept_prefix import KeptPrefix, identity
from aria_desktop.engines.language.native_context import ContextShape, NativeContext
from aria_desktop.engines.language.native_grammar import NativeGrammar
from aria_desktop.engines.language.native_library import gpus
from aria_desktop.engines.language.native_model import NativeModel
from aria_desktop.engines.language.placement import Gpu, Plan, plan
from aria_desktop.engines.language.prompt_cache import shared_start
from aria_desktop.engines.language.remembering import RememberingContext, ReplyEvaluator
from aria_desktop.engines.language.templates import FAMILIES, TEMPLATES, Template, recognised, rendered
from aria_desktop.engines.language.text_stream import TextStream
from aria_desktop.engines.model_files import model_file
from aria_desktop.engines.options import read_options
from aria_desktop.safety.models.gguf_check import check_gguf
from aria_desktop.safety.models.memory import require_room
from aria_desktop.safety.models.memory_limit import claim
from aria_desktop.safety.models.reading import require_same

_BATCH = 256
"""Tokens evaluated at once: larger ones are no faster on a CPU and take more memory."""
_SEQUENCES = 2
"""Prompts remembered: the one that chooses tools, and another."""


@dataclass(frozen=True, slots=True)
class LlamaOptions:
    context_tokens: int = 8192
    """Prompt and reply together; less when the model was trained for less."""
    threads: int = 0
    """0: one for each physical core that this process may use."""
    gpu: Literal["auto", "off"] = "auto"
    """"auto": as many layers as fit into the graphics card's free memory."""
    template: str = ""
    """One of `templates.FAMILIES`; empty: the one that the file itself shows."""
    prefix_folder: str = ""
    """Where the evaluated start of the prompts is kept between starts; empty: nowhere."""


_CACHES = 3
"""Of a conversation that memory is claimed for: the one there is, what is written to disk of it, and the scores of the
attention while it is read."""


def load(model_path: str, options: Mapping[str, str | int | float | bool]) -> LlamaCpp:
    """`model_path`: the GGUF file, the first of its parts, or the folder it lies in."""
    wanted = read_options(LlamaOptions, "llama.cpp", options)
    file = model_file(model_path, ".gguf")
    threads = wanted.threads or _cores()
    model, found = _loaded(file, wanted, threads)
    template = _template(model, wanted.template, file)
    shape = ContextShape(found.context_tokens, _BATCH, threads, _SEQUENCES, found.cache, on_cpu=found.layers == 0)
    # The layout of a state depends on where the attention is computed.
    name = f"{identity(file, shape.tokens)}-{shape.cache}-{'cpu' if shape.on_cpu else 'gpu'}"
    kept = KeptPrefix(Path(wanted.prefix_folder) if wanted.prefix_folder else None, name)
    capabilities = Capabilities(found.words, context_tokens=shape.tokens)
    return LlamaCpp(model, NativeContext(model, shape), template, capabilities, kept)


def _loaded(file: Path, wanted: LlamaOptions, threads: int) -> tuple[NativeModel, Plan]:
    """The model where it belongs, after its files were checked. Where there is a choice of places, it is measured
    before anything is loaded."""
    checked = check_gguf(file)
    cards = gpus() if wanted.gpu == "auto" else ()
    require_room(file.name, checked.weights, psutil.virtual_memory().total + sum(card.free for card in cards))
    if not cards:
        # What is on a graphics card is not the machine's memory, but its driver's mappings are counted as if it were.
        claim(2 * checked.weights)
    found = _placed(file, wanted, threads, cards)
    for part, seen in checked.files.items():
        require_same(part, seen)
    return found


def _placed(file: Path, wanted: LlamaOptions, threads: int, cards: tuple[Gpu, ...]) -> tuple[NativeModel, Plan]:
    def planned(model: NativeModel) -> Plan:
        tokens = min(wanted.context_tokens, model.trained_context)
        free = psutil.virtual_memory().available
        return plan(model.size(tokens), tokens, cards, free, threads, wanted.gpu)

    if not cards:
        model = NativeModel(str(file), 0)
        found = planned(model)
        claim(_CACHES * model.size(found.context_tokens).cache)
        return model, found
    found = planned(NativeModel(str(file), 0, only_measure=True))
    return NativeModel(str(file), found.layers), found


def _cores() -> int:
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, psutil.cpu_count(logical=False) or usable)


def _template(model: NativeModel, family: str, file: Path) -> Template:
    """`family`: the only one to consider; empty: the one that the file itself shows."""
    name = recognised(model.is_mark, model.published_template(), family)
    if name is None:
        raise EngineFailed(
            f"{file.name} was trained for no chat form that ARIA knows{f' as {family}' if family else ''}.",
            f"ARIA knows {', '.join(FAMILIES)}. Choose another model.",
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
        self._template = template
        self._memory = RememberingContext(context, _SEQUENCES, kept, can_forget=model.can_forget)
        self._alphabet = model.alphabet()
        self._end = model.end_token()

    def prefill(self, messages: Sequence[Message], cancel: CancelToken) -> None:
        prompt = self._tokens(messages, reply=False)
        self._check_room(prompt)
        if prompt and not self._memory.cache.knows(prompt):
            self._memory.cache.begin(prompt)
            self._memory.evaluate_stable(prompt, cancel)

    def complete(self, generation: Generation, cancel: CancelToken) -> Iterator[str | GenerationEnd]:
        started = time.perf_counter()
        prompt = self._tokens(generation.messages, reply=True)
        limit = min(generation.max_tokens, self._check_room(prompt))
        with ExitStack() as stack:
            constraint = self._constraint(generation.reply_schema, stack)
            grammar = constraint.grammar if constraint else None
            chooser = TokenChooser(generation.temperature, generation.seed, grammar)
            stable = self._stable(generation, prompt)
            reused = self._memory.cache.begin(prompt)
            self._memory.evaluate_stable(stable, cancel)
            evaluator = ReplyEvaluator(self._memory, cancel, can_take_back=self._model.can_forget)
            stream = TextStream(generation.stop if constraint is None else ())
            decoding = Decoding(evaluator, self._model, chooser, stream, constraint)
            yield from decoding.run(prompt, limit)
        yield GenerationEnd(
            complete=decoding.complete,
            prompt_tokens=len(prompt),
            reused_tokens=reused,
            tokens=decoding.tokens,
            decode_steps=max(0, decoding.evaluations - 1),
            grammar_checks=chooser.full_checks,
            seconds_to_first=(evaluator.first_at or time.perf_counter()) - started,
            seconds=time.perf_counter() - started,
            tool_choices=constraint.watch.tool_choices() if constraint else (),
            answer_probability=constraint.watch.answer_probability() if constraint else 0.0,
            stable_tokens=len(stable),
        )

    def _stable(self, generation: Generation, prompt: Sequence[int]) -> Sequence[int]:
        """The tokens of the messages that never change, as far as `prompt` begins with them."""
        alone = self._tokens(generation.messages[: generation.stable_messages], reply=False)
        return prompt[: shared_start(alone, prompt)]

    def _constraint(self, schema: Mapping[str, object] | None, stack: ExitStack) -> Constraint | None:
        if schema is None:
            return None
        grammar = stack.enter_context(closing(NativeGrammar.parsed(self._model, to_gbnf(schema))))
        return Constraint(grammar, self._alphabet, self._end, ChoiceWatch(schema, self._model.tokens_of))

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
