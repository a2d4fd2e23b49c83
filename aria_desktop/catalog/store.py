"""The models of one folder: what is here, whether it is whole, and where an engine finds it.

`open` is the only way to a model for use. It never trusts a file it has not hashed: what looks as it did when it was
last verified is taken as that, everything else is hashed again before anybody loads it. A flipped byte, half a file
or another file in its place is a ModelDamaged with the way out. Nothing here touches the network.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from aria_desktop.catalog.catalog import Catalogue, ChatTemplate, ModelEntry
from aria_desktop.catalog.progress import Meter, ProgressListener, Stage, no_progress
from aria_desktop.catalog.record import RECORD_NAME, FileRecord, Look, Record, read_record, write_record
from aria_desktop.catalog.space import writing_to
from aria_desktop.catalog.unlisted import MODEL_SUFFIXES, describe
from aria_desktop.catalog.verification import fault, promised, seen, way_out
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.errors import AriaError, ModelDamaged, ModelMissing
from aria_desktop.core.events import EngineRole

STAGING_NAME = ".fetching"
"""Folder inside a model's folder for what has not arrived completely."""


class ModelState(StrEnum):
    MISSING = "missing"
    PARTIAL = "partial"
    """A fetch was stopped; it goes on where it stopped."""
    INSTALLED = "installed"
    DAMAGED = "damaged"
    """A file is missing or has the wrong length."""


@dataclass(frozen=True, slots=True)
class InstalledModel:
    id: str
    role: EngineRole
    name: str
    folder: Path
    main_file: Path
    """The first part of a split model; the engine finds the others beside it."""
    chat_template: ChatTemplate | None
    """None: the engine goes by the marks in the model's vocabulary."""
    context_tokens: int | None
    languages: tuple[str, ...]
    licence: str

    @property
    def path(self) -> Path:
        """What the engine wants: faster-whisper the folder, llama.cpp and Piper the file."""
        return self.folder if self.role is EngineRole.SPEECH else self.main_file


def say_nothing(_: str) -> None:
    """For callers who show no messages."""


