"""After two crashes the window starts in safe mode, says so, and one click leads back: the real program, killed."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from Xlib.display import Display
from Xlib.error import BadWindow

from aria_desktop.core import events
from aria_desktop.core.safe_mode import SafeMode
from aria_desktop.gui.languages import read_language
from aria_desktop.gui.state.translation import ENGLISH, use
from aria_desktop.storage.crash_marker import NAME
from tests.conftest import REPOSITORY
from tests.processes import workers_of
from tests.window import stories
from tests.window.conftest import MakeStage, Stage
from tests.window.desk import TestDesk
from tests.window.desktop import Desktop
from tests.window.program_copy import ProgramCopy, part_of, wait_until

LIMIT = 20_000


@pytest.fixture
def program(tmp_path: Path) -> ProgramCopy:
    made = ProgramCopy.make(tmp_path)
    made.write_catalogue("http://127.0.0.1:9", [])
    return made


def crash(program: ProgramCopy, desktop: Desktop) -> None:
    """It loads its engines by itself, and is then killed."""
    with program.window(desktop.environment) as process:
        window = part_of(process.pid, "sealed_window")
        desktop.wait_for_window(window.pid, "ARIA")
        wait_until(lambda: bool(workers_of(window.pid)), "no engine was started")
        window.kill()
        starter = psutil.Process(process.pid)
        wait_until(lambda: starter.status() == psutil.STATUS_ZOMBIE, "its starter did not end with it")


def corner(desktop: Desktop, window: str) -> tuple[int, int]:
    """Of what is in the window's frame; xdotool counts the frame twice."""
    connection = Display(desktop.display)
    try:
        place = connection.screen().root.translate_coords(int(window), 0, 0)
        return place.x, place.y
    finally:
        connection.close()


def way_to_the_button(make_stage: MakeStage) -> tuple[int, int]:
    """Where the banner's button is in a window of the usual size."""
    stage = make_stage(safe_mode=SafeMode(2, lambda: None), desk=TestDesk().desk())
    button = stage.find("bannerAct")
    stage.picture("9-safe-mode")
    stage.click(button)  # Comes to rest; then its place counts.
    place = button.mapTo(stage.window, button.rect().center())
    return place.x(), place.y()


def test_two_crashes_one_click(make_stage: MakeStage, desktop: Desktop, program: ProgramCopy) -> None:
    x, y = way_to_the_button(make_stage)
    settings = (program.home / "config" / "settings.toml").read_bytes()
    crash(program, desktop)
    crash(program, desktop)
    with program.window(desktop.environment) as process:
        safe = part_of(process.pid, "sealed_window")
        shown = desktop.wait_for_window(safe.pid, "ARIA")
        desktop.act("windowactivate", "--sync", shown)

        def again() -> bool:
            if not safe.is_running() or safe.status() == psutil.STATUS_ZOMBIE:
                return True
            with suppress(psutil.NoSuchProcess):
                assert workers_of(safe.pid) == []
            with suppress(BadWindow):
                left, top = corner(desktop, shown)
                desktop.click(left + x, top + y)
            return False

        wait_until(again, "the button did not end it")
        usual = part_of(process.pid, "sealed_window")
        assert usual.pid != safe.pid
        desktop.wait_for_window(usual.pid, "ARIA")
        wait_until(lambda: bool(workers_of(usual.pid)), "it is not as usual")
        assert (program.home / "data" / NAME).read_bytes() == b"0"
    assert (program.home / "config" / "settings.toml").read_bytes() == settings
    assert not (program.home / "data" / NAME).exists()


def test_the_button_leaves_and_closes(make_stage: MakeStage) -> None:
    left: list[bool] = []
    stage = make_stage(safe_mode=SafeMode(2, lambda: left.append(True)), desk=TestDesk().desk())
    stage.wait_for("ARIA is in safe mode")
    stage.click(stage.find("bannerAct"))
    stage.qtbot.waitUntil(lambda: left == [True] and not stage.window.isVisible(), timeout=LIMIT)


def test_in_spanish(make_stage: MakeStage) -> None:
    use(read_language(REPOSITORY / "resources" / "words", "es"))
    try:
        stage = make_stage(safe_mode=SafeMode(2, lambda: None), desk=TestDesk().desk())
        stage.wait_for("ARIA está en modo seguro")
        stage.picture("9-safe-mode-spanish")
    finally:
        use(ENGLISH)


@pytest.mark.parametrize(
    ("trouble", "page"),
    [
        (events.Problem("", "disk_full", "The disk is full.", "Free some space, then go on."), "Keeping and deleting"),
        (events.Problem("", "microphone_missing", "There is no microphone.", "Plug one in."), "Hearing"),
        (events.Problem("", "speaker_missing", "There is no loudspeaker.", "Plug one in."), "Voice"),
        (events.ListeningDoubted("The microphone gives silence."), "Hearing"),
        (
            events.EngineChanged(events.EngineRole.LANGUAGE, events.EngineState.RESTARTING, "qwen", ""),
            "Troubleshooting",
        ),
    ],
    ids=["disk", "microphone", "loudspeaker", "silence", "engine"],
)
def test_a_dead_part_is_a_banner_whose_button_leads_to_what_helps(
    make_stage: MakeStage, trouble: events.Event, page: str
) -> None:
    stage = make_stage(desk=TestDesk().desk())
    stage.assistant.publish(*stories.engines(events.EngineState.READY), trouble)
    stage.qtbot.waitUntil(lambda: stage.visible("bannerAct"), timeout=LIMIT)
    stage.picture(f"9-banner-{page.split()[0].lower()}")
    stage.find("bannerAct").setFocus()
    stage.desktop.key("space")
    stage.qtbot.waitUntil(lambda: heading(stage) == page, timeout=LIMIT)


def heading(stage: Stage) -> str:
    if stage.window.pages.current.name != "SETTINGS":
        return ""
    widget = stage.find("categoryTitle")
    return str(getattr(widget, "text", str)())
