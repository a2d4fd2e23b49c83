"""The three engines of the program, each in a process of its own, from the settings' lines: "engine:model".

Nothing is started or hashed before the first job needs it; what an engine loads is looked up anew at every start of its
process, so that a model that was repaired meanwhile is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from aria_desktop.catalog.catalog import load_catalogue
from aria_desktop.catalog.store import InstalledModel, ModelStore
from aria_desktop.core.events import EngineChanged, EngineRole, EngineState
from aria_desktop.storage.paths import AppPaths
from aria_desktop.storage.settings import Settings
from aria_desktop.workers.host import LoadSpec, WorkerHost
from aria_desktop.workers.remote import RemoteLanguageModel, RemoteSpeechToText, RemoteTextToSpeech

ALL_ROLES = tuple(EngineRole)
_LOADED_BY = {
    "engines.speech": (EngineRole.SPEECH,),
    "engines.language": (EngineRole.LANGUAGE,),
    "engines.voice": (EngineRole.VOICE,),
    "engines.gpu": (EngineRole.SPEECH, EngineRole.LANGUAGE),
    "language_model.context_tokens": (EngineRole.LANGUAGE,),
    "language_model.threads": (EngineRole.LANGUAGE,),
    "voice.speed": (EngineRole.VOICE,),
    "voice.steady": (EngineRole.VOICE,),
}
"""The settings that an engine is loaded with."""


class Engines:
    """The three engines' hosts, from one settings line each: "engine:model"."""

    def __init__(self, paths: AppPaths, settings: Callable[[], Settings]) -> None:
        """`settings` is asked at every start of an engine; may be called on any thread."""
        self._store = ModelStore(paths.models, load_catalogue(paths.catalog))
        self._settings = settings
        self._prefixes = paths.data / "prefixes"
        self.publish: Callable[[EngineChanged], None] = lambda _: None
        self.hosts = {role: self._host(role) for role in ALL_ROLES}
        self.speech = RemoteSpeechToText(self.hosts[EngineRole.SPEECH])
        self.language = RemoteLanguageModel(self.hosts[EngineRole.LANGUAGE])
        self.voice = RemoteTextToSpeech(self.hosts[EngineRole.VOICE])

    def off(self, role: EngineRole) -> EngineChanged:
        return EngineChanged(role, EngineState.OFF, self._model(role))

    @property
    def in_use(self) -> Mapping[EngineRole, str]:
        """The model's id for each role."""
        return {role: self._model(role) for role in ALL_ROLES}

    def close(self) -> None:
        for host in self.hosts.values():
            host.close()

    def setting_changed(self, name: str) -> tuple[EngineRole, ...]:
        """Engines that load something else by setting `name` do so. Returns their roles."""
        roles = _LOADED_BY.get(name, ())
        for role in roles:
            self.hosts[role].reload()
        return roles

    def _name(self, role: EngineRole) -> str:
        name: str = getattr(self._settings().engines, role.value)
        return name

    def _model(self, role: EngineRole) -> str:
        return self._name(role).partition(":")[2]

    def _host(self, role: EngineRole) -> WorkerHost:
        def changed(state: EngineState, detail: str) -> None:
            self.publish(EngineChanged(role, state, self._model(role), detail))

        return WorkerHost(role, lambda: self.load_spec(role), changed, self._settings().engines.unload_after_s)

    def load_spec(self, role: EngineRole) -> LoadSpec:
        """Raises ModelMissing and ModelDamaged; takes as long as hashing when the model's files changed."""
        return self.spec_of(role, self._name(role))

    def spec_of(self, role: EngineRole, name: str) -> LoadSpec:
        """Of any model, "engine:model"; raises like `load_spec`."""
        engine, _, model = name.partition(":")
        if engine == "scripted":
            return LoadSpec(engine, model)
        installed = self._store.open(model)
        return LoadSpec(engine, str(installed.path), self._options(role, installed))

    def _options(self, role: EngineRole, model: InstalledModel) -> dict[str, str | int | float | bool]:
        settings = self._settings()
        gpu, language = settings.engines.gpu, settings.language_model
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
                return {"speed": settings.voice.speed, "steady": settings.voice.steady}
