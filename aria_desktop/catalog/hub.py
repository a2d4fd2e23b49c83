"""Files from a publisher's hub, going on where an earlier attempt stopped.

A `.part` file only ever holds bytes from the start of the file, in order, so its length is all that has to be
known to go on. Where the hub marks its version of the file (ETag), the mark is kept beside it and sent along, so
that a file which has changed meanwhile starts again. A connection that ends early is a failed host; it is not
asked again in this run, and the part stays for the next one.
"""

from __future__ import annotations

import hashlib
import http.client
import urllib.error
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from urllib.parse import quote, urlsplit

from aria_desktop.catalog.catalog import HubSource, ModelEntry, ModelFile
from aria_desktop.catalog.hashing import update_from
from aria_desktop.catalog.sources import SourceFailed, WrongBytes, stop_counts_as_cancelled
from aria_desktop.catalog.space import size_words, writing_to
from aria_desktop.catalog.web import Web
from aria_desktop.core.cancel import CancelToken

CHUNK_BYTES = 1 << 18


def address(hub: str, source: HubSource, entry: ModelEntry, file: ModelFile) -> str:
    folder = f"{source.folder}/" if source.folder else ""
    path = f"{source.repository}/resolve/{entry.revision or 'main'}/{folder}{file.name}"
    return f"{hub}/{quote(path)}"


class HubDownload:
    """Brings one file at a time. For one thread; `cancel` may be set from any."""

    def __init__(self, web: Web, cancel: CancelToken) -> None:
        self._web, self._cancel = web, cancel

    def fetch(self, url: str, part: Path, expected: int | None, at: Callable[[int], None]) -> str:
        """Complete `part` from `url` and return the SHA-256 of all of it.

        Args:
            expected: the length it must have, where known.
            at: gets the length of what is there, again and again.

        Raises SourceFailed (what came is kept in `part`), WrongBytes (`part` is gone), DiskFull, Cancelled.
        """
        with writing_to(part.parent), stop_counts_as_cancelled(self._cancel):
            transfer = _Transfer(part, expected, at, self._cancel)
            if not transfer.complete:
                forget = self._cancel.on_cancel(self._web.cut)
                try:
                    self._receive(url, transfer)
                finally:
                    forget()
                    self._web.forget()
            return transfer.finished()

    def _receive(self, url: str, transfer: _Transfer) -> None:
        host = urlsplit(url).hostname or ""
        try:
            with closing(self._web.open(url, transfer.headers())) as response:
                transfer.receive(response, host)
        except urllib.error.HTTPError as error:
            error.close()
            if error.code == http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE and transfer.length:
                transfer.restart()
                self._receive(url, transfer)
                return
            blamed = host if error.code >= 500 or error.code == http.HTTPStatus.TOO_MANY_REQUESTS else ""
            raise SourceFailed(f"{host} answers {error.code} ({error.reason}) for {url}", host=blamed) from error


class _Transfer:
    """One `.part` file, its digest so far, and what the host promises of the rest."""

    def __init__(self, part: Path, expected: int | None, at: Callable[[int], None], cancel: CancelToken) -> None:
        self._part, self._mark = part, part.with_suffix(part.suffix + ".etag")
        self._expected, self._at, self._cancel = expected, at, cancel
        self._digest = hashlib.sha256()
        self.length = 0
        if part.exists() and (expected is None or part.stat().st_size <= expected):
            update_from(self._digest, part, cancel, self._count)
        else:
            self.restart()

    @property
    def complete(self) -> bool:
        return self._expected is not None and self.length == self._expected

    def finished(self) -> str:
        """All is here: forget the mark, and say the SHA-256."""
        self._mark.unlink(missing_ok=True)
        return self._digest.hexdigest()

    def restart(self) -> None:
        self._part.unlink(missing_ok=True)
        self._mark.unlink(missing_ok=True)
        self._digest, self.length = hashlib.sha256(), 0
        self._at(0)

    def headers(self) -> dict[str, str]:
        plain = {"Accept-Encoding": "identity"}
        if not self.length:
            return plain
        mark = {"If-Range": self._mark.read_text("ascii")} if self._mark.exists() else {}
        return {**plain, "Range": f"bytes={self.length}-", **mark}

    def receive(self, response: http.client.HTTPResponse, host: str) -> None:
        self._agree_on_start(response, host)
        total = self._agree_on_length(response, host)
        self._keep_mark(response.headers.get("ETag", ""))
        with self._part.open("ab", buffering=0) as file:
            while chunk := self._read(response, host):
                file.write(chunk)
                self._digest.update(chunk)
                self._count(len(chunk))
                if self._expected is not None and self.length > self._expected:
                    self._discard(f"{host} sends more than the {self._expected} bytes that were promised")
        if total is not None and self.length < total:
            words = f"the connection ended after {size_words(self.length)} of {size_words(total)}"
            raise SourceFailed(f"{host}: {words}", host=host)

    def _agree_on_start(self, response: http.client.HTTPResponse, host: str) -> None:
        """The answer is the rest of the file, or all of it from a host that can't send a rest."""
        if response.status == http.HTTPStatus.PARTIAL_CONTENT:
            if not response.headers.get("Content-Range", "").startswith(f"bytes {self.length}-"):
                raise SourceFailed(f"{host} answers with another piece of the file than was asked for", host=host)
        elif self.length:
            self.restart()

    def _agree_on_length(self, response: http.client.HTTPResponse, host: str) -> int | None:
        header = response.headers.get("Content-Length", "")
        total = self.length + int(header) if header.isdigit() else self._expected
        if self._expected is not None and total != self._expected:
            self._discard(f"{host} offers {total} bytes where {self._expected} were promised")
        return total

    def _read(self, response: http.client.HTTPResponse, host: str) -> bytes:
        self._cancel.raise_if_cancelled()
        try:
            return response.read1(CHUNK_BYTES)
        except TimeoutError as error:
            words = f"nothing came for a while, after {size_words(self.length)}"
            raise SourceFailed(f"{host}: {words}", host=host) from error
        except (OSError, http.client.HTTPException) as error:
            words = f"the connection broke after {size_words(self.length)} ({error})"
            raise SourceFailed(f"{host}: {words}", host=host) from error

    def _keep_mark(self, mark: str) -> None:
        """Weak marks say nothing about single bytes."""
        if mark.startswith('"') and mark.isascii() and not self._mark.exists():
            self._mark.write_text(mark, "ascii")

    def _discard(self, words: str) -> None:
        self.restart()
        raise WrongBytes(words)

    def _count(self, count: int) -> None:
        self.length += count
        self._at(self.length)
