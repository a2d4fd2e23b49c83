"""Whether a call may happen: allowed, asked about, or forbidden. Nothing else in the program decides this.

The decision is made from facts about the tool, never from what the model says, and never by the model.
Whoever carries a call out treats `Ask` without an answer as no.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Allow:
    """Go on without asking."""


@dataclass(frozen=True, slots=True)
class Ask:
    reason: str
    """Why a person has to decide; can be read aloud."""


@dataclass(frozen=True, slots=True)
class Forbid:
    reason: str
    """Why it does not happen, whatever anybody answers; can be read aloud."""


Decision = Allow | Ask | Forbid


@dataclass(frozen=True, slots=True)
class Rules:
    """What the user has laid down for all calls."""

    switched_off: frozenset[str] = frozenset()
    """Names of tools that are never used."""


def decide(tool: str, changes: bool, rules: Rules) -> Decision:
    """Reads are allowed, changes are asked about, what is switched off is forbidden.

    Args:
        tool: the tool's name.
        changes: whether the tool changes anything outside the conversation.
    """
    if tool in rules.switched_off:
        return Forbid(f"{tool} is switched off.")
    if changes:
        return Ask(f"{tool} changes something.")
    return Allow()
