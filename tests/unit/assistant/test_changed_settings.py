"""A setting that a front end changes is written by whoever keeps them, told to all, and holds for what comes next."""

from __future__ import annotations

from aria_desktop.core.errors import SettingsError
from aria_desktop.core.events import Problem
from aria_desktop.core.listings import SettingChanged
from aria_desktop.core.requests import ChangeSetting
from tests.unit.assistant.stage import Stage


def test_a_change_is_made_and_told(stage: Stage) -> None:
    made: list[tuple[str, object]] = []
    with stage.session(change_setting=lambda name, value: made.append((name, value))) as session:
        session.submit(ChangeSetting("c1", "voice.speed", 1.5))
        told = stage.log.wait(SettingChanged)
    assert told == SettingChanged("c1", "voice.speed", 1.5)
    assert made == [("voice.speed", 1.5)]


def test_a_change_that_is_refused_is_a_problem_of_its_request(stage: Stage) -> None:
    def refuse(name: str, _value: object) -> None:
        raise SettingsError(f"{name} must be less.", "Use less.")

    with stage.session(change_setting=refuse) as session:
        session.submit(ChangeSetting("c1", "voice.speed", 9.0))
        problem = stage.log.wait(Problem)
    assert (problem.request_id, problem.text, problem.hint) == ("c1", "voice.speed must be less.", "Use less.")
    assert stage.log.of(SettingChanged) == []


def test_without_anybody_who_keeps_settings_it_is_said(stage: Stage) -> None:
    with stage.session() as session:
        session.submit(ChangeSetting("c1", "voice.speed", 1.0))
        assert "aria settings set" in stage.log.wait(Problem).hint
