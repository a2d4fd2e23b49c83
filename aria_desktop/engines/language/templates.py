"""Chat templates of four model families, as pure functions. The template in a model's file is a program of
somebody else's making and is never used.

A rendered conversation is a row of parts. Marks such as `<|im_start|>` are parts of their own; whatever the
user, a file or the model wrote is plain, and a tokenizer must read plain parts without looking for marks: so
no text can end its own message or begin another one's.

Where a family has no system or tool role, those texts go into the user's turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from aria_desktop.core.chat import Message, Role


@dataclass(frozen=True, slots=True)
class Part:
    text: str
    mark: bool = False
    """True: this is one of the family's own marks and becomes its token."""


@dataclass(frozen=True, slots=True)
class Template:
    marks: tuple[str, ...]
    """Each is one token of a model that was trained on this template."""
    render: Callable[[Sequence[Message]], Iterator[Part]]
    """The messages alone. The start that two conversations share is rendered the same in both."""
    reply: tuple[Part, ...]
    """What follows them when the model is to answer."""


def rendered(template: Template, messages: Sequence[Message], *, reply: bool) -> tuple[Part, ...]:
    """`reply`: the model is to answer; otherwise it is only the start of a conversation."""
    return (*template.render(messages), *(template.reply if reply else ()))


def _chatml(messages: Sequence[Message]) -> Iterator[Part]:
    for role, text in _chatml_turns(messages):
        yield Part("<|im_start|>", mark=True)
        yield Part(f"{role}\n{text}")
        yield Part("<|im_end|>", mark=True)
        yield Part("\n")


def _chatml_turns(messages: Sequence[Message]) -> Iterator[tuple[str, str]]:
    """Results of calls that follow each other are one turn of the user, as Qwen publishes it."""
    for is_result, group in groupby(messages, key=lambda message: message.role is Role.TOOL):
        if is_result:
            yield "user", "\n".join(f"<tool_response>\n{message.text}\n</tool_response>" for message in group)
        else:
            yield from ((message.role.value, message.text) for message in group)


def _llama3(messages: Sequence[Message]) -> Iterator[Part]:
    yield Part("<|begin_of_text|>", mark=True)
    for message in messages:
        role = "ipython" if message.role is Role.TOOL else message.role.value
        yield from _llama3_header(role)
        yield Part(f"\n\n{message.text.strip()}")
        yield Part("<|eot_id|>", mark=True)


def _llama3_header(role: str) -> tuple[Part, Part, Part]:
    return Part("<|start_header_id|>", mark=True), Part(role), Part("<|end_header_id|>", mark=True)


def _mistral(messages: Sequence[Message]) -> Iterator[Part]:
    yield Part("<s>", mark=True)
    for from_model, text in _two_sided(messages):
        if from_model:
            yield Part(f" {text}")
            yield Part("</s>", mark=True)
        else:
            yield Part("[INST]", mark=True)
            yield Part(f" {text}")
            yield Part("[/INST]", mark=True)


def _gemma(messages: Sequence[Message]) -> Iterator[Part]:
    yield Part("<bos>", mark=True)
    for from_model, text in _two_sided(messages):
        yield Part("<start_of_turn>", mark=True)
        yield Part(f"{'model' if from_model else 'user'}\n{text.strip()}")
        yield Part("<end_of_turn>", mark=True)
        yield Part("\n")


def _two_sided(messages: Sequence[Message]) -> Iterator[tuple[bool, str]]:
    """Turns that alternate between the user (False) and the model (True)."""
    for from_model, group in groupby(messages, key=lambda message: message.role is Role.ASSISTANT):
        yield from_model, "\n\n".join(message.text for message in group)


TEMPLATES: Mapping[str, Template] = {
    "chatml": Template(("<|im_start|>", "<|im_end|>"), _chatml, (Part("<|im_start|>", mark=True), Part("assistant\n"))),
    "llama3": Template(
        ("<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"),
        _llama3,
        (*_llama3_header("assistant"), Part("\n\n")),
    ),
    "gemma": Template(
        ("<start_of_turn>", "<end_of_turn>"), _gemma, (Part("<start_of_turn>", mark=True), Part("model\n"))
    ),
    "mistral": Template(("[INST]", "[/INST]"), _mistral, ()),
}


def recognised(is_mark: Callable[[str], bool]) -> str | None:
    """The name of the family whose marks are all single tokens of a model's vocabulary; None: none of them."""
    return next((name for name, template in TEMPLATES.items() if all(map(is_mark, template.marks))), None)
