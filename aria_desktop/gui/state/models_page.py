"""What the Models page shows of each model, and what can be done with it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from aria_desktop.core.events import EngineRole
from aria_desktop.core.models import PACKAGE_INDEX, MachineRecord, ModelFit, ModelPresence, ModelRecord, ModelWork
from aria_desktop.gui.state.figures import counted, size
from aria_desktop.gui.state.shown import one_line
from aria_desktop.gui.state.translation import decimal, mark, tr

_GAP = "\N{NO-BREAK SPACE}"
_FEW = 2
"""So many languages are named, more are counted."""
_LANGUAGES = {
    "en": mark("English"),
    "es": mark("Spanish"),
    "de": mark("German"),
    "fr": mark("French"),
    "it": mark("Italian"),
    "pt": mark("Portuguese"),
    "zh": mark("Chinese"),
}
_HEADS = {
    EngineRole.LANGUAGE: ("brain", mark("Thinking"), mark("chooses tools, writes text and code")),
    EngineRole.SPEECH: ("ear", mark("Hearing"), mark("turns speech into words")),
    EngineRole.VOICE: ("volume-2", mark("Voice"), mark("speaks the replies")),
}
_WORKING = {
    ModelWork.VERIFY: mark("Checking"),
    ModelWork.ADD: mark("Copying"),
    ModelWork.REMOVE: mark("Removing"),
    ModelWork.MEASURE: mark("Measuring"),
}
_DONE = {
    ModelWork.VERIFY: mark("{names}: all files are what they must be."),
    ModelWork.ADD: mark("{names}: added and verified."),
    ModelWork.REMOVE: mark("{names}: removed."),
    ModelWork.MEASURE: mark("{names}: measured."),
}


class Action(Enum):
    """The one thing that is most likely wanted; its value is what the button says, where there is one."""

    IN_USE = mark("In use")
    USE = mark("Use")
    FETCH = mark("Fetch…")
    GO_ON = mark("Go on fetching…")
    FETCH_AGAIN = mark("Fetch again…")
    NONE = ""


FETCHES = (Action.FETCH, Action.GO_ON, Action.FETCH_AGAIN)


@dataclass(frozen=True, slots=True)
class MemoryCell:
    words: str
    icon: str
    token: str
    """Colour in the theme, of the icon and the bar."""
    per_mille: int


@dataclass(frozen=True, slots=True)
class ModelRow:
    model_id: str
    title: str
    languages: str
    licence: str
    size: str
    memory: MemoryCell
    speed: str
    tools: str
    action: Action
    works: tuple[ModelWork, ...]
    """What else can be done with it."""
    note: str
    """What the catalogue says besides; empty: nothing."""
    remark: str
    """What is odd about its file; empty: nothing."""
    spoken: str
    """For screen readers: all of it in one line."""


@dataclass(frozen=True, slots=True)
class Group:
    """The models of one role."""

    icon: str
    title: str
    explained: str
    rows: tuple[ModelRow, ...]


@dataclass(frozen=True, slots=True)
class Moving:
    """Work that goes on with one model."""

    words: str
    per_mille: int | None
    """None: it can't be told how far it is."""


def groups(models: Sequence[ModelRecord], machine: MachineRecord, *, can_fetch: bool) -> tuple[Group, ...]:
    """`can_fetch`: fetch mode can be had from here."""
    return tuple(
        Group(icon, tr(title), tr(explained), tuple(row(m, machine, can_fetch) for m in models if m.role is role))
        for role, (icon, title, explained) in _HEADS.items()
    )


def row(model: ModelRecord, machine: MachineRecord, can_fetch: bool) -> ModelRow:
    action = _action(model, can_fetch)
    memory = memory_cell(model, machine)
    title, licence, languages = one_line(model.name), one_line(model.licence), language_words(model.languages)
    length = tr("size not known") if model.size is None else size(model.size)
    state = tr(action.value) if action is Action.IN_USE else presence_words(model.presence)
    told = (title, state, languages, licence, length, memory.words, speed_words(model), tool_words(model), model.note)
    return ModelRow(
        model_id=model.model_id,
        title=title,
        languages=languages,
        licence=licence,
        size=length,
        memory=memory,
        speed=speed_words(model),
        tools=tool_words(model),
        action=action,
        works=_works(model),
        note=one_line(model.note),
        remark=one_line("; ".join(model.remarks)),
        spoken=one_line(", ".join(filter(None, (*told, *model.remarks)))),
    )


def _action(model: ModelRecord, can_fetch: bool) -> Action:
    match model.presence:
        case ModelPresence.INSTALLED:
            return Action.IN_USE if model.in_use else Action.USE
        case _ if not (can_fetch and model.sources):
            return Action.NONE
        case ModelPresence.PARTIAL:
            return Action.GO_ON
        case ModelPresence.DAMAGED:
            return Action.FETCH_AGAIN
        case ModelPresence.MISSING:
            return Action.FETCH


