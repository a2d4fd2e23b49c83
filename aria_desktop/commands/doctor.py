"""What this machine has and what is missing. Ends with 0 when a command can be carried out here, else with the
exit code of the first thing that stands in the way; with --airgap, with 0 when no process of ARIA can reach the
network."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aria_desktop.commands.findings import Finding
    from aria_desktop.core.seal import Door


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="as one JSON object")
    parser.add_argument("--airgap", action="store_true", help="prove that nothing leaves this computer")


def door(arguments: argparse.Namespace) -> Door | None:
    """The proof starts with the door open and closes it itself."""
    from aria_desktop.core.seal import Door

    return None if arguments.airgap else Door.LOCAL


def run(arguments: argparse.Namespace) -> int:
    return _prove(arguments) if arguments.airgap else _examine(arguments)


def _prove(arguments: argparse.Namespace) -> int:
    import os

    from aria_desktop.commands import airgap
    from aria_desktop.safety.airgap import close
    from aria_desktop.safety.airgap_report import report
    from aria_desktop.storage.paths import find_paths

    roots = (os.getpid(), *airgap.running(find_paths().lock))
    proof = airgap.prove(lambda: report(roots), close, airgap.reach_of_child)
    print(airgap.as_json(proof) if arguments.json else airgap.as_text(proof))
    return airgap.exit_code(proof)


def _examine(arguments: argparse.Namespace) -> int:
    import json
    from dataclasses import asdict

    from aria_desktop.catalog import hardware
    from aria_desktop.commands import findings

    machine = hardware.look()
    found = findings.all_of_them(machine)
    code = findings.exit_code(found)
    if arguments.json:
        listed = [asdict(finding) for finding in found]
        print(json.dumps({"exit_code": code, "machine": asdict(machine), "findings": listed}, indent=1))
    else:
        print("\n".join(line for finding in found for line in _lines(finding)))
        print("\nA command can be carried out here." if code == 0 else "\nFirst mend what is missing.")
    return code


def _lines(finding: Finding) -> list[str]:
    from aria_desktop.core.visible import visible

    first, *rest = visible(finding.words).splitlines()
    lines = [f"{finding.verdict.ljust(8)} {finding.name.ljust(11)} {first}", *(" " * 21 + line for line in rest)]
    return [*lines, *([" " * 21 + visible(finding.hint)] if finding.hint else [])]
