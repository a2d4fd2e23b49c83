"""Colours, type and sizes of the window as plain data, and the arithmetic that proves them readable.

No Qt here: `look.py` turns these values into palettes and fonts. Petrol means alive, amber means doubt, red
means loss; every use of a hue comes with a shape or a word. tests/unit/gui/test_theme.py computes the WCAG
contrast of every pair in use and fails under 4.5 for text and 3.0 for borders and shapes.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import Enum
from string import Template

Colour = str
"""Six hexadecimal digits with a leading #."""


@dataclass(frozen=True, slots=True)
class Tokens:
    bg: Colour
    """Side panel and top bar."""
    surface: Colour
    """Conversation and dialogs."""
    sunken: Colour
    """Code and output cards."""
    raised: Colour
    """Fields and key caps."""
    hover: Colour
    line: Colour
    """Hairlines; decoration only, so without a contrast limit."""
    edge: Colour
    """Borders of controls."""
    text: Colour
    text2: Colour
    """Help, labels, icons."""
    text3: Colour
    """Times, counts, tentative words."""
    accent: Colour
    on_accent: Colour
    accent_hover: Colour
    accent_soft: Colour
    focus: Colour
    doubt: Colour
    doubt_edge: Colour
    doubt_soft: Colour
    loss: Colour
    loss_soft: Colour
    loss_word: Colour
    gain: Colour
    gain_soft: Colour
    gain_word: Colour
    mark: Colour
    """Search hits, which are bold too."""
    code_keyword: Colour
    code_string: Colour
    code_call: Colour
    code_number: Colour
    code_comment: Colour
    border: int
    """Width of control borders in px."""
    still: bool
    """No halo, no fade and no sweep."""


LIGHT = Tokens(
    bg="#EFF3F2",
    surface="#FFFFFF",
    sunken="#F6F8F7",
    raised="#FFFFFF",
    hover="#E4EAE8",
    line="#DCE3E1",
    edge="#7E8B88",
    text="#14201E",
    text2="#465350",
    text3="#566360",
    accent="#0A6570",
    on_accent="#FFFFFF",
    accent_hover="#084F58",
    accent_soft="#D9ECEE",
    focus="#0A6570",
    doubt="#7F4B00",
    doubt_edge="#B86E00",
    doubt_soft="#FBEED6",
    loss="#AE231B",
    loss_soft="#FBE4E1",
    loss_word="#F7CCC7",
    gain="#07594F",
    gain_soft="#DDF0EE",
    gain_word="#BAE2DE",
    mark="#B9DFDE",
    code_keyword="#74288A",
    code_string="#125A31",
    code_call="#0A527E",
    code_number="#7A4100",
    code_comment="#515E5B",
    border=1,
    still=False,
)

DARK = Tokens(
    bg="#101615",
    surface="#161D1C",
    sunken="#121918",
    raised="#1E2625",
    hover="#222C2A",
    line="#2A3432",
    edge="#73817E",
    text="#E6EDEB",
    text2="#B4BFBC",
    text3="#93A09C",
    accent="#5CC5CE",
    on_accent="#05272B",
    accent_hover="#7FD6DD",
    accent_soft="#14373B",
    focus="#5CC5CE",
    doubt="#EDB963",
    doubt_edge="#D79B34",
    doubt_soft="#33280F",
    loss="#F59A92",
    loss_soft="#3A1D1B",
    loss_word="#5E2925",
    gain="#7FD3C6",
    gain_soft="#12322F",
    gain_word="#184843",
    mark="#1C5A5F",
    code_keyword="#D6A3E4",
    code_string="#9AD1A5",
    code_call="#86C5EE",
    code_number="#E8B77A",
    code_comment="#A3AFAB",
    border=1,
    still=False,
)

CONTRAST = Tokens(
    bg="#000000",
    surface="#000000",
    sunken="#000000",
    raised="#000000",
    hover="#1F1F1F",
    line="#FFFFFF",
    edge="#FFFFFF",
    text="#FFFFFF",
    text2="#FFFFFF",
    text3="#FFFFFF",
    accent="#4FE3F0",
    on_accent="#000000",
    accent_hover="#9CF1F8",
    accent_soft="#00373C",
    focus="#FFE24A",
    doubt="#FFD34D",
    doubt_edge="#FFD34D",
    doubt_soft="#000000",
    loss="#FF9B94",
    loss_soft="#000000",
    loss_word="#5A0000",
    gain="#7CF5E2",
    gain_soft="#000000",
    gain_word="#004A44",
    mark="#00474D",
    code_keyword="#FFB3FF",
    code_string="#B6FFB6",
    code_call="#A8D8FF",
    code_number="#FFD9A0",
    code_comment="#FFFFFF",
    border=2,
    still=True,
)


@dataclass(frozen=True, slots=True)
class Type:
    px: float
    """At 100 %; never under 12.5."""
    weight: int
    """As in CSS."""
    line: float = 1.33
    """Line height as a multiple of `px`."""
    code: bool = False


class Kind(Enum):
    """The scale of type. Every text of the window is one of these."""

    PAGE = Type(26, 600)
    QUESTION = Type(21, 600)
    STATE = Type(21, 600)
    HEARD = Type(18, 500, 1.45)
    HEARD_LIVE = Type(20, 500, 1.45)
    BRAND = Type(17, 600)
    SECTION = Type(16, 600)
    BODY = Type(15, 400, 1.4)
    BODY_STRONG = Type(15, 600)
    BODY_MEDIUM = Type(15, 500)
    CONTROL = Type(14, 500)
    CONTROL_STRONG = Type(14, 600)
    ROW = Type(14.5, 400)
    HELP = Type(13.5, 400)
    HELP_STRONG = Type(13.5, 600)
    TIME = Type(12.5, 400)
    CAP = Type(12.5, 500)
    CODE = Type(13, 400, 20 / 13, code=True)
    CODE_STRONG = Type(13, 700, 20 / 13, code=True)


def contrast(first: Colour, second: Colour) -> float:
    """WCAG 2 contrast of two colours, 1 to 21."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Colour) -> float:
    channels = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def style_sheet(template: str, tokens: Tokens) -> str:
    """The application's one style sheet; raises KeyError for a name that is no token."""
    return Template(template).substitute({field.name: getattr(tokens, field.name) for field in fields(tokens)})
