"""Shapes of attacks on leave that was given for more than one action, and on what passes between processes, on no
earlier list; docs/fresh-attacks.md says what each is about. Judged by what is covered, and by what arrives."""

from __future__ import annotations

import array
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from aria_desktop.core.approval import ApprovalRequest, Extent, Offer, Risk, RiskLevel
from aria_desktop.core.chat import ToolCall
from aria_desktop.safety.grants import Grants
from aria_desktop.storage.grants import NAME, GrantFile
from tests.safety.conftest import Tried

SET = "fresh attacks: consent"
GIVEN = "notes/today.md"
REQUEST = ApprovalRequest(
    "a1", "t1", "c1", "append_file", "Add?", "Allow", (), "/w/notes/today.md", None, "x",
    Risk(RiskLevel.LOW, "Nothing is lost."), "add it",
    offers=(Offer(Extent.CONVERSATION, "c"), Offer(Extent.FOLDER, "f")),
)  # fmt: skip
NOT_COVERED = {
    "L01 a deeper folder": "notes/deep/today.md",
    "L02 a way back out": "notes/../today.md",
    "L03 a folder of another case": "Notes/today.md",
    "L04 letters that look the same": "n\u043etes/today.md",
    "L05 accents written otherwise": "note\u0301s/today.md",
    "L06 a second ending": "notes/today.md.sh",
    "L07 an ending with a blank": "notes/today.md ",
    "L08 no ending": "notes/today",
    "L09 the folder": "notes/",
    "L10 a pattern for a name": "*/*.md",
    "L11 from the root": "/notes/today.md",
    "L12 an ending in wide letters": "notes/today.\uff4d\uff44",
}
OTHER_CALLS = {
    "L13 another tool": (ToolCall("c2", "delete_file", {"path": GIVEN}), RiskLevel.LOW, "/w", "s1"),
    "L14 a higher risk": (ToolCall("c2", "append_file", {"path": GIVEN}), RiskLevel.HIGH, "/w", "s1"),
    "L15 another conversation": (ToolCall("c2", "append_file", {"path": GIVEN}), RiskLevel.LOW, "/w", "s2"),
    "L16 a folder beside it": (ToolCall("c2", "append_file", {"path": GIVEN}), RiskLevel.LOW, "/w2", "s1"),
    "L17 a destination more": (
        ToolCall("c2", "append_file", {"path": GIVEN, "destination": "x.md"}), RiskLevel.LOW, "/w", "s1",
    ),
    "L18 another name for the same": (ToolCall("c2", "append_file", {"source": GIVEN}), RiskLevel.LOW, "/w", "s1"),
}  # fmt: skip


@pytest.fixture
def grants(tmp_path: Path) -> Grants:
    made = Grants(GrantFile(tmp_path / NAME))
    made.give(ToolCall("c1", "append_file", {"path": GIVEN}), REQUEST, Extent.CONVERSATION, "/w", "s1")
    return made


@pytest.mark.parametrize("shape", NOT_COVERED)
def test_leave_covers_no_other_name(shape: str, grants: Grants, tried: Tried) -> None:
    tried.begin(SET)
    asked = ToolCall("c2", "append_file", {"path": NOT_COVERED[shape]})
    assert grants.covering(asked, RiskLevel.LOW, "/w", "s1") is None
    assert grants.covering(ToolCall("c3", "append_file", {"path": "notes/b.md"}), RiskLevel.LOW, "/w", "s1")
    tried.control(SET)


@pytest.mark.parametrize("shape", OTHER_CALLS)
def test_leave_covers_no_other_call(shape: str, grants: Grants, tried: Tried) -> None:
    tried.begin(SET)
    assert grants.covering(*OTHER_CALLS[shape]) is None
    assert grants.covering(ToolCall("c3", "append_file", {"path": GIVEN}), RiskLevel.LOW, "/w", "s1")
    tried.control(SET)


@pytest.mark.parametrize("until", ["1e999", "NaN", '"9e99"', "9e99"], ids=lambda until: f"L19-{until.strip(chr(34))}")
def test_leave_without_end_is_none(until: str, grants: Grants, tmp_path: Path, tried: Tried) -> None:
    """Written into the file by hand, with an end that never comes."""
    file = tmp_path / NAME
    (standing,) = grants.standing()
    tried.begin(SET)
    file.write_text(file.read_text().replace(repr(standing.until), until))
    fresh = Grants(GrantFile(file))
    command = [sys.executable, "-m", "aria_desktop", "grants"]
    data = tmp_path / "home" / "data"
    data.mkdir(parents=True, mode=0o700)
    (data / NAME).write_bytes(file.read_bytes())
    done = subprocess.run(
        command, env={"ARIA_HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin"}, capture_output=True, text=True,
        timeout=60, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr, done.stderr
    assert fresh.covering(ToolCall("c3", "append_file", {"path": GIVEN}), RiskLevel.LOW, "/w", "s1") is None
    assert standing.until - time.time() < 86_400
    tried.control(SET)


def test_l20_an_engine_takes_no_socket_that_somebody_hands_it(tried: Tried) -> None:
    """A filter of calls sees no socket that comes as a message: so a sealed engine connects none it was handed."""
    program = (
        "import array, socket, sys\n"
        "from aria_desktop.core.seal import Door\nfrom aria_desktop.safety.airgap import close\n"
        "s = socket.socket(fileno=int(sys.argv[1]))\n"
        "if sys.argv[2] == 'sealed': close(Door.SHUT)\n"
        "_, found, _, _ = s.recvmsg(1, socket.CMSG_SPACE(4))\n"
        "t = socket.socket(fileno=array.array('i', found[0][2])[0])\n"
        "t.connect(('127.0.0.1', int(sys.argv[3])))\n"
    )
    tried.begin(SET)
    assert not _connects(program, "open")[0]
    code, said = _connects(program, "sealed")
    assert code != 0
    assert "Operation not permitted" in said, said
    tried.control(SET)


def _connects(program: str, how: str) -> tuple[int, str]:
    ours, theirs = socket.socketpair()
    with ours, theirs, socket.socket() as handed, socket.create_server(("127.0.0.1", 0)) as server:
        passed = array.array("i", [handed.fileno()])
        ours.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, passed)])
        command = [sys.executable, "-c", program, str(theirs.fileno()), how, str(server.getsockname()[1])]
        done = subprocess.run(
            command, pass_fds=(theirs.fileno(),), capture_output=True, text=True, timeout=60, check=False
        )
        return done.returncode, done.stderr
