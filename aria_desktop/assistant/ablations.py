"""Parts of the agent that an evaluation can leave out, to see what each is worth. Nobody else does.

What keeps the user safe is no part of this: file door, policy and approval can't be left out.
"""

from __future__ import annotations

from enum import StrEnum


class Ablation(StrEnum):
    GRAMMAR = "grammar"
    """The model writes freely; what is not a legal reply goes back to it."""
    EXAMPLES = "examples"
    """The prompt shows no exchanges."""
    REPAIR = "repair"
    """A reply that can't be used, or a call that failed, ends the turn."""
    CONFIDENCE = "confidence"
    """A doubtful choice of a tool is carried out like a sure one."""
    RULES = "rules"
    """The prompt gives tools and form, and no rules."""
