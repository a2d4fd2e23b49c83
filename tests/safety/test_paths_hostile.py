"""Every hostile path, tried with every operation, as root and as an ordinary user: what came of it, judged by state.

A refusal leaves the workspace exactly as it was; nothing outside it is ever read or changed; no other exception
than one of ours comes out, and nothing hangs.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from aria_desktop.core.errors import AriaError
from aria_desktop.safety import opening
from aria_desktop.safety.paths import Workspace
from tests.safety.conftest import Tried
from tests.safety.hostile_paths import HOSTILE, OPERATIONS, OUTCOMES, OUTSIDE, Hostile
from tests.safety.users import UIDS, acting_as, folder_for

SET = "hostile paths"
HANG_S = 5


def laid_out(base: Path, case: Hostile) -> Path:
    """The workspace of a case, in a new folder."""
    root = base / "ws"
    (root / "sub").mkdir(parents=True)
    (base / "ws2").mkdir()
    for path, text in {
        "secret": OUTSIDE,
        "ws2/f": OUTSIDE,
        "ws/a.txt": "one\n",
        "ws/f": "1",
        "ws/sub/b.txt": "2",
    }.items():
        (base / path).write_text(text)
    if case.arrange is not None:
        case.arrange(root)
    return root


def state_of(folder: Path, but: tuple[str, ...] = ()) -> dict[str, tuple[int, int, bytes]]:
    """Kind and permissions, size and content of all that is in a folder, links as such."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if name.split("/")[0] not in but:
            state = path.lstat()
            small = path.is_file() and not path.is_symlink() and state.st_size < 1_000
            found[name] = (state.st_mode, 0 if path.is_dir() else state.st_size, path.read_bytes() if small else b"")
    return found


def operation(workspace: Workspace, kind: str, name: str) -> Callable[[], str]:
    """Does it and returns what was brought in."""

    def listed() -> str:
        return " ".join(entry.name for entry in workspace.listing(name).entries)

    def written() -> str:
        workspace.apply(workspace.plan_write(name, "changed\n"))
        return ""

    def appended() -> str:
        change = workspace.plan_append(name, "more")
        workspace.apply(change)
        return change.before or ""

    def moved_away() -> str:
        workspace.carry_out(workspace.plan_move(name, "elsewhere"))
        return ""

    def moved_to() -> str:
        workspace.carry_out(workspace.plan_move("sub/b.txt", name))
        return ""

    def deleted() -> str:
        workspace.carry_out(workspace.plan_delete(name))
        return ""

    actions = (listed, lambda: workspace.read_text(name), written, appended, moved_away, moved_to, deleted)
    return dict(zip(OPERATIONS, actions, strict=True))[kind]


def outcome(base: Path, kind: str, case: Hostile) -> tuple[str, bool]:
    """What came of it, as a letter, and whether the outside was read or changed."""
    root = laid_out(base, case)
    outside, inside = state_of(base, but=("ws",)), state_of(root)
    began = time.monotonic()
    brought, refusal = "", None
    with Workspace(root, base / "trash") as workspace:
        try:
            brought = operation(workspace, kind, case.name)()
        except AriaError as error:
            refusal = error
    assert refusal is None or refusal.text, "a refusal says why"
    assert refusal is None or state_of(root) == inside, "a refusal changed something"
    assert time.monotonic() - began < HANG_S
    escaped = OUTSIDE in brought or state_of(base, but=("ws", "trash")) != outside
    letters = {value: letter for letter, value in OUTCOMES.items()}
    return letters["allowed" if refusal is None else refusal.code], escaped


@pytest.fixture(params=["openat2", "component walk"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How names are opened: with the kernel's own refusals, and as where there are none."""
    assert opening._kernel_open is not None, "this machine has no openat2, so this shows nothing"
    if request.param == "component walk":
        monkeypatch.setattr(opening, "_kernel_open", None)
    return str(request.param)


@pytest.mark.parametrize("uid", UIDS)
@pytest.mark.parametrize("case", HOSTILE, ids=lambda case: case.number)
def test_nothing_outside_is_reached_and_each_outcome_is_the_one_that_is_meant(
    case: Hostile, uid: int, way: str, tried: Tried
) -> None:
    came, escapes, controls = "", 0, 0
    for kind in OPERATIONS:
        with folder_for(uid) as base, acting_as(uid):
            letter, escaped = outcome(base, kind, case)
            came += letter
            escapes += escaped
    if case.leads_out:
        with folder_for(uid) as base, acting_as(uid):
            controls += (laid_out(base, case) / case.name).read_text() == OUTSIDE
        assert controls, "the attack does not work here, so this shows nothing"
    tried(set=f"{SET}, {way}", cases=len(OPERATIONS), controls=controls, escapes=escapes, uid=uid)
    assert came == case.expected
