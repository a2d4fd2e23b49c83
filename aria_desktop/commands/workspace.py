"""The folders that ARIA may work in: list them, add one, and say which is used where none is named."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aria_desktop.storage.workspaces import Listed, Workspaces


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(action="list", folder="", all=False)
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    actions.default = "list"
    actions.add_parser("list", help="all of them, the default one first (the same as no action)")
    actions.add_parser("add", help="let turns work in a folder").add_argument("folder", metavar="DIR")
    actions.add_parser("use", help="work there where no folder is named").add_argument(
        "folder", metavar="DIR", help='one of those that are listed, or "default"'
    )
    which = actions.add_parser("remove", help="forget a folder; the folder itself stays").add_mutually_exclusive_group(
        required=True
    )
    which.add_argument("folder", nargs="?", metavar="DIR")
    which.add_argument("--all", action="store_true", help="all of them, also where the list is damaged")


def run(arguments: argparse.Namespace) -> int:
    from aria_desktop.storage.paths import find_paths
    from aria_desktop.storage.workspaces import Workspaces

    return carry_out(arguments, Workspaces(find_paths()))


def carry_out(arguments: argparse.Namespace, workspaces: Workspaces) -> int:
    """Raises UsageError, WorkspaceChanged and StorageError."""
    folder = Path(arguments.folder or "").absolute()
    match arguments.action:
        case "list":
            for one in workspaces.listed():
                print(_json(one) if arguments.json else _line(one))
        case "add":
            print(f"added {_plain(workspaces.add(folder))}")
        case "use":
            default = arguments.folder == "default"
            print(f"used from now on {_plain(workspaces.use(workspaces.default if default else folder))}")
        case "remove" if arguments.all:
            workspaces.forget_all()
            print("forgot all but the default one")
        case "remove":
            print(f"forgot {_plain(workspaces.remove(folder))}")
    return 0


def _plain(path: Path) -> str:
    from aria_desktop.core.visible import visible_line

    return visible_line(str(path))


def _line(one: Listed) -> str:
    remarks = ", ".join(word for word, holds in (("default", one.default), ("used", one.used)) if holds)
    fault = f"\n    {one.fault}" if one.fault else ""
    return f"{_plain(one.path)}{f'  ({remarks})' if remarks else ''}{fault}"


def _json(one: Listed) -> str:
    import json

    from aria_desktop.core.visible import visible_json

    told = {"path": str(one.path), "default": one.default, "used": one.used, "fault": one.fault}
    return visible_json(json.dumps(told, ensure_ascii=False))
