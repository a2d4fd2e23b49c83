"""One place changes and everything else stays byte for byte."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from aria_desktop.core.errors import ToolFailed
from aria_desktop.tools.edits import edited


@pytest.mark.parametrize(
    ("text", "find", "replace", "after"),
    [
        ("colour = red\n", "red", "blue", "colour = blue\n"),
        ("Call Ana on Tuesday.\n", "tuesday", "friday", "Call Ana on Friday.\n"),
        ("TIMEOUT = 5\n", "timeout", "delay", "delay = 5\n"),
        ("size=10\nweight=2\n", "size = 10", "size = 12", "size = 12\nweight=2\n"),
        ("It\u2019s \u201clate\u201d\n", 'it\'s "late"', "it's early", "It's early\n"),
        ("2020\u20132024\n", "2020-2024", "2021-2024", "2021-2024\n"),
        ("port = 80\nother = 8080\n", "80", "81", "port = 81\nother = 8080\n"),
        ("art is in start\n", "art", "music", "music is in start\n"),
        ("recieved\n", "recieve", "receive", "received\n"),
        ('{"volume": 3, "mute": true}\n', "volume", "5", '{"volume": 5, "mute": true}\n'),
        ('{"mute": true}\n', '"mute"', "false", '{"mute": false}\n'),
        ('{"mute": true}\n', '"mute": true', "false", '{"mute": false}\n'),
        ("volume = 3\nmute = on\n", "volume = 3", "5", "volume = 5\nmute = on\n"),
        ("volume = 3\n", "3", "5", "volume = 5\n"),
        ("at 9:30\n", "9", "10", "at 10:30\n"),
        ("at 9:30\n", "9:30", "10", "at 10\n"),
        ("see you at 9: bring tea\n", "9", "10", "see you at 10: bring tea\n"),
        ("mute = off\nvolume=3\n", "mute", "on", "mute = on\nvolume=3\n"),
        ("volume: '3'  # loud\n", "volume", "5", "volume: '5'  # loud\n"),
        ("mute = off\n", "mute", "quiet", "quiet = off\n"),
        ("rooms: hall and attic\n", "rooms", "2", "2: hall and attic\n"),
        ("a\r\nb\r\nc", "a\nb", "x\ny", "x\r\ny\r\nc"),
        ("a\nb\n", "a\n", "x", "x\nb\n"),
        ("a\nb\n", "a\n", "x\n", "x\nb\n"),
        ("tea\nmilk\nrice\n", "milk", "", "tea\nrice\n"),
        ("tea\nmilk\nrice\n", "milk\n", "", "tea\nrice\n"),
        ("tea\r\n  milk \r\nrice", "milk", "", "tea\r\nrice"),
        ("tea\nmilk", "milk", "", "tea"),
        ("tea\r\nmilk", "milk", "", "tea"),
        ("milk", "milk", "", ""),
        ("- tea\n- milk\n- [ ] rice\n", "milk", "", "- tea\n- [ ] rice\n"),
        ("- tea\n- [x] milk\n", "milk", "", "- tea\n"),
        ("tea, milk, rice\n", ", milk", "", "tea, rice\n"),
        ("one\ntwo\nthree\nfour\n", "two\nthree", "", "one\nfour\n"),
        ("\ufeffold\n", "old", "new", "\ufeffnew\n"),
        ("stra\u00dfe 5\n", "STRASSE 5", "Weg 5", "Weg 5\n"),
    ],
)
def test_the_one_place_is_changed(text: str, find: str, replace: str, after: str) -> None:
    assert edited(text, find, replace, "a.txt") == after


@pytest.mark.parametrize(
    ("text", "find", "told"),
    [
        (
            "one\ntwo apples\nthree\n",
            "two pears",
            '^"two pears" is not in "a.txt". The nearest lines are:\n1: one\n2: two',
        ),
        ("red\nblue red\n", "red", r'is in "a.txt" 2 times.*\n1: red\n2: blue red$'),
        ("Red\nRED\n", "red", "2 times"),
        ("port = 18080\n", "8080", "is not in"),
        ("total 1 2\n", "12", "is not in"),
        ("x\n", " \n", '"find" is empty'),
        ("\n", "x", "is empty"),
    ],
)
def test_no_place_or_several_are_told_with_their_lines(text: str, find: str, told: str) -> None:
    with pytest.raises(ToolFailed, match=f"(?s){told}"):
        edited(text, find, "y", "a.txt")


def test_long_lines_and_long_lists_are_cut() -> None:
    with pytest.raises(ToolFailed) as caught:
        edited("x" * 5_000 + "\nabc" * 50, "abc", "y", "a.txt")
    assert len(caught.value.text) < 400
    with pytest.raises(ToolFailed) as caught:
        edited(("abd " * 500 + "\n") * 50, "abc", "y", "a.txt")
    assert len(caught.value.text) < 1_200


TEXT = st.text(st.sampled_from("ab \n\r\t\"'-1\u2019\u00c4"), max_size=60)


@given(TEXT, TEXT, st.text(st.sampled_from("ab1\n"), min_size=1, max_size=8))
def test_everything_around_the_place_stays_as_it_was(before: str, behind: str, replace: str) -> None:
    text = before + "[the place]" + behind
    after = edited(text, "[the place]", replace, "a.txt")
    assert after.startswith(before)
    assert after.endswith(behind)
    end = "\r\n" if "\r\n" in text else "\n"
    assert after[len(before) : len(after) - len(behind)] == replace.replace("\n", end)


@given(TEXT, TEXT)
def test_removing_takes_the_place_and_at_most_its_own_line(before: str, behind: str) -> None:
    assume(all("\r" not in part.replace("\r\n", "") for part in (before, behind)))
    after = edited(before + "[the place]" + behind, "[THE  place]", "", "a.txt")
    kept = [line.rstrip("\r") for line in after.split("\n")]
    lines = [line.rstrip("\r") for line in f"{before}[the place]{behind}".split("\n")]
    at = next(number for number, line in enumerate(lines) if "[the place]" in line)
    left = lines[at].replace("[the place]", "")
    if left.strip(" \t-1"):
        assert kept == [*lines[:at], left, *lines[at + 1 :]]
    else:
        assert kept in ([*lines[:at], *lines[at + 1 :]], [*lines[:at], left, *lines[at + 1 :]], [""])


@given(TEXT, st.text(max_size=6), st.text(max_size=6))
def test_whatever_is_asked_the_end_is_a_text_or_a_tool_error(text: str, find: str, replace: str) -> None:
    try:
        after = edited(text, find, replace, "a.txt")
    except ToolFailed:
        return
    assert isinstance(after, str)


@pytest.mark.parametrize(
    ("text", "find", "replace"),
    [
        (" " * 100_000 + "one two\n", "two", ""),
        ("size = 5" + " " * 100_000 + "x\n", "size = 5x", "true"),
        ("size" + " " * 100_000 + "x\n", "size", "true"),
    ],
)
def test_a_line_of_blanks_is_looked_at_once(text: str, find: str, replace: str) -> None:
    """Trying all ways to share the blanks out would take hours, and no other thread could run meanwhile."""
    assert edited(text, find, replace, "a.txt") == text.replace(find if find in text else text[:-1], replace)
