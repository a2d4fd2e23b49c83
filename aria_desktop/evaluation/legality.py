"""Whether a reply is one that the agent can carry out, by the same strict reading that the agent uses."""

from __future__ import annotations

from aria_desktop.assistant.reply import parse
from aria_desktop.core.errors import ReplyInvalid
from aria_desktop.tools.registry import standard_tools


def is_legal(raw: str) -> bool:
    try:
        parse(raw, standard_tools())
    except ReplyInvalid:
        return False
    return True
