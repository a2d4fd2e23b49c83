"""What the window of fetch mode says, and what its buttons do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from aria_desktop.core.fetch_mode import FetchLine, FetchState
from aria_desktop.gui.state.fetching import MainButton, all_here, back_words, figures, main_button, row, spoken

GAP = "\N{NO-BREAK SPACE}"
LINE = FetchLine("m", FetchState.DOWNLOADING, "hub.example", 90_000_000, 148_000_000, 12_000_000.0, 4.8)


def test_figures_are_bytes_speed_time_left_and_place() -> None:
    of, speed, left = f"90{GAP}MB of 148{GAP}MB", f"12{GAP}MB a second", f"5{GAP}s left"
    assert figures(LINE) == f"{of} · {speed} · {left} · from hub.example"
    assert figures(replace(LINE, total=None, bytes_per_s=0.0, seconds_left=None, source="")) == f"90{GAP}MB"
    assert figures(replace(LINE, state=FetchState.WAITING)) == f"148{GAP}MB"


@pytest.mark.parametrize(
    ("state", "words", "tone"),
    [
        (FetchState.DONE, "Here, and its hash is right", "gain"),
        (FetchState.FAILED, "Not fetched", "loss"),
        (FetchState.PAUSED, "Paused. What arrived is kept.", ""),
    ],
)
def test_each_state_has_words_of_its_own(state: FetchState, words: str, tone: str) -> None:
    shown = row(replace(LINE, state=state, text="why\nnot"), "A <b>model</b>")
    assert (shown.name, shown.state, shown.tone) == ("A <b>model</b>", words, tone)
    assert "\n" not in shown.text
    assert shown.per_mille == (1000 if state is FetchState.DONE else 608)
    assert spoken(replace(LINE, state=state), "A") == f"A: {words}"


def test_the_main_button_pauses_goes_on_or_tries_again() -> None:
    done, failed = replace(LINE, state=FetchState.DONE), replace(LINE, state=FetchState.FAILED)
    paused = replace(LINE, state=FetchState.PAUSED)
    assert main_button((LINE, done), running=True) is MainButton.PAUSE
    assert main_button((failed, done), running=False) is MainButton.TRY_AGAIN
    assert main_button((failed, paused), running=False) is MainButton.GO_ON
    assert back_words(running=True) != back_words(running=False)
    assert all_here((done, done))
    assert not all_here((done, failed))
