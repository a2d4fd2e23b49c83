"""Which calls of a reply go on to a decision, and which are held back and why. Pure.

The model chooses the tools. Code only holds back what can't be meant: changes beside a question or beside the look
that they depend on, what was done before with the same result, what leads out of the workspace, and what nothing
rests on (`grounding`). Policy and the user decide about all the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from aria_desktop.assistant.grounding import Ground, better, question
from aria_desktop.assistant.reply import Call, Calls
from aria_desktop.assistant.said_names import as_said
from aria_desktop.assistant.so_far import TurnSoFar
from aria_desktop.assistant.support import Utterance
from aria_desktop.core.errors import ModelFault, PathRefused
from aria_desktop.safety.names import NameRefused, components
from aria_desktop.tools.code import is_plain_text
from aria_desktop.tools.conversation import ask_user
from aria_desktop.tools.files import read_file
from aria_desktop.tools.languages.wording import Wording
from aria_desktop.tools.registry import Registry
from aria_desktop.tools.search import search_files
from aria_desktop.tools.tool import Effect

BESIDE_A_QUESTION = "The same reply asks the user a question, so it changes nothing."
DONE_BEFORE = "It was called with the same arguments before, and nothing has changed since."
NOTHING_TO_DO = "Source and destination are the same."
WAITS_FOR_RESULTS = "It was decided before the results above were known. If it is still wanted, call it now."
ASKED_FIRST = "The user is asked first what is meant."
OUTSIDE = "It leads out of the workspace."
MADE_UP = (
    "Nothing of this text was said, and {there} is there already. To move it, call move_file with the source {there} "
    "and the destination {path}."
)

OWN_NAME = "That is the file's name, and not in its text. To give the file another name, call move_file."
LOOKED_AT = "Another call of this reply looks at the same file."
NO_CODE = "{path} is plain text, not code. create_file takes the text itself."
OTHER_FILE = "The user's words name {name}."

LEFT_OPEN = "whatever else the user asked for, if anything"
"""What is left to do, where the model did not say it."""
ANSWER_LEFT = "answer what the user asked"
ANSWER_THIS = 'answer "{words}"'
_PATHS = ("path", "source", "destination")


@dataclass(frozen=True, slots=True)
class Withheld:
    call: Call
    reason: str


@dataclass(frozen=True, slots=True)
class Plan:
    calls: tuple[Call, ...]
    """To be carried out, in this order."""
    withheld: tuple[Withheld, ...] = ()
    then: str = ""
    """What is left to do after them."""
    question: str = ""
    """What the user is asked instead of all calls."""
    refusal: str = ""
    """What the user is told instead of all calls."""
    retry: bool = False
    """Nothing is left to carry out, and the model is told why."""


def plan(reply: Calls, turn: TurnSoFar, registry: Registry, wording: Wording) -> Plan:
    ground = turn.ground()
    said = tuple(as_said(call, ground.words) for call in reply.calls)
    calls = tuple(_read_by_name(call, ground) for call in said)
    said_then = reply.then or (ANSWER_THIS.format(words=ground.words) if calls != said else "")
    if asking := [call for call in calls if call.tool == ask_user.name]:
        return Plan(tuple(asking[:1]), _held(calls, BESIDE_A_QUESTION, but=asking[:1]), reply.then)
    if refusal := next((text for call in calls if (text := _leads_out(call, registry, wording))), ""):
        return Plan((), _held(calls, OUTSIDE), refusal=refusal)
    withheld = list(_useless(calls, turn, registry))
    calls = _without(calls, withheld)
    if other := next((name for call in calls if (name := better(call, ground))), ""):
        return Plan((), _held(calls, OTHER_FILE.format(name=other)), reply.then, retry=True)
    if asked := question(_changes(calls, registry), ground, wording):
        return Plan((), _held(calls, ASKED_FIRST), question=asked)
    misplaced = [*_made_up(calls, ground), *_misplaced(calls, ground)]
    calls = _without(calls, misplaced)
    waiting = _held(list(_after_a_look(calls, registry)), WAITS_FOR_RESULTS)
    calls = _without(calls, waiting)
    then = said_then or _left(waiting, turn, bool(_changes(calls, registry)))
    return Plan(calls, (*withheld, *misplaced, *waiting), then, retry=bool(misplaced) and not calls)


def _left(waiting: Sequence[Withheld], turn: TurnSoFar, changes: bool) -> str:
    if waiting or (turn.owed and not changes):
        return LEFT_OPEN
    return ANSWER_LEFT if turn.owes_answer and not changes else ""


def _read_by_name(call: Call, ground: Ground) -> Call:
    """A search for nothing but a file's full name, which the user said, can only mean that file: it is read."""
    if call.tool != search_files.name or not (named := _named_by(str(call.arguments["query"]), ground)):
        return call
    return Call(read_file.name, MappingProxyType({"path": named}))


