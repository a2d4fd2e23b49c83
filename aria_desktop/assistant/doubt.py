"""A choice between two changes that the model itself was not sure of is put to the user. Pure.

How sure it was comes with each call from the engine (`core.chat.ToolChoice`), at no cost. Only changes are asked about:
a look that was not needed does no harm.
"""

from __future__ import annotations

from collections.abc import Sequence

from aria_desktop.assistant.reply import Call
from aria_desktop.core.chat import ToolChoice
from aria_desktop.tools.code import is_plain_text
from aria_desktop.tools.languages.wording import Wording

SURE = 1 / 3
"""From this probability on a choice counts. Set by a handful of doubtful choices seen while tuning, not calibrated."""


_OF_WHAT_IS_THERE = frozenset({"append_file", "edit_file", "delete_file"})


def doubted(choices: Sequence[ToolChoice], calls: Sequence[Call], files: Sequence[str], wording: Wording) -> str:
    """What the user is asked, when the first doubtful choice is between two changes; empty when there is none.

    Args:
        choices: one for each of `calls`, or none at all.
        files: what there is in the workspace.
    """
    readings = wording.readings
    for choice, call in zip(choices, calls, strict=False):
        unsure = choice.probability < SURE and choice.name in readings and choice.runner_up in readings
        if unsure and _can_be_meant(choice.runner_up, str(call.arguments.get("path", "")), files):
            return wording.say("which_reading", one=readings[choice.name], other=readings[choice.runner_up])
    return ""


def _can_be_meant(tool: str, path: str, files: Sequence[str]) -> bool:
    """Not code in a plain text, and not a change of a file that is not there."""
    if tool == "write_code":
        return not is_plain_text(path)
    return tool not in _OF_WHAT_IS_THERE or path in files
