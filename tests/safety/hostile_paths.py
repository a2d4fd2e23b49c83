"""Hostile paths, by their numbers: how each workspace is laid out, the name that is asked for, what has to come of it.

Layout of each: `ws/` is the workspace with `a.txt`, `f` and `sub/b.txt`; `ws2/f` and `secret` lie beside it and hold
`OUTSIDE`. The outcome is a letter per operation, in the order of `OPERATIONS`; the letters are those of `OUTCOMES`.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

OUTSIDE = "outside"
"""What no operation may bring in."""
OPERATIONS = ("list", "read", "write", "append", "move away", "move to", "delete")
OUTCOMES = {
    "A": "allowed",
    "O": "path_outside",
    "N": "path_name",
    "L": "path_symlink",
    "H": "path_aliased",
    "R": "path_not_regular",
    "P": "path_protected",
    "X": "path_refused",
    "M": "file_missing",
    "F": "tool_failed",
}
"""The closed set."""

Arrange = Callable[[Path], None]


@dataclass(frozen=True)
class Hostile:
    number: str
    name: str
    expected: str
    arrange: Arrange | None = None
    """Lays out more in the workspace, which it is given."""
    leads_out: bool = False
    """A program that opens the name as a path reads `OUTSIDE`: the positive control."""


def _link(target: str, root: Path) -> None:
    (root / "link").symlink_to(target)


def _links(count: int, root: Path) -> None:
    """`link` leads to `secret` through `count` links."""
    for number in range(count - 1):
        (root / f"l{number}").symlink_to(f"l{number + 1}")
    (root / f"l{count - 1}").symlink_to("../secret")
    (root / "link").symlink_to("l0")


def _loop(root: Path) -> None:
    (root / "link").symlink_to("other")
    (root / "other").symlink_to("link")


def _alias(root: Path) -> None:
    (root / "alias").hardlink_to(root.parent / "secret")


def _inner_alias(root: Path) -> None:
    (root / "alias").hardlink_to(root / "a.txt")


def _pipe(root: Path) -> None:
    os.mkfifo(root / "pipe")


def _socket(root: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(root / "socket"))


def _sparse(root: Path) -> None:
    with (root / "huge").open("wb") as file:
        file.truncate(1 << 40)


def _file(name: str, root: Path) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("there\n")


def _bytes_name(root: Path) -> None:
    (root / os.fsdecode(b"caf\xe9.txt")).write_text("there\n")


def there(name: str) -> Arrange:
    return partial(_file, name)


def to(target: str) -> Arrange:
    return partial(_link, target)


HOSTILE = (
    # A. Traversal
    Hostile("P01", "../secret", "OOOOOOO", leads_out=True),
    Hostile("P02", "sub/../../secret", "OOOOOOO", leads_out=True),
    Hostile("P03", "./../secret", "OOOOOOO", leads_out=True),
    Hostile("P04", "sub/./../../secret", "OOOOOOO", leads_out=True),
    Hostile("P05", "..//secret", "OOOOOOO", leads_out=True),
    Hostile("P06", "sub/..%2f..%2fsecret", "MMNNMNM"),
    Hostile("P07", "%2e%2e/secret", "MMNNMNM"),
    Hostile("P08", "..\\secret", "OOOOOOO"),
    Hostile("P09", "sub\\..\\..\\secret", "OOOOOOO"),
    Hostile("P10", ".../secret", "MMNNMNM"),
    Hostile("P10b", "..../secret", "MMNNMNM"),
    # B. Absolute and rooted
    Hostile("P11", "/etc/passwd", "OOOOOOO"),
    Hostile("P12", "//etc/passwd", "OOOOOOO"),
    Hostile("P13", "~/x", "OOOOOOO"),
    Hostile("P14", "~root/x", "OOOOOOO"),
    Hostile("P15", "$HOME/x", "OOOOOOO"),
    Hostile("P15b", "${HOME}/x", "OOOOOOO"),
    Hostile("P16", "file:///etc/passwd", "OOOOOOO"),
    Hostile("P17", "C:\\x", "OOOOOOO"),
    Hostile("P18", "C:x", "OOOOOOO"),
    Hostile("P19", "\\\\server\\share\\x", "OOOOOOO"),
    Hostile("P20", "\\\\?\\C:\\x", "OOOOOOO"),
    Hostile("P20b", "\\\\.\\PhysicalDrive0", "OOOOOOO"),
    # C. Root confusion
    Hostile("P21", "../ws2/f", "OOOOOOO", leads_out=True),
    Hostile("P22", "", "ARRRXFX"),
    Hostile("P22b", ".", "ARRRXAX"),
    Hostile("P23", "../ws/a.txt", "OOOOOOO"),
    # D. Symbolic links
    Hostile("P27", "link", "LLLLLLL", to("../secret"), leads_out=True),
    Hostile("P28", "link/f", "LLLLLLL", to("../ws2"), leads_out=True),
    Hostile("P29", "link/secret", "LLLLLLL", to(".."), leads_out=True),
    Hostile("P30", "link", "LLLLLLL", partial(_links, 3), leads_out=True),
    Hostile("P31", "link", "LLLLLLL", _loop),
    Hostile("P32", "link", "LLLLLLL", to("../made")),
    Hostile("P33", "link", "LLLLLLL", to("a.txt")),
    Hostile("P36", "link/etc/passwd", "LLLLLLL", to("/proc/self/root")),
    Hostile("P36b", "link/x", "LLLLLLL", to("/proc/self/cwd")),
    Hostile("P37", "link", "LLLLLLL", to("/dev/stdin")),
    Hostile("P37b", "link", "LLLLLLL", to("/dev/fd/0")),
    Hostile("P38", "link", "LLLLLLL", partial(_links, 41)),
    # E. Hard links
    Hostile("P39-P41", "alias", "RHHHHHH", _alias, leads_out=True),
    Hostile("P43", "alias", "RHHHHHH", _inner_alias),
    # F. Special files
    Hostile("P44", "pipe", "RRRRRRR", _pipe),
    Hostile("P46", "socket", "RRRRRRR", _socket),
    Hostile("P49", "f/", "RRRRRRR"),
    Hostile("P49b", "f/..", "OOOOOOO"),
    Hostile("P49c", "f/x", "RRRRRRR"),
    Hostile("P49d", "sub", "ARRRAFA"),
    Hostile("P50", "/proc/self/environ", "OOOOOOO"),
    Hostile("P51", "huge", "RFFFAAA", _sparse),
    # G. Names
    Hostile("P52", "a\0b", "NNNNNNN"),
    Hostile("P53", "a\nb", "NNNNNNN"),
    Hostile("P53b", "a\tb", "NNNNNNN"),
    Hostile("P53c", "a\rb", "NNNNNNN"),
    Hostile("P54", "a\x1b[2Jb", "NNNNNNN"),
    Hostile("P55", "n" * 255, "MMAMMAM"),
    Hostile("P55b", "n" * 256, "NNNNNNN"),
    Hostile("P56", "/".join(["d" * 200] * 21), "NNNNNNN"),
    Hostile("P57", "😀" * 64, "NNNNNNN"),
    Hostile("P58", "/".join("d" * 300), "NNNNNNN"),
    Hostile("P59", "-rf", "RAAAAAA", there("-rf")),
    Hostile("P59b", "--help", "RAAAAAA", there("--help")),
    Hostile("P60", " a", "MMNNMNM"),
    Hostile("P60b", "a ", "MMNNMNM"),
    Hostile("P61", "g.", "MMNNMNM"),
    Hostile("P61b", "g...", "MMNNMNM"),
    Hostile("P62", " . ", "MMNNMNM"),
    *(Hostile(f"P63 {n}", n, "MMNNMNM") for n in ("CON", "NUL", "PRN", "AUX", "COM1", "LPT1")),
    *(Hostile(f"P64 {n}", n, "MMNNMNM") for n in ("con.txt", "NUL .txt", "COM¹", "CONIN$")),
    Hostile("P65", "f.txt:s", "OOOOOOO"),
    Hostile("P65b", "f.txt::$DATA", "OOOOOOO"),
    Hostile("P66", "PROGRA~1", "RAAAAAA", there("PROGRA~1")),
    *(Hostile(f"P67 {c}", f"a{c}b", "MMNNMNM") for c in '<>"|?*'),
    # H. Unicode
    Hostile("P68", "cafe\u0301", "MMFMMFM", there("caf\u00e9")),
    Hostile("P69", "readme", "MMFMMFM", there("README")),
    Hostile("P69b", ".GIT/hooks/post-merge", "MMPPPPP"),
    Hostile("P70", "\u212a.txt", "MMFMMFM", there("k.txt")),
    Hostile("P71", "gpj\u202eexe", "NNNNNNN"),
    *(Hostile(f"P72 {ord(c):04X}", f"a{c}b", "NNNNNNN") for c in "\u200b\u200d\ufeff"),
    Hostile("P73", "．．／secret", "MMNNMNM"),
    Hostile("P74", "a\u2215b", "MMNNMNM"),
    Hostile("P74b", "\u2024\u2024", "MMNNMNM"),
    Hostile("P75", "a\ud800b", "NNNNNNN"),
    Hostile("P76", "caf\udce9.txt", "NNNNNNN", _bytes_name),
    Hostile("P77", "а.txt", "MMAMMAM"),
    # I. Files that run later
    *(
        Hostile(f"P{number} {name}", name, "RAPPPPP", there(name))
        for number, names in {
            78: (".git/hooks/pre-commit", ".git/config", "git~1/config", "bare/hooks/post-merge"),
            79: ("vendor/x/.git/hooks/pre-commit", "vendor/.git"),
            81: (
                ".bashrc",
                ".profile",
                ".envrc",
                ".ssh/config",
                ".vscode/tasks.json",
                ".idea/x.xml",
                "deep/.zlogin",
                "a/.cursor/mcp.json",
            ),
            82: ("x.desktop", "autorun.inf", "x.lnk", "a/x.code-workspace"),
            83: ("bin/activate", "lib/site-packages/x.pth", "deep/x.pth", "app/sitecustomize.py"),
        }.items()
        for name in names
    ),
)
