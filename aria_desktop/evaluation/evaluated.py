"""What an evaluation needs of one model, handed in by whoever knows engines and settings."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from aria_desktop.assistant.agent import Agent
from aria_desktop.catalog.record import read_record
from aria_desktop.core.errors import ModelMissing
from aria_desktop.core.events import EngineRole
from aria_desktop.core.interfaces import LanguageModel
from aria_desktop.evaluation.fresh_engine import usable_cores
from aria_desktop.storage.paths import find_paths
from aria_desktop.storage.settings import load_settings
from aria_desktop.workers.engines import Engines
from aria_desktop.workers.host import LoadSpec

AgentMaker = Callable[[LanguageModel, tuple[str, ...]], Agent]
"""An agent on this model that remembers these facts and nothing else."""

_DECIDING = ("context_tokens", "template")
"""Options of the engine that decide what it writes; the others decide how fast."""


@dataclass(frozen=True, slots=True)
class EvaluatedModel:
    name: str
    fingerprint: str
    """Changes with the model's files and with what the engine is told about them."""
    language: LanguageModel
    load: Callable[[], int]
    """Load the model now and say its context in tokens."""
    make_agent: AgentMaker
    settings: str
    """What else decides the result: the same text whenever it is the same."""
    spec: LoadSpec = LoadSpec("", "")  # noqa: RUF009 (a frozen value)
    """For benchmarks that start processes of their own."""


@dataclass(frozen=True, slots=True)
class EvaluatedSpeech:
    """A recogniser, for benchmarks that start processes of their own."""

    spec: LoadSpec
    """On the processor, with the number of threads said."""
    fingerprint: str
    """Changes with the model's files."""


def evaluated_speech(name: str) -> EvaluatedSpeech:
    """The recogniser as everybody gets it, on the model `name`. Raises ModelMissing, ModelDamaged and SettingsError."""
    paths = find_paths()
    settings = load_settings(paths.settings_file)
    settings = replace(settings, engines=replace(settings.engines, speech=f"faster-whisper:{name}"))
    with closing(Engines(paths, lambda: settings)) as engines:
        spec = engines.load_spec(EngineRole.SPEECH)
    on_processor = replace(spec, options={**spec.options, "threads": usable_cores(), "gpu": "off"})
    return EvaluatedSpeech(on_processor, fingerprint(spec))


def language_engine(name: str) -> str:
    """The settings' value for `--model NAME`: a model's id, or an engine with what it loads after a colon."""
    return name if ":" in name else f"llama.cpp:{name}"


def fingerprint(spec: LoadSpec) -> str:
    """Of a model that was just opened, so that the hashes beside it are verified. Raises ModelMissing."""
    path = Path(spec.model_path)
    files = read_record(path if path.is_dir() else path.parent).files
    hashes = [f"{name} {record.sha256}" for name, record in sorted(files.items())] or [_hash_of(path)]
    return "\n".join([spec.engine, *hashes, *(f"{name}={spec.options.get(name, '')}" for name in _DECIDING)])


def _hash_of(path: Path) -> str:
    """Of a file that no record describes: a script's, or a model's in a folder that can't be written."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelMissing(f"{path} can't be read: {error.strerror}.", "Name a model with --model.") from error
