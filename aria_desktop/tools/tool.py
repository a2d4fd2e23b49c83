"""A tool is a typed function; its name, description and schema come from signature and docstring alone.

A tool that only looks returns a `ToolResult`. A tool that would change something returns a `Proposal` and has
changed nothing: the proposal is shown, decided about, and then carried out by calling its `act`, which may come to a
second proposal: what is found out on the way is shown and decided about in its turn. Which of the two a tool is can be
read off its return annotation, and decides whether anybody is asked. A tool that touches nothing but ARIA's own memory
says so where it is declared; it returns a `ToolResult` and nobody is asked.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal, get_args, get_origin, get_type_hints

from aria_desktop.core.approval import ApprovalRequest, Hearing, Offer, Risk
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import ToolCall, ToolResult
from aria_desktop.core.errors import ToolFailed
from aria_desktop.core.events import CallProgress, DraftPiece, Event
from aria_desktop.core.interfaces import FactStore, LanguageModel
from aria_desktop.core.visible import visible_line
from aria_desktop.safety.paths import Workspace
from aria_desktop.tools.languages.wording import Wording, wording_in
from aria_desktop.tools.prompts import PromptFiles

MOST_CHARACTERS = 400
"""Of a string that a tool is given. A model that has lost its way is stopped there, long before its token limit."""

_SOURCE_CHARACTERS = 80
"""Of an argument, where it is named as the source of a text."""
_UNBOUNDED = "unbounded"

LongText = Annotated[str, _UNBOUNDED]
"""A string of which not one character may be cut off, such as what a file is to hold."""


class AskFirst(ToolFailed):
    """The call can't be carried out before the user has said something. Its text is the question."""

    code: ClassVar[str] = "ask_first"


class Effect(StrEnum):
    """What is different after a call that went well."""

    LOOKS = "looks"
    """Nothing. Such calls may run side by side."""
    KEEPS = "keeps"
    """Only ARIA's own memory, which is shown and can be emptied: nobody is asked first."""
    CHANGES = "changes"
    """Something of the user's: a `Proposal` is shown and decided about first."""


OWN_WORDS = ""
"""Says of a tool that what it tells is ARIA's own words, in which nothing but names is somebody else's."""


class Limit(StrEnum):
    """What bounds a tool's run."""

    READ = "read"
    """Seconds for looking."""
    CHANGE = "change"
    """Seconds for preparing a change; the change itself is always waited for."""
    GENERATION = "generation"
    """Tokens: the tool has the model write."""


@dataclass(frozen=True, slots=True)
class ToolLimits:
    result_characters: int = 3_000
    """Of a file that the model is shown."""
    code_tokens: int = 1500
    """For the code or text of one file."""
    summary_tokens: int = 220
    temperature: float = 0.0
    command_s: float = 30.0
    """Seconds that a command of the terminal may run."""


@dataclass(frozen=True, slots=True)
class ToolContext:
    """What a tool may use during one call. The tool runs on a thread of its own."""

    turn_id: str
    call_id: str
    words: str
    """What the user said."""
    workspace: Workspace
    language: LanguageModel
    facts: FactStore
    prompts: PromptFiles
    limits: ToolLimits
    cancel: CancelToken
    report: Callable[[Event], None]
    """Takes DraftPiece and CallProgress, from the tool's thread."""
    draft: str | None = None
    """Text that this very call has had written before the program was restarted; it is not written again."""
    spoken: str = "en"
    """ISO 639-1 code of the language that the user is answered in."""

    @property
    def wording(self) -> Wording:
        """How the user is told things."""
        return wording_in(self.spoken)

    def draft_piece(self, text: str) -> None:
        self.report(DraftPiece(self.turn_id, self.call_id, text))

    def progress(self, text: str, done: float | None = None) -> None:
        self.report(CallProgress(self.turn_id, self.call_id, text, done))


class OnCancel(StrEnum):
    """What becomes of a change that has begun when the turn is cancelled."""

    FINISH = "finish"
    """It is waited for: half a change is worse than a whole one."""
    STOP = "stop"
    """Its token is set and it ends itself; that it may have had an effect is said."""
    DROP = "drop"
    """Its token is set and it ends itself; whatever it does has no effect before a second proposal is allowed."""


