"""A folder is swapped for a link to the outside while files in it are read: the race that every check of a path's
text loses. The naive way is the positive control; both ways of opening are tried as both users."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from aria_desktop.core.errors import ToolFailed
from aria_desktop.safety import opening
from aria_desktop.safety.paths import Workspace
from tests.safety.conftest import Tried
from tests.safety.tiers import tries
from tests.safety.users import UIDS, acting_as, folder_for

OUTSIDE = "outside"
TRIES = tries(1_000, 200_000)


def laid_out(base: Path) -> Path:
    root = base / "ws"
    (root / "inner").mkdir(parents=True)
    (root / "inner" / "f").write_text("inside")
    (base / "ws2").mkdir()
    (base / "ws2" / "f").write_text(OUTSIDE)
    (root / "other").symlink_to(base / "ws2")
    return root


@contextmanager
def swapping(root: Path) -> Iterator[None]:
    """`inner` is by turns the folder and the link, without a pause."""
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            (root / "inner").rename(root / "parked")
            (root / "other").rename(root / "inner")
            (root / "inner").rename(root / "other")
            (root / "parked").rename(root / "inner")

    swapper = threading.Thread(target=swap)
    swapper.start()
    try:
        yield
    finally:
        stop.set()
        swapper.join()


def leaks(read: Callable[[], str], count: int) -> int:
    """How often the outside was read; a read that is refused, or finds nothing, is none."""
    found = 0
    for _ in range(count):
        try:
            found += read() == OUTSIDE
        except (ToolFailed, OSError):
            continue
    return found


def naive(root: Path) -> str:
    path = root / "inner" / "f"
    return path.read_text() if path.resolve().is_relative_to(root) else ""


@pytest.mark.parametrize("uid", UIDS)
@pytest.mark.parametrize("way", ["openat2", "component walk"])
def test_the_door_never_follows_the_swapped_folder(
    way: str, uid: int, tried: Tried, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert opening._kernel_open is not None
    if way == "component walk":
        monkeypatch.setattr(opening, "_kernel_open", None)
    with folder_for(uid) as base, acting_as(uid):
        root = laid_out(base)
        with Workspace(root) as workspace, swapping(root):
            controls = 0
            for _ in range(200):
                controls += leaks(lambda: naive(root), 500)
                if controls:
                    break
            escapes = leaks(lambda: workspace.read_text("inner/f"), TRIES)
    assert controls, "the attack does not work here, so the test shows nothing"
    tried(set=f"race of folder and link, {way}", cases=TRIES, controls=controls, escapes=escapes, uid=uid)