def _works(model: ModelRecord) -> tuple[ModelWork, ...]:
    if model.presence is ModelPresence.MISSING:
        return ()
    removal = () if model.in_use else (ModelWork.REMOVE,)
    whole = model.presence is ModelPresence.INSTALLED
    return (ModelWork.MEASURE, ModelWork.VERIFY, *removal) if whole else removal


def presence_words(presence: ModelPresence) -> str:
    match presence:
        case ModelPresence.MISSING:
            return tr("not here")
        case ModelPresence.PARTIAL:
            return tr("partly here")
        case ModelPresence.INSTALLED:
            return tr("here")
        case ModelPresence.DAMAGED:
            return tr("damaged")


def memory_cell(model: ModelRecord, machine: MachineRecord) -> MemoryCell:
    """Against the memory that is free now; against all of it the fit was judged."""
    need = model.memory or 0
    share = min(1000, need * 1000 // max(1, machine.memory_free)) if need else 0
    words = {"need": size(need), "room": size(machine.memory_free)}
    match model.fit:
        case ModelFit.FITS:
            return MemoryCell(tr("Fits: {need} of {room}", **words), "check", "accent", share)
        case ModelFit.TIGHT:
            return MemoryCell(tr("Tight: {need} of {room}", **words), "triangle-alert", "doubt_edge", share)
        case ModelFit.TOO_BIG:
            return MemoryCell(tr("Too big: needs {need}", **words), "ban", "loss", 1000)
        case ModelFit.UNKNOWN:
            return MemoryCell(tr("memory not known"), "circle-question-mark", "text2", 0)


def language_words(codes: Sequence[str]) -> str:
    """ "English, Spanish", "99 languages"."""
    if not codes:
        return tr("languages not known")
    if len(codes) > _FEW:
        return counted(len(codes), "language", "languages")
    return ", ".join(tr(_LANGUAGES[code]) if code in _LANGUAGES else code for code in codes)


def speed_words(model: ModelRecord) -> str:
    if model.speed is None:
        return tr("not measured")
    figure = decimal(f"{model.speed.value:.1f}" if model.speed.value < 9.95 else f"{model.speed.value:.0f}")
    if model.role is EngineRole.LANGUAGE:
        return tr("{figure} tokens a second", figure=figure)
    return tr("{figure}× real time", figure=figure)


def tool_words(model: ModelRecord) -> str:
    """In how many of a hundred commands with known outcomes it chose the right tools."""
    if model.tools is None or model.tools.cases <= 0:
        return ""
    return tr("tools {count} of 100", count=round(100 * model.tools.right / model.tools.cases))


def machine_words(machine: MachineRecord) -> tuple[str, str, str]:
    """Where models run, why, and how much memory there is."""
    memory = tr("{free} of {total} memory free", free=size(machine.memory_free), total=size(machine.memory_total))
    if machine.gpu:
        return tr("Runs on the graphics card:"), one_line(machine.gpu), memory
    return tr("Runs on the CPU:"), one_line(machine.reason), memory


def fetch_question(model: ModelRecord) -> tuple[str, tuple[str, ...]]:
    """What is asked before fetch mode, and what it means: where to, how much, what leaves this computer."""
    places = ", ".join(
        tr("the package index") if place == PACKAGE_INDEX else one_line(place) for place in model.sources
    )
    length = tr("an unknown number of bytes") if model.size is None else size(model.size)
    return tr("Fetch {name}?", name=one_line(model.name)), (
        tr("It brings {size} from: {places}.", size=length, places=places),
        tr("They learn this computer's network address and which model is asked for. Nothing of yours is sent."),
        tr("This window closes, and one that is not sealed opens and only fetches. Then ARIA comes back, sealed."),
    )


def remove_question(model: ModelRecord) -> tuple[str, tuple[str, ...]]:
    again = (
        tr("It can be fetched again, or added from a folder.")
        if model.sources
        else tr("It can only be added again from a folder.")
    )
    freed = "" if model.size is None else tr("This frees {size}.", size=size(model.size))
    return tr("Remove {name}?", name=one_line(model.name)), tuple(filter(None, (freed, again)))


def moving(work: ModelWork, done: int, total: int) -> Moving:
    if not total:
        return Moving(tr(_WORKING[work]), None)
    share = min(1000, done * 1000 // total)
    return Moving(f"{tr(_WORKING[work])} {share // 10}{_GAP}%", share)


def done_words(work: ModelWork, names: Sequence[str], text: str) -> str:
    """What is said when it is done; `names` is empty when it was stopped."""
    if not names:
        return tr("Stopped.")
    return " ".join(filter(None, (tr(_DONE[work], names=", ".join(map(one_line, names))), one_line(text))))


def engine_setting(model: ModelRecord) -> tuple[str, str]:
    """The setting that has this model used, and its value."""
    return f"engines.{model.role.value}", f"{model.engine}:{model.model_id}"