def _nothing() -> None:
    """What most proposals hold."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change that has not been made: all that a person must see of it, and the way to make just this one."""

    question: str
    """Verb and name, for instance "Create shopping.txt?"."""
    allow_label: str
    refused: str
    """What did not happen if the answer is no, in the user's language: "shopping.txt was not created"."""
    path: str
    """The whole path on disk; empty when no file is meant."""
    before: str | None
    after: str | None
    facts: tuple[tuple[str, str], ...]
    risk: Risk
    act: Callable[[ToolContext], ToolResult | Proposal]
    """Makes the change from values that were frozen when it was proposed, or finds out what there is to be proposed."""
    on_cancel: OnCancel = OnCancel.FINISH
    let_go: Callable[[], None] = _nothing
    """Gives up what it holds; called once it is carried out, or will never be, whatever the reason."""
    untrusted: str = ""
    """Where text comes from that nobody vouches for and that this change was made up from."""

    def request(
        self,
        request_id: str,
        turn_id: str,
        call: ToolCall,
        words: str,
        *,
        risk: Risk | None = None,
        action: str = "",
        heard: Hearing | None = None,
        untrusted: tuple[str, ...] = (),
        doubts: tuple[str, ...] = (),
        offers: tuple[Offer, ...] = (),
        number: int = 1,
    ) -> ApprovalRequest:
        """`risk`: instead of the proposal's own."""
        return ApprovalRequest(
            id=request_id,
            turn_id=turn_id,
            call_id=call.id,
            tool=call.tool,
            question=self.question,
            allow_label=self.allow_label,
            facts=self.facts,
            path=self.path,
            before=self.before,
            after=self.after,
            risk=risk or self.risk,
            words=words,
            action=action,
            heard=heard,
            untrusted=untrusted,
            doubts=doubts,
            offers=offers,
            number=number,
        )


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    schema: Mapping[str, object]
    """JSON schema of its value."""
    text: str
    required: bool


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    text: str
    """What it does, for the model."""
    parameters: tuple[Parameter, ...]
    effect: Effect
    limit: Limit
    function: Callable[..., ToolResult | Proposal]
    source: str = "what {tool} told"
    """Where the text comes from that its results hold, with its arguments in braces; `OWN_WORDS` where they hold
    none but names."""

    @property
    def changes(self) -> bool:
        """Whether it returns a `Proposal`."""
        return self.effect is Effect.CHANGES

    def run(self, context: ToolContext, arguments: Mapping[str, object]) -> ToolResult | Proposal:
        """`arguments` have passed the schema."""
        return self.function(context, **arguments)

    def source_of(self, arguments: Mapping[str, object]) -> str:
        """Where a result's text comes from, for showing; empty for ARIA's own words."""
        said = {parameter.name: "" for parameter in self.parameters} | {"tool": self.name}
        said |= {name: _cut(visible_line(str(value))) for name, value in arguments.items()}
        return self.source.format_map(said).strip()


def tool(
    limit: Limit, effect: Effect | None = None, source: str = "what {tool} told"
) -> Callable[[Callable[..., ToolResult | Proposal]], Tool]:
    """Make a function a tool. TypeError when signature and docstring don't say all that is needed.

    Args:
        limit: what bounds a run.
        effect: given only for `Effect.KEEPS`, which no signature tells; the others follow from what is returned.
        source: see `Tool.source`. A tool that does not say so is taken to show somebody else's text.
    """

    def made(function: Callable[..., ToolResult | Proposal]) -> Tool:
        text, described = _docstring(function)
        hints = get_type_hints(function, include_extras=True)
        returned = _effect_of(hints.pop("return"), effect, function.__name__)
        first, *rest = inspect.signature(function).parameters.values()
        if hints[first.name] is not ToolContext:
            raise TypeError(f"{function.__name__}: the first parameter is the ToolContext")
        if described.keys() != {parameter.name for parameter in rest}:
            raise TypeError(f"{function.__name__}: docstring and signature name different arguments")
        parameters = tuple(
            Parameter(p.name, _schema(hints[p.name]), described[p.name], p.default is inspect.Parameter.empty)
            for p in rest
        )
        return Tool(function.__name__, text, parameters, returned, limit, function, source)

    return made


def _effect_of(returned: object, said: Effect | None, name: str) -> Effect:
    if said is None:
        return Effect.CHANGES if returned is Proposal else Effect.LOOKS
    if (said is Effect.CHANGES) != (returned is Proposal):
        raise TypeError(f"{name}: a tool returns a Proposal exactly if it changes something")
    return said


_PLAIN_TYPES: Mapping[Any, str] = MappingProxyType({int: "integer", float: "number", bool: "boolean"})


def _schema(hint: Any) -> Mapping[str, object]:
    if hint is str:
        return {"type": "string", "maxLength": MOST_CHARACTERS}
    if hint == LongText:
        return {"type": "string"}
    if hint in _PLAIN_TYPES:
        return {"type": _PLAIN_TYPES[hint]}
    if get_origin(hint) is Literal:
        return {"enum": list(get_args(hint))}
    if get_origin(hint) is list:
        return {"type": "array", "items": _schema(get_args(hint)[0])}
    raise TypeError(f"no JSON schema for {hint!r}")


def _docstring(function: Callable[..., object]) -> tuple[str, dict[str, str]]:
    """The description and what each argument is, from a docstring in Google form."""
    text, _, arguments = (inspect.getdoc(function) or "").partition("\n\nArgs:\n")
    if not text:
        raise TypeError(f"{function.__name__} has no docstring")
    found = re.findall(r"^ {4}(\w+): (.+(?:\n {8}.+)*)", arguments, re.MULTILINE)
    return _on_one_line(text), {name: _on_one_line(described) for name, described in found}


def _cut(text: str) -> str:
    return text if len(text) <= _SOURCE_CHARACTERS else text[:_SOURCE_CHARACTERS] + "…"


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
