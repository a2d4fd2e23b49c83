"""Models from a folder, a stick or a single file, with the same check as those from the network.

What the catalogue knows is recognised by names and lengths, and believed by its hash alone. What it doesn't know can
be added too; its hash is shown and pinned.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from aria_desktop.catalog.arrival import Arrival, Arrived, WrongHash, alone_with
from aria_desktop.catalog.catalog import Catalogue, ChatTemplate, ModelEntry, ModelFile
from aria_desktop.catalog.hashing import CHUNK_BYTES, sha256_of
from aria_desktop.catalog.progress import Meter, ProgressListener, Stage, no_progress
from aria_desktop.catalog.space import require_space, writing_to
from aria_desktop.catalog.store import ModelStore, say_nothing
from aria_desktop.catalog.unlisted import Found, describe
from aria_desktop.catalog.verification import fault
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.errors import ModelDamaged, StorageError, UsageError
from aria_desktop.core.events import EngineRole

DEPTH = 3
"""Folders below the given one that are looked into."""


def find_listed(path: Path, catalogue: Catalogue) -> tuple[Found, ...]:
    """The catalogue's models in a file, or in a folder and those below it, each once. A model that is not whole
    is found too; bringing it in says what is wrong. Raises StorageError."""
    if not path.exists():
        raise StorageError(f"There is no {path}.", "Is the stick mounted?")
    if path.is_file() and (renamed := _renamed(path, catalogue)) is not None:
        return (Found(renamed, {renamed.main_file: path}),)
    found: dict[str, Found] = {}
    for folder, names in _folders(path):
        for entry in catalogue.models:
            if entry.id not in found and _holds(entry, folder, names, path):
                found[entry.id] = Found(entry, {file.name: folder / file.name for file in entry.files})
    return tuple(found.values())


def find_unlisted(path: Path, model_id: str = "", template: ChatTemplate | None = None) -> Found:
    """The model in `path`, as its files show it. Raises StorageError, UsageError, ModelDamaged."""
    try:
        found = describe(path, model_id, template)
    except ValueError as error:
        raise UsageError(f"{model_id or path.name} can't be a model's name here.", "Choose one: --id NAME") from error
    except OSError as error:
        raise StorageError(f"{path} can't be read: {error.strerror}.") from error
    if found is None:
        raise UsageError(
            f"There is no model in {path} that ARIA can use.",
            "A model is a .gguf file, a .onnx file with its .onnx.json, or a folder with model.bin and config.json.",
        )
    return found


class Importer:
    """For one thread; `cancel` may be set from any."""

    def __init__(
        self,
        store: ModelStore,
        cancel: CancelToken,
        report: ProgressListener = no_progress,
        told: Callable[[str], None] = say_nothing,
    ) -> None:
        self._store, self._cancel, self._report, self._told = store, cancel, report, told

    def bring_in(self, found: Found) -> Arrived:
        """Copy what is missing. The originals stay as they are.

        Raises ModelDamaged (a file is not the promised one; no copy of it stays), DiskFull, StorageError, UsageError
        (another model has that id), Cancelled.
        """
        self._require_free_id(found)
        with alone_with(self._store.folder_of(found.entry.id)):
            arrival = Arrival(self._store, found.entry, self._told)
            try:
                self._take_missing(found, arrival)
                return arrival.finish()
            finally:
                arrival.tidy()

    def _require_free_id(self, found: Found) -> None:
        entry, folder = found.entry, self._store.folder_of(found.entry.id)
        at_home = found.files[entry.main_file].parent.resolve() == folder.resolve()
        listed = self._store.catalogue.find(entry.id)
        if (listed is not None and listed != entry) or (listed is None and folder.exists() and not at_home):
            raise UsageError(f"There is a model called {entry.id} already.", "Choose another name: --id NAME")

    def _take_missing(self, found: Found, arrival: Arrival) -> None:
        missing = arrival.missing(self._report, self._cancel)
        for file in missing:
            if words := fault(found.files[file.name].parent, _as_found(file, found)):
                raise ModelDamaged(f"{found.entry.id} is not whole there: {words}.", "Copy it to the stick once more.")
        require_space(arrival.folder, sum(found.files[file.name].stat().st_size for file in missing))
        meter = Meter(self._report, found.entry.id, Stage.COPYING, "", found.entry.bytes)
        for file in missing:
            self._take(file, found.files[file.name], arrival, meter)

    def _take(self, file: ModelFile, original: Path, arrival: Arrival, meter: Meter) -> None:
        copy = arrival.staging / f"{file.name}.copy"
        try:
            with writing_to(arrival.folder):
                arrival.staging.mkdir(exist_ok=True)
                sha256 = self._copy(original, copy, meter)
            arrival.accept(file, copy, sha256, str(original.parent))
        except WrongHash as error:
            raise ModelDamaged(f"{error}.", "Copy it to the stick once more.") from error
        finally:
            copy.unlink(missing_ok=True)

    def _copy(self, original: Path, copy: Path, meter: Meter) -> str:
        """Returns the SHA-256 of what was copied."""
        digest = hashlib.sha256()
        with copy.open("wb") as output:
            for chunk in _chunks(original):
                self._cancel.raise_if_cancelled()
                output.write(chunk)
                digest.update(chunk)
                meter.add(len(chunk))
        return digest.hexdigest()


def _chunks(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            while chunk := file.read(CHUNK_BYTES):
                yield chunk
    except OSError as error:
        raise StorageError(f"{path} can't be read: {error.strerror}.", "Was the stick pulled out?") from error


def _folders(path: Path) -> Iterator[tuple[Path, dict[str, int]]]:
    """Folders to look into, with the lengths of their files by name."""
    top = path if path.is_dir() else path.parent
    for place, below, names in os.walk(top):
        folder = Path(place)
        if path.is_file() or len(folder.relative_to(top).parts) >= DEPTH:
            below.clear()
        below[:] = sorted(name for name in below if not name.startswith("."))
        yield folder, {name: (folder / name).stat().st_size for name in names if (folder / name).is_file()}


def _holds(entry: ModelEntry, folder: Path, lengths: dict[str, int], asked: Path) -> bool:
    """Whether a folder holds this model, or what is left of it. `model.bin` and its like are called the same in
    many models: there the lengths tell which one it is, elsewhere the name does."""
    if asked.is_file() and asked.name not in [file.name for file in entry.files]:
        return False
    if folder.name == entry.id:
        return entry.main_file in lengths
    if entry.role is EngineRole.SPEECH:
        return all(file.bytes in (None, lengths[file.name]) if file.name in lengths else False for file in entry.files)
    return entry.main_file in lengths


def _renamed(path: Path, catalogue: Catalogue) -> ModelEntry | None:
    """The single-file model of the catalogue that `path` is under another name."""
    length = path.stat().st_size
    alike = [entry for entry in catalogue.models if len(entry.files) == 1 and entry.bytes == length]
    if not alike or any(entry.main_file == path.name for entry in alike):
        return None
    has = sha256_of(path, CancelToken(), lambda _: None)
    return next((entry for entry in alike if entry.files[0].sha256 == has), None)


def _as_found(file: ModelFile, found: Found) -> ModelFile:
    """The file under the name it has where it was found."""
    return file.model_copy(update={"name": found.files[file.name].name})
