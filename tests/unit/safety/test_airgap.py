"""Closing the door, with doubles for kernels that have none, refuse it, or only say that they did it."""

from __future__ import annotations

import argparse
import importlib
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

import pytest

from aria_desktop.cli import COMMANDS, INTERNAL
from aria_desktop.commands import ask, doctor, fetching, models, reach, sealed_window, window, worker
from aria_desktop.commands import door as doors
from aria_desktop.core.errors import SettingsError
from aria_desktop.core.seal import Badge, Door, Reach, SealedProcess, SealReport, badge_of
from aria_desktop.safety import airgap
from aria_desktop.safety.airgap_cloud import ENGINES, cloud_wanted
from aria_desktop.safety.airgap_filter import X86_64, Architecture, assembled
from aria_desktop.safety.airgap_report import filter_state

OPEN = Reach(internet=True, local=True, ring=False)
LOCAL = Reach(internet=False, local=True, ring=False)
SHUT = Reach(internet=False, local=False, ring=False)


@dataclass
class FakeKernel:
    """Reaches what it is told; keeps the filters that it was given."""

    after: Reach
    before: Reach = OPEN
    without: str = ""
    deaf: bool = False
    """Says that it took the filter, and did not."""
    filters: list[bytes] = field(default_factory=list)

    @property
    def architecture(self) -> Architecture:
        if self.without:
            raise airgap.SealUnsupported(self.without)
        return X86_64

    def set_filter(self, program: bytes) -> None:
        self.filters.append(program)

    def answers(self) -> bool:
        return bool(self.filters) and not self.deaf

    def reach(self) -> Reach:
        return self.after if self.filters else self.before


@pytest.mark.parametrize("door", list(Door))
def test_a_door_is_closed_with_its_filter(door: Door) -> None:
    kernel = FakeKernel(SHUT)
    airgap.close(door, kernel)
    assert kernel.filters == [assembled(door, X86_64)]


@pytest.mark.parametrize("door", list(Door))
def test_a_door_that_says_it_is_closed_and_is_not_stops_everything(door: Door) -> None:
    with pytest.raises(airgap.SealFailed, match="as if it were open"):
        airgap.close(door, FakeKernel(OPEN, deaf=True))


def test_a_system_without_a_door_says_so_and_nothing_is_claimed() -> None:
    kernel = FakeKernel(OPEN, without="On macOS a program can't close its own network door.")
    with pytest.raises(airgap.SealUnsupported, match="macOS"):
        airgap.close(Door.LOCAL, kernel)
    assert airgap.look(kernel) == (OPEN, "On macOS a program can't close its own network door.")
    assert kernel.filters == []
    assert badge_of(OPEN, cloud=False) is Badge.OPEN


def test_an_open_door_on_a_system_that_has_one_is_told_too() -> None:
    assert airgap.look(FakeKernel(LOCAL)) == (OPEN, "This process has not closed its network door.")
    assert airgap.look(FakeKernel(LOCAL, before=LOCAL)) == (LOCAL, "")


def test_a_command_goes_on_where_there_is_no_door_and_not_where_it_failed() -> None:
    def unsupported(door: Door) -> None:
        raise airgap.SealUnsupported(f"no {door}")

    def failed(door: Door) -> None:
        raise airgap.SealFailed(f"not {door}")

    doors.close(Door.LOCAL, unsupported)
    doors.close(None, failed)
    with pytest.raises(airgap.SealFailed):
        doors.close(Door.LOCAL, failed)


def door_for(
    command: ModuleType, *words: str, environment: dict[str, str] | None = None, cloud: tuple[str, ...] = ()
) -> Door | None:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return doors.door_of(command, parser.parse_args(words), environment or {}, cloud)


