"""The cage in which a command of the terminal runs: what it sees, may change and may use up, as bubblewrap arguments.

Pure: what is written here decides what a command can reach, so it is one list that is built from values and tested
as such; `cage_run` starts it. What must stay true:

* The workspace itself is never written to. What a command changes in it goes to a layer of its own (`Layer`), which is
  looked at and asked about afterwards; without one the workspace can only be read. A `.git` folder is not changed even
  there (its hooks run later, outside), and a file with a second name is hidden (it may lie outside). All else that can
  be written to is gone when the command ends.
* Of the system there is `/usr` and what belongs to it; not the home folder, no settings, no sockets, no devices.
* No network, not even this machine's own addresses. No other process is seen. No capability, no new privileges, no
  namespaces of its own, no terminal, no variable and no open file of ours. Of the kernel it may ask only what
  `cage_filter` lets through.
* Whatever the command has started ends with it, and it ends with the thread that started it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from aria_desktop.core.errors import AriaError, ToolFailed

WORKSPACE = "/workspace"
"""Where the workspace lies in the cage; its name outside tells a command nothing."""
HOME = "/home/user"
PASSWD = "user:x:1000:1000:user:/home/user:/bin/sh\n"
"""Programs that ask who they run for get this."""
OLDEST = (0, 8)
"""The bubblewrap that first had what is used here without a layer (`--disable-userns`)."""
LAYERS_SINCE = (0, 11)
"""The bubblewrap that first could lay one folder over another."""

_ENVIRONMENT = (
    ("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin"),
    ("HOME", HOME),
    ("LANG", "C.UTF-8"),
    ("TERM", "dumb"),
    # Python shows its lines as they are printed, and leaves no caches in the workspace.
    ("PYTHONUNBUFFERED", "1"),
    ("PYTHONDONTWRITEBYTECODE", "1"),
)
_ETC = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime")
"""Of the settings of this machine: where libraries and programs lie, and the time zone. None of them is a secret."""


class CageMissing(AriaError):
    """Commands can't be caged here, so none is run."""

    code: ClassVar[str] = "cage_missing"


class CommandRefused(ToolFailed):
    """A command that is not even asked about."""

    code: ClassVar[str] = "command_refused"


@dataclass(frozen=True, slots=True)
class CageLimits:
    """What one command may use up, with all that it starts."""

    seconds: float = 30.0
    processes: int = 128
    memory: int = 2 << 30
    """Bytes that all of them hold together."""
    address_space: int = 4 << 30
    """Bytes of each; more than `memory`, since most of what programs reserve is never used."""
    file: int = 256 << 20
    """Bytes of the largest file that can be written."""
    scratch: int = 64 << 20
    """Bytes in each of the folders that are gone afterwards."""
    open_files: int = 256
    printed: int = 32 << 20
    """Bytes of output after which it is ended."""
    changed: int = 512 << 20
    """Bytes of all files together that it makes or changes."""
    changed_files: int = 5_000
    """Files and folders that it makes, changes or deletes."""


@dataclass(frozen=True, slots=True)
class System:
    """What of this system the cage is made from."""

    bwrap: str
    prlimit: str
    shell: str
    links: tuple[tuple[str, str], ...]
    """Names in the root that lead into /usr, with what they say: ("/bin", "usr/bin")."""
    folders: tuple[str, ...]
    """Names in the root that are folders of their own on older systems."""
    layers: bool = False
    """Whether this bubblewrap can lay one folder over another."""


@dataclass(frozen=True, slots=True)
class Guarded:
    """What a command can't change although it lies in the workspace. Paths from there, with /."""

    read_only: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Layer:
    """Two empty folders on one file system, outside of the workspace."""

    changes: Path
    """Takes what the command changes, in the form of an overlay's upper folder."""
    work: Path
    """The kernel's own."""


