"""Attacks from inside the cage, with the real bubblewrap: each is first shown to work outside where it can be."""

from __future__ import annotations

import codecs
import gc
import json
import os
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from aria_desktop.core.cancel import CancelToken
from aria_desktop.safety import cage_system
from aria_desktop.safety.cage import CageLimits, CageMissing, Layer, System
from aria_desktop.safety.cage_probe import Proven, probe, proven
from aria_desktop.safety.cage_run import Ran, run_command
from aria_desktop.safety.cage_system import find_system, find_systems
from aria_desktop.safety.cage_watch import Ending
from aria_desktop.safety.stage import Stage
from tests.safety.layers import readable_system

LONG_S = 60.0
"""No command here takes that long; only a failing test waits for it."""


@dataclass
class Cage:
    root: Path
    system: System
    layer: Layer
    limits: CageLimits = field(default_factory=lambda: CageLimits(seconds=LONG_S))
    shown: list[str] = field(default_factory=list)
    cancel: CancelToken = field(default_factory=CancelToken)

    def run(self, command: str) -> Ran:
        return self.run_shown(command, self.shown.append)

    def run_shown(self, command: str, show: Callable[[str], None]) -> Ran:
        return run_command(self.system, command, self.root, self.limits, show, self.cancel, self.layer)

    def lines(self, command: str) -> list[str]:
        ran = self.run(command)
        assert ran.status == 0, ran
        return list(ran.printed.last)


@pytest.fixture
def cage(tmp_path: Path) -> Iterator[Cage]:
    root = tmp_path / "workspace"
    root.mkdir()
    with Stage(tmp_path / "staging") as stage:
        yield Cage(root, find_system(), stage.layer)


def test_the_command_runs_in_the_workspace_and_its_changes_wait(cage: Cage) -> None:
    (cage.root / "in.txt").write_text("b\na\n")
    assert cage.lines("pwd; sort in.txt | tee out.txt") == ["/workspace", "a", "b"]
    assert (cage.layer.changes / "out.txt").read_text() == "a\nb\n"
    assert [path.name for path in cage.root.iterdir()] == ["in.txt"]


def test_without_a_layer_the_workspace_can_only_be_read(cage: Cage) -> None:
    (cage.root / "in.txt").write_text("as it was\n")
    ran = run_command(
        cage.system, "cat in.txt; echo x > in.txt; rm in.txt; touch new; mount -o remount,rw .", cage.root, cage.limits,
        cage.shown.append, cage.cancel,
    )  # fmt: skip
    assert ran.status != 0
    assert cage.shown[0] == "as it was"
    assert [(path.name, path.read_text()) for path in cage.root.iterdir()] == [("in.txt", "as it was\n")]


@pytest.mark.parametrize("status", [0, 1, 7, 127])
def test_the_exit_status_is_the_commands_own(cage: Cage, status: int) -> None:
    assert cage.run(f"exit {status}").status == status


def test_a_signal_is_a_status_too(cage: Cage) -> None:
    assert cage.run("kill -9 $$").status == 128 + 9


def test_both_outputs_come_in_order_and_while_it_runs(cage: Cage) -> None:
    assert cage.lines("echo 1; echo 2 >&2; echo 3; python3 -c 'import sys; print(4); print(5, file=sys.stderr)'") == [
        *"12345"
    ]
    assert cage.shown == [*"12345"]


def test_nothing_can_be_typed_into_it(cage: Cage) -> None:
    assert cage.lines("cat; wc -c < /dev/stdin; tty || true") == ["0", "not a tty"]


def test_there_is_no_network_not_even_this_machine(cage: Cage) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port), timeout=5):
            pass
        reach = f"exec 3<>/dev/tcp/127.0.0.1/{port}"
        assert cage.run(reach).status != 0
        assert cage.lines("tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '") == ["lo"]
        assert cage.run("python3 -c \"import socket; socket.create_connection(('192.0.2.1', 80), 3)\"").status == 1


