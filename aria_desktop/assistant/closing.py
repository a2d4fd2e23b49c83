"""What the user is told at the end of a turn, built from what really happened. Pure.

What was changed is told by the results of the calls, in their order, never by the model: its own words come
after them. Where something was refused, the model is not asked at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aria_desktop.assistant.claims import without_claims
from aria_desktop.core.chat import Outcome, ToolCall, ToolResult, TurnOutcome
from aria_desktop.core.errors import ReplyInvalid
from aria_desktop.tools.languages.wording import Wording, wording_in
from aria_desktop.tools.near_names import near


@dataclass(frozen=True, slots=True)
class Ended:
    """One call of this turn with its end."""

    call: ToolCall
    changes: bool
    """Whether the tool is one after which something is different, be it only in ARIA's own memory."""
    result: ToolResult
    spoken: str = "en"
    """ISO 639-1 code of the language that the user is told of it in."""
    reason: str = ""
    """Why it did not work, for the user; empty: as the model was told."""

    @property
    def wording(self) -> Wording:
        return wording_in(self.spoken)


@dataclass(frozen=True, slots=True)
class Closing:
    outcome: TurnOutcome
    text: str
    error: str = ""
    """A code when the turn failed."""


def fact(ended: Ended) -> str:
    """What is told as soon as the call has ended, and stays told: a change that was made, or may have been."""
    if ended.result.outcome is Outcome.UNKNOWN:
        return ended.wording.say("not_known", tool=ended.call.tool)
    return ended.result.answer if ended.changes and ended.result.outcome is Outcome.DONE else ""


def after_reply(calls: Sequence[Ended], fresh: Sequence[Ended], then: str) -> Closing | None:
    """How the turn ends after a reply's calls; None when the model goes on.

    Args:
        calls: all of the turn, in order.
        fresh: those of them that the last reply wanted.
        then: what the model said is left to do.
    """
    results = [ended.result for ended in fresh]
    if any(result.outcome is Outcome.REFUSED for result in results):
        return _refused(calls, fresh)
    if question := next((result.answer for result in results if result.ends_turn), ""):
        return Closing(TurnOutcome.ASKED, _joined(*facts(calls), question))
    all_said = all(result.answer and result.outcome in (Outcome.DONE, Outcome.FAILED) for result in results)
    return Closing(TurnOutcome.ANSWERED, summed_up(calls)) if all_said and not then else None


def _refused(calls: Sequence[Ended], fresh: Sequence[Ended]) -> Closing:
    told = facts(calls)
    changed = any(call.changes and call.result.outcome is Outcome.DONE for call in calls)
    outcome = TurnOutcome.ANSWERED if changed else TurnOutcome.REFUSED
    answers = [ended.result.answer for ended in fresh if ended.result.outcome is Outcome.REFUSED]
    return Closing(outcome, _joined(*(told or [fresh[0].wording.say("nothing_changed")]), *answers))


def instead(calls: Sequence[Ended], question: str, refusal: str) -> Closing | None:
    """How the turn ends when nothing of a reply is carried out: with a question, with what can't be done, or with
    what was done when the model only wants it again. None when its last call only looked."""
    if question:
        return Closing(TurnOutcome.ASKED, _joined(*facts(calls), question))
    if refusal:
        return Closing(TurnOutcome.ANSWERED, _joined(*facts(calls), refusal))
    return Closing(TurnOutcome.ANSWERED, summed_up(calls)) if calls and calls[-1].changes else None


def not_understood(calls: Sequence[Ended], spoken: str = "en") -> Closing:
    """The model gave no legal reply, whatever it was told."""
    say = wording_in(spoken).say
    text = _joined(*(facts(calls) or [say("nothing_changed")]), say("no_usable_reply"))
    return Closing(TurnOutcome.FAILED, text, ReplyInvalid.code)


def with_answer(calls: Sequence[Ended], answer: str) -> str:
    """The model's closing words, between what was changed and what could not be. It does not tell that again."""
    return _joined(*facts(calls), without_claims(answer) if facts(calls) else answer, *_failures(calls))


def summed_up(calls: Sequence[Ended]) -> str:
    """All that the results themselves say; empty when that is nothing.

    What was read before a change served that change, and is not told again.
    """
    last_change = max((i for i, call in enumerate(calls) if fact(call)), default=-1)
    read = [call.result.answer for i, call in enumerate(calls) if i > last_change and not call.changes]
    return _joined(*facts(calls), *read, *_failures(calls))


def facts(calls: Sequence[Ended]) -> list[str]:
    """In the order in which they were told."""
    return [text for text in map(fact, calls) if text]


def _failures(calls: Sequence[Ended]) -> list[str]:
    """Changes that did not work, unless the same tool, or another one on the same file, did work later on."""
    told = []
    for index, ended in enumerate(calls):
        if ended.changes and ended.result.outcome is Outcome.FAILED and not _made_up_for(ended, calls[index + 1 :]):
            told.append(ended.result.answer or _did_not_work(ended))
    return told


def _did_not_work(ended: Ended) -> str:
    return ended.wording.say("did_not_work", tool=ended.call.tool, reason=ended.reason or ended.result.text)


def _made_up_for(failed: Ended, later: Sequence[Ended]) -> bool:
    subject = _subject(failed)
    for ended in later:
        other = _subject(ended)
        same = other == subject or bool(near(subject, [other]).only) if subject and other else False
        without = not subject and ended.call.tool == failed.call.tool
        if ended.changes and ended.result.outcome is Outcome.DONE and (same or without):
            return True
    return False


def _subject(ended: Ended) -> str:
    """The name of the file that a call is about; empty when it is about none."""
    arguments = ended.call.arguments
    return str(arguments.get("path", arguments.get("source", "")))


def _joined(*texts: str) -> str:
    return " ".join(text for text in texts if text)
