"""Whether something else may have been meant than what was heard: words that the recogniser was not sure of, and
names that sound like others. Pure.

A doubt forbids nothing. It raises the risk that is shown and takes away all leave that was given before, so that the
user sees what was understood.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from aria_desktop.core.approval import Hearing, Risk, RiskLevel
from aria_desktop.core.chat import ToolCall
from aria_desktop.core.transcript import Word
from aria_desktop.core.visible import visible_line
from aria_desktop.tools.sounds import sound, vowels
from aria_desktop.tools.spoken_names import written_name

UNSURE_WORD = 0.3
"""Below this probability a word is wrong more often than right: seen on real speech with whisper base."""
UNSURE_ON_AVERAGE = 0.6
_SHORTEST = 3
"""Letters. Shorter words are often unsure and seldom matter."""
_PATHS = ("path", "source", "destination")
_HIGHER = {RiskLevel.LOW: RiskLevel.MEDIUM, RiskLevel.MEDIUM: RiskLevel.HIGH, RiskLevel.HIGH: RiskLevel.HIGH}
NAMED_OTHERWISE = "Name given"
"""The label of the fact that a file was found by another name than its own."""


def hearing_of(words: Sequence[Word]) -> Hearing | None:
    """None when the recogniser tells nothing of single words."""
    if not words:
        return None
    unsure = [word.text.strip() for word in words if word.probability < UNSURE_WORD]
    told = tuple(text for text in unsure if sum(map(str.isalnum, text)) >= _SHORTEST)
    return Hearing(round(sum(word.probability for word in words) / len(words), 3), told)


def doubts(
    call: ToolCall, heard: Hearing | None, names: Sequence[str], facts: Sequence[tuple[str, str]]
) -> tuple[str, ...]:
    """Sentences, each a reason to look twice; empty when there is none.

    Args:
        heard: None when the words were typed; then no name was heard as another.
        names: of what there is in the workspace.
        facts: what the question tells beside the change itself.
    """
    return tuple(_doubts(call, heard, names, facts))


def raised(risk: Risk, doubts: Sequence[str]) -> Risk:
    """One level up for any doubt."""
    return Risk(_HIGHER[risk.level], f"{risk.text} {' '.join(doubts)}") if doubts else risk


def _doubts(
    call: ToolCall, heard: Hearing | None, names: Sequence[str], facts: Sequence[tuple[str, str]]
) -> Iterator[str]:
    if heard is None:
        return
    if heard.unsure or heard.confidence < UNSURE_ON_AVERAGE:
        yield "What you said was not heard well."
    for given in (value for label, value in facts if label == NAMED_OTHERWISE):
        yield f"No file is called {visible_line(given)}; this one comes nearest."
    for path in (str(call.arguments[name]) for name in _PATHS if name in call.arguments):
        if alike := next((name for name in names if _sound_alike(path, name)), ""):
            yield f"{visible_line(alike)} sounds like {visible_line(path)}."


def _sound_alike(one: str, other: str) -> bool:
    """Two different files whose names can't be told apart by ear."""
    if one == other or other.endswith("/") or one.endswith("/"):
        return False
    if PurePosixPath(one).parent != PurePosixPath(other).parent:
        return False
    return _heard_as(one) == _heard_as(other)


def _heard_as(path: str) -> tuple[str, int, tuple[str, ...], str]:
    name = written_name(path)
    letters = name.stem.plain
    return sound(letters), len(vowels(letters)), name.stem.fixed, name.ending
