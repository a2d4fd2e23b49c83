"""A settings file is judged as a whole, and written without harm to what is in it."""

from __future__ import annotations

import json
import os
import tomllib
from dataclasses import fields
from pathlib import Path

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aria_desktop.core.errors import SettingsError
from aria_desktop.storage.declarations import declared, names, sections
from aria_desktop.storage.guide import settings_guide
from aria_desktop.storage.rules import Number, OneOf, Rule, Switch, Text, Whole, as_toml, default_of, rule_of, setting
from aria_desktop.storage.settings import Settings, load_settings, parse_setting, read_settings, save_setting

REPOSITORY = Path(__file__).resolve().parents[3]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "settings.toml"


def problems(path: Path, text: str) -> list[str]:
    path.write_text(text, encoding="utf-8")
    return list(read_settings(path).problems)


def test_no_file_is_all_defaults(path: Path) -> None:
    settings = load_settings(path)
    assert settings == Settings()
    assert settings.engines.unload_after_s == 900
    assert settings.language_model.temperature == 0.0
    assert not path.exists()


def test_what_the_file_says_is_taken_with_the_declared_type(path: Path) -> None:
    path.write_text('[language_model]\ntemperature = 1\n[window]\ntheme = "dark"\n[voice]\nspeak_replies = false\n')
    settings = load_settings(path)
    assert settings.window.theme == "dark"
    assert settings.voice.speak_replies is False
    assert isinstance(settings.language_model.temperature, float)
    assert settings.limits == Settings().limits


def test_all_problems_are_named_at_once_with_their_lines(path: Path) -> None:
    text = """\
# mine
[language_model]
temperature = "hot"
max_tokns = 5
threads = true

[engnes]
gpu = "off"
[voice]
speed = nan
[from_a_newer_version]
x = 1
"""
    path.write_text(text)
    with pytest.raises(SettingsError) as caught:
        load_settings(path)
    assert caught.value.text.splitlines() == [
        f"{path} has 5 problems:",
        '  line 3: language_model.temperature is "hot", and must be a number from 0 to 2.',
        "  line 4: there is no language_model.max_tokns. language_model.max_tokens is the nearest.",
        "  line 5: language_model.threads is true, and must be a whole number from 0 to 1024.",
        "  line 7: there is no engnes. engines is the nearest.",
        "  line 10: voice.speed is NaN, and must be a number from 0.5 to 2.",
    ]
    assert caught.value.hint


def test_what_is_like_nothing_known_is_no_problem(path: Path) -> None:
    path.write_text("[cloud]\nkey = 1\n[voice]\npitch_curve = [1, 2]\n")
    reading = read_settings(path)
    assert reading.problems == ()
    assert reading.unknown == ("cloud", "voice.pitch_curve")
    assert load_settings(path) == Settings()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[limits]\nsteps = \n", "line 2: this is not TOML"),
        ("[limits\n", "line 1: this is not TOML"),
        ("[limits]\nsteps = 1\nsteps = 2\n", "line 3: this is not TOML"),
        ('x = "', "this is not TOML"),
        ("a = " + "[" * 5000, "nested too deeply"),
        ("limits = 5\n", "line 1: limits is a section"),
        ("temperature = 0.5\n", "line 1: temperature is in no section. It belongs in [language_model]."),
        ('voice.device = "' + "x" * 500 + '"\n', "line 1: voice.device is"),
        ('engines.speech = "base"\n', "an engine's name, a colon"),
        ("limits.steps = 0\n", "must be a whole number from 1 to 50"),
        ("limits.steps = 8.0\n", "must be a whole number"),
        ("limits.steps = 1979-05-27\n", "limits.steps is"),
        ("[language_model]\ncontext_tokens = 1024\n", "code_tokens is 1500, which leaves no room"),
    ],
)
def test_each_kind_of_problem_is_said(path: Path, text: str, said: str) -> None:
    (problem,) = problems(path, text)
    assert said in problem
    assert len(problem) < 200


def test_a_file_that_is_not_utf8_is_said_with_the_line(path: Path) -> None:
    path.write_bytes(b"# fine\n# gr\xfcn\n")
    with pytest.raises(SettingsError, match="line 2: this is not UTF-8"):
        load_settings(path)


def test_a_byte_order_mark_and_windows_line_ends_are_fine(path: Path) -> None:
    path.write_bytes(b"\xef\xbb\xbf[limits]\r\nsteps = 3\r\n")
    assert load_settings(path).limits.steps == 3