def test_an_abstract_socket_outside_is_not_there(cage: Cage) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("\0aria-cage-test")
        listener.listen()
        ran = cage.run("python3 -c \"import socket; socket.socket(socket.AF_UNIX).connect(chr(0) + 'aria-cage-test')\"")
    assert ran.status == 1
    assert "ConnectionRefused" in ran.printed.last[-1]


def test_files_of_the_user_and_of_the_program_are_not_there(cage: Cage, user_folders: Path) -> None:
    secret = user_folders / "data" / "secret.txt"
    secret.parent.mkdir(parents=True)
    secret.write_text("canary")
    for path in (secret, Path.home(), Path("/etc/shadow"), Path("/root"), Path("/var"), Path("/run"), Path("/sys")):
        assert cage.run(f"test -e '{path}'").status == 1, path
    assert cage.run(f"cat '{secret}'").status == 1
    assert cage.run("grep -r canary / --include=secret.txt -s").status != 0


def test_nothing_outside_can_be_written(cage: Cage) -> None:
    outside = cage.root.parent / "outside.txt"
    outside.write_text("as it was")
    (cage.root / "link").symlink_to(outside)
    cage.run("echo x > link; echo x > ../outside.txt; echo x > /workspace/../outside.txt")
    for path in ("/x", "/usr/x", "/etc/x", "/dev/x", "/proc/x", "/usr/bin/x"):
        assert cage.run(f"echo x > {path}").status != 0, path
    assert outside.read_text() == "as it was"
    assert cage.run("mount -o remount,rw /usr").status != 0


def test_going_up_stays_inside(cage: Cage) -> None:
    assert cage.lines("cd ..; pwd; cd ../../..; pwd; ls")[:2] == ["/", "/"]


def test_what_is_written_beside_the_workspace_is_gone_with_it(cage: Cage) -> None:
    cage.lines("echo x > /tmp/a; echo x > ~/b; echo x > /dev/shm/c")
    assert cage.lines("ls /tmp ~ /dev/shm -A | grep -v :; true") == ["", ""]
    assert not Path("/tmp/a").exists()


def test_room_beside_the_workspace_is_bounded(cage: Cage) -> None:
    cage.limits = CageLimits(seconds=LONG_S, scratch=1 << 20, file=8 << 20)
    for path in ("/tmp/big", "~/big", "/dev/shm/big"):
        assert cage.run(f"head -c 4000000 /dev/zero > {path}").status != 0, path
    assert cage.run("head -c 20000000 /dev/zero > big").status != 0
    assert (cage.layer.changes / "big").stat().st_size <= 8 << 20


@pytest.mark.parametrize(
    ("limits", "command"),
    [
        (CageLimits(seconds=LONG_S, changed=2 << 20), "head -c 4000000 /dev/zero > big; sleep 1000"),
        (CageLimits(seconds=LONG_S, changed=2 << 20), "head -c 4000000 /dev/zero > big"),
        (CageLimits(seconds=LONG_S, changed_files=50), "mkdir in; touch in/{1..60}; sleep 1000"),
    ],
)
def test_what_is_changed_altogether_is_bounded(cage: Cage, limits: CageLimits, command: str) -> None:
    cage.limits = limits
    ran = cage.run(command)
    assert (ran.ending, ran.status) == (Ending.CHANGES, None)


def test_a_file_with_a_second_name_outside_can_neither_be_read_nor_written(cage: Cage) -> None:
    outside = cage.root.parent / "outside.txt"
    outside.write_text("canary")
    (cage.root / "twin.txt").hardlink_to(outside)
    ran = cage.run("cat twin.txt; echo x > twin.txt; mv twin.txt other.txt; cat other.txt")
    assert not any("canary" in line for line in ran.printed.last)
    assert outside.read_text() == "canary"


def test_git_hooks_and_settings_stay_as_they_are(cage: Cage) -> None:
    hooks = cage.root / "project" / ".git" / "hooks"
    hooks.mkdir(parents=True)
    ran = cage.run("cd project; echo x > .git/hooks/pre-commit; mv .git elsewhere; rm -rf .git; echo x >> .git/config")
    assert ran.status != 0
    assert list((cage.root / "project" / ".git").rglob("*")) == [hooks]


