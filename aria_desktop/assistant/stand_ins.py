"""Names that the model was shown as "file 7", put back where it asks for one of them. Pure.

Asking for such a name brings it into the conversation, so whoever does that is told which names they were.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from aria_desktop.assistant.reply import Call, Calls
from aria_desktop.assistant.workspace_names import MORE
from aria_desktop.safety.plain_names import shown, stand_ins

_NAMING = ("path", "source", "destination", "folder")
"""Arguments that name something that there is."""


def with_real_names(reply: Calls, names: Sequence[str]) -> tuple[Calls, tuple[str, ...]]:
    """The same reply with the names themselves, and those that were asked for.

    Args:
        names: as they are, in the order in which the model was shown them.
    """
    known = stand_ins(_whole(names))
    if not known:
        return reply, ()
    asked: dict[str, None] = {}
    calls = []
    for call in reply.calls:
        real = {name: _real(value, known) if name in _NAMING else value for name, value in call.arguments.items()}
        asked |= {str(value): None for name, value in real.items() if value != call.arguments[name]}
        calls.append(Call(call.tool, MappingProxyType(real)) if real != dict(call.arguments) else call)
    return Calls(tuple(calls), reply.then), tuple(asked)


def as_shown(names: Sequence[str]) -> tuple[str, ...]:
    """The names as the model is told them, with the sign for those that are left out."""
    whole = _whole(names)
    return (*shown(whole), *names[len(whole) :])


def _whole(names: Sequence[str]) -> Sequence[str]:
    return names[:-1] if names and names[-1] == MORE else names


def _real(value: object, known: dict[str, str]) -> object:
    if not isinstance(value, str):
        return value
    said = value.strip().casefold()
    if said in known or f"{said}/" in known:
        return known.get(said) or known[f"{said}/"]
    inside = next((stand_in for stand_in in known if stand_in.endswith("/") and said.startswith(stand_in)), "")
    return known[inside] + value.strip()[len(inside) :] if inside else value
