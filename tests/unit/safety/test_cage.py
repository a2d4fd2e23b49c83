"""The arguments of the cage, and what is kept of what a command prints."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from aria_desktop.safety import cage_guards
from aria_desktop.safety.cage import (
    HOME,
    WORKSPACE,
    CageLimits,
    CommandRefused,
    Descriptors,
    Guarded,
    Layer,
    System,
    command_line,
)
from aria_desktop.safety.cage_guards import guarded_in
from aria_desktop.safety.cage_output import LAST_LINES, LINE_CHARACTERS, SHOWN_LINES, Output

SYSTEM = System(
    "/usr/bin/bwrap", "/usr/bin/prlimit", "/usr/bin/bash", (("/bin", "usr/bin"), ("/lib", "usr/lib")), ("/lib64",)
)
ROOT = Path("/data/my files")


LAYER = Layer(Path("/data/changes"), Path("/data/work"))


def arguments(
    command: str = "ls",
    guarded: Guarded | None = None,
    limits: CageLimits | None = None,
    layer: Layer | None = LAYER,
) -> list[str]:
    given = (SYSTEM, ROOT, layer, guarded or Guarded(), limits or CageLimits(), Descriptors(5, 6, 12))
    return command_line(*given, command)


def follows(words: list[str], *wanted: str) -> bool:
    size = len(wanted)
    return any(tuple(words[i : i + size]) == wanted for i in range(len(words)))


@pytest.mark.parametrize(
    "wall",
    [
        "--unshare-user",
        "--disable-userns",
        "--unshare-ipc",
        "--unshare-pid",
        "--unshare-net",
        "--unshare-uts",
        "--new-session",
        "--die-with-parent",
        "--clearenv",
    ],
)
def test_every_wall_stands_before_the_command(wall: str) -> None:
    words = arguments()
    assert wall in words[: words.index("--")]


def test_no_capability_is_left() -> None:
    assert follows(arguments(), "--cap-drop", "ALL")


@pytest.mark.parametrize("layer", [LAYER, None])
def test_nothing_is_bound_for_writing(layer: Layer | None) -> None:
    words = arguments(layer=layer, guarded=Guarded(("a/.git",), ("twin.txt",)))
    assert not {"--bind", "--dev-bind", "--bind-try", "--bind-fd"} & set(words)
    assert follows(words, "--chdir", WORKSPACE)


def test_the_workspace_lies_under_a_layer_or_can_only_be_read() -> None:
    layered = ("--overlay-src", str(ROOT), "--overlay", "/data/changes", "/data/work", WORKSPACE)
    assert follows(arguments(), *layered)
    assert follows(arguments(layer=None), "--ro-bind", str(ROOT), WORKSPACE)
    assert "--overlay" not in arguments(layer=None)


def test_the_system_is_what_belongs_to_usr_and_nothing_of_the_users() -> None:
    words = arguments()
    bound = [words[i + 1] for i, word in enumerate(words) if word in ("--ro-bind", "--ro-bind-try")]
    assert bound[:2] == ["/usr", "/lib64"]
    assert all(path.startswith(("/usr", "/lib", "/etc/ld.so", "/etc/alternatives", "/etc/localtime")) for path in bound)
    assert follows(words, "--symlink", "usr/bin", "/bin")


def test_what_can_be_written_beside_the_workspace_is_bounded_and_the_rest_closed_last() -> None:
    words = arguments(limits=CageLimits(scratch=1234))
    for folder in ("/tmp", "/dev/shm", HOME):
        assert follows(words, "--size", "1234", "--tmpfs", folder)
    assert follows(words, "--remount-ro", "/dev")
    after = words[words.index(WORKSPACE) :]
    assert follows(after, "--remount-ro", "/")


def test_protected_and_aliased_files_are_laid_over_the_workspace() -> None:
    words = arguments(guarded=Guarded(("a/.git",), ("twin.txt",)))
    assert follows(words, "--ro-bind", f"{ROOT}/a/.git", f"{WORKSPACE}/a/.git")
    assert words.index(f"{WORKSPACE}/a/.git") > words.index(WORKSPACE)
    assert follows(words, "--ro-bind", "/dev/null", f"{WORKSPACE}/twin.txt")
    assert words.index(f"{WORKSPACE}/twin.txt") > words.index(WORKSPACE)


@pytest.mark.parametrize("command", ["ls; rm -rf ~", "--bind / /", "a\nb", "", "$(x) `y` \"z\" 'w'"])
def test_a_command_is_one_argument_of_the_shell_whatever_is_in_it(command: str) -> None:
    words = arguments(command)
    assert words[-3:] == ["-c", "--", command]
    assert words[:-1] == arguments("ls")[:-1]


def test_limits_are_set_inside() -> None:
    limits = replace(CageLimits(), processes=7, address_space=8, file=9, open_files=10)
    words = arguments(limits=limits)
    inside = words[words.index("--") :]
    assert inside[1] == "/usr/bin/prlimit"
    assert {"--nproc=7", "--as=8", "--fsize=9", "--nofile=10", "--core=0"} <= set(inside)


class TestGuards:
    def test_git_folders_at_any_depth_and_files_with_two_names_are_found(self, tmp_path: Path) -> None:
        (tmp_path / ".git" / "hooks").mkdir(parents=True)
        (tmp_path / "a" / "b" / ".git").mkdir(parents=True)
        (tmp_path / "worktree").mkdir()
        (tmp_path / "worktree" / ".git").write_text("gitdir: elsewhere")
        (tmp_path / "plain.txt").write_text("x")
        (tmp_path / "a" / "one.txt").write_text("x")
        (tmp_path / "two.txt").hardlink_to(tmp_path / "a" / "one.txt")
        found = guarded_in(tmp_path)
        assert sorted(found.read_only) == [".git", "a/b/.git", "worktree/.git"]
        assert sorted(found.hidden) == ["a/one.txt", "two.txt"]

    def test_links_are_not_followed(self, tmp_path: Path) -> None:
        (tmp_path / "up").symlink_to(tmp_path)
        assert guarded_in(tmp_path) == Guarded()

    def test_what_is_gone_before_it_is_looked_at_is_no_matter(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in ("one.txt", "two.txt"):
            (tmp_path / name).write_text("x")

        def listed(folder: Path) -> list[os.DirEntry[str]]:
            found = list(scandir(folder))
            (tmp_path / "one.txt").unlink()
            return found

        scandir = os.scandir
        monkeypatch.setattr(os, "scandir", listed)
        assert guarded_in(tmp_path) == Guarded()
        assert not (tmp_path / "one.txt").exists()

    def test_a_git_that_is_a_link_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / ".git").symlink_to(tmp_path / "elsewhere")
        with pytest.raises(CommandRefused, match="is a link"):
            guarded_in(tmp_path)

    def test_more_than_can_be_guarded_is_refused(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in "abc":
            (tmp_path / name / ".git").mkdir(parents=True)
        monkeypatch.setattr(cage_guards, "MOST_GUARDED", 3)
        assert sorted(guarded_in(tmp_path).read_only) == ["a/.git", "b/.git", "c/.git"]
        monkeypatch.setattr(cage_guards, "MOST_GUARDED", 2)
        with pytest.raises(CommandRefused, match="More than 2 places"):
            guarded_in(tmp_path)
        monkeypatch.setattr(cage_guards, "MOST_ENTRIES", 1)
        with pytest.raises(CommandRefused, match="more than 1 files"):
            guarded_in(tmp_path)


class TestOutput:
    def printed(self, *pieces: bytes) -> tuple[list[str], tuple[str, ...], int]:
        shown: list[str] = []
        output = Output(shown.append)
        for piece in pieces:
            output.feed(piece)
        end = output.finish()
        assert end.bytes == sum(map(len, pieces))
        return shown, end.last, end.lines

    def test_lines_are_whole_however_the_pieces_are_cut(self) -> None:
        lines = ["one", "zw\u00f6lf", "", "last"]
        whole = "\n".join(lines).encode()
        for size in range(1, 8):
            pieces = [whole[i : i + size] for i in range(0, len(whole), size)]
            assert self.printed(*pieces) == (lines, tuple(lines), 4)

    def test_nothing_is_no_line(self) -> None:
        assert self.printed() == ([], (), 0)
        assert self.printed(b"\n") == ([""], ("",), 1)

    def test_bytes_that_are_no_text_and_what_steers_a_terminal_are_spelled_out(self) -> None:
        assert self.printed(b"\xff\x00\n", b"\x1b[31mred\r\n10%\r20%\n")[0] == [
            "\\xff<U+0000>",
            "<U+001B>[31mred",
            "10%<U+000D>20%",
        ]

    def test_what_is_left_out_is_counted(self) -> None:
        total = SHOWN_LINES + 50
        shown, last, lines = self.printed(b"".join(b"%d\n" % i for i in range(total)))
        assert lines == total
        assert shown[:2] == ["0", "1"]
        assert shown[SHOWN_LINES:] == ["[50 more lines]"]
        assert last == tuple(str(i) for i in range(total - LAST_LINES, total))

    def test_a_line_without_an_end_takes_no_room(self) -> None:
        shown, _, lines = self.printed(*[b"x" * 1000] * 100)
        assert lines == 1
        assert shown == ["x" * LINE_CHARACTERS + f" [{100_000 - LINE_CHARACTERS:,} more characters]"]
