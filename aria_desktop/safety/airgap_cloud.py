"""Cloud is off unless it is switched on before the start, and there is something to switch on.

The switch is a variable of the environment: no file that a turn could write holds it, and a process that has closed its
door can't change its mind. An empty list of cloud engines means that the door is closed whatever the switch says, and
that who set it is told so instead of being left to believe in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aria_desktop.core.errors import SettingsError

SWITCH = "ARIA_CLOUD"
ENGINES: tuple[str, ...] = ()
"""The engines on other computers that this version has."""
_MEANINGS = {"": False, "off": False, "on": True}


def cloud_wanted(environment: Mapping[str, str], engines: Sequence[str] = ENGINES) -> bool:
    """Raises SettingsError for a switch that says neither on nor off, or is on and switches nothing."""
    said = environment.get(SWITCH, "").strip().lower()
    if said not in _MEANINGS:
        raise SettingsError(f"{SWITCH} is {said!r}, and must be on or off.", f"Unset it, or set {SWITCH}=off.")
    if _MEANINGS[said] and not engines:
        raise SettingsError(
            f"{SWITCH} is on, and this version of ARIA has no cloud engines.", "Unset it: nothing leaves this computer."
        )
    return _MEANINGS[said]
