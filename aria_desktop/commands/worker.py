"""Carry one engine, in a process that the program started for it."""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("role", choices=("speech", "language", "voice"))


def run(arguments: argparse.Namespace) -> int:
    from aria_desktop.workers.child import serve

    return serve(arguments.role)
