"""llama.cpp as a library: its log, kept for error texts instead of printed, and the graphics cards it can use.

The `native_` modules are the only importers of llama_cpp. They call and check; what to evaluate and what to
choose is decided elsewhere. Their objects hold native memory until the process ends: it has one model.
"""

from __future__ import annotations

import ctypes
from collections import deque
from functools import cache

import llama_cpp.llama_cpp as lib
from llama_cpp import _ggml
from llama_cpp._ctypes_extensions import load_shared_library

from aria_desktop.engines.language.placement import Gpu

_LOG_WARN = 3
_LOG_ERROR = 4
_GPU_KINDS = (1, 2)
"""Device types: graphics cards with memory of their own, and those that share the computer's."""

_complaints: deque[str] = deque(maxlen=5)


def _note_log(level: int, text: bytes | None, _: object) -> None:
    if level in (_LOG_WARN, _LOG_ERROR) and text:
        _complaints.append(text.decode("utf-8", "replace").strip())


_log_callback = lib.llama_log_callback(_note_log)
lib.llama_log_set(_log_callback, None)


def forget_complaints() -> None:
    _complaints.clear()


def first_complaint() -> str:
    """The first of the latest warnings and errors, which names the cause; empty when there is none."""
    return _complaints[0] if _complaints else ""


def gpus() -> tuple[Gpu, ...]:
    """The graphics cards that this build of llama.cpp can use."""
    return tuple(device for kind, device in devices() if kind in _GPU_KINDS)


def devices() -> list[tuple[int, Gpu]]:
    """All that llama.cpp can compute with, processors included, each with ggml's number of its kind."""
    registry, base = _ggml.libggml, _base()
    registry.ggml_backend_dev_get.restype = ctypes.c_void_p
    registry.ggml_backend_dev_count.restype = ctypes.c_size_t
    handles = [
        ctypes.c_void_p(registry.ggml_backend_dev_get(ctypes.c_size_t(number)))
        for number in range(registry.ggml_backend_dev_count())
    ]
    return [(int(base.ggml_backend_dev_type(handle)), _described(base, handle)) for handle in handles]


@cache
def _base() -> ctypes.CDLL:
    library: ctypes.CDLL = load_shared_library("ggml-base", _ggml.libggml_base_path)
    library.ggml_backend_dev_description.restype = ctypes.c_char_p
    return library


def _described(base: ctypes.CDLL, device: ctypes.c_void_p) -> Gpu:
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    base.ggml_backend_dev_memory(device, ctypes.byref(free), ctypes.byref(total))
    name: bytes = base.ggml_backend_dev_description(device)
    return Gpu(name.decode("utf-8", "replace"), free.value)
