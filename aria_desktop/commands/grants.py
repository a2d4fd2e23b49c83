"""List and take back leave that was given for more than one action."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aria_desktop.safety.grants import Grant, Grants
    from aria_desktop.storage.grants import GrantFile


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(action="list")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    actions.default = "list"
    actions.add_parser("list", help="all that stands, the newest last (the same as no action)")
    revoke = actions.add_parser("revoke", help="take leave back; a running ARIA heeds it at once")
    which = revoke.add_mutually_exclusive_group(required=True)
    which.add_argument("ids", nargs="*", default=[], metavar="ID", help="as they are listed")
    which.add_argument("--all", action="store_true", help="all of it")


def run(arguments: argparse.Namespace) -> int:
    from aria_desktop.storage.grants import NAME, GrantFile
    from aria_desktop.storage.paths import find_paths

    return carry_out(arguments, GrantFile(find_paths().data / NAME))


def carry_out(arguments: argparse.Namespace, file: GrantFile) -> int:
    """Raises StorageError, and UsageError for an id that there is not."""
    from aria_desktop.safety.grants import Grants

    grants = Grants(file)
    if arguments.action == "list":
        _print(grants.standing(), as_json=arguments.json, nothing="No leave stands: every change is asked about.")
        return 0
    if arguments.all:
        gone = _all(grants, file)
    else:
        _refuse_unknown(arguments.ids, grants.standing())
        gone = grants.revoke(arguments.ids)
    _print(gone, as_json=arguments.json, nothing="There was none.", head="Taken back:")
    return 0


def _all(grants: Grants, file: GrantFile) -> tuple[Grant, ...]:
    """Also where the file can't be understood."""
    from aria_desktop.core.errors import StorageError

    try:
        return grants.revoke()
    except StorageError:
        file.clear()
        return ()


def _refuse_unknown(ids: Sequence[str], standing: Sequence[Grant]) -> None:
    from aria_desktop.core.errors import UsageError
    from aria_desktop.core.visible import visible_line

    for id_ in ids:
        if id_ not in {grant.id for grant in standing}:
            raise UsageError(f"There is no leave {visible_line(id_)}.", "`aria grants` lists what stands.")


def _print(grants: Sequence[Grant], *, as_json: bool, nothing: str, head: str = "") -> None:
    if as_json:
        _print_json(grants)
        return
    if head and grants:
        print(head)
    for grant in grants:
        print(_line(grant))
    if not grants:
        print(nothing)


def _print_json(grants: Sequence[Grant]) -> None:
    import json

    from aria_desktop.core.plain import to_plain
    from aria_desktop.core.visible import visible_json

    for grant in grants:
        print(visible_json(json.dumps(to_plain(grant), ensure_ascii=False)))


def _line(grant: Grant) -> str:
    from aria_desktop.core import times
    from aria_desktop.core.visible import visible_line

    where = f"conversation {grant.session_id}, " if grant.session_id else ""
    until = times.minute(grant.until)
    return f"{grant.id}  {grant.text}  ({where}{visible_line(grant.folder)}, until {until}, risk up to {grant.risk})"
