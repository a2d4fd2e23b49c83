"""The guide of the first start, with real keys: offered, passed through, its tests made, and nothing carried out."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from aria_desktop.core import events, listings, requests
from aria_desktop.core.events import EngineRole
from aria_desktop.core.models import MachineRecord, ModelPresence
from aria_desktop.core.requests import ChangeSetting, DropRecording, ListModels, StartListening
from aria_desktop.gui.guide import GuideDialog
from aria_desktop.gui.languages import read_language
from aria_desktop.gui.state.banners import Do
from aria_desktop.gui.state.guide import Step
from aria_desktop.gui.state.translation import ENGLISH, use
from tests.conftest import REPOSITORY
from tests.unit.gui.test_guide import models
from tests.unit.gui.test_models_page import MODEL
from tests.window.conftest import MakeStage, Stage
from tests.window.desk import TestDesk

LIMIT = 20_000
MACHINE = MachineRecord(16_000_000_000, 9_000_000_000, "", "no graphics card was found")


def opened(make_stage: MakeStage, presence: ModelPresence = ModelPresence.INSTALLED) -> Stage:
    """From the banner of the first start, by keys, with the models told."""
    stage = make_stage((ListModels,), first_start=True, desk=TestDesk().desk())
    stage.qtbot.waitUntil(lambda: stage.visible("bannerAct"), timeout=LIMIT)
    stage.find("bannerAct").setFocus(Qt.FocusReason.TabFocusReason)
    stage.desktop.key("space")
    stage.qtbot.waitUntil(lambda: stage.visible("guide") and bool(stage.assistant.received), timeout=LIMIT)
    assert not stage.visible("bannerAct")
    other = replace(MODEL, model_id="other", name="Other voice", role=EngineRole.VOICE, in_use=False)
    listed = stage.assistant.last(ListModels)
    assert isinstance(listed, ListModels)
    stage.assistant.publish(listings.ModelsListed(listed.request_id, (*models(presence), other), MACHINE))
    return stage


def dialog_is_active(stage: Stage) -> None:
    stage.qtbot.waitUntil(lambda: stage.find("guide").isActiveWindow(), timeout=LIMIT)


def go_to(stage: Stage, step: Step) -> None:
    """By Enter, page after page."""
    guide = stage.find("guide")
    assert isinstance(guide, GuideDialog)
    dialog_is_active(stage)
    while (before := guide.step) is not step:
        stage.find("guideNext").setFocus()
        stage.desktop.key("Return")
        stage.qtbot.waitUntil(partial(_left, guide, before), timeout=LIMIT)


def _left(guide: GuideDialog, step: Step) -> bool:
    return guide.step is not step


def test_pages_on_which_all_is_well_are_passed_over(make_stage: MakeStage) -> None:
    stage = opened(make_stage)
    stage.wait_for("Say something")
    stage.picture("5-guide-microphone")
    stage.desktop.key("Escape")
    stage.qtbot.waitUntil(lambda: not stage.visible("guide"), timeout=LIMIT)


def test_missing_models_are_told_and_the_models_page_is_one_press_away(make_stage: MakeStage) -> None:
    stage = opened(make_stage, ModelPresence.MISSING)
    stage.wait_for("What runs on this computer")
    stage.picture("5-guide-models")
    stage.assistant.expect(ListModels)
    stage.find("guideModels").setFocus()
    dialog_is_active(stage)
    stage.desktop.key("space")
    stage.qtbot.waitUntil(lambda: stage.window.pages.current.name == "MODELS", timeout=LIMIT)
    assert not stage.visible("guide")


def test_a_folder_or_stick_is_one_press_away(make_stage: MakeStage) -> None:
    stage = opened(make_stage, ModelPresence.MISSING)
    stage.wait_for("What runs on this computer")
    stage.assistant.expect(ListModels)
    stage.find("guideFolder").setFocus()
    dialog_is_active(stage)
    stage.desktop.key("space")
    stage.qtbot.waitUntil(lambda: stage.visible("modelsDialog"), timeout=LIMIT)
    stage.find("modelsDialog").close()


def test_the_microphone_is_tested_and_what_was_said_is_forgotten(make_stage: MakeStage) -> None:
    stage = opened(make_stage)
    stage.wait_for("Say something")
    stage.assistant.expect(StartListening, DropRecording)
    stage.find("guideTest").setFocus()
    dialog_is_active(stage)
    stage.desktop.key("space")
    stage.qtbot.waitUntil(lambda: isinstance(stage.assistant.received[-1], StartListening), timeout=LIMIT)
    stage.assistant.publish(
        events.ActivityChanged(events.Activity.LISTENING),
        events.ListeningStarted("USB microphone"),
        *(events.LevelMeasured(0.4, speech=True) for _ in range(20)),
        events.WordsSoFar("guide-2", "testing one two", 1.2, pausing=False),
    )
    stage.wait_for("Understood: testing one two")
    stage.picture("5-guide-heard")
    stage.find("guideTest").setFocus()
    stage.desktop.key("space")
    stage.qtbot.waitUntil(lambda: isinstance(stage.assistant.received[-1], DropRecording), timeout=LIMIT)
    stage.assistant.publish(events.ListeningEnded(1.2, "dropped"), events.ActivityChanged(events.Activity.IDLE))
    stage.wait_for("Microphone, done")


def test_closing_it_ends_a_test_that_goes_on(make_stage: MakeStage) -> None:
    stage = opened(make_stage)
    stage.wait_for("Say something")
    stage.assistant.expect(StartListening, DropRecording)
    stage.click(stage.find("guideTest"))
    stage.qtbot.waitUntil(lambda: isinstance(stage.assistant.received[-1], StartListening), timeout=LIMIT)
    stage.assistant.publish(events.ListeningStarted("USB microphone"))
    stage.wait_for("Speak now.")
    stage.desktop.key("Escape")
    stage.qtbot.waitUntil(lambda: isinstance(stage.assistant.received[-1], DropRecording), timeout=LIMIT)
    stage.assistant.publish(events.ListeningEnded(1.2, "dropped"))


def test_a_microphone_that_is_not_there_is_said_on_the_page(make_stage: MakeStage) -> None:
    stage = opened(make_stage)
    stage.wait_for("Say something")
    stage.assistant.expect(StartListening)
    stage.click(stage.find("guideTest"))
    stage.qtbot.waitUntil(lambda: isinstance(stage.assistant.received[-1], StartListening), timeout=LIMIT)
    request = stage.assistant.last(StartListening)
    assert isinstance(request, StartListening)
    stage.assistant.publish(
        events.Problem(request.request_id, "microphone_missing", "There is no microphone.", "Plug one in.")
    )
    stage.wait_for("There is no microphone. Plug one in.")
    assert not stage.visible("bannerAct")


def test_the_key_lights_up_and_nothing_is_listened_to(make_stage: MakeStage) -> None:
    stage = opened(make_stage)
    stage.wait_for("Say something")
    go_to(stage, Step.KEY)
    stage.wait_for("It has not come yet. An input method may have taken it.")
    stage.desktop.act("keydown", "ctrl", "keydown", "space")
    stage.wait_for("It is down.")
    stage.picture("5-guide-key-down")
    stage.desktop.act("keyup", "space", "keyup", "ctrl")
    stage.wait_for("Pressed and let go: it works.")
    assert [type(each) for each in stage.assistant.received] == [ListModels]


def test_a_voice_is_chosen_and_a_first_command_put_into_the_text_box(make_stage: MakeStage) -> None:
    stage = opened(make_stage)
    stage.wait_for("Say something")
    go_to(stage, Step.VOICE)
    stage.assistant.expect(ChangeSetting, ListModels)
    stage.find("guideVoice-other").setFocus()
    stage.desktop.key("space")
    stage.qtbot.waitUntil(lambda: isinstance(stage.assistant.received[-1], ChangeSetting), timeout=LIMIT)
    wanted = stage.assistant.last(ChangeSetting)
    assert isinstance(wanted, ChangeSetting)
    assert (wanted.name, wanted.value) == ("engines.voice", f"{MODEL.engine}:other")
    stage.assistant.publish(listings.SettingChanged(wanted.request_id, wanted.name, wanted.value))
    stage.qtbot.waitUntil(lambda: isinstance(stage.assistant.received[-1], ListModels), timeout=LIMIT)
    go_to(stage, Step.PRIVACY)
    stage.picture("5-guide-privacy")
    go_to(stage, Step.FIRST)
    stage.picture("5-guide-first")
    stage.find("guideExample0").setFocus()
    stage.desktop.key("space")
    stage.qtbot.waitUntil(
        lambda: stage.field.toPlainText() == "Create a shopping list with milk, eggs and bread", timeout=LIMIT
    )
    assert not stage.visible("guide")


def test_it_is_opened_again_from_the_settings(make_stage: MakeStage) -> None:
    stage = make_stage((requests.ListModels,), desk=TestDesk().desk())
    assert not stage.visible("bannerAct")
    stage.conductor._act(Do.LOG)
    stage.qtbot.waitUntil(lambda: stage.visible("openGuide"), timeout=LIMIT)
    stage.find("openGuide").setFocus()
    stage.desktop.key("space")
    stage.qtbot.waitUntil(lambda: stage.visible("guide"), timeout=LIMIT)
    stage.qtbot.waitUntil(lambda: bool(stage.assistant.received), timeout=LIMIT)


@pytest.mark.parametrize("theme", ["dark", "contrast"])
def test_in_spanish_in_every_theme(make_stage: MakeStage, theme: str) -> None:
    use(read_language(REPOSITORY / "resources" / "words", "es"))
    try:
        stage = make_stage((ListModels,), theme=theme, desk=TestDesk().desk())
        stage.conductor._guide.open()
        stage.wait_for("Lo que ARIA ha encontrado aquí")
        widget: QWidget = stage.find("guide")
        assert widget.windowTitle() == "Preparar ARIA"
        stage.picture(f"5-guide-spanish-{theme}")
    finally:
        use(ENGLISH)