class ModelStore:
    """Any thread may call; each call looks at the disk anew.

    Args:
        folder: has one folder per model id; needs not exist yet.
        told: gets sentences for the user, such as the hash a file is pinned to.
    """

    def __init__(self, folder: Path, catalogue: Catalogue, told: Callable[[str], None] = say_nothing) -> None:
        self.folder, self.catalogue, self._told = folder, catalogue, told

    def folder_of(self, model_id: str) -> Path:
        return self.folder / model_id

    def entry(self, model_id: str) -> ModelEntry:
        """From the catalogue, else as it was added, else as its files show.

        Raises ModelMissing; ModelDamaged for files that are not what their names say.
        """
        return self.catalogue.find(model_id) or self._own_entry(model_id) or self.catalogue.get(model_id)

    def entries(self) -> tuple[ModelEntry, ...]:
        """All of the catalogue, then those that are only here. What merely looks like a model is left out."""
        listed = {entry.id for entry in self.catalogue.models}
        folders = sorted(self.folder.iterdir()) if self.folder.is_dir() else []
        found = [self._presentable(folder.name) for folder in folders if folder.name not in listed]
        return (*self.catalogue.models, *(entry for entry in found if entry is not None))

    def state(self, model_id: str) -> ModelState:
        """By names and lengths; nothing is hashed. Raises like `entry`."""
        entry, folder = self.entry(model_id), self.folder_of(model_id)
        if not any(fault(folder, file) for file in entry.files):
            return ModelState.INSTALLED
        if (folder / STAGING_NAME).is_dir():
            return ModelState.PARTIAL
        return ModelState.DAMAGED if any((folder / file.name).exists() for file in entry.files) else ModelState.MISSING

    def installed(self) -> tuple[InstalledModel, ...]:
        return tuple(self.model(entry) for entry in self.entries() if self.state(entry.id) is ModelState.INSTALLED)

    def loose_files(self) -> tuple[Path, ...]:
        """Model files that lie beside the models' folders: put there by hand, and used only after `add`."""
        files = sorted(self.folder.iterdir()) if self.folder.is_dir() else []
        return tuple(path for path in files if path.suffix in MODEL_SUFFIXES and path.is_file())

    def model(self, entry: ModelEntry) -> InstalledModel:
        """Where the entry's files lie or will lie; nothing is checked."""
        folder = self.folder_of(entry.id)
        return InstalledModel(
            id=entry.id,
            role=entry.role,
            name=entry.name,
            folder=folder,
            main_file=folder / entry.main_file,
            chat_template=entry.chat_template,
            context_tokens=entry.context_tokens,
            languages=entry.languages,
            licence=entry.licence,
        )

    def path(self, model_id: str) -> Path:
        """`open(model_id).path`."""
        return self.open(model_id).path

    def open(
        self, model_id: str, report: ProgressListener = no_progress, cancel: CancelToken | None = None
    ) -> InstalledModel:
        """The model, verified. Takes as long as hashing it when its files changed since the last time.

        Raises ModelMissing and ModelDamaged, each with the command that helps; Cancelled.
        """
        entry = self.entry(model_id)
        return self._checked(entry, read_record(self.folder_of(model_id)).files, report, cancel or CancelToken())

    def verify(
        self, model_id: str, report: ProgressListener = no_progress, cancel: CancelToken | None = None
    ) -> InstalledModel:
        """Like `open`, but hashes all files whatever they look like."""
        return self._checked(self.entry(model_id), {}, report, cancel or CancelToken())

    def pins(self, model_id: str) -> Mapping[str, FileRecord]:
        """What is recorded of the model's files, by name."""
        return read_record(self.folder_of(model_id)).files

    def keep(self, entry: ModelEntry, hashes: Mapping[str, str]) -> InstalledModel:
        """Record files that were just verified and lie in place. Raises StorageError, DiskFull."""
        folder = self.folder_of(entry.id)
        files = {name: FileRecord(sha256=value, look=Look.of(folder / name)) for name, value in hashes.items()}
        with writing_to(folder):
            self._write(entry, {**self.pins(entry.id), **files})
        return self.model(entry)

    def remove(self, model_id: str) -> tuple[Path, ...]:
        """Delete the model's files, and parts of it. Returns what else lies in its folder and was left there.

        Raises ModelMissing, StorageError.
        """
        entry, folder = self.entry(model_id), self.folder_of(model_id)
        if not folder.exists():
            raise ModelMissing(f"The model {model_id} is not here.", "`aria models list` shows those that are.")
        with writing_to(folder):
            for name in (*(file.name for file in entry.files), RECORD_NAME):
                (folder / name).unlink(missing_ok=True)
            shutil.rmtree(folder / STAGING_NAME, ignore_errors=True)
            left = tuple(sorted(folder.iterdir()))
            if folder.is_symlink():
                folder.unlink()
            elif not left:
                folder.rmdir()
        return left

    def _own_entry(self, model_id: str) -> ModelEntry | None:
        folder = self.folder_of(model_id)
        if not folder.is_dir() or folder.parent != self.folder or model_id.startswith("."):
            return None
        if (entry := read_record(folder).entry) is not None:
            return entry
        found = describe(folder, model_id)
        return found.entry if found and all(path.name == name for name, path in found.files.items()) else None

    def _presentable(self, model_id: str) -> ModelEntry | None:
        try:
            return self._own_entry(model_id)
        except (AriaError, OSError, ValueError):
            return None

    def _checked(
        self, entry: ModelEntry, known: Mapping[str, FileRecord], report: ProgressListener, cancel: CancelToken
    ) -> InstalledModel:
        folder, pins = self.folder_of(entry.id), self.pins(entry.id)
        self._require_whole(entry)
        meter = Meter(report, entry.id, Stage.CHECKING, "", entry.bytes)
        found = {file.name: seen(folder, file, known, meter, cancel) for file in entry.files}
        for file in entry.files:
            if (must := promised(file, pins)) not in (None, has := found[file.name].sha256):
                words = f"{file.name} has the SHA-256 {has} and must have {must}"
                raise ModelDamaged(f"The model {entry.id} is damaged: {words}.", way_out(entry))
        if found != pins:
            self._note(entry, found)
        return self.model(entry)

    def _require_whole(self, entry: ModelEntry) -> None:
        folder = self.folder_of(entry.id)
        faults = [words for file in entry.files if (words := fault(folder, file))]
        if faults and not any((folder / file.name).exists() for file in entry.files):
            raise ModelMissing(f"The model {entry.id} is not here.", way_out(entry))
        if faults:
            raise ModelDamaged(f"The model {entry.id} is not whole: {'; '.join(faults)}.", way_out(entry))

    def _note(self, entry: ModelEntry, found: Mapping[str, FileRecord]) -> None:
        """Remember what was verified. Where that can't be written, it is verified again the next time."""
        pins = self.pins(entry.id)
        for file in entry.files:
            if promised(file, pins) is None:
                self._told(f"{entry.id}: {file.name} is pinned to SHA-256 {found[file.name].sha256}.")
        try:
            self._write(entry, found)
        except OSError:
            return

    def _write(self, entry: ModelEntry, files: Mapping[str, FileRecord]) -> None:
        own = None if self.catalogue.find(entry.id) else entry.model_copy(update={"sources": ()})
        write_record(self.folder_of(entry.id), Record(files=dict(files), entry=own))
