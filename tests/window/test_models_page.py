"""The Models page with real keys and clicks: what is shown, used, measured, checked, removed, added and fetched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import pytest
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from aria_desktop.core import events, listings, requests
from aria_desktop.core.errors import FetchFailed
from aria_desktop.core.events import EngineRole
from aria_desktop.core.models import (
    MachineRecord,
    MeasuredSpeed,
    ModelFit,
    ModelPresence,
    ModelRecord,
    ModelWork,
    ToolScore,
)
from aria_desktop.core.records import Source
from aria_desktop.gui.languages import read_language
from aria_desktop.gui.pages.models_page import ModelsPage
from aria_desktop.gui.state.pages import Page
from aria_desktop.gui.state.translation import ENGLISH, use
from aria_desktop.storage.left_off import LeftOff
from tests.conftest import REPOSITORY
from tests.window.conftest import MakeStage, Stage
from tests.window.desk import TestDesk

GB = 1_000_000_000
MACHINE = MachineRecord(24 * GB, 19 * GB, "", "no NVIDIA driver is installed")
HUB = ("huggingface.co",)


def model(model_id: str, role: EngineRole, name: str, **more: object) -> ModelRecord:
    usual = ModelRecord(
        *(model_id, role, name, "nobody", "MIT", ("en",), 148_000_000, ModelPresence.INSTALLED),
        *(480_000_000, True, ModelFit.FITS, False, (*HUB, "the package index")),
        {EngineRole.LANGUAGE: "llama.cpp", EngineRole.SPEECH: "faster-whisper", EngineRole.VOICE: "piper"}[role],
    )
    return replace(usual, **more)  # type: ignore[arg-type]


SMALL = model(
    *("small", EngineRole.LANGUAGE, "Qwen2.5-Coder 0.5B"),
    licence="Apache-2.0",
    speed=MeasuredSpeed(31.2, 0.0),
    tools=ToolScore(117, 151),
    note="For the smallest machines; chooses tools less surely.",
)
USED = model(
    *("used", EngineRole.LANGUAGE, "Qwen2.5-Coder 1.5B"),
    in_use=True,
    languages=("en", "zh", "es", "fr"),
    tools=ToolScore(148, 151),
)
TIGHT = model(
    *("tight", EngineRole.LANGUAGE, "Qwen2.5-Coder 14B & <b>more</b>"),
    presence=ModelPresence.PARTIAL,
    size=9 * GB,
    memory=16 * GB,
    fit=ModelFit.TIGHT,
    sources=HUB,
)
BIG = model(
    *("big", EngineRole.LANGUAGE, "Llama 3.3 70B Instruct"),
    presence=ModelPresence.MISSING,
    size=42 * GB,
    memory=46 * GB,
    fit=ModelFit.TOO_BIG,
)
EAR = model("ear", EngineRole.SPEECH, "faster-whisper base", in_use=True, languages=("en",) * 99)
VOICE = model("voice", EngineRole.VOICE, "Joe (US English)", in_use=True, speed=MeasuredSpeed(8.04, 0.0))
ALL = (SMALL, USED, TIGHT, BIG, EAR, VOICE)


class Fetches:
    """Fetch mode that is only asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[Sequence[str], LeftOff]] = []
        self.fails = False

    def __call__(self, names: Sequence[str], left: LeftOff) -> None:
        if self.fails:
            raise FetchFailed("What starts fetch mode is gone.", "Close this window and start ARIA again.")
        self.asked.append((names, left))


@pytest.fixture
def fetches() -> Fetches:
    return Fetches()


@pytest.fixture
def opened(make_stage: MakeStage, fetches: Fetches) -> Stage:
    stage = make_stage(desk=TestDesk().desk(), fetch=fetches)
    open_page(stage)
    return stage


def open_page(stage: Stage, models: tuple[ModelRecord, ...] = ALL) -> ModelsPage:
    stage.assistant.expect(requests.ListModels)
    stage.desktop.key("ctrl+3")
    stage.qtbot.waitUntil(lambda: stage.window.pages.current is Page.MODELS, timeout=30_000)
    tell_list(stage, models)
    stage.wait_for(models[0].name)
    (page,) = stage.window.findChildren(ModelsPage)
    return page


def tell_list(stage: Stage, models: tuple[ModelRecord, ...] = ALL) -> None:
    """Answer the last wish for the list."""
    request = await_request(stage, requests.ListModels)
    assert isinstance(request, requests.ListModels)
    stage.assistant.publish(listings.ModelsListed(request.request_id, models, MACHINE))


def await_request(stage: Stage, kind: type[requests.Request]) -> requests.Request:
    stage.qtbot.waitUntil(lambda: kind not in stage.assistant.missing, timeout=30_000)
    return stage.assistant.last(kind)


