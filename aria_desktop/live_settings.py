"""Settings that are changed while the program runs, brought to whoever goes by them. Part of the composition root.

Whoever asks each time is handed a function. What was built from a setting is built anew: the agent at its next turn,
an engine in a new process as soon as its job is done. The journal is told.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass

from aria_desktop.assistant.agent import Agent, AgentResult, AgentTask
from aria_desktop.assistant.early import Early
from aria_desktop.assistant.parts import Preferences
from aria_desktop.assistant.recognition import words_listed
from aria_desktop.assistant.talk_key import TalkMode
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.events import EngineRole, Event
from aria_desktop.core.interfaces import Approver
from aria_desktop.safety.journal import Journal, Keeping
from aria_desktop.storage.current import CurrentSettings
from aria_desktop.storage.settings import Settings
from aria_desktop.workers.engines import Engines

_OF_THE_AGENT = ("language_model.", "limits.")


class CurrentAgent:
    """The agent as the settings are at the beginning of each turn."""

    def __init__(self, make: Callable[[Settings], Agent], settings: Settings) -> None:
        self._make = make
        self.agent = make(settings)

    def renew(self, settings: Settings) -> None:
        """A turn that runs ends as it began."""
        self.agent = self._make(settings)

    def run(self, task: AgentTask, approver: Approver, cancel: CancelToken) -> Generator[Event, None, AgentResult]:
        return self.agent.run(task, approver, cancel)


@dataclass(frozen=True, slots=True)
class LiveSettings:
    current: CurrentSettings
    engines: Engines
    agent: CurrentAgent
    journal: Journal

    def preferences(self) -> Preferences:
        return preferences_of(self.current.now)

    def change(self, name: str, value: bool | int | float | str) -> None:
        """Raises SettingsError and StorageError; then nothing has changed."""
        settings = self.current.change(name, value)
        if name.startswith(_OF_THE_AGENT):
            self.agent.renew(settings)
        self.journal.keeping = keeping_of(settings)
        if EngineRole.LANGUAGE in self.engines.setting_changed(name):
            self.engines.language.warm(self.agent.agent.stable_messages())


def preferences_of(settings: Settings) -> Preferences:
    microphone = settings.microphone
    return Preferences(
        silence_s=microphone.silence_ms / 1000,
        max_s=microphone.max_s,
        language="" if microphone.language == "auto" else microphone.language,
        own_words=words_listed(microphone.own_words),
        level=settings.answers.level,
        hear_early=Early.ALL_THE_TIME if microphone.words_while_speaking else Early.IN_PAUSES,
        confirm_words=microphone.confirm_words,
        speak=settings.voice.speak_replies,
        pace=settings.voice.speed,
        talk_mode=TalkMode(settings.talk_key.mode),
    )


def keeping_of(settings: Settings) -> Keeping:
    return Keeping(settings.undo.days, settings.undo.megabytes * 1_000_000)
