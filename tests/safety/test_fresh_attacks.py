"""What somebody tried who had the lists and the program's text, and looked for what is on no list.

The table with what came of each is docs/fresh-attacks.md.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from aria_desktop.core.approval import RiskLevel
from aria_desktop.core.chat import ToolCall, TurnOutcome
from aria_desktop.core.errors import AriaError, UsageError
from aria_desktop.core.history import EVERYWHERE
from aria_desktop.safety.airgap_filter import AF_NETLINK, AF_UNIX
from aria_desktop.safety.grants import Grant, Granted, Grants
from aria_desktop.safety.paths import Workspace
from aria_desktop.storage.archive import Archive
from aria_desktop.storage.conversations import Conversations
from aria_desktop.storage.database import Database
from aria_desktop.storage.exchange import from_json
from aria_desktop.storage.grants import GrantFile
from aria_desktop.storage.lock import DatabaseLock
from aria_desktop.storage.paths import find_paths
from aria_desktop.storage.workspaces import Workspaces
from tests.conftest import REPOSITORY
from tests.safety.conftest import Tried
from tests.safety.fresh_attacks import PLANTED, REPLIES, Planted
from tests.safety.layers import picture_of
from tests.safety.staging_stage import bed
from tests.safety.users import UIDS
from tests.unit.assistant.agent_stage import Run

SET = "fresh attacks"
TURN: dict[str, object] = {
    "turn_id": "t1",
    "source": "text",
    "words": "hello",
    "answer": "Hi.",
    "outcome": "answered",
    "started": 1.0,
    "calls": [],
    "timings": {},
}


def exported(title: str = "T", **changed: object) -> str:
    return json.dumps({"format": "aria conversation", "version": 1, "title": title, "turns": [{**TURN, **changed}]})


BROUGHT_IN = {
    "F01 a time beyond all numbers": exported(started="@").replace('"@"', "1e999"),
    "F02 a time that no calendar has": exported(started=1e300),
    "F03 a time before all": exported(started=-1e12),
    "F04 seconds beyond all numbers": exported(timings={"total": "@"}).replace('"@"', "-1e999"),
    "F05 nested 200,000 deep": exported(calls="@").replace('"@"', "[" * 200_000 + "]" * 200_000),
    "F06 a number of 5,000 digits": exported(started="@").replace('"@"', "1" + "0" * 5000),
    "F07 half a character": exported(words="@").replace("@", r"\ud800"),
}


@pytest.mark.parametrize("name", BROUGHT_IN)
def test_a_conversation_that_no_list_could_show_is_not_brought_in(name: str, tried: Tried) -> None:
    tried.begin(SET)
    with pytest.raises(UsageError, match=r"can't be understood"):
        from_json(BROUGHT_IN[name].encode())
    title, turns = from_json(exported().encode())
    assert (title, len(turns)) == ("T", 1)
    tried.control(SET)


class Program:
    """`aria`, with a home of its own."""

    def __init__(self, home: Path) -> None:
        self.home = home

    def __call__(self, *words: str) -> subprocess.CompletedProcess[bytes]:
        environment = {**os.environ, "ARIA_HOME": str(self.home)}
        command = [sys.executable, "-m", "aria_desktop", *words]
        return subprocess.run(
            command,
            cwd=REPOSITORY,
            env=environment,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=60,
            check=False,
        )


@pytest.fixture
def aria(tmp_path: Path) -> Program:
    return Program(tmp_path / "home")


def test_a_title_and_words_that_speak_to_the_terminal_are_spelled_out(
    aria: Program, tmp_path: Path, tried: Tried
) -> None:
    """F08 clipboard (OSC 52), F09 colours in one byte (C1), F10 a link that says another address (OSC 8)."""
    tried.begin(SET, 3)
    file = tmp_path / "in.json"
    title = "evil\x1b]52;c;aGk=\x07\u202etxt"
    file.write_text(exported(title, words="see \x1b]8;;http://e\x07x", answer="\x9b31mred"))
    assert aria("sessions", "import", str(file)).returncode == 0
    (listed,) = aria("sessions", "list").stdout.decode().splitlines()
    for shown in (listed, aria("sessions", "show", listed.split()[0]).stdout.decode()):
        assert "U+001B" in shown
        assert not [sign for sign in shown if sign != "\n" and (ord(sign) < 32 or 0x7F <= ord(sign) < 0xA0)]
    tried.control(SET, int("\x1b" in file.read_text().encode().decode("unicode_escape")))


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with (
        DatabaseLock.take(tmp_path / "a.lock", "test") as lock,
        closing(Database.open(tmp_path / "a.db", lock)) as found,
    ):
        Conversations(found)
        made = Archive(found)
        made.add("T", from_json(exported(words="alpha beta words").encode())[1])
        yield made


@pytest.mark.parametrize(
    "text",
    ['F11 alpha" OR "beta', "F12 words:alpha NEAR(alpha beta) ^alpha - (", "F13 alpha\0* ' ; DROP TABLE turns --"],
)
def test_what_is_searched_for_is_never_an_operator(archive: Archive, text: str, tried: Tried) -> None:
    tried.begin(SET)
    assert archive.search(text[4:], EVERYWHERE, 0.0, 10, newest_first=True).turns == 0
    assert archive.search("alph bet", EVERYWHERE, 0.0, 10, newest_first=True).turns == 1
    tried.control(SET)


@pytest.mark.parametrize("uid", UIDS)
@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.number)
def test_what_a_command_plants_is_not_there_after_a_yes(planted: Planted, uid: int, tried: Tried) -> None:
    with bed(uid) as there:
        before, outside = _seen(there.root), _seen(there.outside)
        tried.begin(SET, uid=uid)
        there.kept(planted.command)
        assert _different(before, _seen(there.root)) == planted.kept
        assert _seen(there.outside) == outside
        there.plainly(planted.command)
        if planted.reaches:
            assert planted.reaches in _different(before, _seen(there.root))
            tried.control(SET, uid=uid)


Seen = dict[str, object]


def _seen(root: Path) -> Seen:
    """What `picture_of` sees, and the attributes beside it."""
    marks = {
        path: [(name, os.getxattr(root / path, name)) for name in os.listxattr(root / path)] for path in _files(root)
    }
    return {path: (state, marks.get(path)) for path, state in picture_of(root).items()}


def _files(root: Path) -> list[str]:
    return [str(path.relative_to(root)) for path in root.rglob("*") if not path.is_symlink()]


def _different(before: Seen, after: Seen) -> set[str]:
    return {name for name in {*before, *after} if before.get(name) != after.get(name)}


@pytest.mark.parametrize("name", REPLIES)
def test_a_reply_that_no_system_could_carry_out_comes_to_nothing(name: str, tmp_path: Path, tried: Tried) -> None:
    root = tmp_path / "ws"
    root.mkdir()
    (root / "a.txt").write_text("one\n")
    tried.begin(SET)
    run = Run(root, [REPLIES[name]] * 3, words="put it there")
    assert run().outcome is TurnOutcome.FAILED
    assert run.ends() == []
    assert run.files() == {"a.txt": "one\n"}
    if name.startswith("F47"):
        fine = Run(root, ['{"calls":[{"tool":"read_file","path":"a.txt"}],"then":""}'], words="read a.txt")
        assert fine().outcome is TurnOutcome.ANSWERED
        tried.control(SET)


def test_a_pipe_in_the_place_of_what_is_kept_is_not_waited_for(tmp_path: Path, tried: Tried) -> None:
    """F50 leave that was given, F51 folders that were chosen."""
    for name in ("grants.json", "workspaces.json"):
        os.mkfifo(tmp_path / name)
    paths = replace(find_paths(), data=tmp_path)
    reads: tuple[Callable[[], object], ...] = (GrantFile(tmp_path / "grants.json").read, Workspaces(paths).listed)
    tried.begin(SET, len(reads))
    for read in reads:
        with pytest.raises(AriaError, match="no regular file"):
            read()


def test_a_pipe_is_not_waited_for_as_a_conversation(aria: Program, tmp_path: Path, tried: Tried) -> None:
    """F52."""
    os.mkfifo(tmp_path / "in.json")
    tried.begin(SET)
    done = aria("sessions", "import", str(tmp_path / "in.json"))
    assert (done.returncode, b"no regular file" in done.stderr) == (2, True)


NOTE = ToolCall("c1", "append_file", {"path": "notes.txt", "text": "x"})
LEAVE = Grant("g1", "append_file", (("path", "*.txt"),), "/w", "", RiskLevel.LOW, 1000.0, 2000.0)


@pytest.mark.parametrize(
    ("number", "changed"),
    [
        ("F53 a pattern for all names", {"patterns": (("path", "*"),)}),
        ("F54 no pattern at all", {"patterns": ()}),
        ("F55 the folder above", {"folder": "/"}),
        ("F56 a folder that begins alike", {"folder": "/w2"}),
        ("F57 all tools", {"tool": "*"}),
        ("F58 for years", {"until": 1e12}),
        ("F59 given tomorrow", {"given": 90_000.0, "until": 99_000.0}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_leave_that_was_written_by_somebody_else_covers_no_more(
    number: str, changed: dict[str, object], tmp_path: Path, tried: Tried
) -> None:
    del number

    def covering(grant: Grant) -> Grant | None:
        file = GrantFile(tmp_path / f"{len(list(tmp_path.iterdir()))}.json")
        file.change(lambda _: Granted(1000.0, (grant,)))
        return Grants(file, clock=lambda: 1500.0, steady=lambda: 0.0).covering(NOTE, RiskLevel.LOW, "/w", "s1")

    tried.begin(SET)
    values = {name: getattr(LEAVE, name) for name in LEAVE.__dataclass_fields__}
    assert covering(Grant(**{**values, **changed})) is None
    assert covering(LEAVE) == LEAVE
    tried.control(SET)


def test_new_bytes_never_run_with_the_rights_of_somebody_else(theirs: Path, tried: Tried) -> None:
    """F60 overwritten, F61 copied: a program that ran with its owner's rights would be the model's."""
    root = theirs / "ws"
    root.mkdir()
    (root / "tool.sh").write_text("old\n")
    (root / "tool.sh").chmod(0o6755)
    tried.begin(SET, 2, uid=os.geteuid())
    with Workspace(root) as workspace:
        workspace.carry_out(workspace.plan_copy("tool.sh", "copy.sh"))
        workspace.apply(workspace.plan_write("tool.sh", "new\n"))
    assert {path.name: path.stat().st_mode & 0o7777 for path in root.iterdir()} == {"tool.sh": 0o755, "copy.sh": 0o755}


FAMILIES = """
import errno, socket, sys
from aria_desktop.core.seal import Door
from aria_desktop.safety import airgap
if sys.argv[1] == "sealed":
    airgap.close(Door(sys.argv[2]))
opened = []
for family in range(64):
    for kind in (1, 2, 3, 4, 5, 6, 10):
        for protocol in (0, 1, 6, 17, 16, 15):
            try:
                socket.socket(family, kind, protocol).close()
            except OSError:
                continue
            opened.append(family)
print(*sorted(set(opened)))
"""


@pytest.mark.parametrize(("door", "may"), [("local", {AF_UNIX, AF_NETLINK}), ("shut", set())])
def test_no_family_of_sockets_opens_in_a_sealed_process(door: str, may: set[int], tried: Tried) -> None:
    """F62, F63: all families that there are numbers for, in all kinds and the usual protocols."""

    def opened(*words: str) -> set[int]:
        command = [sys.executable, "-c", FAMILIES, *words]
        return set(map(int, subprocess.run(command, capture_output=True, check=True, timeout=60).stdout.split()))

    tried.begin(SET)
    assert opened("sealed", door) <= may
    assert opened("open") > {AF_UNIX, socket.AF_INET}
    tried.control(SET)
