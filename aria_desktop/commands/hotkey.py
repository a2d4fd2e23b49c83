"""Hear the talk key, in a process that the program started for it."""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--key", required=True)
    parser.add_argument("--cancel", default="")
    parser.add_argument("--ways", required=True, help="separated by commas, in the order in which they are tried")


def run(arguments: argparse.Namespace) -> int:
    from aria_desktop.core.keys import combination
    from aria_desktop.hotkey.child import serve
    from aria_desktop.hotkey.ways import Keys

    cancel = combination(arguments.cancel) if arguments.cancel else None
    return serve(Keys(combination(arguments.key), cancel), arguments.ways.split(","))
