"""The Settings page as values: every setting once, found by any word, and a bad value explained."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from aria_desktop.gui.languages import read_language
from aria_desktop.gui.state.marked import Marked, marked
from aria_desktop.gui.state.settings_page import Category, SettingRow, categories_with, judged, rows
from aria_desktop.gui.state.translation import ENGLISH, use
from aria_desktop.storage.declarations import Settings, names

WORDS = Path(__file__).resolve().parents[3] / "resources" / "words"
GAP = "\N{NO-BREAK SPACE}"


@pytest.fixture(autouse=True)
def english_afterwards() -> Iterator[None]:
    yield
    use(ENGLISH)


def row(name: str, settings: Settings = Settings()) -> SettingRow:  # noqa: B008 (a frozen value)
    return next(row for row in rows(settings) if row.name == name)


def test_every_setting_has_one_row_and_rows_stand_by_category() -> None:
    found = rows(Settings())
    assert sorted(row.name for row in found) == sorted(names())
    order = [list(Category).index(row.category) for row in found]
    assert order == sorted(order)


def test_only_what_differs_from_its_default_can_go_back() -> None:
    settings = Settings()
    settings = replace(settings, microphone=replace(settings.microphone, silence_ms=900))
    assert row("microphone.silence_ms", settings).changed
    assert row("microphone.silence_ms", settings).default_words == f"Back to 800{GAP}ms"
    assert not row("microphone.max_s", settings).changed
    assert row("voice.device").default_words == "Back to nothing"
    assert row("window.theme").default_words == "Back to As the system"


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("microphone.silence_ms", " 900 ", 900),
        ("voice.speed", "1.25", 1.25),
        ("voice.speed", "2", 2.0),
        ("voice.device", "USB \ud800", "USB \N{REPLACEMENT CHARACTER}"),
        ("microphone.language", "es", "es"),
    ],
)
def test_values_that_fit(name: str, text: str, value: object) -> None:
    assert judged(row(name), text).value == value
    assert judged(row(name), text).complaint == ""


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("microphone.silence_ms", "12", f"Use 200 to 5000{GAP}ms. Still using 800{GAP}ms."),
        ("microphone.silence_ms", "", f"Use 200 to 5000{GAP}ms. Still using 800{GAP}ms."),
        ("voice.speed", "fast", "Use 0.5 to 2. Still using 1."),
        ("voice.speed", "nan", "Use 0.5 to 2. Still using 1."),
        ("microphone.language", "Spanish!", 'Use "auto" or a language code such as "en". Still using auto.'),
        ("microphone.max_s", "9" * 40, f"Use 1 to 600{GAP}s. Still using 30{GAP}s."),
    ],
)
def test_a_value_that_does_not_fit_says_what_does_and_what_still_holds(name: str, text: str, complaint: str) -> None:
    assert judged(row(name), text).value is None
    assert judged(row(name), text).complaint == complaint


def test_in_spanish_figures_have_a_comma_both_ways() -> None:
    use(read_language(WORDS, "es"))
    assert judged(row("voice.speed"), "1,5").value == 1.5
    assert judged(row("voice.speed"), "9").complaint == "Usa de 0,5 a 2. Se sigue usando 1."


def test_a_search_looks_at_titles_sentences_names_and_categories_of_all() -> None:
    assert [each.name for each in rows(Settings(), "silence")] == ["microphone.silence_ms"]
    assert "microphone.silence_ms" in [each.name for each in rows(Settings(), "HEARING milli")]
    assert [each.name for each in rows(Settings(), "window.theme")] == ["window.theme"]
    assert rows(Settings(), "nosuchword") == ()
    assert rows(Settings(), "silence")[0].title == Marked("Silence that ends a sentence", ((0, 7),), hits_all=True)


def test_categories_are_found_by_their_name() -> None:
    assert categories_with("leave") == (Category.LEAVE,)
    assert categories_with("  ") == ()


@pytest.mark.parametrize(
    ("text", "query", "hits"),
    [
        ("Mantén la tecla", "manten TECLA", ((0, 6), (10, 15))),
        ("abab", "ab ba", ((0, 4),)),
        ("straße", "STRASSE", ()),
        ("İstanbul", "stan", ((1, 5),)),
        ("plain", "", ()),
        ("a.b*c", "b*c", ((2, 5),)),
    ],
)
def test_hits_are_where_the_words_stand(text: str, query: str, hits: tuple[tuple[int, int], ...]) -> None:
    found = marked(text, query)
    assert found.hits == hits
    assert "".join(piece for piece, _ in found.pieces()) == text