def by_menu(stage: Stage, model_id: str, downs: int) -> None:
    """Choose from a model's menu by keys."""
    button = stage.find(f"more-{model_id}")
    button.setFocus()
    stage.desktop.key("space")
    stage.qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu), timeout=30_000)
    stage.desktop.key(*["Down"] * downs, "Return")
    stage.qtbot.waitUntil(lambda: QApplication.activePopupWidget() is None, timeout=30_000)


def working(stage: Stage, work: ModelWork, model_id: str) -> requests.WorkOnModel:
    request = await_request(stage, requests.WorkOnModel)
    assert isinstance(request, requests.WorkOnModel)
    assert (request.work, request.model_id) == (work, model_id)
    return request


def test_each_model_says_what_it_is_needs_and_can_here(opened: Stage) -> None:
    for words in (
        "Runs on the CPU:",
        "no NVIDIA driver is installed",
        "31 tokens a second",
        "tools 98 of 100",
        "8.0× real time",
        "For the smallest machines; chooses tools less surely.",
        "99 languages".replace(" ", "\N{NO-BREAK SPACE}"),
        "Too big: needs 46 GB".replace(" GB", "\N{NO-BREAK SPACE}GB"),
        "Qwen2.5-Coder 14B & <b>more</b>",
    ):
        opened.wait_for(words)
    assert not opened.visible("act-used")
    assert not opened.find("more-big").isEnabled()
    opened.picture("models-page")


def test_it_is_walked_through_by_keyboard_alone(opened: Stage) -> None:
    names: list[str] = []
    for _ in range(9):
        focused = QApplication.focusWidget()
        names.append(focused.objectName() if focused is not None else "")
        opened.desktop.key("Tab")
        opened.qtbot.waitUntil(partial(_moved_from, focused), timeout=30_000)
    assert names == [
        *("addModels", "measureAll", "act-small", "more-small", "more-used", "act-tight", "more-tight", "act-big"),
        "more-ear",
    ]


def _moved_from(widget: QWidget | None) -> bool:
    return QApplication.focusWidget() is not widget


def test_another_model_is_used_at_once(opened: Stage) -> None:
    opened.assistant.expect(requests.ChangeSetting, requests.ListModels)
    opened.click(opened.find("act-small"))
    request = await_request(opened, requests.ChangeSetting)
    assert isinstance(request, requests.ChangeSetting)
    assert (request.name, request.value) == ("engines.language", "llama.cpp:small")
    opened.assistant.publish(listings.SettingChanged(request.request_id, request.name, request.value))
    tell_list(opened, (replace(SMALL, in_use=True), replace(USED, in_use=False), *ALL[2:]))
    opened.qtbot.waitUntil(lambda: opened.visible("act-used"), timeout=30_000)
    assert not opened.visible("act-small")


def test_a_refused_change_is_told_on_the_page(opened: Stage) -> None:
    opened.assistant.expect(requests.ChangeSetting)
    opened.click(opened.find("act-small"))
    request = await_request(opened, requests.ChangeSetting)
    assert isinstance(request, requests.ChangeSetting)
    opened.assistant.publish(events.Problem(request.request_id, "storage", "The disk is full.", "Free some space."))
    opened.wait_for("The disk is full. Free some space.")


def test_measuring_shows_that_it_goes_on_and_what_came_of_it(opened: Stage) -> None:
    opened.assistant.expect(requests.WorkOnModel)
    by_menu(opened, "used", 1)
    request = working(opened, ModelWork.MEASURE, "used")
    opened.wait_for("Measuring")
    opened.picture("models-measuring")
    opened.assistant.expect(requests.ListModels)
    opened.assistant.publish(listings.ModelWorkDone(request.request_id, request.work, ("used",)))
    tell_list(opened, (SMALL, replace(USED, speed=MeasuredSpeed(14.4, 0.0)), *ALL[2:]))
    opened.wait_for("14 tokens a second")
    opened.wait_for("Qwen2.5-Coder 1.5B: measured.")


def test_a_check_tells_how_far_it_is_and_can_be_stopped(opened: Stage) -> None:
    opened.assistant.expect(requests.WorkOnModel)
    by_menu(opened, "small", 2)
    request = working(opened, ModelWork.VERIFY, "small")
    opened.assistant.publish(listings.ModelWorkMoved(request.request_id, "small", request.work, 61, 100))
    opened.wait_for("Checking 61\N{NO-BREAK SPACE}%")
    opened.assistant.expect(requests.StopModelWork)
    opened.click(opened.find("stop-small"))
    assert await_request(opened, requests.StopModelWork) == requests.StopModelWork(request.request_id)
    opened.assistant.expect(requests.ListModels)
    opened.assistant.publish(listings.ModelWorkDone(request.request_id, request.work, ()))
    tell_list(opened)
    opened.wait_for("Stopped.")


