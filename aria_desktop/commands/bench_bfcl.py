"""Function calling on cases of the Berkeley Function Calling Leaderboard: our way, the model's own template with free
text, and llama-cpp-python's chatml-function-calling, with the same model file in the same run."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aria_desktop.evaluation.report import Report


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--wheel", type=Path, metavar="FILE", required=True, help="bfcl_eval-2026.3.23-py3-none-any.whl; only read"
    )
    parser.add_argument("--model", metavar="ID", default="qwen2.5-coder-1.5b-instruct", help="an installed model")
    parser.add_argument("--limit", type=int, metavar="N", default=60, help="cases of each category (default: 60)")
    parser.add_argument("--skip", type=int, metavar="N", default=0, help="leave out the first N: to choose settings on")
    parser.add_argument("--category", metavar="NAME", action="append", help="only this one; may be given again")
    parser.add_argument("--threads", type=int, metavar="N", default=2, help="of each contestant (default: 2)")
    parser.add_argument("--only", metavar="NAME", action="append", help="ours, free or chatml; may be given again")
    parser.add_argument(
        "--answer-from",
        type=float,
        metavar="P",
        default=0.5,
        help="ours: answer instead of calling from this probability of an answer on (default: 0.5)",
    )
    parser.add_argument(
        "--replies",
        type=Path,
        metavar="FILE",
        help="where each reply is kept as it came; a run goes on from there (default: beside --out, or in artifacts)",
    )
    parser.add_argument("--self-check", action="store_true", help="only hold the checker against all right answers")


def measure(arguments: argparse.Namespace) -> Report:
    from aria_desktop.evaluation import bfcl, bfcl_self_check
    from aria_desktop.evaluation.bfcl_cases import check_wheel, chosen, read_cases

    check_wheel(arguments.wheel)
    categories = _categories(arguments.category)
    cases = [read_cases(arguments.wheel, category) for category in categories]
    if arguments.self_check:
        return bfcl_self_check.run([case for group in cases for case in group])
    skip, limit = max(0, arguments.skip), max(1, arguments.limit)
    some = [case for group in cases for case in chosen(group, skip + limit)[skip:]]
    setting = (arguments.model, arguments.threads, arguments.answer_from, _contestants(arguments.only))
    return bfcl.measure(some, *setting, _replies(arguments), print)


def _categories(names: list[str] | None) -> list[str]:
    from aria_desktop.core.errors import UsageError
    from aria_desktop.evaluation.bfcl_cases import CATEGORIES

    for name in names or ():
        if name not in CATEGORIES:
            raise UsageError(f"There is no category {name}.", f"There are: {', '.join(CATEGORIES)}.")
    return names or list(CATEGORIES)


def _contestants(names: list[str] | None) -> list[str]:
    from aria_desktop.core.errors import UsageError
    from aria_desktop.evaluation.bfcl_contestants import NAMES

    for name in names or ():
        if name not in NAMES:
            raise UsageError(f"There is no contestant {name}.", f"There are: {', '.join(NAMES)}.")
    return names or list(NAMES)


def _replies(arguments: argparse.Namespace) -> Path:
    if arguments.replies is not None:
        return Path(arguments.replies)
    out = arguments.out or Path("artifacts") / "bench-bfcl.json"
    place = Path(out).with_suffix(".replies.jsonl")
    place.parent.mkdir(parents=True, exist_ok=True)
    return place
