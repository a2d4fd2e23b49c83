"""Arguments that several benchmarks share. Imports nothing that costs time."""

from __future__ import annotations

import argparse
from pathlib import Path

STARTER = "qwen2.5-coder-1.5b-instruct"
STARTER_EARS = "faster-whisper-base"


def add_case_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--cases", type=Path, required=True, metavar="FILE", help="commands, one JSON object a line")
    parser.add_argument("--model", default=STARTER, metavar="ID", help=f"an installed model (default: {STARTER})")
    add_record_arguments(parser)


def add_speech_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data",
        type=Path,
        required=True,
        metavar="DIR",
        help="folders of sound files, each with a JSON file of labels",
    )
    parser.add_argument(
        "--model", default=STARTER_EARS, metavar="ID", help=f"an installed model (default: {STARTER_EARS})"
    )
    parser.add_argument(
        "--half", choices=("tuned-on", "held-out", "both"), default="both", help="only the clips of one half, by name"
    )
    add_record_arguments(parser)


def add_record_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--records", type=Path, metavar="FILE", help="keep each measurement here, and go on from there")
    parser.add_argument("--fresh", action="store_true", help="drop what --records holds")


def count(text: str) -> int:
    """A whole number from 1 on."""
    value = int(text) if text.isascii() and text.isdigit() else 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1 on")
    return value
