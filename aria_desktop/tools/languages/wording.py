"""Sentences that code says, in the user's language. Pure.

Whoever reports something names a sentence by its key and gives its parts; how it is worded is decided here and in
the file of the language. English is the source: every other language has the same keys with the same parts. The model
words its own answers, and what only the model reads stays English.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from aria_desktop.core.errors import AriaError
from aria_desktop.tools.languages import english, spanish

Sentence = str | tuple[str, str]
"""With its parts in braces. Two of them: for one thing, and for any other number; the part `count` decides."""


@dataclass(frozen=True, slots=True)
class Wording:
    """How one language says what code has to say."""

    code: str
    """ISO 639-1."""
    sentences: Mapping[str, Sentence]
    nouns: Mapping[str, tuple[str, str]]
    """One, and several."""
    joints: Mapping[str, Callable[[str], str]]
    """What stands before the last of several names ("and", "or"), given that name."""
    readings: Mapping[str, str]
    """What the call of a changing tool would come to, by the tool's name."""
    thousands: str
    """Between groups of three digits."""
    more: str
    """Instead of the names that are left out; {count} of them."""
    errors: Mapping[str, str]
    """Why something can't be done, by the error's code. An error that is not here speaks for itself, in English."""
    deciders: Mapping[str, str]
    """Who decided about a question, where `core.approval.ApprovalDecision.by` says it in English words."""

    def say(self, key: str, /, **parts: str | int) -> str:
        """The sentence with its parts filled in, whole numbers grouped. KeyError for a part that is not given."""
        sentence = self.sentences[key]
        if isinstance(sentence, tuple):
            one, several = sentence
            sentence = one if parts["count"] == 1 else several
        return sentence.format_map({name: self._shown(part) for name, part in parts.items()})

    def counted(self, count: int, noun: str) -> str:
        """ "1 file", "2 files"."""
        one, several = self.nouns[noun]
        return f"{self._shown(count)} {one if count == 1 else several}"

    def enumerated(self, names: Sequence[str], left_out: int = 0, joint: str = "and") -> str:
        """ "a", "a and b", "a, b and c", "a, b and 3 more". There is at least one name."""
        if left_out:
            return f"{', '.join(names)} {self.more.format(count=self._shown(left_out))}"
        if len(names) == 1:
            return names[0]
        return f"{', '.join(names[:-1])} {self.joints[joint](names[-1])} {names[-1]}"

    def reason(self, error: AriaError) -> str:
        """Why it can't be done."""
        return self.errors.get(error.code) or str(error)

    def decider(self, by: str) -> str:
        return self.deciders.get(by, by)

    def _shown(self, part: str | int) -> str:
        return part if isinstance(part, str) else f"{part:,}".replace(",", self.thousands)


ENGLISH = Wording(
    "en",
    english.SENTENCES,
    english.NOUNS,
    english.JOINTS,
    english.READINGS,
    thousands=",",
    more="and {count} more",
    errors={},
    deciders={},
)
SPANISH = Wording(
    "es",
    spanish.SENTENCES,
    spanish.NOUNS,
    spanish.JOINTS,
    spanish.READINGS,
    thousands=".",
    more="y {count} más",
    errors=spanish.ERRORS,
    deciders=spanish.DECIDERS,
)
WORDINGS: Mapping[str, Wording] = {wording.code: wording for wording in (ENGLISH, SPANISH)}


def wording_in(language: str) -> Wording:
    """The wording for an ISO 639-1 code; English for a language that code does not speak."""
    return WORDINGS.get(language, ENGLISH)
