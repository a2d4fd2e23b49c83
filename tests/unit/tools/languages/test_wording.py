"""Every language has every sentence with the same parts, and what is said comes out right in number and sound."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

import aria_desktop
from aria_desktop.assistant.questions import NOBODY
from aria_desktop.core.errors import PathRefused, ToolFailed
from aria_desktop.safety.names import NameRefused, PathOutside
from aria_desktop.safety.paths import FileMissing
from aria_desktop.safety.policy import Forbid, Reach, Rules, decide
from aria_desktop.tools.languages.wording import ENGLISH, SPANISH, WORDINGS, Sentence, Wording, wording_in

PACKAGE = Path(aria_desktop.__file__).parent
FILES_OF_LANGUAGES = PACKAGE / "tools" / "languages"


def forms(sentence: Sentence) -> tuple[str, ...]:
    return (sentence,) if isinstance(sentence, str) else sentence


def parts(sentence: Sentence) -> set[str]:
    """What has to be given, `count` too where it decides."""
    counted = {"count"} if isinstance(sentence, tuple) else set()
    return counted | {name for form in forms(sentence) for _, name, _, _ in Formatter().parse(form) if name}


def calls_of_say() -> Iterator[tuple[str, set[str]]]:
    """Each sentence that is named where it is said, with the parts that it is given there."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == "say":
                first = node.args[0] if node.args else None
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    yield first.value, {keyword.arg for keyword in node.keywords if keyword.arg}


@pytest.mark.parametrize("wording", WORDINGS.values(), ids=WORDINGS.keys())
def test_every_language_has_every_sentence_with_the_same_parts(wording: Wording) -> None:
    assert wording.sentences.keys() == ENGLISH.sentences.keys()
    for key, sentence in wording.sentences.items():
        assert parts(sentence) == parts(ENGLISH.sentences[key]), key
        assert all(form.strip() for form in forms(sentence)), key
    assert wording.nouns.keys() == ENGLISH.nouns.keys()
    assert wording.joints.keys() == ENGLISH.joints.keys()


def test_sentences_of_other_languages_are_not_the_english_ones() -> None:
    same = {key for key, sentence in SPANISH.sentences.items() if sentence == ENGLISH.sentences[key]}
    assert same == {"refused", "refused_changed"}


def test_whoever_says_something_gives_its_parts() -> None:
    said = list(calls_of_say())
    assert len(said) > 40
    for key, given in said:
        assert key in ENGLISH.sentences
        assert given == parts(ENGLISH.sentences[key]), key


def test_every_sentence_is_said_somewhere() -> None:
    texts = [path.read_text("utf-8") for path in PACKAGE.rglob("*.py") if FILES_OF_LANGUAGES not in path.parents]
    assert [key for key in ENGLISH.sentences if not any(f'"{key}"' in text for text in texts)] == []


def test_a_name_is_never_read_as_a_part() -> None:
    assert SPANISH.say("not_created", name="{x} {0} %s") == "No se creó {x} {0} %s"


def test_a_part_that_is_missing_is_a_bug() -> None:
    with pytest.raises(KeyError):
        ENGLISH.say("created", name="a.txt")


def test_a_language_that_code_does_not_speak_is_answered_in_english() -> None:
    assert wording_in("fr") is ENGLISH
    assert wording_in("es") is SPANISH


def test_numbers() -> None:
    assert (SPANISH.counted(1, "line"), SPANISH.counted(3, "line")) == ("1 línea", "3 líneas")
    assert (ENGLISH.counted(0, "file"), SPANISH.counted(1_234_567, "file")) == ("0 files", "1.234.567 archivos")
    one, several = (SPANISH.say("changed_fewer", name="a", count=n, lines=SPANISH.counted(n, "line")) for n in (1, 2))
    assert one == "He cambiado a: se ha quitado 1 línea."
    assert several == "He cambiado a: se han quitado 2 líneas."


@pytest.mark.parametrize(
    ("names", "joint", "told"),
    [
        (("a.txt",), "and", "a.txt"),
        (("a.txt", "b.txt", "c.txt"), "and", "a.txt, b.txt y c.txt"),
        (("a.txt", "informe.txt"), "and", "a.txt e informe.txt"),
        (("a.txt", "Índice.txt"), "and", "a.txt e Índice.txt"),
        (("a.txt", "historia.txt"), "and", "a.txt e historia.txt"),
        (("a.txt", "hielo.txt"), "and", "a.txt y hielo.txt"),
        (("a.txt", "b.txt"), "or", "a.txt o b.txt"),
        (("a.txt", "otro.txt"), "or", "a.txt u otro.txt"),
        (("a.txt", "hojas.txt"), "or", "a.txt u hojas.txt"),
    ],
)
def test_spanish_names_are_joined_as_they_sound(names: tuple[str, ...], joint: str, told: str) -> None:
    assert SPANISH.enumerated(names, joint=joint) == told


def test_names_that_are_left_out_are_counted() -> None:
    assert ENGLISH.enumerated(["a", "b"], 1_200) == "a, b and 1,200 more"
    assert SPANISH.enumerated(["a", "b"], 3) == "a, b y 3 más"


def test_reasons_and_deciders() -> None:
    outside = PathOutside('"../x" is refused.', "Use a name in the workspace.")
    assert ENGLISH.reason(outside) == '"../x" is refused. Use a name in the workspace.'
    assert SPANISH.reason(outside) == "Ese lugar está fuera del espacio de trabajo."
    assert SPANISH.reason(ToolFailed("Too large.")) == "Too large."
    assert SPANISH.decider(NOBODY.by) == "no había nadie a quien preguntar"
    assert SPANISH.decider("--allow create_file") == "--allow create_file"


def test_each_refusal_of_the_file_door_has_a_spanish_reason() -> None:
    final = {PathRefused.code} | {kind.code for kind in PathRefused.__subclasses__()} - {NameRefused.code}
    assert SPANISH.errors.keys() == final | {FileMissing.code}


def test_what_is_switched_off_is_told_as_the_policy_says_it() -> None:
    decision = decide("create_file", Reach.USERS_THINGS, Rules(frozenset({"create_file"})))
    assert decision == Forbid(ENGLISH.say("switched_off", tool="create_file"))
