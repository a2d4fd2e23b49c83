"""Fetch mode: a window of its own that fetches the models that were asked for and can do nothing else.

Its process reaches the network, and has no assistant, no engine, no tool, no microphone and no conversation: it can't
import them. It holds the database all the while, so that nothing else of ARIA runs beside it.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aria_desktop.catalog.store import ModelStore
    from aria_desktop.core.seal import Door
    from aria_desktop.gui.fetch_window import FetchOptions
    from aria_desktop.storage.declarations import Settings
    from aria_desktop.storage.paths import AppPaths


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--starter", type=int, default=0, metavar="PID", help="the process that waits for this one")


def door(arguments: argparse.Namespace) -> Door | None:
    from aria_desktop.core.seal import Door

    del arguments
    return Door.FETCHING


def run(arguments: argparse.Namespace) -> int:
    from aria_desktop.catalog.catalog import load_catalogue
    from aria_desktop.catalog.fetch_list import FetchList
    from aria_desktop.catalog.store import ModelStore
    from aria_desktop.gui import fetch_window
    from aria_desktop.storage.fetch_request import take_request
    from aria_desktop.storage.lock import DatabaseLock
    from aria_desktop.storage.parent import end_with
    from aria_desktop.storage.paths import find_paths
    from aria_desktop.storage.settings import load_settings

    end_with(arguments.starter)
    paths = find_paths()
    catalogue = load_catalogue(paths.catalog)
    names = take_request(paths.data, lambda name: catalogue.find(name) is not None)
    store = ModelStore(paths.models, catalogue)
    with DatabaseLock.take(paths.lock, "fetching"):
        return fetch_window.run(
            FetchList(store, names), _options(paths, load_settings(paths.settings_file), store, names)
        )


def _options(paths: AppPaths, settings: Settings, store: ModelStore, names: tuple[str, ...]) -> FetchOptions:
    from aria_desktop.gui.fetch_window import FetchOptions

    window = settings.window
    return FetchOptions(
        resources=paths.resources,
        names={name: store.entry(name).name for name in names},
        theme=window.theme,
        font_percent=window.font_percent,
        language=window.language,
    )
