"""The window as a program of its own, around a scripted assistant: started by test_application.py.

Prints "listening" when the window listens to events, so that a test knows that it is up.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from pathlib import Path

from aria_desktop.core.errors import AriaError
from aria_desktop.core.events import Event, WindowWanted
from aria_desktop.core.requests import Request
from aria_desktop.gui.application import WindowOptions, run
from tests.window.assistant_double import LOOKS

RESOURCES = Path(__file__).resolve().parents[2] / "resources"


class SilentAssistant:
    """Publishes `WindowWanted` for each line on standard input."""

    def submit(self, request: Request) -> None:
        if not isinstance(request, LOOKS):
            print(f"request {type(request).__name__}", flush=True)

    def subscribe(self, listener: Callable[[Event], None]) -> Callable[[], None]:
        def read() -> None:
            for _line in sys.stdin:
                listener(WindowWanted())

        threading.Thread(target=read, daemon=True).start()
        print("listening", flush=True)
        return lambda: print("unsubscribed", flush=True)

    def close(self) -> None:
        """Nothing runs."""


def _painted() -> None:
    print("painted", flush=True)


if __name__ == "__main__":
    try:
        code = run(SilentAssistant(), WindowOptions(RESOURCES, "/tmp", when_painted=_painted))
    except AriaError as error:
        print(f"{error.code}: {error}", flush=True)
        code = int(error.exit_code)
    sys.exit(code)
