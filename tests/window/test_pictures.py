"""Screenshots of the running window, one for each state, for people to look at; kept in artifacts/window/.

Each waits for what must be on the picture, so a picture of the wrong thing fails.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator

import pytest

from aria_desktop.core import events
from aria_desktop.core.chat import ToolCall
from aria_desktop.core.requests import AnswerApproval
from aria_desktop.gui.languages import read_language
from aria_desktop.gui.state.translation import ENGLISH, use
from tests.conftest import REPOSITORY
from tests.window import stories
from tests.window.conftest import MakeStage, Stage


def _conversation(stage: Stage) -> None:
    stage.assistant.publish(
        *stories.engines(events.EngineState.READY, "CPU, 2 threads: no graphics card was found"),
        *stories.finished_code_turn("t1"),
        *stories.finished_notes_turn("t2"),
        *stories.plain_turn("t3"),
        *stories.kept(stage.assistant.looks, time.time()),
    )
    stage.wait_for("What does exponential back-off mean?")


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_idle(make_stage: MakeStage, theme: str) -> None:
    stage = make_stage(theme=theme)
    _conversation(stage)
    stage.wait_for("Models ready")
    stage.picture(f"1-idle-{theme}")


def test_empty_while_models_load(stage: Stage) -> None:
    stage.assistant.publish(*stories.engines(events.EngineState.LOADING))
    stage.wait_for("Models loading")
    stage.picture("0-empty-loading")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_listening(make_stage: MakeStage, theme: str) -> None:
    stage = make_stage(theme=theme)
    _conversation(stage)
    stage.assistant.publish(
        events.ActivityChanged(events.Activity.LISTENING),
        events.ListeningStarted("USB microphone"),
        *(events.LevelMeasured(abs(math.sin(i / 4) * math.sin(i / 11)) ** 2 * 0.7, speech=True) for i in range(160)),
    )
    stage.wait_for("Listening")
    stage.qtbot.waitUntil(lambda: stage.shows("Listening on USB microphone."), timeout=20_000)
    stage.qtbot.wait(80)
    stage.picture(f"2-listening-{theme}")
    stage.assistant.publish(events.ListeningEnded(4.0, "dropped"), events.ActivityChanged(events.Activity.IDLE))
    stage.wait_for("Ready")


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_running(make_stage: MakeStage, theme: str) -> None:
    stage = make_stage(theme=theme)
    stage.assistant.publish(
        *stories.engines(events.EngineState.READY, "CPU, 2 threads: no graphics card was found"),
        *stories.running_again("t9"),
    )
    stage.wait_for("Thinking")
    stage.wait_for("line 18")
    stage.qtbot.waitUntil(lambda: stage.shows("Think, happening now"), timeout=20_000)
    stage.qtbot.wait(2500)
    stage.window.conversation.verticalScrollBar().setValue(0)
    stage.click(stage.find("node-think"))
    stage.wait_for("second time")
    stage.picture(f"3-running-{theme}")


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_confirmation(make_stage: MakeStage, theme: str) -> None:
    stage = make_stage(theme=theme)
    _conversation(stage)
    call = ToolCall("c9", "write_code", {"path": "retry.py"})
    after = stories.RETRY.replace("import time\n", "import time\nimport random\n").replace(
        "time.sleep(wait)", "time.sleep(wait + random.uniform(0, wait / 4))"
    )
    words = "Add random jitter to retry.py and save it"
    stage.assistant.publish(
        events.ActivityChanged(events.Activity.CONFIRMING),
        stories.started("t9", words),
        events.CallProposed("t9", 1, call),
        events.ApprovalRequested(stories.question("t9", call, stories.RETRY, after, words)),
    )
    stage.wait_for("Overwrite retry.py?")
    stage.qtbot.waitUntil(stage.find("allowButton").isEnabled, timeout=20_000)
    stage.picture(f"4-confirm-{theme}")
    stage.assistant.expect(AnswerApproval)


def test_small_window(stage: Stage) -> None:
    stage.window.resize(720, 520)
    _conversation(stage)
    stage.qtbot.waitUntil(lambda: not stage.window.panel.drop_zone.isVisible(), timeout=20_000)
    stage.picture("10-small")


def test_large_type(make_stage: MakeStage) -> None:
    stage = make_stage(font_percent=150)
    _conversation(stage)
    stage.picture("11-large-type")


@pytest.fixture
def _spanish() -> Iterator[None]:
    use(read_language(REPOSITORY / "resources" / "words", "es"))
    yield
    use(ENGLISH)


@pytest.mark.usefixtures("_spanish")
def test_the_page_in_spanish(make_stage: MakeStage) -> None:
    stage = make_stage()
    stage.assistant.publish(
        *stories.engines(events.EngineState.READY, "CPU, 2 threads: no graphics card was found"),
        *stories.running_again("t9"),
        *stories.kept(stage.assistant.looks, time.time()),
    )
    stage.wait_for("Pensando")
    stage.qtbot.waitUntil(lambda: stage.shows("Pensar, ocurre ahora"), timeout=15_000)
    stage.wait_for("El micrófono está cerrado")
    stage.picture("3-running-spanish")
    left = {"Talk", "Models", "Speak replies", "Works in", "Files", "History", "Thinking", "Microphone is closed"}
    assert [words for words in left if stage.shows(words)] == []
