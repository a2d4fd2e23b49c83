"""A module of ours in a process of its own, asked one JSON object a line and answering with one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

from aria_desktop.core.errors import EngineDied


class LineProcess:
    """Runs while it is entered, and sleeps while nothing is asked. Its first line says that it is ready."""

    def __init__(self, name: str, module: str, *arguments: str) -> None:
        """`name`: as error texts call it."""
        self._name = name
        self._command = [sys.executable, "-m", module, *arguments]

    def __enter__(self) -> Self:
        # Threads that wait must not take the processor from whoever is asked meanwhile.
        surroundings = {**os.environ, "OMP_WAIT_POLICY": "PASSIVE", "GGML_NO_BACKTRACE": "1"}
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            env=surroundings,
        )
        try:
            self._answer()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def ask(self, line: str) -> Mapping[str, Any]:
        """`line`: one JSON object. Raises EngineDied."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except BrokenPipeError as error:
            raise self._died() from error
        return self._answer()

    def _answer(self) -> Mapping[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise self._died()
        answer: Mapping[str, Any] = json.loads(line)
        return answer

    def _end(self) -> None:
        self._process.kill()
        try:
            self._process.communicate()
        except BrokenPipeError:
            return  # What it was still to be told, it will not hear.

    def _died(self) -> EngineDied:
        return EngineDied(f"The process of {self._name} ended with {self._process.wait()}.")
