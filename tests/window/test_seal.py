"""The seal in the top bar says what is so, and the page behind it lists every process with what it could connect to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from aria_desktop.core.errors import DisplayMissing
from aria_desktop.core.requests import NewSession
from aria_desktop.core.seal import Badge, Reach, SealedProcess, SealReport
from aria_desktop.gui.display import require_display
from tests.window.conftest import MakeStage

SHUT = Reach(internet=False, local=True, ring=False)
OPEN = Reach(internet=True, local=True, ring=True)
WINDOW = SealedProcess(4100, "aria window", 1, keeps=True, connections=())
ENGINE = SealedProcess(4107, "language engine", 2, keeps=True, connections=())


@pytest.mark.parametrize(
    ("badge", "name", "explained"),
    [
        (Badge.SEALED, "Sealed", "nothing leaves this computer"),
        (Badge.OPEN, "Not sealed", "this system does not keep ARIA from the network"),
        (Badge.CLOUD, "Cloud is on", "what you say may leave this computer"),
    ],
)
def test_the_badge_is_there_from_the_start_and_stays(
    make_stage: MakeStage, badge: Badge, name: str, explained: str
) -> None:
    stage = make_stage(expects=(NewSession,), badge=badge)
    stage.wait_for(name)
    stage.wait_for(explained)
    stage.window.new_conversation.emit()
    stage.window.resize(700, 420)
    stage.qtbot.waitUntil(lambda: stage.window.width() < 900, timeout=20_000)
    stage.wait_for(name)
    assert stage.shows("Sealed") == (badge is Badge.SEALED)
    stage.picture(f"seal-{badge}")


def test_the_page_lists_every_process_and_that_none_can_connect(make_stage: MakeStage) -> None:
    looks: list[SealReport] = []

    def look() -> SealReport:
        looks.append(SealReport(SHUT, "", (WINDOW, ENGINE)))
        return looks[-1]

    stage = make_stage(look_at_seal=look)
    assert looks == []
    stage.click(stage.find("sealButton"))
    stage.wait_for("Connections that could be made: none.")
    for words in ("aria window (4100)", "language engine (4107)", "sealed by the kernel", "no network connections"):
        stage.wait_for(words)
    stage.wait_for("Tried just now: the internet can't be reached, other programs of this computer can be reached.")
    stage.picture("seal-page")
    stage.desktop.key("Escape")
    stage.qtbot.waitUntil(lambda: not stage.visible("sealPage"), timeout=20_000)
    assert len(looks) == 1


def test_a_process_that_is_not_sealed_is_named_with_its_connections(make_stage: MakeStage) -> None:
    other = SealedProcess(4111, "</b>evil\n\u202ename", 0, keeps=False, connections=("10.0.0.5:4 to 1.2.3.4:443 open",))
    stage = make_stage(look_at_seal=lambda: SealReport(SHUT, "", (WINDOW, other)))
    stage.click(stage.find("sealButton"))
    stage.wait_for("Not every process of ARIA is sealed.")
    stage.wait_for("not sealed")
    stage.wait_for("10.0.0.5:4 to 1.2.3.4:443 open")
    stage.wait_for("</b>evil<U+000A><U+202E>name (4111)")
    stage.click(stage.find("closeSealPage"))
    stage.qtbot.waitUntil(lambda: not stage.visible("sealPage"), timeout=20_000)


def test_what_waits_for_the_window_is_listed_and_a_connection_of_it_breaks_the_seal(make_stage: MakeStage) -> None:
    waits = SealedProcess(4099, "starter of the window", 0, keeps=False, connections=())
    report = SealReport(SHUT, "", (WINDOW, ENGINE), waits)
    stage = make_stage(look_at_seal=lambda: report)
    stage.click(stage.find("sealButton"))
    stage.wait_for("Connections that could be made: none.")
    stage.wait_for("starter of the window (4099)")
    stage.wait_for("not sealed: it only waits for this window")
    assert report.sealed
    talks = replace(waits, connections=("10.0.0.5:4 to 1.2.3.4:443 open",))
    assert not replace(report, starter=talks).sealed


def test_a_system_without_a_door_gives_its_reason(make_stage: MakeStage) -> None:
    reason = "On macOS a program can't close its own network door."
    stage = make_stage(badge=Badge.OPEN, look_at_seal=lambda: SealReport(OPEN, reason, (WINDOW,)))
    stage.click(stage.find("sealButton"))
    stage.wait_for(reason)
    stage.wait_for("Tried just now: the internet can be reached, other programs of this computer can be reached.")


def test_without_a_look_there_is_no_button(make_stage: MakeStage) -> None:
    assert not make_stage().visible("sealButton")


def test_a_display_over_the_network_is_named_as_what_the_seal_keeps_out() -> None:
    with pytest.raises(DisplayMissing, match="is reached over the network"):
        require_display({"DISPLAY": "localhost:7654.0"})
