"""The settings at hand below the talk button: what each stands at, and what its menu offers. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aria_desktop.gui.state.settings_page import choice_words
from aria_desktop.gui.state.shown import one_line
from aria_desktop.gui.state.translation import mark, tr
from aria_desktop.storage.declarations import Settings

MICROPHONE, LANGUAGE, KEY = "microphone.device", "microphone.language", "talk_key.mode"
NAMES = {MICROPHONE: mark("Microphone"), LANGUAGE: mark("Language"), KEY: mark("Key")}
_SPOKEN = {
    "en": "English",
    "es": "Español",
    "de": "Deutsch",
    "fr": "Français",
    "it": "Italiano",
    "pt": "Português",
    "nl": "Nederlands",
    "pl": "Polski",
}
"""Those that most people here speak, called as their speakers call them; any other code is typed in the settings."""
_MODES = ("auto", "hold", "toggle", "hands_free")


@dataclass(frozen=True, slots=True)
class Choice:
    value: str
    words: str
    chosen: bool = False


def choices(name: str, settings: Settings, microphones: Sequence[str] = ()) -> tuple[Choice, ...]:
    """What the menu offers, with what holds now among it.

    Args:
        microphones: those that are plugged in; for `MICROPHONE`.
    """
    now = current(name, settings)
    offered = list(dict.fromkeys([*_offered(name, microphones), now]))
    return tuple(Choice(value, words_of(name, value), value == now) for value in offered)


def current(name: str, settings: Settings) -> str:
    section, key = name.split(".")
    return str(getattr(getattr(settings, section), key))


def words_of(name: str, value: str) -> str:
    """As the row and the menu call it."""
    if name == MICROPHONE:
        return one_line(value) or tr("As the system")
    if name == LANGUAGE:
        return tr("Automatic") if value == "auto" else _SPOKEN.get(value, value)
    return choice_words(name, value)


def _offered(name: str, microphones: Sequence[str]) -> Sequence[str]:
    if name == MICROPHONE:
        return ("", *microphones)
    return ("auto", *_SPOKEN) if name == LANGUAGE else _MODES