def test_no_other_git_folder_is_put_in_the_place_of_one(cage: Cage) -> None:
    """Renaming a folder takes what is mounted in it along."""
    hooks = cage.root / "work" / "project" / ".git" / "hooks"
    hooks.mkdir(parents=True)
    for folder in ("work", "work/project"):
        cage.run(f"mv {folder} away; mkdir -p work/project/.git/hooks; echo x > work/project/.git/hooks/pre-commit")
        assert list((cage.root / "work" / "project" / ".git").rglob("*")) == [hooks], folder
    assert [path.name for path in cage.root.iterdir()] == ["work"]


def test_a_command_that_begins_like_an_option_is_a_command(cage: Cage) -> None:
    ran = cage.run("--version")
    assert (ran.status, ran.printed.lines) == (127, 1)


def test_the_environment_holds_nothing_of_ours(cage: Cage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "canary")
    names = {line.partition("=")[0] for line in cage.lines("env")}
    assert names <= {"PATH", "HOME", "LANG", "TERM", "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE"} | {
        "PWD",
        "SHLVL",
        "_",
    }
    assert cage.run("grep -a canary /proc/*/environ").status != 0


def test_no_descriptor_and_no_process_of_ours_is_there(cage: Cage) -> None:
    with (cage.root.parent / "open.txt").open("w") as held:
        assert held.fileno() > 2
        assert cage.lines("ls /proc/self/fd") == ["0", "1", "2", "3"]
    assert int(cage.lines("ls -d /proc/[0-9]* | wc -l")[0]) < 10
    assert cage.run(f"kill -0 {psutil.Process().pid}").status != 0


def test_there_is_no_way_to_more_rights(cage: Cage) -> None:
    status = cage.lines("cat /proc/self/status")
    capabilities = [line.split()[1] for line in status if line.startswith("Cap")]
    assert capabilities == ["0000000000000000"] * 5
    assert "NoNewPrivs:\t1" in status
    assert cage.run("unshare --user --map-root-user true").status != 0


def test_a_time_limit_ends_all_that_was_started(cage: Cage, own_children: Callable[[], list[psutil.Process]]) -> None:
    cage.limits = CageLimits(seconds=0.5)
    ran = cage.run(
        "trap '' TERM INT HUP; setsid sleep 1000 & (sleep 1000 &) ; nohup sleep 1000 & echo begun; sleep 1000"
    )
    assert (ran.ending, ran.status) == (Ending.TIME, None)
    assert ran.printed.last == ("begun",)
    assert own_children() == []
    assert not [p for p in psutil.process_iter(["cmdline"]) if p.info["cmdline"] == ["sleep", "1000"]]


def test_what_runs_on_in_the_background_ends_with_the_command(cage: Cage) -> None:
    ran = cage.run("sleep 1001 & setsid sleep 1001 & echo done")
    assert (ran.status, ran.printed.last) == (0, ("done",))
    assert not [p for p in psutil.process_iter(["cmdline"]) if p.info["cmdline"] == ["sleep", "1001"]]


def test_a_cancel_ends_it(cage: Cage) -> None:
    def stop_at_first_line(line: str) -> None:
        assert line == "begun"
        threading.Thread(target=cage.cancel.cancel).start()

    ran = cage.run_shown("echo begun; sleep 1000", stop_at_first_line)
    assert ran.ending is Ending.CANCELLED
    assert ran.seconds < LONG_S


def test_a_cancel_before_it_begins_ends_it_too(cage: Cage) -> None:
    cage.cancel.cancel()
    assert cage.run("sleep 1000").ending is Ending.CANCELLED


def test_a_fork_bomb_is_ended(cage: Cage) -> None:
    before = len(psutil.pids())
    ran = cage.run(":(){ :|:& };:; wait; sleep 1000")
    assert ran.ending is Ending.PROCESSES
    deadline = time.monotonic() + 10
    while len(psutil.pids()) > before + 20 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(psutil.pids()) <= before + 20