@dataclass(frozen=True, slots=True)
class Descriptors:
    """Open files that bubblewrap is handed; it closes them before the command runs."""

    passwd: int
    """Gives `PASSWD`."""
    status: int
    """Takes how the command ended, as JSON."""
    filter: int
    """Gives the filter of system calls, see `cage_filter`."""


def command_line(
    system: System,
    workspace: Path,
    layer: Layer | None,
    guarded: Guarded,
    limits: CageLimits,
    descriptors: Descriptors,
    command: str,
) -> list[str]:
    """All arguments, the program first. `command` is one argument of the shell, whatever is in it.

    Args:
        layer: None for a workspace that can only be read.
    """
    return [
        system.bwrap,
        *_walls(),
        *_variables(),
        *_system_view(system, descriptors.passwd),
        *_scratch(limits.scratch),
        *_workspace_view(workspace, layer, guarded),
        *("--remount-ro", "/"),
        *("--chdir", WORKSPACE),
        *("--json-status-fd", str(descriptors.status)),
        *("--seccomp", str(descriptors.filter)),
        "--",
        *_limited(system.prlimit, limits),
        *(system.shell, "-c", "--", command),
    ]


def _walls() -> list[str]:
    return [
        *("--unshare-user", "--disable-userns"),
        *("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"),
        *("--uid", "1000", "--gid", "1000"),
        # Without this, a cage that root builds could be left: its capabilities would hold inside.
        *("--cap-drop", "ALL"),
        *("--hostname", "cage"),
        "--new-session",
        "--die-with-parent",
    ]


def _variables() -> list[str]:
    named = [word for name, value in _ENVIRONMENT for word in ("--setenv", name, value)]
    return ["--clearenv", *named]


def _system_view(system: System, passwd: int) -> list[str]:
    linked = [word for name, target in system.links for word in ("--symlink", target, name)]
    bound = [word for folder in ("/usr", *system.folders) for word in ("--ro-bind", folder, folder)]
    settings = [word for path in _ETC for word in ("--ro-bind-try", path, path)]
    return [
        *bound,
        *linked,
        *("--perms", "0755", "--dir", "/etc"),
        *settings,
        *("--perms", "0644", "--ro-bind-data", str(passwd), "/etc/passwd"),
        # Root owns the settings of the kernel in there, and is root still where it has no capability.
        *("--proc", "/proc", "--remount-ro", "/proc"),
        *("--dev", "/dev"),
    ]


def _scratch(size: int) -> list[str]:
    """Memory is bounded, also where it looks like a disk."""
    folders = (("/dev/shm", "1777"), ("/tmp", "1777"), (HOME, "0755"))
    sized = [word for path, mode in folders for word in ("--perms", mode, "--size", str(size), "--tmpfs", path)]
    return [*sized, "--remount-ro", "/dev"]


def _workspace_view(workspace: Path, layer: Layer | None, guarded: Guarded) -> list[str]:
    whole = ["--ro-bind", str(workspace), WORKSPACE]
    if layer is not None:
        whole = ["--overlay-src", str(workspace), "--overlay", str(layer.changes), str(layer.work), WORKSPACE]
    read_only = [
        word for path in guarded.read_only for word in ("--ro-bind", str(workspace / path), f"{WORKSPACE}/{path}")
    ]
    # A device in a place without devices can't be opened: that is how a file is hidden under its name.
    hidden = [word for path in guarded.hidden for word in ("--ro-bind", "/dev/null", f"{WORKSPACE}/{path}")]
    return [*whole, *read_only, *hidden]


def _limited(prlimit: str, limits: CageLimits) -> list[str]:
    """Set inside: outside, the number of processes would count all that the user has running. Since Linux 5.14 it is
    counted for each user namespace; every bubblewrap that is new enough comes with a newer kernel."""
    return [
        prlimit,
        f"--nproc={limits.processes}",
        f"--as={limits.address_space}",
        f"--fsize={limits.file}",
        f"--nofile={limits.open_files}",
        "--core=0",
        "--",
        # The first process of the cage takes all others along at its end, and must not have to queue for that.
        *("nice", "-n", "19"),
    ]
