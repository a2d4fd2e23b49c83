"""What the rows below the talk button stand at, and what their menus offer."""

from __future__ import annotations

from dataclasses import replace

from aria_desktop.gui.state.quick_choices import KEY, LANGUAGE, MICROPHONE, Choice, choices, words_of
from aria_desktop.storage.declarations import MicrophoneSettings, Settings

SETTINGS = Settings()


def test_the_microphone_that_is_set_is_offered_though_it_is_unplugged() -> None:
    settings = replace(SETTINGS, microphone=MicrophoneSettings(device="Old one"))
    assert choices(MICROPHONE, settings, ("Headset",)) == (
        Choice("", "As the system"),
        Choice("Headset", "Headset"),
        Choice("Old one", "Old one", chosen=True),
    )


def test_a_language_that_was_typed_in_the_settings_is_offered_too() -> None:
    settings = replace(SETTINGS, microphone=MicrophoneSettings(language="cy"))
    offered = choices(LANGUAGE, settings)
    assert offered[0] == Choice("auto", "Automatic")
    assert offered[-1] == Choice("cy", "cy", chosen=True)
    assert [choice.value for choice in offered if choice.chosen] == ["cy"]


def test_all_modes_are_offered_once() -> None:
    assert [choice.value for choice in choices(KEY, SETTINGS)] == ["auto", "hold", "toggle", "hands_free"]
    assert words_of(KEY, "hands_free") == "Hands free"


def test_a_name_of_several_lines_is_shown_in_one() -> None:
    assert "\n" not in words_of(MICROPHONE, "two\nlines")
