"""What the user has told ARIA to remember: kept without a question, since it is shown, listed and forgotten again.

The rules of the memory are all here: how much there may be, that nothing is kept twice, and that what looks like a
password, a PIN, a card number or a key is not kept at all (`tools.credentials`). Stores only store.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Sequence

from aria_desktop.core.chat import Outcome, ToolResult
from aria_desktop.core.errors import ToolFailed
from aria_desktop.core.records import Fact
from aria_desktop.core.visible import visible_line
from aria_desktop.tools.credentials import looks_like_a_credential
from aria_desktop.tools.languages.wording import Wording
from aria_desktop.tools.recalling import matching, same
from aria_desktop.tools.tool import OWN_WORDS, Effect, Limit, ToolContext, tool

MOST_FACTS = 500
MOST_CHARACTERS = 500
"""Of one fact."""
FEW = 12
"""So many are told all, when none of them has a word of the question."""
SAID = 5
"""So many an answer repeats."""
TOLD = 20
"""So many the model is shown."""


@tool(Limit.READ, effect=Effect.KEEPS, source=OWN_WORDS)
def remember(context: ToolContext, fact: str) -> ToolResult:
    """Keep something about the user for later, when the user says to remember it.

    Args:
        fact: one whole sentence that can be understood without this conversation.
    """
    text, say = " ".join(fact.split()), context.wording.say
    if not text:
        raise ToolFailed("There is nothing to remember: the fact is empty.")
    if len(text) > MOST_CHARACTERS:
        raise ToolFailed(f"The fact has {len(text):,} characters, and {MOST_CHARACTERS} are the limit. Be shorter.")
    if looks_like_a_credential(text):
        return _not_kept(say("no_credentials"))
    known = context.facts.facts()
    for old in known:
        if same(old.text, text):
            return _said(say("remembered_already", fact=_shown(old)))
    if len(known) >= MOST_FACTS:
        return _not_kept(say("memory_full", count=MOST_FACTS))
    return _said(say("remembered", fact=_shown(context.facts.keep(text, context.turn_id))))


@tool(Limit.READ, source=OWN_WORDS)
def recall(context: ToolContext, query: str) -> ToolResult:
    """Look up what the user told you to remember, in this or an earlier conversation.

    Args:
        query: the words to look for; empty for everything.
    """
    facts, wording = context.facts.facts(), context.wording
    if not facts:
        return ToolResult(Outcome.DONE, "Nothing was ever remembered.", answer=wording.say("nothing_remembered"))
    found = matching(query, facts)
    if found:
        return ToolResult(Outcome.DONE, _told(found), answer=_repeated(found, wording))
    if not query.strip():
        return ToolResult(Outcome.DONE, _told(facts), answer=_repeated(facts, wording))
    if len(facts) > FEW:
        return _said(wording.say("not_remembered"))
    told = f"No fact has a word of that. If none of these answers it, say that you don't know:\n{_told(facts)}"
    return ToolResult(Outcome.DONE, told)


def _said(answer: str) -> ToolResult:
    return ToolResult(Outcome.DONE, answer, answer=answer)


def _not_kept(reason: str) -> ToolResult:
    """Other words would not change it, so it is the answer, and no new try of the model's."""
    return ToolResult(Outcome.FAILED, reason, answer=reason)


def _told(facts: Sequence[Fact]) -> str:
    left_out = len(facts) - TOLD
    lines = [f"- {_shown(fact)}" for fact in facts[:TOLD]]
    return "\n".join(lines) + (f"\n[{left_out:,} more]" if left_out > 0 else "")


def _repeated(facts: Sequence[Fact], wording: Wording) -> str:
    if len(facts) == 1:
        return wording.say("told_one", fact=_shown(facts[0]))
    lines = "\n".join(f"- {_shown(fact)}" for fact in facts[:SAID])
    more = wording.say("told_more", count=len(facts) - SAID) if len(facts) > SAID else ""
    return wording.say("told_several", facts=lines) + more


def _shown(fact: Fact) -> str:
    return visible_line(fact.text)


class MemoryFacts:
    """A `FactStore` that ends with the program: for a demonstration, an evaluation, a test."""

    def __init__(self, told: Iterable[str] = ()) -> None:
        """`told`: facts that are there from the start, oldest first."""
        self._lock = threading.Lock()
        self._given = 0
        self._facts: list[Fact] = []
        for text in told:
            self.keep(text, "")

    def facts(self) -> tuple[Fact, ...]:
        with self._lock:
            return tuple(reversed(self._facts))

    def keep(self, text: str, turn_id: str) -> Fact:
        with self._lock:
            self._given += 1
            fact = Fact(self._given, text, time.time(), turn_id)
            self._facts.append(fact)
        return fact

    def forget(self, number: int) -> bool:
        with self._lock:
            before = len(self._facts)
            self._facts = [fact for fact in self._facts if fact.number != number]
            return len(self._facts) < before

    def clear(self) -> int:
        with self._lock:
            count, self._facts = len(self._facts), []
        return count
