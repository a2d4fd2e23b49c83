"""A model's description in JSON, from a foreign hand: its size and its depth are bounded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from aria_desktop.safety.models.reading import opened, refused


def read_object(path: Path, most: int) -> dict[str, Any]:
    """Raises ModelDamaged for what is missing, larger than `most` bytes, nested too deep, or no JSON object."""
    name = f"{path.parent.name}/{path.name}"
    with opened(path, name) as head:
        if head.size > most:
            raise head.fault(f"has {head.size} bytes, too many for a description")
        raw = head.take(head.size)
    try:
        found = json.loads(raw)
    except RecursionError as error:
        raise refused(name, "is nested too deep") from error
    except ValueError as error:
        raise refused(name, f"is no JSON: {str(error)[:100]}") from error
    if not isinstance(found, dict):
        raise refused(name, "is no description of a model")
    return found
