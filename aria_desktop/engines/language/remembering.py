"""A context that knows what it has evaluated, and evaluates only what is new.

Whatever happens in an evaluation, the record of what was evaluated and the model's memory agree afterwards.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.errors import EngineFailed
from aria_desktop.engines.language.constrained import Logits
from aria_desktop.engines.language.kept_prefix import KeptPrefix
from aria_desktop.engines.language.native_context import Evaluation, NativeContext
from aria_desktop.engines.language.prompt_cache import PromptCache


class RememberingContext:
    def __init__(self, context: NativeContext, sequences: int, kept: KeptPrefix, *, can_forget: bool) -> None:
        """`can_forget`: the memory can go back to any earlier place, so that a part of a sequence can be shared."""
        self.context = context
        self.cache = PromptCache(context, sequences)
        self._kept = kept
        self._can_forget = can_forget
        restored = kept.restore(context, self.cache.active)
        self.cache.brought_back(restored)
        self.cache.pin(restored)

    def evaluate_stable(self, stable: Sequence[int], cancel: CancelToken) -> None:
        """Evaluate what is left of the part that no prompt changes, and keep it for the next start."""
        if self.cache.length < len(stable):
            self.evaluate(stable, cancel)
            self._kept.save(self.context, self.cache.active, stable)
        if stable and (self._can_forget or self.cache.length == len(stable)):
            self.cache.pin(stable)

    def evaluate(self, tokens: Sequence[int], cancel: CancelToken, on_trial: int = 0) -> None:
        """Evaluate what of `tokens` is new. Logits are kept of the last one and of the `on_trial` before it, which
        therefore go in one batch. Raises Cancelled, EngineFailed."""
        start, batch = self.cache.length, self.context.batch
        while start < len(tokens):
            cancel.raise_if_cancelled()
            end = start + batch
            if end >= len(tokens):
                self._evaluate(tokens[start:], cancel, on_trial)
                return
            end = min(end, len(tokens) - 1 - on_trial)
            self._evaluate(tokens[start:end], cancel, 0)
            start = end

    def _evaluate(self, tokens: Sequence[int], cancel: CancelToken, on_trial: int) -> None:
        place = (self.cache.active, self.cache.length, tokens, on_trial)
        try:
            outcome = self.context.evaluate(*place, cancel)
            while outcome is Evaluation.NO_ROOM and self.cache.make_room():
                outcome = self.context.evaluate(*place, cancel)
        except EngineFailed:
            self.cache.undo()
            raise
        match outcome:
            case Evaluation.DONE:
                self.cache.evaluated(tokens)
            case Evaluation.STOPPED:
                self.cache.undo()
                raise Cancelled
            case Evaluation.NO_ROOM:
                raise EngineFailed(
                    f"The model's context has no room for {len(tokens)} more tokens.",
                    "Start a new conversation, or set language_model.context_tokens higher.",
                )


class ReplyEvaluator:
    """`decoding.Evaluator` of one reply, behind a prompt for which the cache has chosen a sequence."""

    def __init__(self, remembering: RememberingContext, cancel: CancelToken, *, can_take_back: bool) -> None:
        self._remembering = remembering
        self._cancel = cancel
        self.can_take_back = can_take_back
        self.first_at = 0.0
        """When the prompt had been evaluated, by `time.perf_counter`; 0 before."""

    def evaluate(self, tokens: Sequence[int], on_trial: int) -> None:
        self._remembering.evaluate(tokens, self._cancel, on_trial)
        self.first_at = self.first_at or time.perf_counter()

    def logits(self, before_end: int) -> Logits:
        self._cancel.raise_if_cancelled()
        return self._remembering.context.logits(before_end)

    def take_back(self, count: int) -> None:
        self._remembering.cache.take_back(count)
