"""The kept start of the prompts: it comes back whole or not at all, and trouble with it is never an error."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from aria_desktop.engines.language.kept_prefix import KeptPrefix


class States:
    """Writes tokens as bytes; counts how often it was asked for."""

    def __init__(self, *, full_disk: bool = False) -> None:
        self.saved = self.loaded = 0
        self._full_disk = full_disk

    def save_sequence(self, path: Path, _sequence: int, tokens: Sequence[int]) -> bool:
        self.saved += 1
        path.write_bytes(bytes(tokens))
        return not self._full_disk

    def load_sequence(self, path: Path, _sequence: int) -> list[int]:
        self.loaded += 1
        return list(path.read_bytes())


def test_it_comes_back_in_the_next_process(tmp_path: Path) -> None:
    states = States()
    KeptPrefix(tmp_path, "a").save(states, 0, [1, 2, 3])
    assert KeptPrefix(tmp_path, "a").restore(states, 0) == [1, 2, 3]


def test_what_is_kept_already_is_not_written_again(tmp_path: Path) -> None:
    states = States()
    KeptPrefix(tmp_path, "a").save(states, 0, [1, 2, 3])
    again = KeptPrefix(tmp_path, "a")
    again.restore(states, 0)
    again.save(states, 0, [1, 2, 3])
    assert states.saved == 1
    again.save(states, 0, [1, 2])
    assert states.saved == 2


def test_another_model_has_another_state(tmp_path: Path) -> None:
    states = States()
    KeptPrefix(tmp_path, "a").save(states, 0, [1, 2, 3])
    assert KeptPrefix(tmp_path, "b").restore(states, 0) == []


@pytest.mark.parametrize("harm", ["flip", "cut", "no seal", "bad seal"])
def test_a_harmed_state_never_reaches_native_code(tmp_path: Path, harm: str) -> None:
    states = States()
    KeptPrefix(tmp_path, "a").save(states, 0, [1, 2, 3])
    state, seal = tmp_path / "a.state", tmp_path / "a.json"
    match harm:
        case "flip":
            state.write_bytes(b"\x01\x02\x04")
        case "cut":
            state.write_bytes(b"\x01")
        case "no seal":
            seal.unlink()
        case "bad seal":
            seal.write_text("{")
    assert KeptPrefix(tmp_path, "a").restore(states, 0) == []
    assert states.loaded == 0


def test_a_full_disk_leaves_nothing_half_written(tmp_path: Path) -> None:
    KeptPrefix(tmp_path, "a").save(States(full_disk=True), 0, [1, 2, 3])
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    kept = KeptPrefix(tmp_path / "file" / "states", "a")
    kept.save(States(), 0, [1])
    assert kept.restore(States(), 0) == []


def test_old_states_are_forgotten(tmp_path: Path) -> None:
    for name in "abcde":
        KeptPrefix(tmp_path, name).save(States(), 0, [1])
    assert len(list(tmp_path.glob("*.state"))) == len(list(tmp_path.glob("*.json"))) == 3


def test_the_state_is_for_the_owner_only(tmp_path: Path) -> None:
    KeptPrefix(tmp_path / "states", "a").save(States(), 0, [1])
    assert (tmp_path / "states").stat().st_mode & 0o077 == 0
    assert (tmp_path / "states" / "a.state").stat().st_mode & 0o077 == 0


def test_without_a_folder_nothing_is_kept() -> None:
    kept = KeptPrefix(None, "a")
    kept.save(States(), 0, [1])
    assert kept.restore(States(), 0) == []
