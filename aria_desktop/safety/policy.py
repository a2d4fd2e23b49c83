"""Whether a call may happen: allowed, asked about, or forbidden. Nothing else in the program decides this.

The decision is made from facts about the tool and the conversation, never from what the model says, and never by the
model. Forbidden outweighs asked, asked outweighs allowed: no leave that was given before lifts what must be asked
about afresh, and nothing lifts what is forbidden. Whoever carries a call out treats `Ask` without an answer as no.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Allow:
    """Go on without asking."""

    by: str = ""
    """The leave given before that allows it; empty when none is needed."""


@dataclass(frozen=True, slots=True)
class Ask:
    reason: str
    """Why a person has to decide; can be read aloud."""


@dataclass(frozen=True, slots=True)
class Forbid:
    reason: str
    """Why it does not happen, whatever anybody answers; can be read aloud."""


Decision = Allow | Ask | Forbid


class Reach(StrEnum):
    """What is different after a call that went well."""

    NOTHING = "nothing"
    OWN_MEMORY = "own memory"
    """Only what ARIA itself remembers, which is shown and can be emptied."""
    USERS_THINGS = "the user's things"


@dataclass(frozen=True, slots=True)
class Rules:
    """What the user has laid down for all calls."""

    switched_off: frozenset[str] = frozenset()
    """Names of tools that are never used."""
    asked_each_time: frozenset[str] = frozenset({"run_terminal"})
    """Names of tools for which no leave reaches further than one action: what a command does can't be foreseen."""


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What is known beside the tool. Nothing of it comes from the model."""

    untrusted: tuple[str, ...] = ()
    """Sources of text in the conversation that nobody vouches for."""
    doubts: tuple[str, ...] = ()
    """Why something else may have been meant."""
    granted: str = ""
    """The leave that covers this very call; empty when none does."""


CLEAR = Circumstances()


def decide(tool: str, reach: Reach, rules: Rules, known: Circumstances = CLEAR) -> Decision:
    """Looks are allowed, changes are asked about unless a leave covers them, what is switched off is forbidden.

    While untrusted text is in the conversation, or something else may have been meant, no leave counts. After untrusted
    text also what ARIA would remember is asked about, as it would come back in every later conversation.

    Args:
        tool: the tool's name.
    """
    if tool in rules.switched_off:
        return Forbid(f"{tool} is switched off.")
    if reach is Reach.NOTHING or (reach is Reach.OWN_MEMORY and not known.untrusted):
        return Allow()
    if known.untrusted:
        return Ask(f"{tool} changes something, and untrusted text is in the conversation.")
    if known.doubts:
        return Ask(f"{tool} changes something, and something else may have been meant.")
    if known.granted and tool not in rules.asked_each_time:
        return Allow(known.granted)
    return Ask(f"{tool} changes something.")
