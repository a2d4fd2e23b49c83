"""Which changes of one reply can be asked about at once. Pure.

Only those that do not build on one another: each is prepared while none of them is made, and what is shown of one must
be what will be there when its turn comes. What is written by a second generation, and commands, stand alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from aria_desktop.core.chat import ToolCall
from aria_desktop.safety.policy import Rules
from aria_desktop.tools.tool import Limit, Tool

Wanted = tuple[ToolCall, Tool]
_PATHS = ("path", "source", "destination")


def can_be_asked_together(wanted: Sequence[Wanted], rules: Rules) -> bool:
    return len(wanted) > 1 and all(_stands_with_others(tool, rules) for _, tool in wanted) and not _meet(wanted)


def _stands_with_others(tool: Tool, rules: Rules) -> bool:
    alone = rules.switched_off | rules.asked_each_time
    return tool.changes and tool.limit is Limit.CHANGE and tool.name not in alone


def _meet(wanted: Sequence[Wanted]) -> bool:
    """Whether two of them may be about the same thing, or one about what the other one is in."""
    return any(_same(one, other) for one, other in combinations([_named(call) for call, _ in wanted], 2))


def _named(call: ToolCall) -> list[tuple[str, ...]]:
    """The places that a call names, as parts of paths."""
    paths = [str(call.arguments[name]) for name in _PATHS if name in call.arguments]
    return [tuple(part.strip() for part in path.casefold().split("/") if part.strip(" .")) for path in paths]


def _same(one: Sequence[tuple[str, ...]], other: Sequence[tuple[str, ...]]) -> bool:
    return any(a[: len(b)] == b or b[: len(a)] == a for a in one for b in other)
