"""Tools that speak to the user instead of acting."""

from __future__ import annotations

from aria_desktop.core.chat import Outcome, ToolResult
from aria_desktop.core.errors import ToolFailed
from aria_desktop.tools.tool import OWN_WORDS, Limit, ToolContext, tool


@tool(Limit.READ, source=OWN_WORDS)
def ask_user(context: ToolContext, question: str) -> ToolResult:  # noqa: ARG001 - every tool is given a context
    """Ask back, when the user wants something done with a file and it can't be known which file or what text.

    Args:
        question: one short question that the user can answer.
    """
    if not question.strip():
        raise ToolFailed("The question is empty.")
    return ToolResult(Outcome.DONE, "The user was asked.", answer=question.strip(), ends_turn=True)
