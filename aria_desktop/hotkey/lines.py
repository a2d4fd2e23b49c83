"""What the key's process and the program tell each other: lines of JSON on its pipes.

From it: `{"tell": "ready", "way", "refused"}` once, then `{"tell": "press" | "release" | "cancel", "held_s"}`, and
`{"tell": "ended", "reason"}` before it gives up. To it: `{"listening": true | false}`. The end of its input ends it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from aria_desktop.hotkey.moves import Move, What
from aria_desktop.hotkey.ways import Refusal


@dataclass(frozen=True, slots=True)
class Ready:
    way: str
    """Empty: none works."""
    refused: tuple[Refusal, ...]
    """Those that were tried before it."""


@dataclass(frozen=True, slots=True)
class Ended:
    reason: str


Told = Ready | Move | Ended


def line(told: Told) -> bytes:
    match told:
        case Ready(way, refused):
            plain: dict[str, object] = {"tell": "ready", "way": way, "refused": [asdict(one) for one in refused]}
        case Move(what, held_s):
            plain = {"tell": what.value, "held_s": held_s}
        case Ended(reason):
            plain = {"tell": "ended", "reason": reason}
    return json.dumps(plain).encode() + b"\n"


def read(data: bytes) -> Told:
    """Raises ValueError for what is no such line."""
    plain = json.loads(data)
    try:
        if plain["tell"] == "ready":
            return Ready(plain["way"], tuple(Refusal(**one) for one in plain["refused"]))
        if plain["tell"] == "ended":
            return Ended(plain["reason"])
        return Move(What(plain["tell"]), float(plain["held_s"]))
    except (KeyError, TypeError) as error:
        raise ValueError(f"no line of the key's process: {error}") from error


def listening_line(now: bool) -> bytes:
    return json.dumps({"listening": now}).encode() + b"\n"


def read_listening(lines: Sequence[bytes]) -> bool | None:
    """What the last of them says; None when there is none."""
    return bool(json.loads(lines[-1])["listening"]) if lines else None
