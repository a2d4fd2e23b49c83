"""What is read aloud, and what is not."""

from __future__ import annotations

import pytest

from aria_desktop.assistant.speakable import speakable


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Created shopping.txt.", "Created shopping.txt."),
        ("It is **very** *good* and __sure__ and _fine_ ~~not~~.", "It is very good and sure and fine not."),
        ("## Heading", "Heading"),
        ("- milk\n* eggs\n• bread", "milk eggs bread"),
        ("- [x] done\n> quoted", "done quoted"),
        ("2. second", "second"),
        ("See [the manual](https://example.org/x) now", "See the manual now"),
        ("See https://example.org/a?b=c now", "See a link now"),
        ("Run `create_file` again", "Run create file again"),
        ("In /home/anna/output/shopping.txt it is", "In shopping.txt it is"),
        (r"In C:\Users\anna\list.txt it is", "In list.txt it is"),
        ("In notes/2024/list.txt it is", "In list.txt it is"),
        ("and/or 3/4", "and/or 3/4"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "a, b, 1, 2"),
        ("Done 🎉✨!", "Done!"),
        ("a <b>bold</b> word", "a bold word"),
        ("2 * 3 = 6, isn't it?", "2 times 3 = 6, isn't it?"),
        ("20 °C, 5 € ❤️", "20 °C, 5 €"),
        ("hidden\u202e\u200b text", "hidden text"),
        ("---", ""),
        ("***", ""),
        ("...", ""),
        ("Grüße, señor, naïve", "Grüße, señor, naïve"),
        ("re\u0301sume\u0301", "résumé"),
        ("हिन्दी", "हिन्दी"),
    ],
)
def test_written_text_becomes_words(text: str, said: str) -> None:
    assert speakable(text) == said


@pytest.mark.parametrize(
    ("text", "language", "said"),
    [
        ("See https://example.org/2024. Then 3 files.", "en", "See a link. Then three files."),
        ("Mira https://example.org/2024 y 21 archivos", "es", "Mira un enlace y veintiún archivos"),
        ("Commit c70d50a1b2 is 550e8400-e29b-41d4-a716-446655440000", "en", "Commit an identifier is an identifier"),
        ("c70d50a1b2.txt stays", "en", "c70d50a1b2.txt stays"),
        ("The facade is a decade old", "en", "The facade is a decade old"),
        ("Write to anna.b@example.org", "en", "Write to anna dot b at example dot org"),
        ("Escribe a ana@example.es", "es", "Escribe a ana arroba example punto es"),
        ("**5 km** in `a_b`", "en", "five kilometers in a b"),
        ("5 km", "fr", "5 km"),
        ("5 km", "", "5 km"),
    ],
)
def test_what_nobody_spells_is_named_in_the_language(text: str, language: str, said: str) -> None:
    assert speakable(text, language) == said
