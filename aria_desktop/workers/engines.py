"""The three engines of the program, each in a process of its own, from the settings' lines: "engine:model".

Nothing is started or hashed before the first job needs it; what an engine loads is looked up anew at every start of its
process, so that a model that was repaired meanwhile is used.
"""

from __future__ import annotations

from collections.abc import Callable

from aria_desktop.catalog.catalog import load_catalogue
from aria_desktop.catalog.store import InstalledModel, ModelStore
from aria_desktop.core.events import EngineChanged, EngineRole, EngineState
from aria_desktop.storage.paths import AppPaths
from aria_desktop.storage.settings import Settings
from aria_desktop.workers.host import LoadSpec, WorkerHost
from aria_desktop.workers.remote import RemoteLanguageModel, RemoteSpeechToText, RemoteTextToSpeech

ALL_ROLES = tuple(EngineRole)


class Engines:
    """The three engines' hosts, from one settings line each: "engine:model"."""

    def __init__(self, paths: AppPaths, settings: Settings) -> None:
        self._store = ModelStore(paths.models, load_catalogue(paths.catalog))
        self._settings = settings
        self._prefixes = paths.data / "prefixes"
        self._names = {
            EngineRole.SPEECH: settings.engines.speech,
            EngineRole.LANGUAGE: settings.engines.language,
            EngineRole.VOICE: settings.engines.voice,
        }
        self.publish: Callable[[EngineChanged], None] = lambda _: None
        self.hosts = {role: self._host(role) for role in ALL_ROLES}
        self.speech = RemoteSpeechToText(self.hosts[EngineRole.SPEECH])
        self.language = RemoteLanguageModel(self.hosts[EngineRole.LANGUAGE])
        self.voice = RemoteTextToSpeech(self.hosts[EngineRole.VOICE])

    def off(self, role: EngineRole) -> EngineChanged:
        return EngineChanged(role, EngineState.OFF, self._model(role))

    def close(self) -> None:
        for host in self.hosts.values():
            host.close()

    def _model(self, role: EngineRole) -> str:
        return self._names[role].partition(":")[2]

    def _host(self, role: EngineRole) -> WorkerHost:
        def changed(state: EngineState, detail: str) -> None:
            self.publish(EngineChanged(role, state, self._model(role), detail))

        return WorkerHost(role, lambda: self.load_spec(role), changed, self._settings.engines.unload_after_s)

    def load_spec(self, role: EngineRole) -> LoadSpec:
        """Raises ModelMissing and ModelDamaged; takes as long as hashing when the model's files changed."""
        engine, _, model = self._names[role].partition(":")
        if engine == "scripted":
            return LoadSpec(engine, model)
        installed = self._store.open(model)
        return LoadSpec(engine, str(installed.path), self._options(role, installed))

    def _options(self, role: EngineRole, model: InstalledModel) -> dict[str, str | int | float | bool]:
        gpu, language = self._settings.engines.gpu, self._settings.language_model
        match role:
            case EngineRole.SPEECH:
                return {"gpu": gpu}
            case EngineRole.LANGUAGE:
                return {
                    "gpu": gpu,
                    "context_tokens": language.context_tokens,
                    "threads": language.threads,
                    "template": str(model.chat_template or ""),
                    "prefix_folder": str(self._prefixes),
                }
            case EngineRole.VOICE:
                return {"speed": self._settings.voice.speed, "steady": self._settings.voice.steady}
