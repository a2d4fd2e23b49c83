"""What to know about a language model before it is used, from what its file says of itself. Pure.

Nothing here stops anybody: a model that its file says little about may work all the same. What surely can't work is
said as that, and the engine refuses it with the same words.
"""

from __future__ import annotations

from collections.abc import Mapping

from aria_desktop.catalog.catalog import ChatTemplate
from aria_desktop.catalog.gguf import GgufFacts

LEAST_CONTEXT = 3072
"""Tokens: ARIA's tools and examples, a file's beginning, and room to answer."""
_MARKS: Mapping[ChatTemplate, tuple[str, ...]] = {
    ChatTemplate.CHATML: ("<|im_start|>", "<|im_end|>"),
    ChatTemplate.LLAMA3: ("<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"),
    ChatTemplate.GEMMA: ("<start_of_turn>", "<end_of_turn>"),
    ChatTemplate.MISTRAL: ("[INST]", "[/INST]"),
}
"""What each family's published template holds; the language engine goes by the same."""


def family_in(template: str) -> ChatTemplate | None:
    """The family whose marks a published template writes; None: none that ARIA knows, or no template."""
    return next((family for family, marks in _MARKS.items() if all(mark in template for mark in marks)), None)


def remarks(facts: GgufFacts, chosen: ChatTemplate | None) -> tuple[str, ...]:
    """One clause each, to follow the model's name and a colon.

    Args:
        chosen: the template that the catalogue or the user names for it, if any.
    """
    return (*_about_chat(facts.chat_template, chosen), *_about_context(facts.context_tokens))


def _about_chat(template: str, chosen: ChatTemplate | None) -> tuple[str, ...]:
    family = family_in(template)
    if template and family is None and chosen is None:
        return ("trained for no known chat form; ARIA can't use it",)
    if not template and chosen is None:
        return ("its file names no chat form; ARIA goes by its vocabulary, and it may be no model for conversation",)
    if _is_broken(template):
        return (f"its chat template is broken; ARIA writes the {chosen or family} form itself",)
    if template and "tool" not in template:
        return ("not trained to call tools; it may choose the wrong one more often",)
    return ()


def _about_context(tokens: int) -> tuple[str, ...]:
    if 0 < tokens < LEAST_CONTEXT:
        return (f"keeps only {tokens} tokens in mind, and ARIA needs {LEAST_CONTEXT}; choose another model",)
    return ()


def _is_broken(template: str) -> bool:
    """Its statements don't open and close as often."""
    return template.count("{%") != template.count("%}")
