"""What a question says of how well its words were heard, and of whose text may be behind it. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from aria_desktop.core.approval import Hearing
from aria_desktop.gui.state.translation import tr

NAMED = 5
"""Sources that are named one by one: those that came last, the newest first."""


def heard_words(heard: Hearing) -> str:
    sure = tr("with {percent}", percent=f"{heard.confidence:.0%}")
    return f"{sure}, {tr('not sure of: {words}', words=', '.join(heard.unsure))}" if heard.unsure else sure


def source_words(sources: Sequence[str]) -> str:
    more = len(sources) - NAMED
    named = ", ".join([*reversed(sources)][:NAMED])
    named = tr("{names} and {count} more", names=named, count=more) if more > 0 else named
    return f"{named}. {tr('That text is not yours and may ask for things that you did not ask for.')}"