def test_memory_is_bounded_for_one_and_for_all_together(cage: Cage) -> None:
    cage.limits = CageLimits(seconds=LONG_S, memory=64 << 20, address_space=200 << 20)
    assert cage.run("python3 -c 'bytearray(1 << 30)'").status == 1
    several = "python3 -c 'import time; held = bytearray(b\"x\") * (40 << 20); time.sleep(1000)' &"
    assert cage.run(f"{several} {several} wait").ending is Ending.MEMORY


def test_a_flood_is_counted_and_ended(cage: Cage) -> None:
    cage.limits = CageLimits(seconds=LONG_S, printed=300_000)
    ran = cage.run("yes")
    assert ran.ending is Ending.OUTPUT
    assert ran.printed.bytes > 300_000
    assert len(cage.shown) < 300
    assert cage.shown[-1].endswith("more lines]")


class TestForAnOrdinaryUser:
    """The kernel treats root differently in limits and rights, so the walls are tried without it as well."""

    @pytest.fixture
    def room(self) -> Iterator[Path]:
        with tempfile.TemporaryDirectory(prefix="aria-cage-") as folder:
            Path(folder).chmod(0o777)
            yield Path(folder)

    def ran(self, room: Path, command: str, seconds: float = LONG_S) -> tuple[str, int | None, list[str]]:
        def run() -> object:
            limits = CageLimits(seconds=seconds, processes=64)
            with Stage(room / "staging") as stage:
                show, cancel = lambda _: None, CancelToken()
                ran = run_command(system, command, room / "ws", limits, show, cancel, stage.layer)
            return ran.ending.value, ran.status, ran.printed.last

        (room / "ws").mkdir(exist_ok=True)
        (room / "ws").chmod(0o777)
        shutil.rmtree(room / "bwrap", ignore_errors=True)
        system = readable_system(room)
        ending, status, lines = as_nobody(run)
        return ending, status, lines

    def test_it_works(self, room: Path) -> None:
        assert self.ran(room, "echo x > made; cat made") == ("itself", 0, ["x"])
        assert list((room / "ws").iterdir()) == list((room / "staging").iterdir()) == []

    def test_nothing_outside_can_be_written_and_no_rights_are_gained(self, room: Path) -> None:
        for command in ("touch /usr/x", "touch /x", "unshare -Ur true", "mount -o remount,rw /usr", "ls /root"):
            assert self.ran(room, command)[1] != 0, command
        status = self.ran(room, "grep ^Cap /proc/self/status")[2]
        assert {line.split()[1] for line in status} == {"0000000000000000"}

    def test_there_is_no_network(self, room: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            assert self.ran(room, f"exec 3<>/dev/tcp/127.0.0.1/{listener.getsockname()[1]}")[1] != 0

    def test_a_fork_bomb_is_kept_small_and_ends_in_time(self, room: Path) -> None:
        ending, status, _ = self.ran(room, ":(){ :|:& };:; wait; sleep 1000", seconds=1.0)
        assert ending in ("time", "processes")
        assert status is None


NOBODY = 65534


def as_nobody(work: Callable[[], object]) -> Any:
    """What `work` returns in a child of ours that has given up being root; the same right here for all others."""
    if os.getuid() != 0:
        return json.loads(json.dumps(work()))
    codecs.lookup("ascii")  # Python's own files may be root's alone.
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        # A model of another test that is freed here would wait for threads that only the parent has.
        gc.disable()
        answer: object = "nothing"
        try:
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
            answer = work()
        except BaseException as error:
            answer = repr(error)
        finally:
            os.write(theirs, json.dumps(answer).encode())
            os._exit(0)
    os.close(theirs)
    with os.fdopen(ours, "rb") as told:
        answer = json.load(told)
    os.waitpid(child, 0)
    return answer


class TestWithoutACage:
    @pytest.mark.parametrize("name", ["bubblewrap", "prlimit"])
    def test_what_is_missing_is_named_and_how_to_get_it(
        self, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        if name == "prlimit":
            (tmp_path / "bwrap").symlink_to("/usr/bin/bwrap")
        monkeypatch.setattr(cage_system, "PROGRAM_FOLDERS", (str(tmp_path),))
        monkeypatch.setattr(cage_system, "BUNDLED", ())
        with pytest.raises(CageMissing, match=f"{name} is not installed") as caught:
            find_system()
        assert caught.value.hint

    @pytest.mark.parametrize(
        ("script", "words"),
        [("echo bubblewrap 0.7.1", "too old"), ("echo what", "too old"), ("exit 3", "can't be run")],
    )
    def test_an_old_or_broken_one_is_refused(
        self, script: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        program(tmp_path / "bwrap", script)
        monkeypatch.setattr(cage_system, "PROGRAM_FOLDERS", (str(tmp_path),))
        monkeypatch.setattr(cage_system, "BUNDLED", ())
        with pytest.raises(CageMissing, match=words):
            find_system()

    def test_one_with_layers_is_preferred_and_of_those_the_systems_own(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for folder, version in (("system", "0.9.0"), ("bundled", "0.11.0"), ("newer", "0.12.1"), ("old", "0.7")):
            (tmp_path / folder).mkdir()
            program(tmp_path / folder / "bwrap", f"echo bubblewrap {version}")

        def found(system: tuple[str, ...], bundled: str) -> list[tuple[str, bool]]:
            folders = (*(str(tmp_path / folder) for folder in system), "/usr/bin")
            monkeypatch.setattr(cage_system, "PROGRAM_FOLDERS", folders)
            monkeypatch.setattr(cage_system, "BUNDLED", (str(tmp_path / bundled / "bwrap"),))
            places = [(Path(found.bwrap).parent, found.layers) for found in find_systems()]
            return [(place.name, layers) for place, layers in places if place.parent == tmp_path]

        assert found(("system",), "bundled") == [("bundled", True), ("system", False)]
        assert found(("newer",), "bundled") == [("newer", True), ("bundled", True)]
        assert found(("old",), "missing") == []

    def test_where_no_layer_can_be_made_a_command_can_only_look(self, tmp_path: Path, cage: Cage) -> None:
        real = cage.system.bwrap
        program(tmp_path / "bwrap", f'case "$*" in *--overlay*) exit 1;; esac; exec {real} "$@"')
        without = replace(cage.system, bwrap=str(tmp_path / "bwrap"))
        staging = tmp_path / "data" / "staging"
        assert proven((without,), staging, cage.cancel) == Proven(without, None)
        assert proven((without, cage.system), staging, cage.cancel) == Proven(cage.system, staging)
        assert proven((replace(cage.system, layers=False),), staging, cage.cancel).staging is None

    def test_one_that_does_not_hold_is_passed_over_and_when_none_does_the_best_ones_fault_is_told(
        self, tmp_path: Path, cage: Cage
    ) -> None:
        leaky = f'for a do shift; [ "$a" = --unshare-net ] || set -- "$@" "$a"; done; exec {cage.system.bwrap} "$@"'
        program(tmp_path / "open", leaky)
        program(tmp_path / "broken", "exit 1")
        opened, broken = (replace(cage.system, bwrap=str(tmp_path / name)) for name in ("open", "broken"))
        assert proven((opened, cage.system), tmp_path / "s", cage.cancel).system == cage.system
        with pytest.raises(CageMissing, match="find an abstract socket"):
            proven((opened, broken), None, cage.cancel)

    def test_without_namespaces_nothing_runs_and_the_reason_is_told(self, tmp_path: Path, cage: Cage) -> None:
        said = "bwrap: No permissions to create a new namespace"
        program(tmp_path / "bwrap", f"echo '{said}' >&2; exit 1")
        broken = System(str(tmp_path / "bwrap"), "/usr/bin/prlimit", "/bin/sh", cage.system.links, ())
        with pytest.raises(CageMissing, match="No permissions") as caught:
            probe(broken, cage.cancel)
        assert "namespaces" in caught.value.hint

    def test_a_bubblewrap_that_is_gone_is_told(self, tmp_path: Path, cage: Cage) -> None:
        gone = System(str(tmp_path / "bwrap"), "/usr/bin/prlimit", "/bin/sh", cage.system.links, ())
        with pytest.raises(CageMissing, match="can't be run"):
            probe(gone, cage.cancel)


def program(path: Path, script: str) -> None:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
