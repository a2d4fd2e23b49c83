"""Outputs that flood, steer or deceive whoever looks at them: what is shown is bounded, plain and spelled out."""

from __future__ import annotations

import subprocess
import unicodedata

import pytest

from aria_desktop.core.cancel import CancelToken
from aria_desktop.safety.cage import CageLimits
from aria_desktop.safety.cage_output import LAST_LINES, LINE_CHARACTERS, SHOWN_LINES
from aria_desktop.safety.cage_run import run_command
from tests.safety.conftest import Tried
from tests.safety.layers import readable_system
from tests.safety.users import UIDS, acting_as, folder_for

LIMITS = CageLimits(seconds=20.0, printed=4 << 20)
LONGEST = 12 * LINE_CHARACTERS
"""Of a line as it is shown: each of its characters may be spelled out."""

OUTPUTS = {
    "T23-01 colours and moving up": r"printf 'safe\033[1A\033[2Kgone\033[31m\n'",
    "T23-02 the window's title": r"printf '\033]0;other title\007\n'",
    "T23-03 the clipboard": r"printf '\033]52;c;cm0gLXJm\007\n'",
    "T23-04 text that runs backwards": r"printf 'a\xe2\x80\xaeb\xe2\x80\xac\n'",
    "T23-05 characters without width": r"printf 'a\xe2\x80\x8bb\xef\xbb\xbfc\n'",
    "T23-06 a line over itself": r"printf 'rm -rf all\rls        \n'",
    "T23-07 taking characters back": r"printf 'no\b\byes\n'",
    "T23-08 NUL and bells": r"printf 'a\0b\a\a\n'",
    "T23-09 bytes that are no text": r"printf '\xff\xfe\xc3(\n'",
    "T23-10 controls of one byte": r"printf '\xc2\x9b31m\x0e\xc2\x85\n'",
    "T23-11 one endless line": r"head -c 3000000 /dev/zero | tr '\0' a",
    "T23-12 endless lines": "yes 'one more line'",
}
FLOODS = ("T23-11", "T23-12")


def is_plain(line: str) -> bool:
    return all(unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") for character in line)


def raw(command: str) -> str:
    """What a program prints that nobody stands before; of a flood, its beginning."""
    shell = ["/usr/bin/bash", "-c", f"{{ {command}; }} 2>/dev/null | head -c 1000000"]
    return subprocess.run(shell, capture_output=True, check=True).stdout.decode("utf-8", "surrogateescape")


@pytest.mark.parametrize("uid", UIDS)
@pytest.mark.parametrize("name", OUTPUTS)
def test_what_is_shown_is_plain_and_bounded(name: str, uid: int, tried: Tried) -> None:
    tried.begin("hostile outputs", uid=uid)
    shown: list[str] = []
    with folder_for(uid) as folder:
        system = readable_system(folder)
        with acting_as(uid):
            ran = run_command(system, OUTPUTS[name], folder, LIMITS, shown.append, CancelToken())
    lines = [*shown, *ran.printed.last]
    assert lines
    assert len(shown) <= SHOWN_LINES + 1
    assert len(ran.printed.last) <= LAST_LINES
    assert all(is_plain(line) and len(line) <= LONGEST for line in lines), lines
    printed = raw(OUTPUTS[name])
    harmful = len(printed) == 1_000_000 if name.startswith(FLOODS) else not is_plain(printed.removesuffix("\n"))
    assert harmful
    tried.control("hostile outputs", uid=uid)
