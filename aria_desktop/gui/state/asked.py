"""What a question says of how well its words were heard, and of whose text may be behind it. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from aria_desktop.core.approval import Hearing

NAMED = 5
"""Sources that are named one by one: those that came last, the newest first."""


def heard_words(heard: Hearing) -> str:
    unsure = f", not sure of: {', '.join(heard.unsure)}" if heard.unsure else ""
    return f"with {heard.confidence:.0%}{unsure}"


def source_words(sources: Sequence[str]) -> str:
    more = len(sources) - NAMED
    named = ", ".join([*reversed(sources)][:NAMED]) + (f" and {more} more" if more > 0 else "")
    return f"{named}. That text is not yours and may ask for things that you did not ask for."