def test_what_is_no_file_is_refused_and_does_not_hang(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises(SettingsError, match="no settings file"):
        load_settings(path)
    path.unlink()
    path.mkdir()
    with pytest.raises(SettingsError, match="no settings file"):
        load_settings(path)


def test_saving_keeps_comments_order_and_unknown_names(path: Path) -> None:
    text = "# top\n[cloud] # later\nkey = 1\n\n[limits]\n# why\nsteps = 3 # three\n\n# foot\n"
    path.write_text(text)
    save_setting(path, "limits.steps", 5)
    assert path.read_text() == text.replace("steps = 3", "steps = 5")
    save_setting(path, "voice.speed", 1.5)
    assert path.read_text().startswith(text.replace("steps = 3", "steps = 5"))
    assert load_settings(path).voice.speed == 1.5
    assert load_settings(path).limits.steps == 5


@pytest.mark.parametrize(
    "text",
    ["", "limits.steps = 1\n", "limits = {steps = 1, other = 2}\n", "[a]\r\nx = 1\r\n", "[limits.x]\ny = nan\n", "a=1"],
)
def test_saving_works_in_every_way_to_write_it(path: Path, text: str) -> None:
    path.write_bytes(text.encode())
    save_setting(path, "limits.steps", 7)
    before, after = tomllib.loads(text), tomllib.loads(path.read_text())
    before.setdefault("limits", {})["steps"] = 7
    assert json.dumps(after, sort_keys=True) == json.dumps(before, sort_keys=True)


@pytest.mark.parametrize("text", ["[limits\n", "limits = 5\n"])
def test_saving_into_a_file_that_is_wrong_changes_nothing(path: Path, text: str) -> None:
    path.write_text(text)
    with pytest.raises(SettingsError, match=str(path)):
        save_setting(path, "limits.steps", 7)
    assert path.read_text() == text


def test_saving_corrects_a_wrong_value(path: Path) -> None:
    path.write_text('[limits]\nsteps = "many"\n')
    save_setting(path, "limits.steps", 4)
    assert load_settings(path).limits.steps == 4


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("limits.step", 3, "limits.steps is the nearest"),
        ("steps", 3, "limits.steps is the nearest"),
        ("nonsense", 3, "lists them all"),
        ("limits.steps", "3", "whole number"),
        ("limits.steps", True, "whole number"),
        ("language_model.context_tokens", 1024, "no room"),
    ],
)
def test_a_wrong_name_or_value_is_never_written(path: Path, name: str, value: object, said: str) -> None:
    with pytest.raises(SettingsError) as caught:
        save_setting(path, name, value)
    assert said in str(caught.value)
    assert not path.exists()


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("limits.steps", "3", 3),
        ("voice.speed", "1", 1.0),
        ("voice.speed", "1.25", 1.25),
        ("voice.speak_replies", "False", False),
        ("window.theme", "dark", "dark"),
        ("microphone.device", "", ""),
    ],
)
def test_words_from_the_command_line_become_values(name: str, text: str, value: object) -> None:
    assert parse_setting(name, text) == value
    assert type(parse_setting(name, text)) is type(value)


@pytest.mark.parametrize(("name", "text"), [("limits.steps", "3.5"), ("voice.speed", "nan"), ("limits.steps", "٣")])
def test_words_that_are_no_value_are_refused(name: str, text: str) -> None:
    with pytest.raises(SettingsError, match="must be"):
        parse_setting(name, text)


@hypothesis.settings(deadline=None)
@given(st.text(max_size=200))
def test_no_text_makes_the_reader_fail(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.mktemp("settings") / "settings.toml"
    path.write_bytes(text.encode("utf-8", "replace"))
    assert isinstance(read_settings(path).settings, Settings)


def test_every_setting_is_declared_with_words_a_rule_and_a_default_that_fits() -> None:
    assert len(list(names())) == 43
    for kind in sections().values():
        assert kind.__doc__
        for entry in declared(kind).values():
            assert rule_of(entry).fits(default_of(entry))
            assert entry.metadata["words"].endswith(".")
            assert tomllib.loads(f"x = {as_toml(default_of(entry))}") == {"x": default_of(entry)}


def test_a_default_that_does_not_fit_can_not_be_declared() -> None:
    with pytest.raises(ValueError, match="a whole number"):
        setting("Title", 5, Whole(6, 7), "Words.")


@pytest.mark.parametrize("rule", [Whole(0, 5), Number(0, 5), Switch(), OneOf(("a", "b")), Text("x+", "some x")])
def test_every_rule_refuses_what_it_is_not(rule: Rule) -> None:
    assert not rule.fits(None)
    assert not rule.fits([])
    assert not rule.fits("A")
    assert not rule.fits(6)
    assert not rule.fits(float("inf"))
    assert rule.allowed


def test_settings_are_frozen_all_the_way() -> None:
    assert hash(Settings())
    assert all(hash(getattr(Settings(), section.name)) for section in fields(Settings))


def test_the_guide_is_up_to_date() -> None:
    found = (REPOSITORY / "docs" / "guide" / "settings.md").read_text(encoding="utf-8")
    assert found == settings_guide(), "run `aria settings guide > docs/guide/settings.md`"
