"""Show, check and change settings. They are kept in one file, which may as well be edited by hand."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("show", help="every setting with its value")
    actions.add_parser("check", help="look for problems in the file")
    actions.add_parser("path", help="where the file is")
    change = actions.add_parser("set", help="change one setting; the rest of the file stays as it is")
    change.add_argument("name", help='for instance "voice.speed"')
    change.add_argument("value")
    actions.add_parser("guide", help="every setting with its default, what it may be and what it does, as Markdown")


def run(arguments: argparse.Namespace) -> int:
    from aria_desktop.storage.paths import find_paths

    path = find_paths().settings_file
    match arguments.action:
        case "show":
            _show(path)
        case "check":
            _check(path)
        case "path":
            print(path)
        case "set":
            _set(path, arguments.name, arguments.value)
        case "guide":
            _guide()
    return 0


def _show(path: Path) -> None:
    from aria_desktop.core.visible import visible_line
    from aria_desktop.storage.declarations import declared, sections
    from aria_desktop.storage.rules import as_toml
    from aria_desktop.storage.settings import load_settings

    settings = load_settings(path)
    for section, kind in sections().items():
        print(f"[{section}]")
        for name in declared(kind):
            print(f"{name} = {visible_line(as_toml(getattr(getattr(settings, section), name)))}")
        print()


def _check(path: Path) -> None:
    from aria_desktop.core.visible import visible_line
    from aria_desktop.storage.settings import load_settings, read_settings

    load_settings(path)
    print(f"{path}: no problems" if path.exists() else f"{path} is not there: every setting has its default")
    for name in read_settings(path).unknown:
        print(f"{visible_line(name)} is unknown to this version and has no effect")


def _set(path: Path, name: str, text: str) -> None:
    from aria_desktop.storage.autostart import set_autostart
    from aria_desktop.storage.program import own_command
    from aria_desktop.storage.rules import as_toml
    from aria_desktop.storage.settings import parse_setting, save_setting

    value = parse_setting(name, text)
    save_setting(path, name, value)
    if name == "window.autostart":
        set_autostart(bool(value), own_command("window"), os.environ)
    print(f"{name} = {as_toml(value)}")
    print("A running ARIA takes it over at its next start.")


def _guide() -> None:
    from aria_desktop.storage.guide import settings_guide

    print(settings_guide(), end="")
