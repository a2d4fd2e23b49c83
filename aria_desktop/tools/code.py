"""Code is written by a second generation, outside JSON, and shown while it grows; then the file is asked about.

What can be parsed is parsed. Code that is broken is repaired once, by a generation that is told the fault; what is
still broken then is shown as such in the question and said in the answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePosixPath

from aria_desktop.core.chat import Message, Role
from aria_desktop.core.errors import ToolFailed
from aria_desktop.core.visible import visible_line
from aria_desktop.safety.names import components, quoted
from aria_desktop.tools.changes import proposed, with_last_line_ended
from aria_desktop.tools.named import new_name
from aria_desktop.tools.parsing import Fault, fault
from aria_desktop.tools.prompts import as_data
from aria_desktop.tools.spoken_names import folded
from aria_desktop.tools.tool import OWN_WORDS, Limit, Proposal, ToolContext, tool
from aria_desktop.tools.writing import Unfenced, written

_LANGUAGES = {
    ".py": "Python", ".js": "JavaScript", ".mjs": "JavaScript", ".ts": "TypeScript", ".html": "HTML", ".htm": "HTML",
    ".css": "CSS", ".sh": "Bash", ".bash": "Bash", ".ps1": "PowerShell", ".bat": "Windows batch", ".c": "C", ".h": "C",
    ".cpp": "C++", ".hpp": "C++", ".cs": "C#", ".java": "Java", ".kt": "Kotlin", ".go": "Go", ".rs": "Rust",
    ".rb": "Ruby", ".php": "PHP", ".pl": "Perl", ".lua": "Lua", ".r": "R", ".swift": "Swift", ".sql": "SQL",
    ".json": "JSON", ".yaml": "YAML", ".yml": "YAML", ".toml": "TOML", ".xml": "XML", ".csv": "CSV", ".md": "Markdown",
    ".tex": "LaTeX", ".svg": "SVG",
}  # fmt: skip
"""Ending of a file name -> language. The ending decides; only a file without a known one needs to be told."""

_PLAIN_TEXT = frozenset({".txt", ".log"})

KNOWN_ENDINGS = frozenset(_LANGUAGES) | _PLAIN_TEXT
"""With their dots: those that a user who says one surely means."""


@tool(Limit.GENERATION, source=OWN_WORDS)
def write_code(context: ToolContext, path: str, language: str, request: str) -> Proposal:
    """Write a program, a script, a function, a web page or a style sheet into a file.
    Never for plain text or numbers.

    Args:
        path: name of the file.
        language: the programming language.
        request: what the code must do, with every detail the user gave.
    """
    name = new_name(context.workspace, path)
    before = context.workspace.text_or_none(name)
    if is_plain_text(name):
        raise ToolFailed(f"{quoted(name)} is plain text, not code. Use create_file with the text itself.")
    code = context.draft if context.draft is not None else _parsed(context, name, language, request, before)
    broken = fault(name, code)
    facts = ((f"Not valid {broken.language}", broken.text),) if broken else ()
    remark = context.wording.say("not_valid", language=broken.language, fault=broken.text) if broken else ""
    change = proposed(context, context.workspace.plan_write(name, with_last_line_ended(code)), facts, remark)
    return replace(change, untrusted=f"the file {visible_line(name)}") if before else change


def is_plain_text(path: str) -> bool:
    return PurePosixPath(path.casefold()).suffix in _PLAIN_TEXT


def language_of(path: str, said: str) -> str:
    """The file's ending decides; what was said counts where that says nothing."""
    return _LANGUAGES.get(PurePosixPath(path.casefold()).suffix) or said.strip() or "plain text"


def _parsed(context: ToolContext, path: str, language: str, request: str, before: str | None) -> str:
    """The code, repaired once if that helps."""
    messages = _messages(context, path, language, request, before)
    code = _code(context, messages, context.draft_piece)
    broken = fault(path, code)
    return code if broken is None else _repaired(context, path, messages, code, broken)


def _repaired(context: ToolContext, path: str, messages: tuple[Message, ...], code: str, broken: Fault) -> str:
    """What a second try makes of broken code; the first try when that is no better."""
    context.progress(f"Repairing: {broken.text}")
    asked = context.prompts.filled("code_repair", language=broken.language, fault=broken.text)
    again = (*messages, Message(Role.ASSISTANT, f"```\n{code}\n```"), Message(Role.USER, asked))
    try:
        repaired = _code(context, again, lambda _: None)
    except ToolFailed:
        return code
    return code if fault(path, repaired) else repaired


def _code(context: ToolContext, messages: tuple[Message, ...], shown: Callable[[str], None]) -> str:
    unfenced = Unfenced(shown)
    for piece in written(context, messages, context.limits.code_tokens):
        unfenced.feed(piece)
        if unfenced.closed:
            break
    code = unfenced.finish()
    if not code.strip():
        raise ToolFailed("No code was written.")
    return code


def _only_repeats(request: str, words: str) -> bool:
    """Whether each word of the request was said: then it can only tell less than what was said, or tell it wrong."""
    asked, said = (set(re.findall(r"\w+", folded(text))) for text in (request, words))
    return asked <= said


def _messages(context: ToolContext, path: str, language: str, request: str, before: str | None) -> tuple[Message, ...]:
    name = components(path)[-1]
    filled = context.prompts.filled
    written_in = {"language": language_of(path, language), "name": name, "words": context.words}
    if _only_repeats(request, context.words):
        asked = filled("code_said", **written_in)
    else:
        asked = filled("code_request", request=request, **written_in)
    if before:
        asked += "\n\n" + filled("code_before", name=name, code=as_data(before))
    return Message(Role.SYSTEM, filled("code")), Message(Role.USER, asked)
