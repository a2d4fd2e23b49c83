"""Every setting, declared once: its type, its default, what it may be and what it does.

The rest of the program receives a `Settings` value, or single values of it, as arguments, and never asks where
they come from. A setting that is added here is read, checked, written and documented without another line.
Names are never reused with another meaning.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import Field, dataclass, fields
from typing import Any, Literal

from aria_desktop.core.keys import PATTERN
from aria_desktop.storage.rules import Number, OneOf, Switch, Text, Whole, setting

_ENGINE = Text(r"[a-z][a-z0-9._-]*:[^\x00-\x1f]+", "an engine's name, a colon, and a model's id or a script's path")
_DEVICE = Text(r"[^\x00-\x1f]{0,200}", "a device's name, or empty for the system's own choice")
_KEY = Text(PATTERN, 'a key such as "f9" or "ctrl+alt+space"')
_KEY_OR_NONE = Text(rf"(?:{PATTERN})?", 'a key such as "escape", or empty for none')
_WORDS = Text(r"[^\x00-\x1f]{0,500}", "up to 500 letters, words with commas between them")
_LANGUAGE = Text(r"auto|[a-z]{2,3}", '"auto" or a language code such as "en"')


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """Which engine and which model does what."""

    speech: str = setting("Hearing model", "faster-whisper:faster-whisper-base", _ENGINE, "Writes down what you say.")
    language: str = setting(
        "Thinking model", "llama.cpp:qwen2.5-coder-1.5b-instruct", _ENGINE, "Understands it and decides what to do."
    )
    voice: str = setting("Voice model", "piper:en_US-joe-medium", _ENGINE, "Speaks the answer.")
    unload_after_s: int = setting(
        "Leave memory after",
        900,
        Whole(0, 86_400),
        "Seconds without work after which a model leaves memory. 0 keeps it there.",
        at_start=True,
        unit="s",
    )
    gpu: Literal["auto", "off"] = setting(
        "Graphics card", "auto", OneOf(("auto", "off")), "Whether a graphics card is used when there is one that fits."
    )


@dataclass(frozen=True, slots=True)
class LanguageModelSettings:
    """How the language model writes."""

    temperature: float = setting(
        "Variety", 0.0, Number(0, 2), "0 takes the likeliest word each time; more is more varied."
    )
    max_tokens: int = setting(
        "Longest reply",
        512,
        Whole(16, 32_768),
        "The longest single reply, in tokens (about 4 letters each).",
        unit="tokens",
    )
    code_tokens: int = setting(
        "Longest file in one piece",
        1500,
        Whole(16, 32_768),
        "The longest piece of code or text for a file, in tokens.",
        unit="tokens",
    )
    context_tokens: int = setting(
        "Kept in mind",
        8192,
        Whole(1024, 1_048_576),
        "What the model can keep in mind at once, in tokens. More needs more memory.",
        unit="tokens",
    )
    threads: int = setting(
        "Processor threads", 0, Whole(0, 1024), "Processor threads that compute. 0 takes what this machine has."
    )


@dataclass(frozen=True, slots=True)
class AnswerSettings:
    """How answers are worded."""

    level: Literal["beginner", "intermediate", "advanced"] = setting(
        "Written for",
        "intermediate",
        OneOf(("beginner", "intermediate", "advanced")),
        "Whom answers are written for.",
    )


@dataclass(frozen=True, slots=True)
class LimitSettings:
    """When a turn or one of its steps is stopped."""

    steps: int = setting("Steps of a turn", 8, Whole(1, 50), "Steps of one turn; then an answer is asked for.")
    read_s: int = setting("Time to read", 10, Whole(1, 600), "Seconds that a tool may read.", unit="s")
    change_s: int = setting(
        "Time to change a file", 10, Whole(1, 600), "Seconds that a change to a file may take.", unit="s"
    )
    command_s: int = setting("Time for a command", 30, Whole(1, 3600), "Seconds that a command may run.", unit="s")


@dataclass(frozen=True, slots=True)
class UndoSettings:
    """How long changes can be undone."""

    days: int = setting(
        "Undo reaches back", 30, Whole(1, 3650), "Days for which old contents and deleted files are kept.", unit="days"
    )
    megabytes: int = setting(
        "Room for undo",
        1000,
        Whole(10, 1_000_000),
        "At most so much is kept, in MB; the oldest goes first, the last turn's never.",
        unit="MB",
    )


@dataclass(frozen=True, slots=True)
class HistorySettings:
    """How long conversations are kept."""

    days: int = setting(
        "Conversations are kept for",
        0,
        Whole(0, 36_500),
        "Days after its last turn until a conversation is removed for good, when ARIA starts. Pinned ones stay."
        " 0 keeps all.",
        unit="days",
        at_start=True,
    )


@dataclass(frozen=True, slots=True)
class MicrophoneSettings:
    """How speech is recorded."""

    device: str = setting("Microphone", "", _DEVICE, "The microphone's name. Empty: the system's default.")
    channel: int = setting("Channel", 0, Whole(0, 32), "Which of its channels is heard, from 1. 0 mixes them.")
    silence_ms: int = setting(
        "Silence that ends a sentence",
        800,
        Whole(200, 5000),
        "Milliseconds of silence that end a recording.",
        unit="ms",
    )
    max_s: int = setting("Longest recording", 30, Whole(1, 600), "The longest recording, in seconds.", unit="s")
    language: str = setting("Spoken language", "auto", _LANGUAGE, "The language that is spoken. auto: recognise it.")
    own_words: str = setting(
        "Your own words", "", _WORDS, "Names and rare words that you say, with commas between them."
    )
    confirm_words: Literal["never", "unsure", "always"] = setting(
        "Show words first",
        "never",
        OneOf(("never", "unsure", "always")),
        "When what was heard is shown to be corrected before it is carried out.",
    )
    words_while_speaking: bool = setting(
        "Words while you speak", True, Switch(), "Whether the words so far are shown while you speak."
    )


@dataclass(frozen=True, slots=True)
class TalkKeySettings:
    """The key that is heard everywhere on the desktop while the window is open."""

    way: Literal["auto", "portal", "x11", "evdev", "pynput", "off"] = setting(
        "How it is heard",
        "auto",
        OneOf(("auto", "portal", "x11", "evdev", "pynput", "off")),
        "How it is heard. auto: the first way that works here; `aria doctor` tells which. off: not at all.",
        at_start=True,
    )
    key: str = setting("Talk key", "ctrl+alt+space", _KEY, "The key, with the modifiers that are held.", at_start=True)
    cancel: str = setting(
        "Key that forgets",
        "escape",
        _KEY_OR_NONE,
        "While the microphone is open, forgets what was said.",
        at_start=True,
    )
    mode: Literal["auto", "hold", "toggle", "hands_free"] = setting(
        "What a press means",
        "auto",
        OneOf(("auto", "hold", "toggle", "hands_free")),
        "hold: talk while it is held. toggle: a press opens, the next one sends. auto: held is hold, tapped is toggle."
        " hands_free: a press turns listening on for good, the next one off.",
    )


@dataclass(frozen=True, slots=True)
class VoiceSettings:
    """How answers are spoken."""

    speak_replies: bool = setting("Speak replies", True, Switch(), "Whether answers are spoken.")
    device: str = setting("Loudspeaker", "", _DEVICE, "The loudspeaker's name. Empty: the system's default.")
    speed: float = setting("Speed", 1.0, Number(0.5, 2), "1 is the voice's own speed; 2 is twice as fast.")
    volume: int = setting(
        "Loudness", 100, Whole(0, 100), "How loud it is, in percent of the voice's own loudness.", unit="%"
    )
    earcons: Literal["off", "end", "all"] = setting(
        "Short sounds",
        "end",
        OneOf(("off", "end", "all")),
        "Short sounds when the microphone has closed; with all, also when it opens, which it hears without headphones.",
        at_start=True,
    )
    steady: bool = setting(
        "Always the same", False, Switch(), "Say the same text the same way every time: clearer, and less lively."
    )


@dataclass(frozen=True, slots=True)
class WindowSettings:
    """How the window looks."""

    theme: Literal["system", "light", "dark", "contrast"] = setting(
        "Colours",
        "system",
        OneOf(("system", "light", "dark", "contrast")),
        "Light, dark, high contrast, or as the system has it.",
    )
    font_percent: int = setting(
        "Size of letters", 100, Whole(85, 200), "Size of the letters, in percent of the system's.", unit="%"
    )
    language: Literal["auto", "en", "es"] = setting(
        "Language of the window",
        "auto",
        OneOf(("auto", "en", "es")),
        "The language of the window's words.",
        at_start=True,
    )
    overlay: bool = setting(
        "Small window while talking",
        True,
        Switch(),
        "Whether a small window shows over others that ARIA listens, speaks or waits. Not on Wayland.",
    )
    tray: bool = setting("Icon in the tray", True, Switch(), "Whether the desktop's tray shows ARIA, where it has one.")
    notify: bool = setting(
        "Notifications",
        True,
        Switch(),
        "Whether the desktop tells that ARIA is done or asks, while its window is hidden. Never what was said.",
    )
    autostart: bool = setting(
        "Start with the desktop", False, Switch(), "Whether the window opens when you log in. On Linux only."
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings, a section per attribute; made by `storage.settings.load_settings`."""

    engines: EngineSettings = EngineSettings()
    language_model: LanguageModelSettings = LanguageModelSettings()
    answers: AnswerSettings = AnswerSettings()
    limits: LimitSettings = LimitSettings()
    undo: UndoSettings = UndoSettings()
    history: HistorySettings = HistorySettings()
    microphone: MicrophoneSettings = MicrophoneSettings()
    talk_key: TalkKeySettings = TalkKeySettings()
    voice: VoiceSettings = VoiceSettings()
    window: WindowSettings = WindowSettings()


def sections() -> dict[str, type[Any]]:
    """The class of each section, by name, in the order of the guide."""
    return {section.name: type(section.default) for section in fields(Settings)}


def declared(section: type[Any]) -> dict[str, Field[Any]]:
    """The settings of a section, by name."""
    return {entry.name: entry for entry in fields(section)}


def names() -> Iterator[str]:
    """Every setting as "section.name"."""
    for name, section in sections().items():
        yield from (f"{name}.{entry}" for entry in declared(section))
