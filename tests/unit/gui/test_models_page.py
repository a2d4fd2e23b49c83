"""What the Models page says of a model, and what it offers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from aria_desktop.core.events import EngineRole
from aria_desktop.core.models import (
    PACKAGE_INDEX,
    MachineRecord,
    MeasuredSpeed,
    ModelFit,
    ModelPresence,
    ModelRecord,
    ModelWork,
    ToolScore,
)
from aria_desktop.gui.state.models_page import (
    Action,
    done_words,
    engine_setting,
    fetch_question,
    groups,
    language_words,
    machine_words,
    memory_cell,
    moving,
    remove_question,
    row,
    speed_words,
    tool_words,
)

GAP = "\N{NO-BREAK SPACE}"
MACHINE = MachineRecord(24_000_000_000, 19_000_000_000, "", "no NVIDIA driver is installed")
MODEL = ModelRecord(
    *("m1", EngineRole.LANGUAGE, "Model\u202e one", "nobody", "MIT", ("en",), 1_120_000_000, ModelPresence.INSTALLED),
    *(1_400_000_000, True, ModelFit.FITS, False, ("hub.example", PACKAGE_INDEX), "llama.cpp"),
)


@pytest.mark.parametrize(
    ("presence", "in_use", "can_fetch", "sources", "action", "works"),
    [
        ("installed", True, True, True, Action.IN_USE, (ModelWork.MEASURE, ModelWork.VERIFY)),
        ("installed", False, False, True, Action.USE, (ModelWork.MEASURE, ModelWork.VERIFY, ModelWork.REMOVE)),
        ("missing", False, True, True, Action.FETCH, ()),
        ("missing", False, False, True, Action.NONE, ()),
        ("missing", False, True, False, Action.NONE, ()),
        ("partial", False, True, True, Action.GO_ON, (ModelWork.REMOVE,)),
        ("damaged", False, True, True, Action.FETCH_AGAIN, (ModelWork.REMOVE,)),
        ("damaged", True, True, True, Action.FETCH_AGAIN, ()),
    ],
)
def test_what_is_offered_goes_by_what_is_here(
    presence: str, in_use: bool, can_fetch: bool, sources: bool, action: Action, works: tuple[ModelWork, ...]
) -> None:
    model = replace(MODEL, presence=ModelPresence(presence), in_use=in_use, sources=("hub.example",) if sources else ())
    shown = row(model, MACHINE, can_fetch)
    assert (shown.action, shown.works) == (action, works)


@pytest.mark.parametrize(
    ("fit", "memory", "words", "icon", "share"),
    [
        (ModelFit.FITS, 1_900_000_000, f"Fits: 1.9{GAP}GB of 19{GAP}GB", "check", 100),
        (ModelFit.TIGHT, 16_150_000_000, f"Tight: 16{GAP}GB of 19{GAP}GB", "triangle-alert", 850),
        (ModelFit.TOO_BIG, 46_000_000_000, f"Too big: needs 46{GAP}GB", "ban", 1000),
        (ModelFit.UNKNOWN, None, "memory not known", "circle-question-mark", 0),
    ],
)
def test_memory_is_told_in_words_and_not_by_colour_alone(
    fit: ModelFit, memory: int | None, words: str, icon: str, share: int
) -> None:
    cell = memory_cell(replace(MODEL, fit=fit, memory=memory), MACHINE)
    assert (cell.words, cell.icon, cell.per_mille) == (words, icon, share)


def test_models_stand_by_what_they_do_in_a_fixed_order() -> None:
    voice = replace(MODEL, model_id="v", role=EngineRole.VOICE)
    found = groups((voice, MODEL), MACHINE, can_fetch=False)
    assert [(group.title, [row.model_id for row in group.rows]) for group in found] == [
        ("Thinking", ["m1"]),
        ("Hearing", []),
        ("Voice", ["v"]),
    ]


def test_a_name_from_outside_is_spelled_out_everywhere() -> None:
    shown = row(MODEL, MACHINE, can_fetch=True)
    assert shown.title == "Model<U+202E> one"
    assert "\u202e" not in shown.spoken + fetch_question(MODEL)[0] + remove_question(MODEL)[0]


def test_speeds_have_the_unit_of_their_role() -> None:
    assert speed_words(MODEL) == "not measured"
    assert speed_words(replace(MODEL, speed=MeasuredSpeed(14.4, 0))) == "14 tokens a second"
    assert speed_words(replace(MODEL, role=EngineRole.VOICE, speed=MeasuredSpeed(8.04, 0))) == "8.0× real time"


def test_tool_scores_are_of_a_hundred() -> None:
    assert tool_words(MODEL) == ""
    assert tool_words(replace(MODEL, tools=ToolScore(148, 151))) == "tools 98 of 100"


def test_languages_are_named_or_counted() -> None:
    assert language_words(()) == "languages not known"
    assert language_words(("en", "sv")) == "English, sv"
    assert language_words(("en", "es", "de")) == f"3{GAP}languages"


def test_the_reason_for_the_processor_is_told() -> None:
    assert machine_words(MACHINE)[:2] == ("Runs on the CPU:", "no NVIDIA driver is installed")
    assert machine_words(replace(MACHINE, gpu="Card 9"))[:2] == ("Runs on the graphics card:", "Card 9")


def test_the_question_says_where_to_how_much_and_what_leaves() -> None:
    question, means = fetch_question(MODEL)
    assert question == "Fetch Model<U+202E> one?"
    assert means[0] == f"It brings 1.1{GAP}GB from: hub.example, the package index."
    assert "network address" in means[1]
    assert "not sealed" in means[2]
    assert "an unknown number of bytes" in fetch_question(replace(MODEL, size=None))[1][0]


def test_what_removing_means_depends_on_whether_it_can_come_back() -> None:
    assert "fetched again" in remove_question(MODEL)[1][1]
    assert remove_question(replace(MODEL, sources=(), size=None))[1] == ("It can only be added again from a folder.",)


def test_work_tells_how_far_it_is_where_that_is_known() -> None:
    assert moving(ModelWork.VERIFY, 61, 100).words == f"Checking 61{GAP}%"
    assert moving(ModelWork.MEASURE, 0, 0) == moving(ModelWork.MEASURE, 5, 0)
    assert done_words(ModelWork.VERIFY, (), "") == "Stopped."
    assert done_words(ModelWork.ADD, ("a", "b"), "A hash.") == "a, b: added and verified. A hash."


def test_a_model_is_used_by_the_setting_of_its_role() -> None:
    assert engine_setting(MODEL) == ("engines.language", "llama.cpp:m1")
