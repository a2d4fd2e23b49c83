"""llama-cpp-python's own model class, with the weights in memory as ours has them. For child processes only.

Rearranged weights are its default. Their code ends in an illegal instruction on virtual machines that announce
Intel's matrix unit without having it (`engines.language.native_model`), and a peer that dies measures nothing.
"""

from __future__ import annotations

from typing import Any


def plain_llama() -> Any:
    """The class `llama_cpp.Llama`. Changes the library's defaults for the whole process."""
    import llama_cpp.llama_cpp as native
    from llama_cpp import Llama

    defaults = native.llama_model_default_params

    def as_ours() -> Any:
        params = defaults()
        params.use_extra_bufts = False
        return params

    native.llama_model_default_params = as_ours
    return Llama
