"""Will it fit? Asked before native code takes memory that the machine does not have."""

from __future__ import annotations

from aria_desktop.core.errors import ModelDamaged

SHARE = 0.95
"""Of a machine's whole memory, graphics cards included, that a model's weights may take at most. What is tight but
possible is the user's to decide; the catalogue advises (`catalog.fit`)."""
_GB = 10**9


def require_room(name: str, need: int, room: int) -> None:
    """Raises ModelDamaged when weights of `need` bytes have no place in `room` bytes."""
    if need > SHARE * room:
        raise ModelDamaged(
            f"Model refused: {name} needs about {need / _GB:.1f} GB of memory, and this machine has {room / _GB:.1f}.",
            "Choose a smaller model: `aria models list` shows what fits.",
        )
