"""What is kept of turns that a conversation has moved on from, as a pure value."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EarlierSummary:
    """Stands for all turns of a conversation up to one of them."""

    text: str
    through: str
    """Id of the last turn that it covers."""
    untrusted: tuple[str, ...] = ()
    """Sources of text in those turns that nobody vouches for: a summary of it is no better."""
