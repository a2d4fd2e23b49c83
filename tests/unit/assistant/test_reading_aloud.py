"""A file is read aloud by code, and the place is kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aria_desktop.assistant.reading_aloud import Asked, Wish, asked, pieces, rest_of
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.events import SpeakingStarted
from aria_desktop.core.records import Source, TurnRecord
from aria_desktop.core.requests import NewSession, SilenceVoice, SubmitText
from tests.unit.assistant.stage import FakeSpeaker, Stage, answering

CHAPTER = """The first sentence of the chapter is a rather long one, so that half a second is not all of it. The \
second follows.

Another paragraph begins here. It has 2 sentences.

And this is the end."""


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("Read me chapter.md", Asked(Wish.READ, "en", "chapter.md")),
        ("Aria, could you read chapter one aloud, please?", Asked(Wish.READ, "en", "chapter one")),
        ("read the file notes.txt to me", Asked(Wish.READ, "en", "notes.txt")),
        ("Léeme el archivo capítulo uno, por favor.", Asked(Wish.READ, "es", "capítulo uno")),
        ("lee notas.txt en voz alta", Asked(Wish.READ, "es", "notas.txt")),
        ("Go on, please.", Asked(Wish.GO_ON, "en")),
        ("Continúa", Asked(Wish.GO_ON, "es")),
        ("Skip this paragraph", Asked(Wish.SKIP, "en")),
        ("Siguiente párrafo", Asked(Wish.SKIP, "es")),
        ("A bit faster, please.", Asked(Wish.FASTER, "en")),
        ("Habla más despacio", Asked(Wish.SLOWER, "es")),
    ],
)
def test_what_asks_for_it(words: str, wanted: Asked) -> None:
    assert asked(words) == wanted


@pytest.mark.parametrize(
    "words",
    [
        "Read chapter.md",
        "go on and delete it",
        "continue with the list",
        "skip the tests in a.py",
        "stop",
        "make the loop faster",
        "read me " * 99,
    ],
)
def test_what_does_not(words: str) -> None:
    assert asked(words) is None


@pytest.fixture
def chapter(stage: Stage) -> Path:
    path = stage.folder / "chapter.md"
    path.write_text(CHAPTER, "utf-8")
    return path


def words(request_id: str, text: str) -> SubmitText:
    return SubmitText(request_id, text)


@pytest.mark.usefixtures("chapter")
def test_the_file_itself_is_spoken_without_the_model(stage: Stage) -> None:
    with stage.session() as session:
        session.submit(words("r1", "Read me chapter.md"))
        ended = stage.ended()
    assert (ended.outcome, ended.answer, ended.tools) == (TurnOutcome.ANSWERED, CHAPTER, ())
    assert stage.voice.spoken[-3:] == [
        "Another paragraph begins here.",
        "It has two sentences.",
        "And this is the end.",
    ]
    assert stage.agent.tasks == []
    (turn,) = stage.store.turns(ended.session_id)
    assert turn.untrusted == ("the file chapter.md",)


@pytest.mark.usefixtures("chapter")
@pytest.mark.parametrize("new_conversation", [False, True])
def test_after_a_question_in_between_it_goes_on_where_it_was_silenced(stage: Stage, new_conversation: bool) -> None:
    speakers = [FakeSpeaker(holding=True), FakeSpeaker(), FakeSpeaker()]
    stage.will(answering("It is noon."))
    with stage.session(open_speaker=lambda: speakers.pop(0)) as session:
        session.submit(words("r1", "Read me chapter.md"))
        stage.log.wait(SpeakingStarted)
        session.submit(SilenceVoice())
        stage.ended("r1")
        if new_conversation:
            session.submit(NewSession("n"))
        session.submit(words("r2", "What time is it?"))
        stage.ended("r2")
        session.submit(words("r3", "Go on."))
        ended = stage.ended("r3")
    assert ended.answer == CHAPTER
    assert len(stage.agent.tasks) == 1


@pytest.mark.usefixtures("chapter")
def test_skipping_goes_on_with_the_next_paragraph(stage: Stage) -> None:
    speakers = [FakeSpeaker(holding=True), FakeSpeaker(holding=True), FakeSpeaker()]
    with stage.session(open_speaker=lambda: speakers.pop(0)) as session:
        for number, text in enumerate(["Read me chapter.md", "Skip this paragraph"], 1):
            session.submit(words(f"r{number}", text))
            stage.log.wait(SpeakingStarted, number)
            session.submit(SilenceVoice())
            stage.ended(f"r{number}")
        session.submit(words("r3", "skip"))
        last = stage.ended("r3")
    assert stage.ended("r2").answer == CHAPTER[CHAPTER.index("Another") :]
    assert last.answer == "And this is the end."


@pytest.mark.usefixtures("chapter")
def test_what_was_read_to_its_end_and_what_is_not_there_are_for_the_model(stage: Stage) -> None:
    stage.will(answering("With what?"), answering("There is no such file."))
    with stage.session() as session:
        session.submit(words("r1", "Read me chapter.md"))
        session.submit(words("r2", "Go on"))
        session.submit(words("r3", "Read me the constitution"))
        stage.ended("r3")
    assert [task.words for task in stage.agent.tasks] == ["Go on", "Read me the constitution"]


def turn(heard: str | None, outcome: TurnOutcome | None = TurnOutcome.ANSWERED) -> TurnRecord:
    return TurnRecord("t", Source.TEXT, "read me a.md", CHAPTER, outcome, 0.0, (), {}, heard=heard)


@pytest.mark.parametrize(
    ("heard", "begins", "skipped"),
    [
        ("", "The first", "Another"),
        ("The first sentence of", "The first", "Another"),
        (CHAPTER[: CHAPTER.index(" The second")], "The second", "Another"),
        (CHAPTER[: CHAPTER.index("begins")].rstrip(), "Another", "And this"),
        (CHAPTER, "", ""),
    ],
)
def test_it_goes_on_at_the_beginning_of_a_sentence(heard: str, begins: str, skipped: str) -> None:
    rest, behind = rest_of(turn(heard), skip=False), rest_of(turn(heard), skip=True)
    assert rest.startswith(begins)
    assert behind.startswith(skipped)
    assert bool(rest) == bool(begins)


def test_a_reading_that_a_crash_cut_off_begins_again() -> None:
    assert rest_of(turn(None, TurnOutcome.FAILED), skip=False) == CHAPTER
    assert rest_of(turn(None), skip=False) == ""


@given(st.text(alphabet="ab. \n", max_size=200))
def test_the_pieces_are_the_text(text: str) -> None:
    assert "".join(pieces(text * 20)) == text * 20
