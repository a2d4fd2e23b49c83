"""Summaries: short texts in one go, long ones part by part and then the parts together."""

from __future__ import annotations

import re
from collections.abc import Iterator

from aria_desktop.core.chat import Message, Outcome, Role, ToolResult
from aria_desktop.core.errors import ToolFailed
from aria_desktop.tools.files import said_to_be_read
from aria_desktop.tools.named import FILES, existing
from aria_desktop.tools.prompts import as_data
from aria_desktop.tools.tool import Limit, ToolContext, tool
from aria_desktop.tools.writing import written

PART_CHARACTERS = 6_000
"""About 1,500 tokens: with instructions and summary this fits the smallest context that is used."""
SUMMARY_CHARACTERS = 1_500


@tool(Limit.GENERATION, source="what summarize_text read {path}")
def summarize_text(context: ToolContext, path: str = "") -> ToolResult:
    """Sum up a file, or a text that the user said together with the request.

    Args:
        path: name of the file; left out when the user said the text itself.
    """
    named = existing(context, path, FILES) if path.strip() else None
    whole = context.workspace.read_text(named.path) if named else context.words
    if not whole.strip():
        return ToolResult(Outcome.DONE, "There is nothing in it.", answer=context.wording.say("nothing_to_sum_up"))
    said = said_to_be_read(named, context.wording) if named else ""
    summary = _summary(context, whole.strip(), said)
    return ToolResult(Outcome.DONE, said + summary, answer=said + summary)


def _summary(context: ToolContext, whole: str, said: str) -> str:
    """
    Args:
        said: goes out before the summary.
    """
    parts = list(in_parts(whole, PART_CHARACTERS))
    while len(parts) > 1:
        noted = []
        for number, part in enumerate(parts, start=1):
            context.progress(f"Reading part {number} of {len(parts)}", (number - 1) / len(parts))
            noted.append("".join(_pieces(context, "summary_part", part)).strip()[:SUMMARY_CHARACTERS])
        parts = list(in_parts("\n\n".join(noted), PART_CHARACTERS))
    summary = ""
    for piece in _pieces(context, "summary", parts[0]):
        fresh = piece if summary else piece.lstrip()
        context.draft_piece(fresh if summary or not fresh else said + fresh)
        summary += fresh
    if not summary.strip():
        raise ToolFailed("No summary was written.")
    return summary.strip()


def _pieces(context: ToolContext, prompt: str, text: str) -> Iterator[str]:
    system = context.prompts.filled("summary_system")
    asked = context.prompts.filled(prompt, text=as_data(text), words=context.words)
    messages = (Message(Role.SYSTEM, system), Message(Role.USER, asked))
    return written(context, messages, context.limits.summary_tokens)


def in_parts(text: str, size: int) -> Iterator[str]:
    """Pieces of at most `size` characters, cut between paragraphs, sentences or words where there are any."""
    start = 0
    while len(text) - start > size:
        window = text[start : start + size]
        ends = [match.end() for pattern in (r"\n\s*\n", r"[.!?…]\s", r"\s") for match in _last(pattern, window)]
        cut = next((end for end in ends if end > size // 2), size)
        yield text[start : start + cut].strip()
        start += cut
    yield text[start:].strip()


def _last(pattern: str, window: str) -> list[re.Match[str]]:
    return list(re.finditer(pattern, window))[-1:]
