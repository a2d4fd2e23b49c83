"""The window itself, in a process whose network door is closed. Started by `aria window`."""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--workspace", default="", metavar="DIR", help="work on the files of this folder")
    parser.add_argument("--returning", action="store_true", help="go on where the window before fetch mode was")
    parser.add_argument("--starter", type=int, default=0, metavar="PID", help="the process that waits for this one")


def run(arguments: argparse.Namespace) -> int:
    from aria_desktop.app_window import run_window
    from aria_desktop.storage.parent import end_with

    end_with(arguments.starter)
    return run_window(arguments.workspace, returning=arguments.returning, starter=arguments.starter)
