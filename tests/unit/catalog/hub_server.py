"""A publisher's hub on this machine, which can be told to misbehave, once for each step it is given.

It complains about steps that nobody used: a test that expects a broken connection must have had one.
"""

from __future__ import annotations

import re
import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True, slots=True)
class Serve:
    """One answer. As it is, a correct one."""

    stop_after: int | None = None
    """Close the connection after so many bytes of the body, whatever was announced."""
    stall_after: int | None = None
    """Send so many bytes of the body, then nothing until the server is closed."""
    announce: int = 0
    """Added to the true length in the headers."""
    ranges: bool = True
    """Off: always the whole file, as from a host that can't send a rest."""
    shift: int = 0
    """Answer with a range that begins so much later than asked."""
    flip: int | None = None
    """Change the byte at this place."""
    status: int = 0
    redirect: str = ""
    etag: str = '"one"'


class HubServer:
    """Use as a context manager."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = dict(files)
        """Content by path, without the leading slash."""
        self.asked: list[tuple[str, str]] = []
        """Path and Range header of each request."""
        self._steps: deque[Serve] = deque()
        self._released = threading.Event()
        self.stalled = threading.Event()
        """Set while an answer has stopped in the middle."""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = False
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def then(self, *steps: Serve) -> None:
        """Answer the next requests like this; those after them correctly."""
        self._steps.extend(steps)

    def next_step(self) -> Serve:
        return self._steps.popleft() if self._steps else Serve()

    def wait_for_end(self) -> None:
        self.stalled.set()
        self._released.wait(30)

    def __enter__(self) -> HubServer:
        self._thread.start()
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        self._released.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        assert error is not None or not self._steps, f"steps that nobody asked for: {list(self._steps)}"


def _handler(hub: HubServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            hub.asked.append((self.path.lstrip("/"), self.headers.get("Range", "")))
            step = hub.next_step()
            content = hub.files.get(self.path.lstrip("/"))
            if step.redirect:
                self._head(302, {"Location": step.redirect, "Content-Length": "0"})
            elif step.status or content is None:
                self._head(step.status or 404, {"Content-Length": "0"})
            else:
                self._serve(step, content)

        def _serve(self, step: Serve, content: bytes) -> None:
            if step.flip is not None:
                content = content[: step.flip] + bytes([content[step.flip] ^ 1]) + content[step.flip + 1 :]
            start = self._start(step)
            if start is not None and start >= len(content):
                self._head(416, {"Content-Length": "0"})
                return
            body = content[start or 0 :]
            length = {"Content-Length": str(len(body) + step.announce), "ETag": step.etag}
            if start is None:
                self._head(200, length)
            else:
                self._head(206, {**length, "Content-Range": f"bytes {start}-{len(content) - 1}/{len(content)}"})
            self._body(step, body)

        def _start(self, step: Serve) -> int | None:
            asked = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
            mark = self.headers.get("If-Range")
            if asked is None or not step.ranges or mark not in (None, step.etag):
                return None
            return int(asked[1]) + step.shift

        def _body(self, step: Serve, body: bytes) -> None:
            cut = step.stop_after if step.stop_after is not None else step.stall_after
            self.wfile.write(body[:cut])
            if step.stall_after is not None:
                self.wfile.flush()
                hub.wait_for_end()
            if cut is not None or step.announce:
                self.close_connection = True

        def _head(self, status: int, headers: Mapping[str, str]) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()

        def handle_one_request(self) -> None:
            try:
                super().handle_one_request()
            except ConnectionError:
                self.close_connection = True

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    return Handler
