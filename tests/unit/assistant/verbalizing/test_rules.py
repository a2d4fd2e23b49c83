"""Numbers, units, times, dates and money as people read them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aria_desktop.assistant.verbalizing.rules import verbalized

ENGLISH = [
    ("It is 14:30, or 9:05.", "It is fourteen thirty, or nine oh five."),
    ("at 9:00 am", "at nine a m"),
    ("at 9:00", "at nine o'clock"),
    ("at 5 p.m. He left", "at five p m. He left"),
    ("at 5 p.m. today", "at five p m today"),
    ("on 2026-12-01", "on December first, twenty twenty-six"),
    ("on 2026-12-01T14:30:00Z", "on December first, twenty twenty-six fourteen thirty"),
    ("2026-13-41", "2026-13-41"),
    ("December 25, 2026 and 3 May", "December twenty-fifth, twenty twenty-six and May third"),
    ("the 3rd of May", "the third of May"),
    ("12/25/2026", "December twenty-fifth, twenty twenty-six"),
    ("25/12/2026", "December twenty-fifth, twenty twenty-six"),
    ("3/4/2026", "three four twenty twenty-six"),
    ("in 1984, 1984 files", "in nineteen eighty-four, one thousand nine hundred and eighty-four files"),
    ("since 2006, until 1900", "since two thousand and six, until nineteen hundred"),
    ("2020-2024", "twenty twenty to twenty twenty-four"),
    ("It took 1:02:03.", "It took one hour, two minutes, three seconds."),
    ("$5.20, -$3, $1, £0.99", "five dollars and twenty cents, minus three dollars, one dollar, ninety-nine pence"),
    ("€3.5 million and 5 €", "three point five million euros and five euros"),
    ("1,234.50 USD", "one thousand two hundred and thirty-four dollars and fifty cents"),
    ("12.5 %, 100%", "twelve point five percent, one hundred percent"),
    ("1 km, 3.5 GB, -5 °C", "one kilometer, three point five gigabytes, minus five degrees Celsius"),
    ("3-5 km at 120 km/h", "three to five kilometers at one hundred and twenty kilometers per hour"),
    ("20 m² in 5 m/s", "twenty square meters in five meters per second"),
    ("3 in a row, 5 a day", "three in a row, five a day"),
    ("Python 3.11.4 and v2", "Python three point eleven point four and v two"),
    ("192.168.0.1", "one hundred and ninety-two dot one hundred and sixty-eight dot zero dot one"),
    ("1st, 22nd, 103rd, 112th", "first, twenty-second, one hundred and third, one hundred and twelfth"),
    ("pages 3-5", "pages three to five"),
    ("5-3 remains", "5-3 remains"),
    ("1/2 cup, 3/4, 7/8", "one half cup, three quarters, seven over eight"),
    ("2½ cups, ¾", "two and one half cups, three quarters"),
    ("No. 5 and #12", "number five and number twelve"),
    ("+34 600 123 456", "plus three four, six zero zero, one two three, four five six"),
    ("007", "zero zero seven"),
    ("a + b = c, salt & pepper", "a plus b equals c, salt and pepper"),
    ("fruit, e.g. apples", "fruit, for example apples"),
    ("I made 3.", "I made three."),
    ("report-2.txt, mp3, 2024.txt, x86, file2, utf-8", "report-2.txt, mp3, 2024.txt, x86, file2, utf-8"),
]  # fmt: skip
SPANISH = [
    ("Son las 14:30 o las 9:05.", "Son las catorce treinta o las nueve y cinco."),
    ("a las 1:00", "a las una en punto"),
    ("a las 5 p.m. Luego", "a las cinco de la tarde. Luego"),
    ("el 2026-12-01", "el uno de diciembre de dos mil veintiséis"),
    ("el 1/5/2026", "el uno de mayo de dos mil veintiséis"),
    ("3 de mayo de 1999", "tres de mayo de mil novecientos noventa y nueve"),
    ("5,20 €, 1 €, 21 €, 0,99 €", "cinco euros con veinte céntimos, un euro, veintiún euros, noventa y nueve céntimos"),
    ("3 millones €", "tres millones de euros"),
    ("12,5 % de 3.5 GB", "doce coma cinco por ciento de tres coma cinco gigabytes"),
    ("1.234.567 líneas", "un millón doscientas treinta y cuatro mil quinientas sesenta y siete líneas"),
    ("21 líneas, 21 archivos, 1 archivo", "veintiuna líneas, veintiún archivos, un archivo"),
    ("31 días, 101 programas", "treinta y un días, ciento un programas"),
    ("tengo 21 y 1", "tengo veintiuno y uno"),
    ("1.º, 2ª página, 3er piso", "primero, segunda página, tercer piso"),
    ("1 h, 1 km, -5 °C", "una hora, un kilómetro, menos cinco grados centígrados"),
    ("100 y 101", "cien y ciento uno"),
    ("n.º 5, p. ej. esto", "número cinco, por ejemplo esto"),
    ("1:02:03", "una hora, dos minutos, tres segundos"),
    ("3,14 y 3,05", "tres coma catorce y tres coma cero cinco"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), ENGLISH, ids=[text for text, _ in ENGLISH])
def test_english(text: str, said: str) -> None:
    assert verbalized(text, "en") == said


@pytest.mark.parametrize(("text", "said"), SPANISH, ids=[text for text, _ in SPANISH])
def test_spanish(text: str, said: str) -> None:
    assert verbalized(text, "es") == said


@pytest.mark.parametrize("language", ["", "fr", "xx"])
def test_a_language_without_rules_keeps_its_figures(language: str) -> None:
    assert verbalized("1,234.5 km at 14:30", language) == "1,234.5 km at 14:30"


@given(st.integers(0, 10**15 - 1), st.sampled_from(["en", "es"]))
def test_every_whole_number_has_words_of_its_own(number: int, language: str) -> None:
    said = verbalized(str(number), language)
    assert re.fullmatch(r"[a-záéíóúñ -]+", said)
    assert said != verbalized(str(number + 1), language)


@given(st.text(alphabet="0123456789.,:/-+%$€ kmGBhstand&=#º°", max_size=30), st.sampled_from(["en", "es"]))
def test_any_text_is_read_and_words_are_not_read_again(text: str, language: str) -> None:
    once = verbalized(text, language)
    assert bool(re.search(r"\w", once)) >= bool(re.search(r"\w", text))
    assert len(once) < 100 * (len(text) + 1)
