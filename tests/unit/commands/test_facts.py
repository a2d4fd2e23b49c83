"""What `aria facts` lists, forgets and refuses, with a real session around an empty stage."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from aria_desktop.assistant.session import Session
from aria_desktop.commands import ask, facts
from aria_desktop.core.errors import ExitCode, UsageError
from tests.unit.assistant.stage import Stage

TOLD = ("The oboe is in the attic.", "The attic\u202e key hangs by the door.", "Fox the dog is nine.")


@pytest.fixture
def session(stage: Stage) -> Iterator[Session]:
    for text in TOLD:
        stage.facts.keep(text, "t")
    with stage.session() as session:
        yield session


def carried_out(session: Session, *words: str) -> int:
    parser = argparse.ArgumentParser()
    facts.add_arguments(parser)
    return facts.carry_out(parser.parse_args(words), session)


def left(stage: Stage) -> list[int]:
    return [fact.number for fact in stage.facts.facts()]


@pytest.mark.parametrize("words", [[], ["list"]])
def test_all_are_listed_newest_first(session: Session, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert carried_out(session, *words) == ExitCode.OK
    lines = capsys.readouterr().out.splitlines()
    assert [re.fullmatch(r"(\d)  20\d\d-\d\d-\d\d \d\d:\d\d  .+", line) is not None for line in lines] == [True] * 3
    assert [line[0] for line in lines] == ["3", "2", "1"]
    assert "<U+202E>" in lines[1]


@pytest.mark.parametrize(("which", "rest"), [("2", [3, 1]), ("OBOE  is", [3, 2]), ("fox", [2, 1])])
def test_one_is_forgotten_by_number_or_words(
    session: Session, stage: Stage, which: str, rest: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert carried_out(session, "forget", which) == ExitCode.OK
    assert capsys.readouterr().out.startswith("forgot: ")
    assert left(stage) == rest


@pytest.mark.parametrize(("which", "words"), [("attic", "stands in 2 facts"), ("cello", "no fact"), ("9", "no fact")])
def test_nothing_is_guessed(session: Session, stage: Stage, which: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        carried_out(session, "forget", which)
    assert left(stage) == [3, 2, 1]


def test_an_empty_word_means_nothing(session: Session, stage: Stage) -> None:
    with pytest.raises(UsageError, match="no fact"):
        carried_out(session, "forget", " ")
    assert left(stage) == [3, 2, 1]


def test_all_are_forgotten_with_a_yes(session: Session, stage: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    assert carried_out(session, "clear", "--yes") == ExitCode.OK
    assert capsys.readouterr().out == "forgot 3 things\n"
    assert left(stage) == []
    assert carried_out(session, "clear") == ExitCode.OK
    assert capsys.readouterr().out == "nothing is remembered yet\n"
    assert carried_out(session) == ExitCode.OK
    assert capsys.readouterr().out.endswith("nothing is remembered yet\n")


def test_without_a_terminal_nothing_is_forgotten(
    session: Session, stage: Stage, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ask, "at_a_terminal", lambda: False)
    assert carried_out(session, "clear") == ExitCode.REFUSED
    assert "nobody there to ask" in capsys.readouterr().err
    assert left(stage) == [3, 2, 1]


@pytest.mark.parametrize(("typed", "rest"), [("yes\n", []), ("y\n", []), ("\n", [3, 2, 1]), ("", [3, 2, 1])])
def test_at_a_terminal_it_is_asked(
    session: Session, stage: Stage, typed: str, rest: list[int], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "typed").write_text(typed)
    monkeypatch.setattr(ask, "at_a_terminal", lambda: True)
    with (tmp_path / "typed").open() as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        carried_out(session, "clear")
    assert left(stage) == rest


@pytest.mark.parametrize(
    ("words", "event", "count"), [(["--json"], "facts_listed", 3), (["--json", "forget", "1"], "facts_forgotten", 1)]
)
def test_json_is_the_answer_as_one_object(
    session: Session, words: list[str], event: str, count: int, capsys: pytest.CaptureFixture[str]
) -> None:
    carried_out(session, *words)
    (line,) = capsys.readouterr().out.splitlines()
    answer = json.loads(line)
    assert (answer["event"], len(answer["facts"])) == (event, count)


def test_json_steers_no_terminal(session: Session, stage: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    stage.facts.keep("The \x9b31m light is red.", "t")
    carried_out(session, "--json")
    printed = capsys.readouterr().out
    assert not {"\x9b", "\u202e"} & set(printed)
    assert "\x9b31m" in json.loads(printed)["facts"][0]["text"]
