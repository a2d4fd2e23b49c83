"""The guide's steps without Qt: what is fine already is passed over, and each page says what it found."""

from __future__ import annotations

from dataclasses import replace

from aria_desktop.core import events, listings
from aria_desktop.core.events import EngineRole
from aria_desktop.core.models import MachineRecord, ModelPresence, ModelRecord
from aria_desktop.core.seal import Badge
from aria_desktop.gui.state.guide import STEPS, Guide, Step, fine, first_open, in_use, sentences, took
from tests.unit.gui.test_models_page import MODEL

MACHINE = MachineRecord(16_000_000_000, 9_000_000_000, "", "no graphics card was found")


def models(presence: ModelPresence) -> tuple[ModelRecord, ...]:
    return tuple(
        replace(MODEL, model_id=f"m-{role}", name=f"Model {role}", role=role, presence=presence, in_use=True)
        for role in EngineRole
    )


def guide(presence: ModelPresence = ModelPresence.INSTALLED, machine: MachineRecord = MACHINE) -> Guide:
    return took(Guide(Badge.SEALED), listings.ModelsListed("r", models(presence), machine))


def test_it_begins_where_something_is_left() -> None:
    assert first_open(Guide(Badge.SEALED)) is Step.COMPUTER
    assert first_open(guide(machine=replace(MACHINE, memory_total=2_000_000_000))) is Step.COMPUTER
    assert first_open(guide(ModelPresence.MISSING)) is Step.MODELS
    assert first_open(guide()) is Step.MICROPHONE


def test_every_page_says_something_before_anything_is_known() -> None:
    assert all(all(sentences(Guide(Badge.OPEN), step)) for step in STEPS)
    assert in_use(Guide(Badge.OPEN)) == ()


def test_missing_models_are_named_with_licence_size_and_ways_to_get_them() -> None:
    told = sentences(guide(ModelPresence.MISSING), Step.MODELS)
    assert len(told) == 4
    assert all(MODEL.licence in line and "is missing" in line for line in told[:3])
    assert "aria models fetch" in told[3]
    best = replace(MODEL, model_id="better", name="Better", recommended=True, in_use=False)
    listed = listings.ModelsListed("r", (*models(ModelPresence.INSTALLED), best), MACHINE)
    assert "Recommended for this computer: Better." in sentences(took(guide(), listed), Step.MODELS)


def test_the_microphone_is_fine_when_speech_was_measured_and_the_words_are_shown() -> None:
    now = guide()
    silent = took(took(took(now, events.ListeningStarted("USB")), events.LevelMeasured(0.0, False)), ended())
    assert not fine(silent, Step.MICROPHONE)
    for event in (
        events.ListeningStarted("USB"),
        events.LevelMeasured(0.4, speech=True),
        events.WordsSoFar("r", "hello <b>there</b>", 1.0, pausing=False),
    ):
        now = took(now, event)
    assert not fine(now, Step.MICROPHONE)
    now = took(now, ended())
    assert fine(now, Step.MICROPHONE)
    assert "Understood: hello <b>there</b>" in sentences(now, Step.MICROPHONE)
    # Whoever speaks later, in an ordinary turn, tests nothing.
    assert took(now, events.WordsSoFar("r", "secret", 1.0, pausing=False)) == now


def ended() -> events.Event:
    return events.ListeningEnded(1.0, "dropped")


def test_the_key_counts_when_it_went_down_and_up() -> None:
    now = guide()
    assert not fine(replace(now, pressed=True), Step.KEY)
    assert fine(replace(now, pressed=True, released=True), Step.KEY)
    heard = took(now, events.TalkKeyChanged("ctrl+alt+space", "the X server"))
    assert "Outside the window it is heard by the X server." in sentences(heard, Step.KEY)
    lost = took(now, events.TalkKeyChanged("f9", "", "Another program has it."))
    assert "Another program has it." in sentences(lost, Step.KEY)


def test_an_unsealed_window_is_not_called_sealed() -> None:
    assert sentences(guide(), Step.PRIVACY)[0].startswith("Nothing.")
    assert sentences(replace(guide(), badge=Badge.OPEN), Step.PRIVACY)[0].startswith("This window is not sealed")
