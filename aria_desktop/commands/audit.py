"""What was called, asked, decided and done, and by whom. While a window is open, it answers.

The audit holds no words: what was asked is told from the conversation, as long as that is kept.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aria_desktop.core.interfaces import Assistant
    from aria_desktop.core.records import AuditRecord

_COLUMNS = ("number", "at", "what", "turn_id", "call_id", "tool", "shown", "outcome", "by", "question")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--last", type=_count, default=200, metavar="N", help="so many lines at most (200)")
    parser.add_argument("--turn", default="", metavar="ID", help="of one turn")
    parser.add_argument("--tool", default="", metavar="NAME", help="of one tool")
    parser.add_argument("--outcome", default="", metavar="WORD", help="for instance refused, done or unknown")
    parser.add_argument(
        "--purge", type=_count, metavar="DAYS", help="remove for good what is older; the audit keeps a line about it"
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON object for each line")
    form.add_argument("--csv", action="store_true", help="with a line of names first; times are in UTC")


def _count(text: str) -> int:
    number = int(text)
    if not 1 <= number <= 1_000_000:
        raise ValueError(text)
    return number


def run(arguments: argparse.Namespace) -> int:
    from aria_desktop.app import assistant_for

    if arguments.purge is not None:
        count = _purged(arguments.purge)
        print("removed 1 line" if count == 1 else f"removed {count:,} lines")
        return 0
    with assistant_for(kind="audit") as assistant:
        carry_out(arguments, assistant)
    return 0


def _purged(days: int) -> int:
    """How many lines were removed. Raises DatabaseBusy while another ARIA runs."""
    import time

    from aria_desktop.storage.audit import Audit
    from aria_desktop.storage.database import Database
    from aria_desktop.storage.lock import DatabaseLock
    from aria_desktop.storage.paths import find_paths

    paths = find_paths()
    with DatabaseLock.take(paths.lock, "audit") as lock, Database.open(paths.database, lock) as database:
        return Audit(database).purge(time.time() - days * 86_400)


def carry_out(arguments: argparse.Namespace, assistant: Assistant) -> None:
    """Ask `assistant` and print its answer."""
    from aria_desktop.commands.answers import answer_to
    from aria_desktop.commands.turns import new_id
    from aria_desktop.core.listings import AuditListed
    from aria_desktop.core.requests import ListAudit

    request = ListAudit(new_id(), arguments.last, arguments.turn, arguments.tool)
    found = answer_to(assistant, request, AuditListed).records
    records = [record for record in found if arguments.outcome in ("", record.outcome)]
    if arguments.json:
        _print_json(records)
    elif arguments.csv:
        _print_csv(records)
    else:
        print("\n".join(map(_line, records)) or "nothing was called yet")


def _print_json(records: Sequence[AuditRecord]) -> None:
    import json

    from aria_desktop.core.plain import to_plain
    from aria_desktop.core.visible import visible_json

    for record in records:
        print(visible_json(json.dumps(to_plain(record), ensure_ascii=False)))


def _print_csv(records: Sequence[AuditRecord]) -> None:
    import csv
    import sys

    from aria_desktop.core import times
    from aria_desktop.core.plain import to_plain

    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(_COLUMNS)
    for record in records:
        row = to_plain(record) | {"at": times.utc(record.at).isoformat()}
        table.writerow([_cell(str(row[name])) for name in _COLUMNS])


def _cell(text: str) -> str:
    """Nothing that a spreadsheet would take for a formula, and nothing that hides."""
    from aria_desktop.core.visible import visible_line

    return "'" + visible_line(text) if text.startswith(("=", "+", "-", "@")) else visible_line(text)


def _line(record: AuditRecord) -> str:
    from aria_desktop.core import times
    from aria_desktop.core.visible import visible_line

    words = [f"{record.number:>6}  {times.second(record.at)}  {record.what:<8}  {record.tool:<14}", record.outcome]
    words += [f"by {record.by}"] if record.by else []
    words += [f'"{record.question}"'] if record.question and record.what == "asked" else []
    words += [f"sha256 {record.shown[:16]}"] if record.shown else []
    return visible_line("  ".join([*(word for word in words if word), f"turn {record.turn_id}"])).rstrip()
