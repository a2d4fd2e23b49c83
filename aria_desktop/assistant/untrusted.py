"""Where text comes from that is in the conversation and that nobody vouches for.

The user's words are theirs. What is in a file, what a command prints and a name that is more than a name are somebody
else's: such text may hold orders, and a model may follow them. It is not sorted into harmless and harmful; what is
known is only whether there is any, and where it comes from.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from aria_desktop.core.chat import Outcome, ToolCall, ToolResult
from aria_desktop.core.errors import ModelFault, PathRefused
from aria_desktop.core.records import TurnRecord
from aria_desktop.core.visible import visible_line
from aria_desktop.safety.paths import FileMissing, Workspace
from aria_desktop.safety.plain_names import is_plain
from aria_desktop.tools.tool import AskFirst, Tool

MOST_SOURCES = 20
"""Named one by one."""
MORE = "more of such text"
_SHOWN = 80
"""Characters of a name; messages show at least as many."""


class UntrustedText:
    """The sources of one turn, in the order in which they came. From any thread."""

    def __init__(self, sources: Iterable[str] = ()) -> None:
        self._sources: dict[str, None] = dict.fromkeys(sources)

    @property
    def sources(self) -> tuple[str, ...]:
        return tuple(self._sources)

    def adds(self, source: str) -> str:
        """Note it. Returns how it is named when it is new, and nothing when it is known already."""
        if not source or source in self._sources:
            return ""
        named = source if len(self._sources) < MOST_SOURCES else MORE
        known = named in self._sources
        self._sources[named] = None
        return "" if known else named


def of_turns(turns: Sequence[TurnRecord]) -> tuple[str, ...]:
    """What a turn has from those it is told of."""
    return tuple(dict.fromkeys(source for turn in turns for source in turn.untrusted))


def source_of(
    tool: Tool | None, call: ToolCall, result: ToolResult, fault: ModelFault | None, strange: Sequence[str]
) -> str:
    """Where text in the end of a call comes from that nobody vouches for; empty when there is none.

    Args:
        fault: what went wrong with the call, if anything.
        strange: `strange_names` before the call: one that it takes away is named in its end all the same, and one
            that it makes was asked for.
    """
    if result.untrusted or tool is None or result.outcome is Outcome.CANCELLED:
        return result.untrusted
    names_only = result.outcome is Outcome.REFUSED or isinstance(fault, AskFirst | FileMissing | PathRefused)
    source = tool.source_of(call.arguments)
    return source if source and not names_only else _named_in(f"{result.text} {result.answer}", strange)


def strange_names(workspace: Workspace) -> tuple[str, ...]:
    """Of files and folders, as they are shown: those that are more than a name."""
    return tuple(visible_line(entry.name) for entry in workspace.entries() if not is_plain(entry.name))


def _named_in(text: str, strange: Sequence[str]) -> str:
    """The source, where the text holds one of these names, or the beginning of one that is too long for a message."""
    found = next((name for name in strange if name[:_SHOWN] in text), "")
    return f"the name {found[:_SHOWN]}" if found else ""
