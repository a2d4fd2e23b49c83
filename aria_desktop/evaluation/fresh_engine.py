"""A language engine in a fresh process of its own, and the same numbers for whoever is measured beside it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import psutil

from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.errors import UsageError
from aria_desktop.core.events import EngineRole
from aria_desktop.workers.host import LoadSpec, WorkerHost
from aria_desktop.workers.remote import RemoteLanguageModel


@dataclass(frozen=True, slots=True)
class FreshEngine:
    language: RemoteLanguageModel
    context_tokens: int
    seconds_to_load: float
    """From the start of its process to its greeting."""


@contextmanager
def fresh_engine(spec: LoadSpec) -> Iterator[FreshEngine]:
    began = time.perf_counter()
    host = WorkerHost(EngineRole.LANGUAGE, spec, lambda _state, _detail: None)
    try:
        capabilities = host.loaded(CancelToken())
        loaded = time.perf_counter() - began
        yield FreshEngine(RemoteLanguageModel(host), capabilities.context_tokens, loaded)
    finally:
        host.close()


def on_processor(spec: LoadSpec, prefix_folder: str = "") -> LoadSpec:
    """With the number of threads said, no graphics card, and the evaluated start of the prompts kept in this folder."""
    threads = int(spec.options.get("threads", 0)) or usable_cores()
    return replace(
        spec, options={**spec.options, "threads": threads, "gpu": "off", "prefix_folder": prefix_folder}
    )  # fmt: skip


def usable_cores() -> int:
    """That this process may use, counted once where one core runs two threads."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, psutil.cpu_count(logical=False) or usable)


def gguf_of(spec: LoadSpec) -> str:
    """Raises UsageError when the model is no GGUF file."""
    path = Path(spec.model_path)
    found = sorted(path.glob("*.gguf")) if path.is_dir() else [path]
    if spec.engine != "llama.cpp" or not found:
        raise UsageError(f"{path} is no model for llama.cpp.", "Name another one with --model.")
    return str(found[0])
