"""A process that opens the window and measures itself, for `aria bench window`; writes one JSON object.

`python -m aria_desktop.commands.window_probe alone|turn`: alone without any model, or with all of them and one turn.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any

from aria_desktop.core import events, listings, records, requests
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.gui.options import WindowOptions

TURNS = 10_000
WORDS = "Write a Python function that reverses a word and save it as reverse.py"
_MOST_S = 300.0


class SilentAssistant:
    """It has no model, and answers nothing."""

    def __init__(self) -> None:
        self._listener: Callable[[events.Event], None] = lambda _: None

    def submit(self, request: requests.Request) -> None:
        pass

    def subscribe(self, listener: Callable[[events.Event], None]) -> Callable[[], None]:
        self._listener = listener
        return lambda: None

    def close(self) -> None:
        pass

    def tell(self, event: events.Event) -> None:
        self._listener(event)


def alone() -> dict[str, Any]:
    import psutil

    from aria_desktop.gui.measuring import opened_window
    from aria_desktop.storage.paths import find_paths

    this = psutil.Process()
    assistant = SilentAssistant()
    with opened_window(assistant, WindowOptions(find_paths().resources, "/nowhere")) as opened:
        opened.until(lambda: opened.painted, 30)
        visible = time.time() - this.create_time()
        usable = time.time() - this.create_time() if opened.takes_keys() else None
        empty = this.memory_info().rss
        began = time.perf_counter()
        assistant.tell(_long_conversation())
        opened.until(lambda: opened.window.conversation.built > 0, 60)
        opened.window.conversation.viewport().repaint()
        opening = time.perf_counter() - began
        return {
            "visible_s": visible,
            "usable_s": usable,
            "empty_mb": empty / 1e6,
            "open_s": opening,
            "scroll_s": opened.scrolled(300),
            "jump_s": opened.jumped(60),
            "full_mb": this.memory_info().rss / 1e6,
        }


def turn() -> dict[str, Any]:
    """One typed turn with all models: its question is answered as soon as it is asked."""
    from aria_desktop.app import bench_program
    from aria_desktop.gui.measuring import opened_window
    from aria_desktop.storage.paths import find_paths

    with bench_program() as program:
        program.wait_ready()
        ended: list[events.TurnEnded] = []

        def heed(event: events.Event) -> None:
            if isinstance(event, events.ApprovalRequested):
                program.session.submit(requests.AnswerApproval(event.request.id, True, "the benchmark"))
            elif isinstance(event, events.TurnEnded):
                ended.append(event)

        unsubscribe = program.session.subscribe(heed)
        options = WindowOptions(find_paths().resources, str(program.workspace), speak=True)
        with closing(program.session), opened_window(program.session, options) as opened:
            opened.until(lambda: opened.painted, 30)
            opened.send(WORDS)
            gaps = opened.gaps_while(lambda: bool(ended), _MOST_S)
            unsubscribe()
    return {"gaps_s": gaps, "outcome": ended[0].outcome.value if ended else "none"}


def _long_conversation() -> listings.SessionShown:
    turns = tuple(
        records.TurnRecord(
            f"t{number}",
            records.Source.TEXT,
            f"Question {number}: how does exponential back-off work?",
            "You wait longer before each new try. " * (1 + number % 7),
            TurnOutcome.ANSWERED,
            1_700_000_000.0 + 60 * number,
            (),
            {"total": 2.5},
        )
        for number in range(TURNS)
    )
    session = records.SessionRecord("s1", "A long conversation", turns[-1].started, TURNS, False)
    return listings.SessionShown("", session, turns, current=True)


if __name__ == "__main__":
    print(json.dumps({"alone": alone, "turn": turn}[sys.argv[1]]()))
