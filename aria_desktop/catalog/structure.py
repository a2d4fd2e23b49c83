"""Do a model's files make sense? For models that no catalogue vouches for with a hash; engines ask the same again
before they load any."""

from __future__ import annotations

from pathlib import Path
from typing import assert_never

from aria_desktop.core.events import EngineRole
from aria_desktop.safety.models.ctranslate2 import check_ctranslate2
from aria_desktop.safety.models.gguf_check import check_gguf
from aria_desktop.safety.models.voice import check_voice


def check_structure(role: EngineRole, main: Path) -> None:
    """`main`: the model's main file, with the others beside it. Raises ModelDamaged."""
    match role:
        case EngineRole.LANGUAGE:
            check_gguf(main)
        case EngineRole.SPEECH:
            check_ctranslate2(main.parent)
        case EngineRole.VOICE:
            check_voice(main)
        case _:
            assert_never(role)
