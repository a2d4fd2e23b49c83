"""Every pair of colours in use is readable in every theme: 4.5 for text, 3.0 for borders and shapes (WCAG 2)."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from aria_desktop.gui.theme import CONTRAST, DARK, LIGHT, Kind, Tokens, contrast, style_sheet

THEMES = {"light": LIGHT, "dark": DARK, "contrast": CONTRAST}
SHEET = Path(__file__).resolve().parents[3] / "resources" / "window.qss"

TEXT = [
    *((text, under) for text in ("text", "text2") for under in ("bg", "surface", "sunken", "raised", "hover")),
    *((text, under) for text in ("text", "text2") for under in ("accent_soft", "doubt_soft")),
    ("text", "mark"),
    *(("text", under) for under in ("gain_soft", "gain_word", "loss_soft", "loss_word")),
    *(("text2", under) for under in ("gain_soft", "loss_soft")),
    *(("text3", under) for under in ("bg", "surface", "sunken", "raised", "hover")),
    *(("accent", under) for under in ("bg", "surface", "sunken", "raised", "accent_soft")),
    *(
        (f"code_{part}", under)
        for part in ("keyword", "string", "call", "number", "comment")
        for under in ("sunken", "surface", "raised", "gain_soft", "gain_word", "loss_soft", "loss_word")
    ),
    ("on_accent", "accent"),
    ("on_accent", "accent_hover"),
    *(("doubt", under) for under in ("bg", "surface", "sunken", "doubt_soft", "gain_soft", "loss_soft")),
    *(("loss", under) for under in ("bg", "surface", "sunken", "loss_soft")),
    *(("gain", under) for under in ("surface", "gain_soft")),
]
SHAPES = [
    *(("edge", under) for under in ("bg", "surface", "sunken", "raised")),
    *(("doubt_edge", under) for under in ("bg", "surface", "doubt_soft")),
    *(("focus", under) for under in ("bg", "surface", "raised")),
    *(("accent", under) for under in ("bg", "surface", "accent_soft")),
    ("loss", "bg"),
]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("over", "under"), TEXT)
def test_text_is_readable(theme: str, over: str, under: str) -> None:
    assert _contrast(THEMES[theme], over, under) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("over", "under"), SHAPES)
def test_shapes_can_be_told_apart(theme: str, over: str, under: str) -> None:
    assert _contrast(THEMES[theme], over, under) >= 3.0


@pytest.mark.parametrize(
    ("tokens", "over", "under", "measured"),
    [
        (LIGHT, "text", "bg", 14.96),
        (LIGHT, "edge", "bg", 3.16),
        (DARK, "text", "gain_word", 8.64),
        (DARK, "accent", "bg", 9.00),
        (CONTRAST, "loss", "surface", 10.4),
    ],
)
def test_the_arithmetic_agrees_with_the_measured_table(tokens: Tokens, over: str, under: str, measured: float) -> None:
    assert _contrast(tokens, over, under) == pytest.approx(measured, abs=0.05)


def test_the_ends_of_the_scale() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#123456", "#123456") == pytest.approx(1)


def test_no_type_is_too_small() -> None:
    assert min(kind.value.px for kind in Kind) >= 12.5


@pytest.mark.parametrize("theme", THEMES)
def test_the_style_sheet_knows_its_tokens_and_sets_no_font(theme: str) -> None:
    sheet = style_sheet(SHEET.read_text("utf-8"), THEMES[theme])
    assert "$" not in sheet
    assert not re.search(r"\bfont", sheet.split("*/", 1)[1])


def test_a_misspelt_token_is_an_error() -> None:
    with pytest.raises(KeyError):
        style_sheet("QWidget { color: $colour; }", LIGHT)


def _contrast(tokens: Tokens, over: str, under: str) -> float:
    assert {over, under} <= {field.name for field in fields(Tokens)}
    return contrast(getattr(tokens, over), getattr(tokens, under))
