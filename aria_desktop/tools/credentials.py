"""What is not remembered because it opens something: passwords, PINs, card numbers, keys. Pure.

The memory is a plain list that is read aloud, shown and put into prompts; a secret has no place in it. Refused is

* a word for a secret together with its value: "my password is ...", "PIN: 1234", "1234 is my PIN", "use ... as my
  password". A word without a value is no secret: "my password manager is new", "the password is in the red book";
* a number of 13 to 19 digits that checks as a card's does;
* a key as services hand them out: by its well-known beginning, or a long mix of letters and digits;
* the beginning of a private key.

A code that opens a door (of a locker, a gate) may be remembered: that is what people ask for.
"""

from __future__ import annotations

import re

_NAME = (
    r"(?<![^\W_])(?:pass[\s_-]?(?:word|phrase|code)s?|passwd|pwd|pins?|pin[\s_-](?:code|number)s?|cvv|cvc"
    r"|(?:api|access|auth|bearer)[\s_-](?:key|token)s?|secret[\s_-](?:key|word)s?|private[\s_-]keys?"
    r"|(?:seed|recovery)[\s_-](?:phrase|code|key)s?|contrase[\u00f1n]as?|claves?)(?![^\W_])"
)
_VALUE_FOLLOWS = re.compile(
    rf"{_NAME}(?:\s+(?:for|of|to|on|de|del|para)\s+[\w'\s-]{{1,40}}?)?"
    r"\s*(?:['\u2019]s\b|\bis\b|\bare\b|\bwas\b|\bwill\sbe\b|\bes\b|\bson\b|[:=\u2013\u2014])\s*"
    r"(?!(?:in|on|at|under|inside|behind|kept|stored|written|saved|not|no|too|very|en|bajo|debajo)\b)\S",
    re.IGNORECASE,
)
_VALUE_BESIDE = re.compile(_NAME, re.IGNORECASE)
_VALUE_BEFORE = re.compile(rf"\S\s+(?:as|como)\s+(?:my|our|the|mi|la)\s+(?:\w+\s+)?{_NAME}", re.IGNORECASE)
_WITH_DIGITS = re.compile(r"(?<!\S)(?=\S*\d)\S{4,}")
_CARD = re.compile(r"(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)")
_KEY = re.compile(
    r"\b(?:sk-[\w-]{16,}|gh[pousr]_\w{16,}|github_pat_\w{16,}|AKIA[A-Z0-9]{12,}|xox[abprs]-[\w-]{10,})"
    r"|(?<![\w/.-])(?=[\w+=-]*[a-z])(?=[\w+=-]*[A-Z])(?=[\w+=-]*\d)[\w+=-]{24,}(?![\w/.])"
)
_PRIVATE = re.compile(r"BEGIN [A-Z ]*PRIVATE KEY")


def looks_like_a_credential(text: str) -> bool:
    return bool(
        _VALUE_FOLLOWS.search(text)
        or _VALUE_BEFORE.search(text)
        or (_VALUE_BESIDE.search(text) and _WITH_DIGITS.search(text))
        or _KEY.search(text)
        or _PRIVATE.search(text)
        or any(_checks_as_card(found.group()) for found in _CARD.finditer(text))
    )


def _checks_as_card(number: str) -> bool:
    """The check digit of ISO/IEC 7812-1."""
    digits = [int(digit) for digit in number if digit.isdigit()]
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0
