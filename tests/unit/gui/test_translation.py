"""Every word of the window exists in every language, with the same braces; nothing is kept that nobody says."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from aria_desktop.core.errors import StorageError
from aria_desktop.gui.languages import languages, read_language
from aria_desktop.gui.state import figures, translation
from aria_desktop.gui.state.translation import ENGLISH, RULES, Language, best, counted, filled, tr, use
from aria_desktop.storage.declarations import declared, sections
from aria_desktop.storage.rules import Text, rule_of

REPOSITORY = Path(__file__).resolve().parents[3]
GUI = REPOSITORY / "aria_desktop" / "gui"
WORDS = REPOSITORY / "resources" / "words"
OTHERS = [language for language in languages(WORDS) if language is not ENGLISH]
GAP = "\N{NO-BREAK SPACE}"
_SHOWN_BY = {
    "Words",
    "WordButton",
    "Elided",
    "IconButton",
    "Switch",
    "setAccessibleName",
    "setToolTip",
    "setWindowTitle",
}
_SHOWN_BY |= {"setText", "setPlaceholderText", "set_words", "set_full"}


@pytest.fixture(autouse=True)
def english_afterwards() -> Iterator[None]:
    yield
    use(ENGLISH)


def _calls(names: set[str]) -> Iterator[tuple[Path, ast.Call]]:
    for path in sorted(GUI.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if name in names:
                    yield path, node


def _literals(call: ast.Call) -> list[str]:
    return [value.value for value in call.args if isinstance(value, ast.Constant) and isinstance(value.value, str)]


def keys() -> set[str]:
    """All texts that `tr` may be asked for. Those of settings stand in their one declaration."""
    found = {text for _, call in _calls({"tr", "mark", "marks"}) for text in _literals(call)}
    for kind in sections().values():
        for entry in declared(kind).values():
            rule = rule_of(entry)
            found |= {entry.metadata["words"], entry.metadata["title"]}
            found |= {entry.metadata["unit"]} - {""}
            found |= {rule.allowed} if isinstance(rule, Text) else set()
    return found


def plurals() -> dict[str, str]:
    pairs = (_literals(call) for _, call in _calls({"counted"}))
    return {pair[0]: pair[1] for pair in pairs if len(pair) == 2}


def braces(text: str) -> list[str]:
    return sorted(re.findall(r"{(\w+)}", text))


def test_spanish_is_there_and_the_source_is_found() -> None:
    assert "es" in {language.code for language in OTHERS}
    assert len(keys()) > 100
    assert len(plurals()) > 3


@pytest.mark.parametrize("language", OTHERS, ids=lambda language: language.code)
def test_no_word_is_missing_or_left_over(language: Language) -> None:
    assert sorted(keys() - set(language.texts)) == []
    assert sorted(set(language.texts) - keys()) == []
    assert sorted(set(plurals()) - set(language.plurals)) == []
    assert sorted(set(language.plurals) - set(plurals())) == []


@pytest.mark.parametrize("language", OTHERS, ids=lambda language: language.code)
def test_every_text_has_the_same_braces_and_no_blank_at_its_ends(language: Language) -> None:
    for text, said in language.texts.items():
        assert braces(said) == braces(text), text
        assert said.strip() == said != "", text
        if text[-1] in ".?…:":
            assert said[-1] == text[-1], text


def test_a_text_that_is_shown_goes_through_the_translation() -> None:
    """A literal with a letter in it that is handed to a widget would stay English. Names of kinds and of icons are
    no texts."""
    astray = {
        (path.relative_to(GUI).as_posix(), text)
        for path, call in _calls(_SHOWN_BY)
        for text in _literals(call)
        if re.search(r"[A-Z]\w+|\w \w", text) and text not in ("ARIA", "Esc")
    }
    assert astray == set()


def test_texts_and_values() -> None:
    use(Language(code="xx", texts={"Still using {value}.": "{value} bleibt."}))
    assert tr("Still using {value}.", value="{value}") == "{value} bleibt."
    assert tr("unknown {value}", value=3) == "unknown 3"
    assert filled("a {b} {c {d}", {"b": 1, "d": "}"}) == "a 1 {c }"


def test_figures_speak_the_language_too() -> None:
    use(read_language(WORDS, "es"))
    assert figures.duration(2.345) == f"2,3{GAP}s"
    assert figures.size(1_200_000) == f"1,2{GAP}MB"
    assert counted(1, "line", "lines") == f"1{GAP}línea"
    assert counted(12_000, "line", "lines") == f"12.000{GAP}líneas"
    assert figures.day(1_700_000_000.0, 1_700_000_000.0 + 86_400 * 500) == "14 de noviembre de 2023"


@pytest.mark.parametrize(
    ("rule", "counts", "forms"),
    [
        ("one_other", (0, 1, 2, 11, 21), (1, 0, 1, 1, 1)),
        ("same", (0, 1, 7), (0, 0, 0)),
        ("one_few_many", (1, 2, 4, 5, 11, 12, 21, 22, 112), (0, 1, 1, 2, 2, 2, 0, 1, 2)),
        ("six", (0, 1, 2, 3, 10, 11, 99, 100, 103), (0, 1, 2, 3, 3, 4, 4, 5, 3)),
    ],
)
def test_plural_rules(rule: str, counts: tuple[int, ...], forms: tuple[int, ...]) -> None:
    number, of = RULES[rule]
    assert tuple(map(of, counts)) == forms
    assert max(forms) < number


def test_which_language_is_spoken() -> None:
    assert best("auto", "es_MX.UTF-8", ("en", "es")) == "es"
    assert best("auto", "C", ("en", "es")) == "en"
    assert best("es", "de_DE", ("en", "es")) == "es"
    assert best("de", "de_DE", ("en", "es")) == "en"


@pytest.mark.parametrize(
    "change", [{"plural": "none"}, {"plurals": {"turn": ["turno"]}}, {"texts": [1]}, {"direction": None, "name": None}]
)
def test_a_file_of_words_that_is_not_right_is_named(tmp_path: Path, change: dict[str, object]) -> None:
    data = {**json.loads((WORDS / "es.json").read_text("utf-8")), **change}
    if "direction" in change:
        data.pop("direction")
    (tmp_path / "es.json").write_text(json.dumps(data), "utf-8")
    with pytest.raises(StorageError, match=r"es\.json"):
        read_language(tmp_path, "es")


def test_without_a_file_it_speaks_english(tmp_path: Path) -> None:
    assert read_language(tmp_path, "es") is ENGLISH
    assert translation.spoken() is ENGLISH
