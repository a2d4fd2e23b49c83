"""How often a test tries something: a few times in `make test`, as often as was promised in `make test-long`."""

from __future__ import annotations

import os


def tries(short: int, long: int) -> int:
    return long if os.environ.get("ARIA_LONG") == "1" else short
