"""What commands change in a workspace counts only once it was allowed, as root and as an ordinary user.

Judged by state: the whole workspace and what lies outside, to the byte, with permissions and times. Each command that
does harm does it when it is run plainly: the positive control.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.errors import ToolFailed
from aria_desktop.safety import cage_run, stage, staged_reading
from aria_desktop.safety.cage import Guarded
from aria_desktop.safety.stage import Stage
from aria_desktop.safety.staged import ChangedKind, TooMuchChanged
from tests.safety.conftest import Tried
from tests.safety.staging_stage import Bed, bed
from tests.safety.users import UIDS

SET = "staged commands"

HARMFUL = {
    "S01 everything deleted": "rm -rf ./* ./.[!.]*",
    "S02 a folder deleted by a trap set earlier (R3)": "d=nowhere; trap 'rm -rf \"$d\"' EXIT; d=sub",
    "S03 deleted by find (R4)": "find . -mindepth 1 -delete",
    "S04 deleted by a fault of quoting (R4)": 'd=; rm -rf "$PWD$d"/*',
    "S05 deleted by Python (R4)": "python3 -c \"import shutil; shutil.rmtree('sub')\"",
    "S06 deleted by xargs (R4)": "ls | xargs -d '\\n' rm -rf",
    "S07 deleted by being moved away (R4)": "mv sub ~/away",
    "S08 all moved to one name (R2)": 'for f in *.*; do mv "$f" target; done',
    "S09 emptied": ": > a.txt",
    "S10 overwritten in the middle": "printf X | dd of=b.bin bs=1 seek=9 conv=notrunc",
    "S11 mapped and written": "python3 -c \"import mmap; f = open('b.bin', 'r+b'); mmap.mmap(f.fileno(), 0)[3] = 9\"",
    "S12 no rights left": "chmod -R 000 sub",
    "S13 replaced by a link": "ln -sf /etc/passwd a.txt",
    "S14 another time": "touch -d 2001-01-01 a.txt",
    "S15 written through a second name": "echo x >> twin; ln twin other; echo x > other",
    "S16 a second name made outside of what is shown": "ln a.txt third; echo x >> third",
    "S17 a hook of git's planted deep (R7)": "echo x >> project/.git/hooks/pre-commit; mkdir -p n/.git; touch n/.git/x",
    "S18 one in the place of another (R7)": "mv project away; mkdir -p project/.git/hooks; touch project/.git/hooks/x",
    "S19 obeyed later": "touch .bashrc .envrc; mkdir .vscode; echo x > .vscode/tasks.json",
    "S20 files swapped": "python3 -c \"import os; os.rename('a.txt', 't'); os.rename('b.bin', 'a.txt')\"",
    "S21 a folder in the place of a file": "rm a.txt; mkdir a.txt; touch a.txt/x",
    "S22 a file in the place of a folder": "rm -r sub; echo x > sub",
    "S23 an extended attribute": "python3 -c \"import os; os.setxattr('a.txt', 'user.x', b'1')\"; touch a.txt",
    "S24 fifo and socket": "mkfifo pipe; python3 -c \"import socket; socket.socket(socket.AF_UNIX).bind('sock')\"",
}


@pytest.mark.parametrize("uid", UIDS)
@pytest.mark.parametrize("name", HARMFUL)
def test_nothing_is_different_after_a_no(name: str, uid: int, tried: Tried) -> None:
    command = HARMFUL[name]
    with bed(uid) as there:
        before = there.picture()
        there.refused(command)
        after, left = there.picture(), list(there.staging.iterdir())
        assert there.journal.actions() == ()
        there.plainly(command)
        control = there.picture() != before
    assert control
    tried(set=SET, cases=1, controls=1, escapes=int(after != before or bool(left)), uid=uid)


@pytest.mark.parametrize("uid", UIDS)
@pytest.mark.parametrize("name", HARMFUL)
def test_what_a_yes_changed_is_taken_back_to_the_byte_and_that_again(name: str, uid: int, tried: Tried) -> None:
    with bed(uid) as there:
        before = there.picture()
        if not there.refused(HARMFUL[name]).changes:
            return
        there.kept(HARMFUL[name])
        kept = there.picture()
        assert kept[0] != before[0]
        assert kept[1] == before[1]
        there.taken_back()
        back = there.picture()
        there.taken_back()
        again = there.picture()
        assert list(there.staging.iterdir()) == []
    tried(set=f"{SET}, undone", cases=1, controls=1, escapes=int((back, again) != (before, kept)), uid=uid)


HARMLESS = {
    "made": "echo x > new.txt; mkdir -p n/o; printf '\\0\\1' > n/o/x.bin",
    "changed": "sort -r a.txt > t; cat t > a.txt; rm t; echo more >> sub/f.txt",
    "renamed": "mv a.txt z.txt; mv b.bin sub/; mv sub/deep moved",
    "deleted": "rm b.bin; rm -r sub",
    "made anew": "rm -r sub; mkdir -m 750 sub; echo x > sub/new; mkdir -m 700 n",
    "rights": "chmod 755 a.txt; chmod 600 run.sh; echo x > s.sh; chmod +x s.sh",
    "a file becomes a folder": "rm a.txt; mkdir a.txt; echo x > a.txt/x",
    "a folder becomes a file": "rm -r sub; echo x > sub",
    "case": "mv a.txt A.txt; mv sub SUB",
    "nothing": "cat a.txt; ls; touch -a a.txt; true > ~/x",
    "many": "for i in $(seq 300); do echo $i > n$i; done",
    "odd names": "touch -- '-rf' '#' 'a  b' 'ü' \"it's\" 'x,y' 'p(1)' '%41' '.keep'",
    "packed": "tar cf all.tar sub && rm -r sub && tar xf all.tar && rm all.tar && echo x >> sub/f.txt",
}


@pytest.mark.parametrize("uid", UIDS)
@pytest.mark.parametrize("name", HARMLESS)
def test_what_is_kept_is_what_the_command_would_have_done(name: str, uid: int, tried: Tried) -> None:
    tried.begin(f"{SET}, kept", uid=uid)
    with bed(uid) as caged, bed(uid) as plain:
        before = caged.picture()
        left_out = caged.kept(HARMLESS[name]).left_out
        plain.plainly(HARMLESS[name])
        kept, done = caged.picture(), plain.picture()
    assert left_out == ()
    assert _without_times(kept[0]) == _without_times(done[0])
    assert kept[1] == before[1]
    control = int(name == "nothing" or kept[0] != before[0])
    tried.control(f"{SET}, kept", control, uid=uid)


def _without_times(picture: object) -> object:
    assert isinstance(picture, dict)
    return {path: (told[0], told[2]) for path, told in picture.items()}


LEFT_OUT = {
    "ln -s a.txt link": "link",
    "ln -sf /etc/passwd a.txt": "a.txt",
    "mkfifo pipe": "pipe",
    "mkdir -p n/.git/hooks; echo x > n/.git/hooks/pre-commit": "n/.git",
    "git init -q": ".git",
    "touch .bashrc": ".bashrc",
    "touch $'two\\nlines'": "two\nlines",
    "touch 'CON.txt'": "CON.txt",
    "touch A.TXT": "A.TXT",
    "touch y.txt Y.txt": "y.txt",
    "chmod 700 sub": "sub",
    "touch $'\\xff'": "\udcff",
    "cp /usr/bin/true t; chmod u+s t": "t",
    "mkdir -p $(seq -s/ 70)": "/".join(map(str, range(1, 66))),
    "echo x > .aria-0123456789ab.tmp": ".aria-0123456789ab.tmp",
    "rm -f twin; echo x > twin": "",
    "rm -rf project": "project/.git",
}
"""What can't be kept, by the command that makes it; empty where the command can't even do it."""


@pytest.mark.parametrize("uid", UIDS)
@pytest.mark.parametrize("command", LEFT_OUT)
def test_what_can_not_be_kept_is_named_and_left_out(command: str, uid: int) -> None:
    with bed(uid) as there:
        before, staged = there.picture(), there.kept(command)
        after = there.picture()
        names = [one.path for one in staged.left_out]
    wanted = LEFT_OUT[command]
    assert names == ([wanted] if wanted and not wanted.startswith("project") else [])
    assert after[1] == before[1]
    assert wanted not in after[0] or after[0][wanted] == before[0][wanted]


@pytest.mark.parametrize("uid", UIDS)
def test_a_file_that_gets_a_second_name_meanwhile_is_not_written_through(
    uid: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cage_run, "guarded_in", lambda _: Guarded())
    with bed(uid) as there:
        before = there.picture()
        found = there.kept("echo x >> twin; echo x > new")
        after = there.picture()
    assert [one.path for one in found.left_out] == ["twin"]
    assert after[1] == before[1]
    assert after[0]["twin"] == before[0]["twin"]


@pytest.mark.parametrize("uid", UIDS)
def test_what_is_moved_where_it_can_not_be_kept_stays(uid: int) -> None:
    with bed(uid) as there:
        before = there.picture()
        found = there.kept("mv a.txt .profile; mkdir n; mv sub n/.git")
        after = there.picture()
    assert after[0].keys() == {*before[0], "n"}
    assert {"a.txt", "sub/f.txt", "sub/deep/e.txt"} <= {one.path for one in found.left_out}


def test_what_was_shown_is_what_is_kept_or_nothing(tmp_path: Path) -> None:
    del tmp_path
    with bed(os.getuid()) as there, Stage(there.staging) as held, there.opened() as workspace:
        there.run("echo x > a.txt; echo y > new; rm b.bin", held)
        found = workspace.staged(held.layer.changes, CancelToken())
        for meddle in (held.layer.changes / "new", there.root / "b.bin"):
            content = meddle.read_bytes()
            meddle.write_bytes(b"other\n")
            before = there.picture()
            with pytest.raises(ToolFailed):
                workspace.take_over(held.layer.changes, found, "command")
            assert there.picture() == before
            meddle.write_bytes(content)


@pytest.mark.parametrize("uid", UIDS)
@pytest.mark.parametrize("command", ["touch {1..1001}", "rm -rf many"])
def test_more_than_can_be_shown_is_not_kept(uid: int, command: str) -> None:
    with bed(uid) as there:
        (there.root / "many").mkdir()
        for number in range(staged_reading.MOST_CHANGES + 1):
            (there.root / "many" / str(number)).touch()
        before = there.picture()
        with pytest.raises(TooMuchChanged):
            there.refused(command)
        assert (there.picture(), list(there.staging.iterdir())) == (before, [])


@pytest.mark.parametrize("uid", UIDS)
def test_holes_in_files_count_as_bytes(uid: int) -> None:
    with bed(uid) as there, pytest.raises(TooMuchChanged):
        there.refused("truncate -s 200M one two three")


@pytest.mark.parametrize("uid", UIDS)
def test_a_workspace_left_without_rights_is_read_all_the_same(uid: int) -> None:
    with bed(uid) as there:
        found = there.refused("echo x > new; chmod 000 .")
    assert [change.path for change in found.changes] == ["new"]


@pytest.mark.parametrize("uid", UIDS)
def test_a_command_can_not_pretend_deletions_or_hide_what_it_made(uid: int) -> None:
    """By the marks of a layer, which it tries to set itself."""
    marks = "opaque whiteout redirect metacopy origin impure"
    command = (
        "import os, stat\n"
        "def tried(act, *given):\n"
        "    try: act(*given)\n"
        "    except OSError: pass\n"
        "open('sub/f.txt', 'a').write('x'); open('new', 'w').write('x')\n"
        "for path in ('.', 'sub', 'sub/f.txt', 'new'):\n"
        f"    for mark in '{marks}'.split():\n"
        "        for value in (b'y', b'x', b'/etc/passwd'):\n"
        "            tried(os.setxattr, path, f'user.overlay.{mark}', value)\n"
        "            tried(os.setxattr, path, f'trusted.overlay.{mark}', value)\n"
        "tried(os.mknod, 'pretended', stat.S_IFCHR, 0)\n"
        "tried(os.mknod, 'sub/deep/pretended', stat.S_IFCHR, 0)\n"
    )
    with bed(uid) as there:
        found = there.refused(f'python3 -c "{command}"')
    assert [(change.kind, change.path) for change in found.changes] == [
        (ChangedKind.MADE, "new"),
        (ChangedKind.CHANGED, "sub/f.txt"),
    ]


def test_a_very_deep_folder_is_left_out(there: Bed) -> None:
    found = there.refused("python3 -c \"import os\nfor i in range(3000): os.mkdir('d'); os.chdir('d')\"; echo x > new")
    assert [change.path for change in found.changes if change.kind is ChangedKind.MADE] == ["new"]
    assert [one.path.count("/") for one in found.left_out] == [64]


def test_a_cancel_ends_the_reading(there: Bed) -> None:
    cancel = CancelToken()
    with Stage(there.staging) as held, there.opened() as workspace:
        there.run("rm -rf sub", held)
        cancel.cancel()
        with pytest.raises(Cancelled):
            workspace.staged(held.layer.changes, cancel)


def test_a_moved_file_is_told_as_moved(there: Bed) -> None:
    found = there.refused("mv b.bin sub/g.bin; mkdir n; cp run.sh n/; rm run.sh; touch e1; cp a.txt a2.txt")
    moved = [(c.path, c.to) for c in found.changes if c.kind is ChangedKind.MOVED]
    assert moved == [("b.bin", "sub/g.bin"), ("run.sh", "n/run.sh")]
    assert [c.path for c in found.changes if c.kind is ChangedKind.MADE] == ["a2.txt", "e1"]


def test_texts_are_shown_up_to_a_bound(there: Bed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staged_reading, "SHOWN_CHARACTERS", 10)
    found = there.refused("echo 1234567 > n1; echo 1234567 > n2; head -c 9 /dev/zero > n3")
    assert [change.new for change in found.changes] == ["1234567\n", None, None]


@pytest.fixture
def there() -> Iterator[Bed]:
    with bed(os.getuid()) as made:
        yield made


class TestStage:
    def test_what_a_command_leaves_is_removed_however_it_is_made(self, there: Bed) -> None:
        deep = "import os\nfor i in range(3000): os.mkdir('d'); os.chdir('d')"
        with Stage(there.staging) as held:
            there.run(f'mkdir n; touch n/x; chmod 000 n; ln -s / link; mkfifo p; rm -r sub; python3 -c "{deep}"', held)
            assert (held.layer.changes / "d" / "d").exists()
        assert list(there.staging.iterdir()) == []
        assert there.picture()[1]

    def test_one_that_is_in_use_is_not_swept(self, tmp_path: Path) -> None:
        with Stage(tmp_path / "s") as first, Stage(tmp_path / "s") as second:
            assert first.layer.changes.exists()
            assert second.layer.changes.exists()
        assert list((tmp_path / "s").iterdir()) == []

    def test_it_belongs_to_nobody_else(self, tmp_path: Path) -> None:
        with Stage(tmp_path / "s") as held:
            folders = (tmp_path / "s", held.folder, held.layer.changes, held.layer.work)
            assert {path.stat().st_mode & 0o777 for path in folders} == {0o700}

    def test_a_link_in_its_place_is_left_alone(self, tmp_path: Path) -> None:
        (tmp_path / "s").mkdir()
        (tmp_path / "kept").mkdir()
        (tmp_path / "s" / "link").symlink_to(tmp_path / "kept")
        stage.sweep_stages(tmp_path / "s")
        assert (tmp_path / "kept").exists()
