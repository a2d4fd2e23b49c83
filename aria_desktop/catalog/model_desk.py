"""Looks after models for a front end: lists them, and verifies, adds, removes and measures, one after the other.

On one thread of its own, so that a listing waits for no turn and a hash for no listing of conversations. Fetching is
not among it: whoever can do that can do nothing else.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from aria_desktop.catalog import hardware
from aria_desktop.catalog.catalog import ModelEntry
from aria_desktop.catalog.local import Importer, find_listed, find_unlisted
from aria_desktop.catalog.model_list import listed
from aria_desktop.catalog.progress import Progress
from aria_desktop.catalog.speeds import Speeds
from aria_desktop.catalog.store import ModelStore
from aria_desktop.catalog.structure import check_structure
from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.errors import AriaError, ModelMissing, UsageError
from aria_desktop.core.events import EngineRole, Event, Problem
from aria_desktop.core.listings import ModelWorkDone, ModelWorkMoved
from aria_desktop.core.models import ModelWork, ToolScore
from aria_desktop.core.requests import ListModels, StopModelWork, WorkOnModel

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DeskParts:
    make_store: Callable[[Callable[[str], None]], ModelStore]
    """Given who is told sentences for the user."""
    in_use: Callable[[], Mapping[EngineRole, str]]
    measure: Callable[[ModelEntry, CancelToken], float]
    """See `core.models.MeasuredSpeed`. Raises AriaError, Cancelled."""
    publish: Callable[[Event], None]
    speeds: Speeds
    scores: Mapping[str, ToolScore]


class ModelDesk:
    """`take` may be called from any thread and returns at once; nothing runs before the first request."""

    def __init__(self, parts: DeskParts) -> None:
        self._parts = parts
        self._inbox: SimpleQueue[ListModels | WorkOnModel | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._running: tuple[str, CancelToken] = ("", CancelToken())
        self._stopped: set[str] = set()
        """Requests that were stopped before their turn came."""

    def take(self, request: ListModels | WorkOnModel | StopModelWork) -> None:
        with self._lock:
            if isinstance(request, StopModelWork):
                self._stop(request.request_id)
                return
            if self._closed:
                return
            self._inbox.put(request)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="models")
                self._thread.start()

    def close(self) -> None:
        """Stops what runs and waits for its end."""
        with self._lock:
            self._closed = True
            self._running[1].cancel()
            thread = self._thread
        if thread is not None:
            self._inbox.put(None)
            thread.join()

    def _stop(self, request_id: str) -> None:
        if self._running[0] == request_id:
            self._running[1].cancel()
        else:
            self._stopped.add(request_id)

    def _run(self) -> None:
        while (request := self._inbox.get()) is not None:
            with self._lock:
                cancel = CancelToken()
                self._running = (request.request_id, cancel)
                if self._closed or request.request_id in self._stopped:
                    cancel.cancel()
            self._guarded(request, cancel)

    def _guarded(self, request: ListModels | WorkOnModel, cancel: CancelToken) -> None:
        try:
            cancel.raise_if_cancelled()
            self._parts.publish(self._carried_out(request, cancel))
        except Cancelled:
            if isinstance(request, WorkOnModel):
                self._parts.publish(ModelWorkDone(request.request_id, request.work, ()))
        except AriaError as error:
            self._parts.publish(Problem(request.request_id, error.code, error.text, error.hint))
        except Exception:
            _log.exception("work on a model failed")
            hint = "The log tells more."
            self._parts.publish(Problem(request.request_id, "internal", "Something in ARIA itself went wrong.", hint))

    def _carried_out(self, request: ListModels | WorkOnModel, cancel: CancelToken) -> Event:
        said: list[str] = []
        store = self._parts.make_store(said.append)
        if isinstance(request, ListModels):
            parts, machine = self._parts, hardware.look()
            return listed(request.request_id, store, machine, parts.in_use(), parts.speeds.all(), parts.scores)
        model_ids = self._worked(request, store, said, cancel)
        return ModelWorkDone(request.request_id, request.work, model_ids, " ".join(said))

    def _worked(self, request: WorkOnModel, store: ModelStore, said: list[str], cancel: CancelToken) -> tuple[str, ...]:
        def report(progress: Progress) -> None:
            moved = (progress.model_id, request.work, progress.done, progress.total or 0)
            self._parts.publish(ModelWorkMoved(request.request_id, *moved))

        match request.work:
            case ModelWork.VERIFY:
                model = store.verify(request.model_id, report, cancel)
                if store.catalogue.find(request.model_id) is None:
                    check_structure(model.role, model.main_file)
            case ModelWork.ADD:
                return _added(Path(request.path), store, Importer(store, cancel, report, said.append))
            case ModelWork.REMOVE:
                self._require_unused(request.model_id)
                said += [f"{path.name} was left there." for path in store.remove(request.model_id)]
                self._parts.speeds.forget(request.model_id)
            case ModelWork.MEASURE:
                self._parts.publish(ModelWorkMoved(request.request_id, request.model_id, request.work, 0, 0))
                entry = store.entry(request.model_id)
                self._parts.speeds.keep(request.model_id, self._parts.measure(entry, cancel))
        return (request.model_id,)

    def _require_unused(self, model_id: str) -> None:
        if model_id in self._parts.in_use().values():
            raise UsageError(f"The model {model_id} is in use.", "Use another one, then remove it.")


def _added(path: Path, store: ModelStore, importer: Importer) -> tuple[str, ...]:
    if not path.is_absolute():
        raise UsageError(f"{path} is no whole path.")
    found = find_listed(path, store.catalogue)
    if not found:
        unlisted = find_unlisted(path)
        check_structure(unlisted.entry.role, unlisted.files[unlisted.entry.main_file])
        found = (unlisted,)
    done, faults = [], []
    for each in found:
        try:
            importer.bring_in(each)
            done.append(each.entry.id)
        except AriaError as error:
            faults.append(error)
    if faults:
        # One bad model on a stick does not keep the others; all that went wrong is told.
        kept = f" Added: {', '.join(done)}." if done else ""
        raise ModelMissing(" ".join(fault.text for fault in faults) + kept, faults[0].hint)
    return tuple(done)