def test_every_command_has_the_door_of_the_program_but_for_fetching_and_the_proof(tmp_path: Path) -> None:
    assert door_for(ask, "hello") is Door.LOCAL
    assert door_for(sealed_window) is Door.LOCAL
    assert door_for(window) is None, "it would be closed for fetch mode too"
    assert door_for(fetching) is Door.FETCHING
    assert door_for(worker, "speech") is Door.LOCAL
    assert door_for(doctor) is Door.LOCAL
    assert door_for(doctor, "--airgap") is None
    assert door_for(reach) is None
    assert door_for(models, "list") is Door.LOCAL
    assert door_for(models, "add", str(tmp_path)) is Door.LOCAL
    assert door_for(models, "fetch", "--from", str(tmp_path)) is Door.LOCAL
    assert door_for(models, "fetch") is Door.FETCHING
    assert door_for(models, "fetch", "--then-window") is None


def test_no_other_command_has_a_door_of_its_own() -> None:
    commands = {name: importlib.import_module(f"aria_desktop.commands.{name}") for name in (*COMMANDS, *INTERNAL)}
    own = {name for name, command in commands.items() if hasattr(command, "door")}
    assert own == {"models", "doctor", "reach", "window", "fetching"}


def test_cloud_is_off_unless_it_is_switched_on_and_there_is_an_engine() -> None:
    assert ENGINES == ()
    assert not cloud_wanted({})
    assert not cloud_wanted({"ARIA_CLOUD": "off"}, ["double"])
    assert cloud_wanted({"ARIA_CLOUD": "on"}, ["double"])
    with pytest.raises(SettingsError, match="has no cloud engines"):
        cloud_wanted({"ARIA_CLOUD": "on"})
    with pytest.raises(SettingsError, match="on or off"):
        cloud_wanted({"ARIA_CLOUD": "perhaps"}, ["double"])


def test_the_switch_opens_the_door_of_the_program_and_of_no_other() -> None:
    switched = {"ARIA_CLOUD": "on"}
    assert door_for(sealed_window, environment=switched, cloud=("double",)) is Door.CLOUD
    assert door_for(fetching, environment=switched, cloud=("double",)) is Door.FETCHING
    assert door_for(models, "list", environment=switched, cloud=("double",)) is Door.LOCAL
    with pytest.raises(SettingsError):
        door_for(sealed_window, environment=switched)
    assert badge_of(OPEN, cloud=True) is Badge.CLOUD
    assert badge_of(LOCAL, cloud=True) is Badge.SEALED


@pytest.mark.parametrize(
    ("status", "told"),
    [
        ("NoNewPrivs:\t1\nSeccomp:\t2\nSeccomp_filters:\t3\n", (3, True)),
        ("NoNewPrivs:\t1\nSeccomp:\t2\n", (1, True)),
        ("NoNewPrivs:\t0\nSeccomp:\t0\nSeccomp_filters:\t0\n", (0, False)),
        ("NoNewPrivs:\t0\nSeccomp:\t2\nSeccomp_filters:\t1\n", (1, False)),
        ("Name:\tx\n", (-1, False)),
        (None, (-1, False)),
    ],
)
def test_what_the_system_says_of_a_process(tmp_path: Path, status: str | None, told: tuple[int, bool]) -> None:
    if status is not None:
        (tmp_path / "7").mkdir()
        (tmp_path / "7" / "status").write_text(status)
    assert filter_state(7, tmp_path) == told


def test_one_process_that_is_not_sealed_is_enough() -> None:
    good = SealedProcess(1, "aria ask", 1, keeps=True, connections=())
    assert SealReport(LOCAL, "", (good,)).sealed
    for bad in (
        SealedProcess(2, "x", 0, keeps=True, connections=()),
        SealedProcess(2, "x", 1, keeps=False, connections=()),
        SealedProcess(2, "x", -1, keeps=False, connections=()),
        SealedProcess(2, "x", 1, keeps=True, connections=("a to b",)),
    ):
        assert not SealReport(LOCAL, "", (good, bad)).sealed
    assert not SealReport(OPEN, "because", (good,)).sealed
