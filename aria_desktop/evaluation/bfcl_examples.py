"""What our contestant is shown: our own functions and sentences, from fields that the leaderboard does not touch.

Some end in no call, where a function of the same subject does something else. Their answer is always the same few
words: an answer that tells what a function can do is one that a small model copies where it should call.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aria_desktop.evaluation.bfcl_cases import Function


@dataclass(frozen=True, slots=True)
class Example:
    functions: tuple[Function, ...]
    words: str
    tool: str = ""
    call: Mapping[str, Any] | None = None
    """Arguments for `tool`; None when the right reply is an answer."""
    answer: str = ""


def _function(name: str, text: str, required: tuple[str, ...], **properties: Mapping[str, Any]) -> Function:
    schema = {"type": "dict", "properties": properties, "required": list(required)}
    return {"name": name, "description": text, "parameters": schema}


def _text(description: str, *choices: str) -> Mapping[str, Any]:
    found: dict[str, Any] = {"type": "string", "description": description}
    return {**found, "enum": list(choices)} if choices else found


_KILN = _function(
    "pottery.fire_kiln",
    "Start a firing of the kiln.",
    ("pieces", "cone"),
    pieces={"type": "array", "items": {"type": "string"}, "description": "What is fired."},
    cone={"type": "integer", "description": "Cone number of the firing."},
    speed=_text("How fast it heats up. Default is medium.", "slow", "medium", "fast"),
    hold_minutes={"type": "float", "description": "Minutes at the top. Default is 10."},
)
_GLAZE = _function(
    "pottery.mix_glaze",
    "Mix an amount of glaze of one colour.",
    ("colour", "litres"),
    colour=_text("Name of the colour in lower case."),
    litres={"type": "float", "description": "Amount in litres."},
)
_HIVE = _function(
    "hive_log_inspection",
    "Write down an inspection of a beehive.",
    ("hive", "date"),
    hive=_text("The hive's label, such as 'H-3'."),
    date=_text("Day of the inspection, as YYYY-MM-DD."),
    queen_seen={"type": "boolean", "description": "Whether the queen was seen."},
)
_SAIL = _function(
    "sail_area",
    "The area of a triangular sail.",
    ("foot_m", "luff_m"),
    foot_m={"type": "float", "description": "Length of the foot in metres."},
    luff_m={"type": "float", "description": "Length of the luff in metres."},
)
_LOOM = _function(
    "loom.set_pattern",
    "Choose the weaving pattern of a loom.",
    ("loom", "pattern"),
    loom={"type": "integer", "description": "Number of the loom."},
    pattern={
        "type": "dict",
        "description": "The pattern.",
        "properties": {"name": _text("Its name."), "repeats": {"type": "integer", "description": "How often."}},
    },
)

_NONE = "No function here does that."

EXAMPLES = (
    Example(
        (_GLAZE, _KILN),
        "Please fire the two mugs and the vase at cone 6, and take it slow.",
        _KILN["name"],
        {"pieces": ["mugs", "vase"], "cone": 6, "speed": "slow"},
    ),
    Example((_SAIL,), "How long does it take to sew a sail?", answer=_NONE),
    Example(
        (_HIVE,),
        "I had a look into hive H-7 on the 4th of May 2021 and there she was, the queen.",
        _HIVE["name"],
        {"hive": "H-7", "date": "2021-05-04", "queen_seen": True},
    ),
    Example(
        (_SAIL,),
        "My jib has a foot of 3.2 m and a luff of 9 m, how big is it?",
        _SAIL["name"],
        {"foot_m": 3.2, "luff_m": 9},
    ),
    Example((_GLAZE,), "Who invented porcelain?", answer=_NONE),
    Example(
        (_LOOM, _HIVE, _SAIL),
        "Put loom 4 on herringbone, twelve repeats.",
        _LOOM["name"],
        {"loom": 4, "pattern": {"name": "herringbone", "repeats": 12}},
    ),
    Example((_LOOM,), "What is the tensile strength of linen thread?", answer=_NONE),
    Example((_GLAZE,), "I need 2 litres of celadon.", _GLAZE["name"], {"colour": "celadon", "litres": 2}),
)
