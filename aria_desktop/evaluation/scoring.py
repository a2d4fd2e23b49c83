"""What a case is worth: the rules of tests/evals/README.md, and nothing of how the agent works. Pure.

A case passes only if every check given for it passes. Each check that fails says why in words, for the report.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from aria_desktop.core.chat import Outcome
from aria_desktop.evaluation.cases import AnswerCheck, Case, Expectation, FileCheck
from aria_desktop.evaluation.end_state import EndState
from aria_desktop.evaluation.spoken_numbers import readings

READS = frozenset({"list_files", "read_file", "search_files"})
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        **dict.fromkeys("\u00a0\u202f\u2007", " "),
    }
)
_FLAGS = re.IGNORECASE | re.MULTILINE


@dataclass(frozen=True, slots=True)
class MadeCall:
    tool: str
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Score:
    tools_ok: bool
    state_ok: bool | None
    """None when the case has no such check."""
    answer_ok: bool | None
    forbidden: tuple[str, ...]
    """Calls of forbidden tools, in order."""
    reasons: tuple[str, ...]
    """Why it failed; empty when it passed."""

    @property
    def passed(self) -> bool:
        return self.tools_ok and self.state_ok is not False and self.answer_ok is not False


def score(case: Case, calls: Sequence[MadeCall], answer: str, end: EndState) -> Score:
    """`calls`: all that the agent made, in order, denied, refused and failed ones included."""
    expect = case.expect
    forbidden = tuple(call.tool for call in calls if call.tool in expect.forbid)
    tools = list(_sequence_faults(expect, actual_sequence(calls), forbidden))
    state = list(_state_faults(case, end))
    answered = list(_answer_faults(expect.answer, answer)) if expect.answer else []
    return Score(
        tools_ok=not tools,
        state_ok=not state if expect.has_state else None,
        answer_ok=not answered if expect.answer else None,
        forbidden=forbidden,
        reasons=(*tools, *state, *answered),
    )


def actual_sequence(calls: Sequence[MadeCall]) -> list[str]:
    """Names in order; a failed call that the same tool made up for later on is left out."""
    return [
        call.tool
        for index, call in enumerate(calls)
        if call.outcome is not Outcome.FAILED
        or not any(later.tool == call.tool and later.outcome is Outcome.DONE for later in calls[index + 1 :])
    ]


def matches(actual: Sequence[str], entry: Sequence[str], *, extra_reads: bool) -> bool:
    """Whether `actual` is `entry`, with reads in between and before, but none after its last call."""
    if not extra_reads:
        return list(actual) == list(entry)
    if not entry:
        return all(name in READS for name in actual)
    if not actual or actual[-1] != entry[-1]:
        return False
    met = 0
    for name in actual:
        if met < len(entry) and name == entry[met]:
            met += 1
        elif name not in READS:
            return False
    return met == len(entry)


def plain(text: str) -> str:
    """Straight quotes, hyphens for dashes, ordinary spaces and line breaks."""
    return text.translate(_PLAIN).replace("\r\n", "\n")


def _sequence_faults(expect: Expectation, actual: Sequence[str], forbidden: Sequence[str]) -> Iterator[str]:
    if forbidden:
        yield f"called {', '.join(dict.fromkeys(forbidden))}, which is forbidden here"
    if not any(matches(actual, entry, extra_reads=expect.allow_extra_reads) for entry in expect.tools):
        accepted = " or ".join(_spelled(entry) for entry in expect.tools[:4])
        more = f" (or {len(expect.tools) - 4} others)" if len(expect.tools) > 4 else ""
        yield f"called {_spelled(actual)} instead of {accepted}{more}"


def _spelled(names: Sequence[str]) -> str:
    return " then ".join(names) or "no tool"


def _state_faults(case: Case, end: EndState) -> Iterator[str]:
    for path, check in case.expect.workspace.items():
        yield from _path_faults(path, check, end)
    for path in case.expect.absent:
        if path.removesuffix("/") in end.paths:
            yield f"{path} is still there"
    for path in case.expect.unchanged:
        if end.files.get(path) != case.files[path].encode("utf-8"):
            yield f"{path} is gone" if path not in end.files else f"{path} was changed"


def _path_faults(path: str, check: FileCheck, end: EndState) -> Iterator[str]:
    wanted = path.removesuffix("/")
    there = end.folders if path.endswith("/") else end.paths
    found = _located(wanted, there)
    if found is None:
        yield f"{path} is not there"
    elif found in end.files:
        yield from _text_faults(found, check, plain(end.files[found].decode("utf-8", "replace")))
    elif check != FileCheck():
        yield f"{path} is a folder"


def _located(path: str, there: frozenset[str]) -> str | None:
    if path in there:
        return path
    alike = [candidate for candidate in there if candidate.casefold() == path.casefold()]
    return alike[0] if len(alike) == 1 else None


def _text_faults(path: str, check: FileCheck, text: str) -> Iterator[str]:
    for needle in check.contains:
        if not _contains(text, needle):
            yield f"{path} does not contain {needle!r}"
    if check.equals is not None and _without_line_ends(text) != _without_line_ends(plain(check.equals)):
        yield f"{path} is not {check.equals!r}"
    if check.regex is not None and not _found(check.regex, text):
        yield f"{path} does not match {_brief(check.regex)}"


def _brief(pattern: str) -> str:
    """The whole pattern stands beside the reasons, in what was expected."""
    return repr(pattern if len(pattern) <= 80 else pattern[:79] + "…")


def _without_line_ends(text: str) -> str:
    return "\n".join(line.rstrip(" ") for line in text.split("\n")).rstrip("\n")


def _answer_faults(check: AnswerCheck, answer: str) -> Iterator[str]:
    spoken = readings(plain(answer))
    if check.contains_any and not any(_contains(text, needle) for needle in check.contains_any for text in spoken):
        yield f"the answer has none of {', '.join(map(repr, check.contains_any))}"
    if check.regex is not None and not any(_found(check.regex, text) for text in spoken):
        yield f"the answer does not match {_brief(check.regex)}"
    for needle in check.not_contains:
        if any(_contains(text, needle) for text in spoken):
            yield f"the answer has {needle!r}"


def _contains(text: str, needle: str) -> bool:
    return plain(needle).casefold() in text.casefold()


def _found(pattern: str, text: str) -> bool:
    return re.search(pattern, text, _FLAGS) is not None
