"""Each contestant of the public check on the real small model: it loads, replies, and its reply can be read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aria_desktop.evaluation.bfcl_cases import Case
from aria_desktop.evaluation.bfcl_contestants import MOST_TOKENS, Setting, contestants

SMALL = "qwen2.5-coder-0.5b-instruct"
OVEN = {
    "name": "oven.set",
    "description": "Set the temperature of the oven.",
    "parameters": {
        "type": "dict",
        "properties": {
            "degrees": {"type": "integer", "description": "Degrees Celsius."},
            "fan": {"type": "boolean", "description": "Whether the fan runs. Default is false."},
        },
        "required": ["degrees"],
    },
}
CASE = Case("own", "live_simple", ({"role": "user", "content": "Set the oven to 180 degrees."},), (OVEN,), {})


@pytest.mark.parametrize("number", range(3), ids=["ours", "free", "chatml"])
def test_a_contestant(number: int, models_dir: Path) -> None:
    (gguf,) = (models_dir / SMALL).glob("*.gguf")
    with contestants(Setting(str(gguf), context_tokens=2048))[number] as contestant:
        wrote = contestant.ask(CASE)
        again = contestant.ask(CASE)
    assert wrote.raw
    assert wrote.error == ""
    assert again.raw == wrote.raw
    assert len(wrote.raw) < MOST_TOKENS * 8
    for name, arguments in contestant.calls(wrote.raw):
        assert name == "oven.set"
        assert json.dumps(arguments)
