"""A choice between two changes that the model itself was not sure of is put to the user. Pure.

How sure it was comes with each call from the engine (`core.chat.ToolChoice`), at no cost. Only changes are asked about:
a look that was not needed does no harm.
"""

from __future__ import annotations

from collections.abc import Sequence

from aria_desktop.core.chat import ToolChoice
from aria_desktop.tools.languages.wording import Wording

SURE = 1 / 3
"""From this probability on a choice counts. Set by a handful of doubtful choices seen while tuning, not calibrated."""


def doubted(choices: Sequence[ToolChoice], wording: Wording) -> str:
    """What the user is asked, when the first doubtful choice is between two changes; empty when there is none."""
    readings = wording.readings
    for choice in choices:
        if choice.probability < SURE and choice.name in readings and choice.runner_up in readings:
            return wording.say("which_reading", one=readings[choice.name], other=readings[choice.runner_up])
    return ""
