"""Whether code can be parsed at all: Python, JSON, TOML and Bash, by the file's ending. Nothing is ever run."""

from __future__ import annotations

import ast
import json
import subprocess
import tomllib
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from types import MappingProxyType

BASH_S = 5.0
"""Seconds that Bash may take to read a script."""


@dataclass(frozen=True, slots=True)
class Fault:
    language: str
    text: str
    """What is wrong and where: "line 3: invalid syntax"."""


def fault(path: str, code: str) -> Fault | None:
    """Why `code` is none of the language that the ending of `path` promises; None when it is, or nobody can tell."""
    found = _PARSERS.get(PurePosixPath(path.casefold()).suffix)
    if found is None or not code.strip():
        return None
    language, parsed = found
    text = parsed(code)
    return Fault(language, text) if text else None


def _python(code: str) -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(code)
    except SyntaxError as error:
        return _at(error.lineno, error.msg)
    except (ValueError, RecursionError, MemoryError) as error:
        return str(error) or "it is nested too deeply"
    return ""


def _json(code: str) -> str:
    try:
        json.loads(code)
    except json.JSONDecodeError as error:
        return _at(error.lineno, error.msg)
    except (ValueError, RecursionError):
        return "it can't be read"
    return ""


def _toml(code: str) -> str:
    try:
        tomllib.loads(code)
    except tomllib.TOMLDecodeError as error:
        return str(error)
    except (ValueError, RecursionError):
        return "it can't be read"
    return ""


def _bash(code: str) -> str:
    """`bash -n` reads a script and runs none of it; its environment names no file that it would."""
    command = ["bash", "--norc", "--noprofile", "-n"]
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}
    try:
        ended = subprocess.run(
            command,
            input=code.encode(errors="replace"),
            capture_output=True,
            timeout=BASH_S,
            check=False,
            env=environment,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    told = ended.stderr.decode(errors="replace").strip().split("\n")[0]
    return told.removeprefix("bash: ") if ended.returncode else ""


def _at(line: int | None, text: str) -> str:
    return f"line {line}: {text}" if line else text


_PARSERS: Mapping[str, tuple[str, Callable[[str], str]]] = MappingProxyType(
    {
        ".py": ("Python", _python),
        ".json": ("JSON", _json),
        ".toml": ("TOML", _toml),
        ".sh": ("Bash", _bash),
        ".bash": ("Bash", _bash),
    }
)
