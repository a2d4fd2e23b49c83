"""Chat templates of four model families, as pure functions. The template in a model's file is a program of
somebody else's making and is never used, only searched for the family's marks.

A rendered conversation is a row of parts. Marks such as `<|im_start|>` are parts of their own; whatever the
user, a file or the model wrote is plain, and a tokenizer must read plain parts without looking for marks: so
no text can end its own message or begin another one's.

Each is what its family publishes, to the character, with two differences. Where a family has no system role, that
text goes to the front of the first user's turn, also where the published template puts it into the last one: what all
prompts share has to come first. Results of calls go into the user's turn where a family has no role for them, or
ties it to numbered calls in its own syntax, which ARIA's replies are not.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from aria_desktop.core.chat import Message, Role

LLAMA3_DATES = "Cutting Knowledge Date: December 2023\nToday Date: 26 Jul 2024\n\n"
"""How every system text of the family begins, with the day that its template has when it is told none: another one
each day would make every prompt new."""


@dataclass(frozen=True, slots=True)
class Part:
    text: str
    mark: bool = False
    """True: this is one of the family's own marks and becomes its token."""


@dataclass(frozen=True, slots=True)
class Template:
    family: str
    marks: tuple[str, ...]
    """Each is one token of a model that was trained on this template, and stands in the one that its file publishes."""
    render: Callable[[Sequence[Message]], Iterator[Part]]
    """The messages alone. The start that two conversations share is rendered the same in both."""
    reply: tuple[Part, ...]
    """What follows them when the model is to answer."""


def rendered(template: Template, messages: Sequence[Message], *, reply: bool) -> tuple[Part, ...]:
    """`reply`: the model is to answer; otherwise it is only the start of a conversation."""
    return (*template.render(messages), *(template.reply if reply else ()))


def _mark(text: str) -> Part:
    return Part(text, mark=True)


def _chatml(messages: Sequence[Message]) -> Iterator[Part]:
    for role, text in _chatml_turns(messages):
        yield _mark("<|im_start|>")
        yield Part(f"{role}\n{text}")
        yield _mark("<|im_end|>")
        yield Part("\n")


def _chatml_turns(messages: Sequence[Message]) -> Iterator[tuple[str, str]]:
    """Results of calls that follow each other are one turn of the user, as Qwen publishes it."""
    for is_result, group in groupby(messages, key=lambda message: message.role is Role.TOOL):
        if is_result:
            yield "user", "\n".join(f"<tool_response>\n{message.text}\n</tool_response>" for message in group)
        else:
            yield from ((message.role.value, message.text) for message in group)


def _llama3(messages: Sequence[Message]) -> Iterator[Part]:
    yield _mark("<|begin_of_text|>")
    if messages and messages[0].role is not Role.SYSTEM:
        yield from _llama3_turn("system", LLAMA3_DATES)
    for number, message in enumerate(messages):
        match message.role:
            case Role.SYSTEM if number == 0:
                yield from _llama3_turn("system", LLAMA3_DATES + message.text.strip())
            case Role.TOOL:
                yield from _llama3_turn("ipython", json.dumps(message.text, ensure_ascii=False))
            case role:
                yield from _llama3_turn(role.value, message.text.strip())


def _llama3_turn(role: str, text: str) -> Iterator[Part]:
    yield from _llama3_header(role)
    yield Part(f"\n\n{text}")
    yield _mark("<|eot_id|>")


def _llama3_header(role: str) -> tuple[Part, Part, Part]:
    return _mark("<|start_header_id|>"), Part(role), _mark("<|end_header_id|>")


def _mistral(messages: Sequence[Message]) -> Iterator[Part]:
    yield _mark("<s>")
    yield from _mistral_turns(messages)


def _mistral_with_system(messages: Sequence[Message]) -> Iterator[Part]:
    yield _mark("<s>")
    for is_system, group in groupby(messages, key=lambda message: message.role is Role.SYSTEM):
        if is_system:
            for message in group:
                yield from (_mark("[SYSTEM_PROMPT]"), Part(message.text), _mark("[/SYSTEM_PROMPT]"))
        else:
            yield from _mistral_turns(tuple(group))


def _mistral_turns(messages: Sequence[Message]) -> Iterator[Part]:
    """Without the blanks that the older vocabularies of the family have after a mark: their tokenizer adds them."""
    for from_model, text in _two_sided(messages):
        if from_model:
            yield from (Part(text), _mark("</s>"))
        else:
            yield from (_mark("[INST]"), Part(text), _mark("[/INST]"))


def _gemma(messages: Sequence[Message]) -> Iterator[Part]:
    yield _mark("<bos>")
    for from_model, text in _two_sided(messages):
        yield _mark("<start_of_turn>")
        yield Part(f"{'model' if from_model else 'user'}\n{text.strip()}")
        yield _mark("<end_of_turn>")
        yield Part("\n")


def _two_sided(messages: Sequence[Message]) -> Iterator[tuple[bool, str]]:
    """Turns that alternate between the user (False) and the model (True)."""
    for from_model, group in groupby(messages, key=lambda message: message.role is Role.ASSISTANT):
        yield from_model, "\n\n".join(message.text for message in group)


TEMPLATES: Mapping[str, Template] = {
    "chatml": Template("chatml", ("<|im_start|>", "<|im_end|>"), _chatml, (_mark("<|im_start|>"), Part("assistant\n"))),
    "llama3": Template(
        "llama3",
        ("<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"),
        _llama3,
        (*_llama3_header("assistant"), Part("\n\n")),
    ),
    "gemma": Template(
        "gemma", ("<start_of_turn>", "<end_of_turn>"), _gemma, (_mark("<start_of_turn>"), Part("model\n"))
    ),
    "mistral-system": Template(
        "mistral", ("[INST]", "[/INST]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]"), _mistral_with_system, ()
    ),
    "mistral": Template("mistral", ("[INST]", "[/INST]"), _mistral, ()),
}
"""By name. Those that ask for more marks come before those of the same family that ask for fewer."""

FAMILIES = tuple(dict.fromkeys(template.family for template in TEMPLATES.values()))


def recognised(is_mark: Callable[[str], bool], published: str = "", family: str = "") -> str | None:
    """The name of the template that a model was trained on; None: none of them.

    Args:
        is_mark: whether a text is one control token of the model's vocabulary.
        published: the template in the model's file; empty when it has none, and then the vocabulary decides.
        family: the only one to look for, even if something else is published; empty: any.
    """
    known = [name for name, template in TEMPLATES.items() if all(map(is_mark, template.marks))]
    wanted = [name for name in known if family in ("", TEMPLATES[name].family)]
    written = [name for name in wanted if all(mark in published for mark in TEMPLATES[name].marks)]
    return next(iter(written if written or (published and not family) else wanted), None)