def _named_by(query: str, ground: Ground) -> str:
    """The one file that the user named in full and that `query` is the name of, and nothing else."""
    asked = Utterance(query)
    whole = [name for name in ground.files if ground.said.support(name).whole and asked.support(name).whole]
    return whole[0] if len(whole) == 1 and len(asked.support(whole[0]).places) == len(asked.words) else ""


def asked_instead(reply: Calls, question: str) -> Plan:
    """Nothing is carried out before the user has answered."""
    return Plan((), _held(reply.calls, ASKED_FIRST), question=question)


def _without(calls: tuple[Call, ...], withheld: Sequence[Withheld]) -> tuple[Call, ...]:
    return tuple(call for call in calls if not any(call is one.call for one in withheld))


def _held(calls: Sequence[Call], reason: str, but: Sequence[Call] = ()) -> tuple[Withheld, ...]:
    return tuple(Withheld(call, reason) for call in calls if not any(call is kept for kept in but))


def _effect(call: Call, registry: Registry) -> Effect | None:
    tool = registry.find(call.tool)
    return tool.effect if tool else None


def _changes(calls: Sequence[Call], registry: Registry) -> list[Call]:
    return [call for call in calls if _effect(call, registry) is Effect.CHANGES]


def _useless(calls: Sequence[Call], turn: TurnSoFar, registry: Registry) -> Iterator[Withheld]:
    for index, call in enumerate(calls):
        if call in _since_a_change(calls[:index], registry) or turn.repeats(call):
            yield Withheld(call, DONE_BEFORE)
        elif _looks_again(call, calls[:index], registry):
            yield Withheld(call, LOOKED_AT)
        elif _moves_nothing(call):
            yield Withheld(call, NOTHING_TO_DO)


def _moves_nothing(call: Call) -> bool:
    source, destination = (str(call.arguments.get(name, "")) for name in ("source", "destination"))
    here = source.rpartition("/")[0] or "."
    return bool(source) and destination.rstrip("/") in (source.rstrip("/"), here)


def _looks_again(call: Call, before: Sequence[Call], registry: Registry) -> bool:
    path = call.arguments.get("path")
    looks = _effect(call, registry) is Effect.LOOKS and path
    since = _since_a_change(before, registry)
    return bool(looks) and any(c.arguments.get("path") == path and _effect(c, registry) is Effect.LOOKS for c in since)


def _since_a_change(calls: Sequence[Call], registry: Registry) -> Sequence[Call]:
    """From the last call on that changes something, that call included."""
    last = max((i for i, call in enumerate(calls) if _effect(call, registry) is Effect.CHANGES), default=0)
    return calls[last:]


def _made_up(calls: Sequence[Call], ground: Ground) -> Iterator[Withheld]:
    """A file made anew, with a text that nobody said, where one of that name lies elsewhere: it was to be moved."""
    for call in calls:
        path, content = str(call.arguments.get("path", "")), str(call.arguments.get("content", ""))
        if call.tool != "create_file" or path in ground.names or ground.rests_on(content):
            continue
        name = path.rpartition("/")[2]
        if there := next((other for other in ground.files if other.rpartition("/")[2] == name), ""):
            yield Withheld(call, MADE_UP.format(there=there, path=path))


def _misplaced(calls: Sequence[Call], ground: Ground) -> Iterator[Withheld]:
    """Tools that are meant for something else, as their arguments show."""
    for call in calls:
        path = str(call.arguments.get("path", ""))
        name = path.rpartition("/")[2]
        own = {name.casefold(), name.rpartition(".")[0].casefold()}
        if call.tool == "edit_file" and str(call.arguments["find"]).casefold() in own and not ground.found:
            yield Withheld(call, OWN_NAME)
        elif call.tool == "write_code" and is_plain_text(path):
            yield Withheld(call, NO_CODE.format(path=name))


def _after_a_look(calls: Sequence[Call], registry: Registry) -> Iterator[Call]:
    looked = False
    for call in calls:
        effect = _effect(call, registry)
        if looked and effect is not Effect.LOOKS:
            yield call
        looked = looked or effect is Effect.LOOKS


def _leads_out(call: Call, registry: Registry, wording: Wording) -> str:
    """What the user is told of a change outside the workspace; empty when it leads to no such place."""
    if _effect(call, registry) is not Effect.CHANGES:
        return ""
    for path in (call.arguments[name] for name in _PATHS if name in call.arguments):
        try:
            components(str(path))
        except NameRefused:
            continue
        except PathRefused as error:
            return wording.say("cannot", reason=wording.reason(error))
        except ModelFault:
            continue
    return ""
