"""The guide of the first start: its steps, what each says, and which are fine already. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from aria_desktop.core import events, listings
from aria_desktop.core.models import ModelFit, ModelPresence, ModelRecord
from aria_desktop.core.seal import Badge
from aria_desktop.gui.state.figures import size
from aria_desktop.gui.state.shown import one_line
from aria_desktop.gui.state.translation import mark, tr

FETCH_LINE = "aria models fetch"
LEAST_MEMORY = 4_000_000_000
"""Bytes: what the smallest set of models, the window and a desktop need together."""


class Step(Enum):
    """In order; the value is what the list on the left calls it."""

    COMPUTER = mark("This computer")
    MODELS = mark("Models")
    MICROPHONE = mark("Microphone")
    KEY = mark("Talk key")
    VOICE = mark("Voice")
    PRIVACY = mark("Privacy")
    FIRST = mark("First command")


STEPS = tuple(Step)
TITLES = {
    Step.COMPUTER: mark("What ARIA found here"),
    Step.MODELS: mark("What runs on this computer"),
    Step.MICROPHONE: mark("Say something"),
    Step.KEY: mark("Press the talk key, and let it go"),
    Step.VOICE: mark("How ARIA speaks"),
    Step.PRIVACY: mark("What can leave this computer"),
    Step.FIRST: mark("The first command"),
}


@dataclass(frozen=True, slots=True)
class Guide:
    badge: Badge
    listed: listings.ModelsListed | None = None
    """None until the models are known."""
    key_words: str = ""
    """How the key is heard outside the window, or why not; empty while that is not known."""
    listening: bool = False
    heard: str = ""
    """What the test of the microphone recognised last."""
    loud: bool = False
    """The test has measured speech."""
    trouble: str = ""
    """Why the test could not be made."""
    pressed: bool = False
    released: bool = False
    seen: frozenset[Step] = field(default_factory=frozenset)
    """Pages without a test, that were read."""


def took(guide: Guide, event: events.Event) -> Guide:
    """The guide after an event."""
    match event:
        case listings.ModelsListed():
            return replace(guide, listed=event)
        case events.TalkKeyChanged(way=way, detail=detail):
            known = tr("Outside the window it is heard by {way}.", way=way) if way else one_line(detail)
            return replace(guide, key_words=known)
        case events.ListeningStarted():
            return replace(guide, listening=True, heard="", loud=False, trouble="")
        case events.LevelMeasured(speech=True) if guide.listening:
            return replace(guide, loud=True)
        case events.WordsSoFar(text=text) if guide.listening and text:
            return replace(guide, heard=one_line(text), loud=True)
        case events.ListeningEnded():
            return replace(guide, listening=False)
        case _:
            return guide


def fine(guide: Guide, step: Step) -> bool:
    """Whether nothing is left to do on that page."""
    match step:
        case Step.COMPUTER:
            return guide.listed is not None and guide.listed.machine.memory_total >= LEAST_MEMORY
        case Step.MODELS:
            used = in_use(guide)
            return bool(used) and all(model.presence is ModelPresence.INSTALLED for model in used)
        case Step.MICROPHONE:
            return guide.loud and not guide.listening
        case Step.KEY:
            return guide.pressed and guide.released
        case Step.VOICE | Step.PRIVACY | Step.FIRST:
            return step in guide.seen


def first_open(guide: Guide) -> Step:
    """Where it begins: the first page on which something is left."""
    return next((step for step in STEPS if not fine(guide, step)), Step.FIRST)


def in_use(guide: Guide) -> tuple[ModelRecord, ...]:
    return tuple(model for model in (guide.listed.models if guide.listed else ()) if model.in_use)


def voices(guide: Guide) -> tuple[ModelRecord, ...]:
    """Those that are here."""
    models: Sequence[ModelRecord] = guide.listed.models if guide.listed else ()
    here = (model for model in models if model.presence is ModelPresence.INSTALLED)
    return tuple(model for model in here if model.role is events.EngineRole.VOICE)


def sentences(guide: Guide, step: Step) -> tuple[str, ...]:
    """What the page says, a paragraph each."""
    match step:
        case Step.COMPUTER:
            return _computer(guide)
        case Step.MODELS:
            return _models(guide)
        case Step.MICROPHONE:
            return _microphone(guide)
        case Step.KEY:
            return _key(guide)
        case Step.VOICE:
            none = tr("No voice is here yet. Replies are text until there is one.")
            return (tr("Choose one of the voices that are here."),) if voices(guide) else (none,)
        case Step.PRIVACY:
            return _privacy(guide)
        case Step.FIRST:
            return (tr("Press one of these. It is put into the text box, and Enter sends it. Or say it."),)


def _computer(guide: Guide) -> tuple[str, ...]:
    if guide.listed is None:
        return (tr("Looking."),)
    machine = guide.listed.machine
    memory = tr("{total} memory, {free} free.", total=size(machine.memory_total), free=size(machine.memory_free))
    enough = tr("That is enough.") if fine(guide, Step.COMPUTER) else tr("That is little: choose small models.")
    card = tr("The models use the graphics card {name}.", name=one_line(machine.gpu))
    none = tr("The models use the processor: {reason}.", reason=one_line(machine.reason))
    return (f"{memory} {enough}", card if machine.gpu else none)


def _models(guide: Guide) -> tuple[str, ...]:
    if guide.listed is None:
        return (tr("Looking."),)
    chosen = tuple(_line(model) for model in in_use(guide))
    better = tuple(
        tr("Recommended for this computer: {name}.", name=one_line(model.name))
        for model in guide.listed.models
        if model.recommended and not model.in_use
    )
    if fine(guide, Step.MODELS):
        return (*chosen, *better, tr("All of them are here."))
    ways = tr(
        "Add what is missing from a folder or a stick, fetch it on the Models page, or run: {line}", line=FETCH_LINE
    )
    return (*chosen, *better, ways)


def _line(model: ModelRecord) -> str:
    here = tr("is here") if model.presence is ModelPresence.INSTALLED else tr("is missing")
    length = size(model.size) if model.size is not None else tr("size not known")
    name, licence = one_line(model.name), one_line(model.licence)
    told = f"{name}: {here} · {length} · {licence} · {tr(_FITS[model.fit])}"
    return f"{told} · {tr('recommended')}" if model.recommended else told


_FITS = {
    ModelFit.FITS: mark("fits"),
    ModelFit.TIGHT: mark("tight"),
    ModelFit.TOO_BIG: mark("too big"),
    ModelFit.UNKNOWN: mark("fit not known"),
}


def _microphone(guide: Guide) -> tuple[str, ...]:
    what = tr("ARIA listens, shows the level and what it understands, and forgets it. Nothing is carried out.")
    if guide.trouble:
        return (what, guide.trouble)
    if guide.heard:
        return (what, tr("Understood: {words}", words=guide.heard))
    if guide.listening:
        return (what, tr("Speak now."))
    return (what, tr("It hears you.")) if guide.loud else (what,)


def _key(guide: Guide) -> tuple[str, ...]:
    what = tr("In this window it is Ctrl+Space: hold it while you speak. Here it only lights up.")
    if guide.pressed and guide.released:
        state = tr("Pressed and let go: it works.")
    else:
        state = tr("It is down.") if guide.pressed else tr("It has not come yet. An input method may have taken it.")
    return tuple(filter(None, (what, state, guide.key_words)))


def _privacy(guide: Guide) -> tuple[str, ...]:
    sealed = tr("Nothing. ARIA has closed its own network door, and the kernel keeps it closed.")
    is_open = tr("This window is not sealed: its badge at the top says why.")
    kept = tr("Conversations stay on this disk until you delete them.")
    asked = tr("ARIA asks before it changes a file or runs a command, and a spoken yes does nothing.")
    return (sealed if guide.badge is Badge.SEALED else is_open, kept, asked)
