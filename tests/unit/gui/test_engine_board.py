from __future__ import annotations

import pytest

from aria_desktop.core.events import EngineChanged, EngineRole, EngineState
from aria_desktop.gui.state.banners import of_engine
from aria_desktop.gui.state.engine_board import EngineBoard
from aria_desktop.gui.state.turn import Tone

SPEECH, LANGUAGE, VOICE = EngineRole.SPEECH, EngineRole.LANGUAGE, EngineRole.VOICE
LOADING, READY, FAILED, OFF = EngineState.LOADING, EngineState.READY, EngineState.FAILED, EngineState.OFF
CPU = "CPU, 2 threads: no graphics card was found"


def _board(*changes: tuple[EngineRole, EngineState, str]) -> EngineBoard:
    board = EngineBoard()
    for role, state, detail in changes:
        board.apply(EngineChanged(role, state, f"{role}-model", detail))
    return board


@pytest.mark.parametrize(
    ("changes", "text", "detail"),
    [
        ((), "Models asleep", "until needed"),
        (((SPEECH, OFF, ""), (LANGUAGE, OFF, ""), (VOICE, OFF, "")), "Models asleep", "until needed"),
        (((SPEECH, LOADING, ""), (LANGUAGE, LOADING, ""), (VOICE, LOADING, "")), "Models loading", "all of them"),
        (((SPEECH, READY, CPU), (LANGUAGE, LOADING, ""), (VOICE, LOADING, "")), "Models loading", "thinking and voice"),
        (((SPEECH, READY, CPU), (LANGUAGE, READY, CPU), (VOICE, READY, "CPU")), "Models ready", "on the CPU"),
        (((SPEECH, READY, CPU), (LANGUAGE, READY, "Some card: 28 layers")), "Models ready", "on the CPU, Some card"),
        (((SPEECH, READY, ""), (LANGUAGE, READY, "")), "Models ready", ""),
        (((SPEECH, READY, CPU), (LANGUAGE, FAILED, "It does not fit.")), "Thinking failed", "It does not fit."),
        (((LANGUAGE, EngineState.RESTARTING, "It died."),), "Models loading", "thinking"),
    ],
)
def test_the_line(changes: tuple[tuple[EngineRole, EngineState, str], ...], text: str, detail: str) -> None:
    line = _board(*changes).line()
    assert (line.text, line.detail) == (text, detail)
    assert line.tone is (Tone.LOSS if "failed" in text else Tone.QUIET)


def test_the_tool_tip_tells_all_in_one_order() -> None:
    board = _board((VOICE, READY, "CPU"), (SPEECH, LOADING, ""))
    assert board.line().all == "Hearing: loading, speech-model\nVoice: ready, voice-model. CPU"


def test_states_are_known_by_role() -> None:
    board = _board((SPEECH, LOADING, ""), (SPEECH, READY, CPU))
    assert board.state(SPEECH) is READY
    assert board.detail(SPEECH) == CPU
    assert board.state(VOICE) is None
    assert board.detail(VOICE) == ""


def test_a_dead_engine_gets_a_banner_and_a_well_one_none() -> None:
    failed = of_engine(EngineChanged(LANGUAGE, FAILED, "m", "model.gguf is damaged."))
    assert failed is not None
    assert (failed.key, failed.tone, failed.hint) == ("engine-language", Tone.LOSS, "model.gguf is damaged.")
    restarting = of_engine(EngineChanged(VOICE, EngineState.RESTARTING, "m", ""))
    assert restarting is not None
    assert restarting.tone is Tone.DOUBT
    assert restarting.hint
    assert of_engine(EngineChanged(SPEECH, READY, "m", CPU)) is None
