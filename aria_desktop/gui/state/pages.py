"""The pages of the window, in the order of their tabs."""

from __future__ import annotations

from enum import Enum

from aria_desktop.gui.state.translation import mark


class Page(Enum):
    TALK = mark("Talk")
    HISTORY = mark("History")
    MODELS = mark("Models")
    SETTINGS = mark("Settings")


PAGES = tuple(Page)