def test_removing_is_asked_about_and_no_is_the_easy_answer(opened: Stage) -> None:
    by_menu(opened, "small", 3)
    opened.wait_for("Remove Qwen2.5-Coder 0.5B?")
    opened.picture("models-remove")
    opened.desktop.key("Return")
    opened.qtbot.waitUntil(lambda: not opened.visible("plainQuestion"), timeout=30_000)
    by_menu(opened, "small", 3)
    opened.qtbot.waitUntil(lambda: opened.visible("agree"), timeout=30_000)
    opened.assistant.expect(requests.WorkOnModel)
    opened.click(opened.find("agree"))
    request = working(opened, ModelWork.REMOVE, "small")
    opened.assistant.expect(requests.ListModels)
    opened.assistant.publish(events.Problem(request.request_id, "usage", "The model small is in use.", "Use another."))
    tell_list(opened)
    opened.wait_for("The model small is in use. Use another.")


def test_models_are_added_from_a_folder(opened: Stage) -> None:
    opened.click(opened.find("addModels"))
    opened.qtbot.waitUntil(lambda: opened.visible("modelsDialog"), timeout=30_000)
    opened.assistant.expect(requests.WorkOnModel)
    opened.desktop.key("Escape")
    opened.qtbot.waitUntil(lambda: not opened.visible("modelsDialog"), timeout=30_000)
    models = opened.conductor._pages._models
    assert models is not None
    models.add("/media/stick")
    request = working(opened, ModelWork.ADD, "")
    assert request.path == "/media/stick"
    opened.assistant.expect(requests.ListModels)
    opened.assistant.publish(listings.ModelWorkDone(request.request_id, request.work, ("ear",), "A hash was pinned."))
    tell_list(opened)
    opened.wait_for("faster-whisper base: added and verified. A hash was pinned.")


def test_fetching_asks_says_what_leaves_and_closes_the_window(opened: Stage, fetches: Fetches) -> None:
    opened.click(opened.find("act-big"))
    opened.wait_for("Fetch Llama 3.3 70B Instruct?")
    opened.wait_for("It brings 42\N{NO-BREAK SPACE}GB from: huggingface.co, the package index.")
    opened.picture("models-fetch-question")
    opened.desktop.key("Return")
    opened.qtbot.waitUntil(lambda: not opened.visible("plainQuestion"), timeout=30_000)
    assert fetches.asked == []
    opened.click(opened.find("act-big"))
    opened.qtbot.waitUntil(lambda: opened.visible("agree"), timeout=30_000)
    opened.click(opened.find("agree"))
    opened.qtbot.waitUntil(lambda: not opened.window.isVisible(), timeout=30_000)
    assert fetches.asked == [(("big",), LeftOff("", "/home/you/aria/output", "MODELS"))]


def test_a_fetch_that_can_not_be_had_leaves_the_window_open(opened: Stage, fetches: Fetches) -> None:
    fetches.fails = True
    opened.click(opened.find("act-tight"))
    opened.qtbot.waitUntil(lambda: opened.visible("agree"), timeout=30_000)
    opened.click(opened.find("agree"))
    opened.wait_for("What starts fetch mode is gone. Close this window and start ARIA again.")
    assert opened.window.isVisible()


def test_nothing_is_fetched_while_a_turn_runs(opened: Stage, fetches: Fetches) -> None:
    opened.assistant.publish(events.TurnStarted("t1", "s1", "r", Source.TEXT, "hello"))
    opened.wait_for_item("t1")
    opened.click(opened.find("act-big"))
    opened.wait_for("ARIA is at work. Fetch models when it is done.")
    assert not opened.visible("plainQuestion")
    assert fetches.asked == []


def test_without_fetch_mode_there_is_no_button_for_it(make_stage: MakeStage) -> None:
    stage = make_stage(desk=TestDesk().desk())
    open_page(stage)
    assert not stage.visible("act-big")
    assert stage.visible("act-small")


@pytest.mark.parametrize(("theme", "percent"), [("dark", 100), ("contrast", 100), ("light", 200)])
def test_it_is_readable_in_every_look(make_stage: MakeStage, fetches: Fetches, theme: str, percent: int) -> None:
    stage = make_stage(desk=TestDesk().desk(), fetch=fetches, theme=theme, font_percent=percent)
    page = open_page(stage)
    for view in page._views.values():
        assert view.width() <= page.width()
    stage.picture(f"models-{theme}-{percent}")


@pytest.fixture
def spanish() -> Iterator[None]:
    use(read_language(REPOSITORY / "resources" / "words", "es"))
    yield
    use(ENGLISH)


@pytest.mark.usefixtures("spanish")
def test_it_speaks_spanish(make_stage: MakeStage, fetches: Fetches) -> None:
    stage = make_stage(desk=TestDesk().desk(), fetch=fetches)
    open_page(stage)
    stage.wait_for("Añadir de una carpeta…")
    stage.click(stage.find("act-big"))
    stage.wait_for("¿Descargar Llama 3.3 70B Instruct?")
    stage.picture("models-spanish")
