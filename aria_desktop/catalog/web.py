"""One way onto the network, for fetching models and nothing else: impatient while connecting, patient while bytes
come, https only, and cut at once when the work is cancelled."""

from __future__ import annotations

import functools
import http.client
import socket
import ssl
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import IO
from urllib.parse import urlsplit

from aria_desktop.catalog.catalog import LOOPBACK
from aria_desktop.catalog.sources import SourceFailed

CONNECT_S = 5.0
STALL_S = 30.0
"""A connection that delivers nothing for so long is given up. Slow is not stalled."""

_Opened = Callable[[http.client.HTTPConnection], None]


def redirect_allowed(target: str) -> bool:
    """To https anywhere; to plain http on this machine only."""
    parts = urlsplit(target)
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)


class Web:
    """Opens addresses through the system's proxy settings. `cut` may be called from any thread."""

    def __init__(self, connect_s: float = CONNECT_S, stall_s: float = STALL_S) -> None:
        self._connect_s, self._stall_s = connect_s, stall_s
        self._sockets: list[socket.socket] = []
        self._opener = urllib.request.build_opener(_Http(self._opened), _Https(self._opened), _Redirects())

    def open(self, url: str, headers: Mapping[str, str]) -> http.client.HTTPResponse:
        """Raises urllib's HTTPError for an answer that is no success, SourceFailed for everything else."""
        host = urlsplit(url).hostname or ""
        request = urllib.request.Request(url, headers={"User-Agent": "aria-desktop", **headers})
        try:
            response: http.client.HTTPResponse = self._opener.open(request, timeout=self._connect_s)
        except urllib.error.HTTPError:
            raise
        except (OSError, http.client.HTTPException) as error:
            raise SourceFailed(f"{host}: {_reason(error)}", host=host) from error
        return response

    def cut(self) -> None:
        """End every read that waits for the network."""
        for connection in tuple(self._sockets):
            # The plain socket's method: that of a TLS socket takes the session away under the reader.
            with suppress(OSError):
                socket.socket.shutdown(connection, socket.SHUT_RDWR)

    def forget(self) -> None:
        """The connections opened so far are done with."""
        self._sockets.clear()

    def _opened(self, connection: http.client.HTTPConnection) -> None:
        connection.sock.settimeout(self._stall_s)
        self._sockets.append(connection.sock)


def _reason(error: Exception) -> str:
    cause = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(cause, TimeoutError):
        return "no answer in time"
    if isinstance(cause, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted ({cause.verify_message})"
    return (cause.strerror if isinstance(cause, OSError) else "") or str(cause) or type(cause).__name__


class _Redirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        if not redirect_allowed(newurl):
            fp.close()
            raise urllib.error.URLError(f"it redirects to {newurl}, which is not https")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


class _Http(urllib.request.HTTPHandler):
    def __init__(self, opened: _Opened) -> None:
        super().__init__()
        self._opened = opened

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(functools.partial(_PlainConnection, self._opened), req)


class _Https(urllib.request.HTTPSHandler):
    def __init__(self, opened: _Opened) -> None:
        super().__init__()
        self._opened = opened

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(functools.partial(_SecureConnection, self._opened), req)


class _PlainConnection(http.client.HTTPConnection):
    def __init__(self, opened: _Opened, host: str, timeout: float) -> None:
        super().__init__(host, timeout=timeout)
        self._opened = opened

    def connect(self) -> None:
        super().connect()
        self._opened(self)


class _SecureConnection(http.client.HTTPSConnection):
    def __init__(self, opened: _Opened, host: str, timeout: float) -> None:
        super().__init__(host, timeout=timeout)
        self._opened = opened

    def connect(self) -> None:
        super().connect()
        self._opened(self)
