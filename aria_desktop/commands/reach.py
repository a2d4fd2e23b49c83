"""Say what this process can open, as JSON: started by the doctor, before and after it has closed its own door."""

from __future__ import annotations

import argparse

from aria_desktop.core.seal import Door


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--close", type=Door, choices=tuple(Door), help="close this door first")


def door(arguments: argparse.Namespace) -> Door | None:
    """That of who started it, which can't be opened, or less."""
    closed: Door | None = arguments.close
    return closed


def run(arguments: argparse.Namespace) -> int:
    import json
    from dataclasses import asdict

    from aria_desktop.safety import airgap

    del arguments
    print(json.dumps(asdict(airgap.ThisKernel().reach())))
    return 0
