"""What a language model's file says of itself, read without loading it: the facts at the head of a GGUF file.

The file may be anything; see `safety.models.gguf`, which reads it. Tensors are never touched.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aria_desktop.safety.models import gguf
from aria_desktop.safety.models.reading import opened


@dataclass(frozen=True, slots=True)
class GgufFacts:
    architecture: str
    """For instance "qwen2"; empty when the file does not say."""
    context_tokens: int
    """What the model was trained for; 0 when the file does not say."""
    chat_template: str
    """As the publisher wrote it; never run. Empty when there is none."""


def read_facts(path: Path) -> GgufFacts:
    """Raises ModelDamaged for a file that is no GGUF file or ends within its head."""
    with opened(path) as head:
        facts, _ = gguf.read_facts(head)
    architecture = _of(facts, "general.architecture", str, "")
    return GgufFacts(
        architecture,
        _of(facts, f"{architecture}.context_length", int, 0),
        _of(facts, "tokenizer.chat_template", str, ""),
    )


def _of(facts: Mapping[str, object], name: str, kind: type[Any], otherwise: Any) -> Any:
    found = facts.get(name, otherwise)
    return found if type(found) is kind else otherwise
