"""The icons that ship are those that are used, with their licence beside them."""

from __future__ import annotations

import re
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
ICONS = {path.stem for path in (REPOSITORY / "resources" / "icons").glob("*.svg")}


def test_only_icons_that_are_used_are_shipped() -> None:
    sources = "\n".join(path.read_text("utf-8") for path in (REPOSITORY / "aria_desktop" / "gui").rglob("*.py"))
    named = set(re.findall(r'"([a-z0-9-]+)"', sources))
    assert len(ICONS) > 30
    assert named >= ICONS


def test_licences_lie_beside_what_they_are_of() -> None:
    assert "ISC License" in (REPOSITORY / "resources" / "icons" / "LICENSE-lucide.txt").read_text("utf-8")
    fonts = REPOSITORY / "resources" / "fonts"
    for name in ("LICENSE-atkinson-hyperlegible-next.txt", "LICENSE-jetbrains-mono.txt"):
        assert "SIL OPEN FONT LICENSE" in (fonts / name).read_text("utf-8").upper()
