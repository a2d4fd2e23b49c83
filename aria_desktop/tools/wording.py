"""Numbers and lists as people say them, in English: for the model and for questions. Pure.

What the user is told comes from `tools.languages`.
"""

from __future__ import annotations

from collections.abc import Sequence


def counted(count: int, noun: str, plural: str = "") -> str:
    """ "1 file", "2 files"."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def enumerated(names: Sequence[str], left_out: int = 0, last: str = "and") -> str:
    """ "a", "a and b", "a, b and c", "a, b and 3 more". There is at least one name."""
    if left_out:
        return f"{', '.join(names)} and {left_out:,} more"
    return f"{', '.join(names[:-1])} {last} {names[-1]}" if len(names) > 1 else names[0]
