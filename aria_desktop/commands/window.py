"""Open the window. When one is open already, it comes to the front."""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--workspace", default="", metavar="DIR", help="work on the files of this folder")


def run(arguments: argparse.Namespace) -> int:
    from aria_desktop.app import run_window

    return run_window(arguments.workspace)
