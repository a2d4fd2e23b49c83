"""Several models fetched one after the other on a thread of their own, with a way to pause and to go on."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

from aria_desktop.catalog.fetch import Fetcher
from aria_desktop.catalog.progress import Progress, Stage
from aria_desktop.catalog.store import ModelStore
from aria_desktop.catalog.web import Web
from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.errors import AriaError
from aria_desktop.core.fetch_mode import FetchLine, FetchState

_STATES = {
    Stage.CHECKING: FetchState.CHECKING,
    Stage.COPYING: FetchState.JOINING,
    Stage.DOWNLOADING: FetchState.DOWNLOADING,
    Stage.JOINING: FetchState.JOINING,
}


class FetchList:
    """A `core.fetch_mode.Fetching`. Nothing is fetched before `start`."""

    def __init__(self, store: ModelStore, names: Sequence[str], make_web: Callable[[], Web] = Web) -> None:
        self._store, self._make_web = store, make_web
        self._lines = {name: FetchLine(name, FetchState.WAITING, total=store.entry(name).bytes) for name in names}
        self._cancel = CancelToken()
        self._thread: threading.Thread | None = None

    @property
    def lines(self) -> tuple[FetchLine, ...]:
        return tuple(self._lines.values())

    @property
    def running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def start(self, listener: Callable[[FetchLine], None]) -> None:
        self.close()
        self._cancel = cancel = CancelToken()
        todo = [line.model_id for line in self.lines if line.state is not FetchState.DONE]
        self._thread = threading.Thread(target=self._run, args=(todo, cancel, listener), name="fetch")
        self._thread.start()

    def pause(self) -> None:
        self._cancel.cancel()

    def close(self) -> None:
        self._cancel.cancel()
        if self._thread is not None:
            self._thread.join()

    def _run(self, names: Sequence[str], cancel: CancelToken, listener: Callable[[FetchLine], None]) -> None:
        def tell(line: FetchLine) -> None:
            self._lines[line.model_id] = line
            listener(line)

        for name in names:
            tell(replace(self._lines[name], state=FetchState.WAITING, bytes_per_s=0.0, seconds_left=None, text=""))
        # A run of its own: a host that failed before is asked again.
        current = [""]
        fetcher = Fetcher(
            self._store,
            cancel,
            lambda progress: tell(_line(progress, self._lines[progress.model_id].text)),
            lambda text: tell(replace(self._lines[current[0]], text=text)),
            self._make_web(),
        )
        for name in names:
            current[0] = name
            tell(self._outcome(name, fetcher, cancel))

    def _outcome(self, name: str, fetcher: Fetcher, cancel: CancelToken) -> FetchLine:
        try:
            cancel.raise_if_cancelled()
            fetcher.fetch(name)
        except Cancelled:
            return replace(self._lines[name], state=FetchState.PAUSED, bytes_per_s=0.0, seconds_left=None)
        except AriaError as error:
            return replace(self._lines[name], state=FetchState.FAILED, text=str(error))
        except Exception as error:
            words = f"Something in ARIA itself went wrong: {type(error).__name__}: {error}"
            return replace(self._lines[name], state=FetchState.FAILED, text=words)
        total = self._lines[name].total
        return FetchLine(name, FetchState.DONE, done=total or self._lines[name].done, total=total)


def _line(progress: Progress, text: str) -> FetchLine:
    return FetchLine(
        progress.model_id,
        _STATES[progress.stage],
        progress.source,
        progress.done,
        progress.total,
        progress.bytes_per_s,
        progress.seconds_left,
        text,
    )
