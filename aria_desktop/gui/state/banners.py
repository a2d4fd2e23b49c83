"""Calm banners over the conversation: what happened, what to do. The newest two are shown, the rest counted."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from aria_desktop.core import events
from aria_desktop.core.safe_mode import SafeMode
from aria_desktop.gui.state.translation import mark, marks, tr
from aria_desktop.gui.state.turn import Tone

SHOWN = 2


class Do(StrEnum):
    """What the button of a banner does."""

    USUAL_START = "usual_start"
    MODELS = "models"
    MICROPHONE = "microphone"
    LOUDSPEAKER = "loudspeaker"
    ROOM = "room"
    LOG = "log"
    GUIDE = "guide"


@dataclass(frozen=True, slots=True)
class Banner:
    key: str
    """A later banner of the same key takes its place."""
    tone: Tone
    """`DOUBT`: yours to do; `LOSS`: it failed."""
    text: str
    hint: str
    do: Do | None = None


class Banners:
    def __init__(self) -> None:
        self._banners: dict[str, Banner] = {}

    def show(self, banner: Banner) -> None:
        self._banners.pop(banner.key, None)
        self._banners[banner.key] = banner

    def close(self, key: str) -> None:
        self._banners.pop(key, None)

    def shown(self) -> tuple[Banner, ...]:
        """Newest first."""
        return tuple(reversed(self._banners.values()))[:SHOWN]

    @property
    def more(self) -> int:
        """How many wait behind those shown."""
        return max(0, len(self._banners) - SHOWN)


_TALK_HERE = mark("Ctrl+Space works in this window; `aria talk toggle` can be bound to any key.")
_ENGINES = {
    events.EngineRole.SPEECH: marks("Hearing does not work", "Hearing stopped"),
    events.EngineRole.LANGUAGE: marks("Thinking does not work", "Thinking stopped"),
    events.EngineRole.VOICE: marks("The voice does not work", "The voice stopped"),
}
_YOURS = frozenset({"microphone_missing", "speaker_missing", "model_missing", "usage", "settings", "database_busy"})


_WORDS = {
    Do.USUAL_START: mark("Start as usual"),
    Do.MODELS: mark("Models"),
    Do.MICROPHONE: mark("Choose…"),
    Do.LOUDSPEAKER: mark("Choose…"),
    Do.ROOM: mark("What is kept"),
    Do.LOG: mark("Details"),
    Do.GUIDE: mark("Set up"),
}
_OF_ERRORS = {
    "microphone_missing": Do.MICROPHONE,
    "speaker_missing": Do.LOUDSPEAKER,
    "model_missing": Do.MODELS,
    "model_damaged": Do.MODELS,
    "disk_full": Do.ROOM,
}


def button_words(do: Do) -> str:
    return tr(_WORDS[do])


def of_problem(problem: events.Problem) -> Banner:
    tone = Tone.DOUBT if problem.error in _YOURS else Tone.LOSS
    return Banner(f"problem-{problem.error}", tone, problem.text, problem.hint, _OF_ERRORS.get(problem.error))


def of_first_start() -> Banner:
    hint = tr("A guide checks this computer, the models, the microphone and the talk key, and tries a first command.")
    return Banner("guide", Tone.DOUBT, tr("ARIA is here for the first time"), hint, Do.GUIDE)


def of_safe_mode(safe: SafeMode) -> Banner:
    happened = tr("ARIA is in safe mode")
    hint = tr(
        "It ended {times} times in a row without closing. Models load when they are needed, and most settings are at"
        " their defaults; yours are kept.",
        times=safe.unclean,
    )
    if safe.leave is None:
        return Banner("safe-mode", Tone.DOUBT, happened, f"{hint} {tr('Close ARIA and start it again to leave it.')}")
    return Banner("safe-mode", Tone.DOUBT, happened, hint, Do.USUAL_START)


def of_talk_key(event: events.TalkKeyChanged) -> Banner | None:
    """A banner for a talk key that nobody hears; None when it is heard."""
    if event.way:
        return None
    hint = f"{event.detail} {tr(_TALK_HERE)}"
    return Banner(
        "talk-key", Tone.DOUBT, tr("The talk key {key} is not heard outside this window", key=event.key), hint.strip()
    )


def of_engine(event: events.EngineChanged) -> Banner | None:
    """A banner for an engine that is gone; None when it is well, or on its way."""
    broken, stopped = _ENGINES[event.role]
    if event.state is events.EngineState.FAILED:
        return Banner(f"engine-{event.role}", Tone.LOSS, tr(broken), event.detail, Do.MODELS)
    if event.state is events.EngineState.RESTARTING:
        hint = event.detail or tr("It starts again by itself. Your words are kept.")
        return Banner(f"engine-{event.role}", Tone.DOUBT, tr(stopped), hint, Do.LOG)
    return None
