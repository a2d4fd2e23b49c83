"""When an engine is started again: arithmetic on times of death."""

from __future__ import annotations

from aria_desktop.workers.restarts import RestartPlan, Restarts


def test_the_third_death_within_a_minute_is_the_last() -> None:
    restarts = Restarts(RestartPlan())
    assert [restarts.died(now) for now in (100.0, 101.0, 103.0)] == [1.0, 2.0, None]


def test_a_minute_is_exactly_sixty_seconds() -> None:
    restarts = Restarts(RestartPlan())
    assert [restarts.died(now) for now in (0.0, 30.0, 60.0)] == [1.0, 2.0, None]
    restarts = Restarts(RestartPlan())
    assert [restarts.died(now) for now in (0.0, 30.0, 60.1)] == [1.0, 2.0, 4.0]


def test_slow_deaths_are_waited_out_ever_longer() -> None:
    restarts = Restarts(RestartPlan())
    assert [restarts.died(now) for now in (0.0, 40.0, 80.0, 120.0, 160.0)] == [1.0, 2.0, 4.0, 4.0, 4.0]


def test_a_job_done_makes_the_next_pause_short_but_forgives_nothing() -> None:
    restarts = Restarts(RestartPlan())
    assert [restarts.died(0.0), restarts.died(1.0)] == [1.0, 2.0]
    restarts.worked()
    assert restarts.died(2.0) is None
    restarts = Restarts(RestartPlan())
    assert [restarts.died(0.0), restarts.died(40.0)] == [1.0, 2.0]
    restarts.worked()
    assert restarts.died(80.0) == 1.0


def test_an_explicit_start_forgets() -> None:
    restarts = Restarts(RestartPlan())
    for now in (0.0, 1.0, 2.0):
        restarts.died(now)
    restarts.forget()
    assert restarts.died(3.0) == 1.0
