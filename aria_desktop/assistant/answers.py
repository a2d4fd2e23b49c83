"""Whether an answer of the model may stand. Pure.

Some things are certain without understanding it: it may claim no deed when nothing was done, nor deny what a tool can
do, and it can't know what a file says that this turn has not looked at. Then it goes back to the model with the reason.
"""

from __future__ import annotations

from aria_desktop.assistant.claims import claims_a_deed, denied_tool, remembered, sentences
from aria_desktop.assistant.so_far import TurnSoFar
from aria_desktop.core.chat import Outcome

NOTHING_WAS_DONE = (
    "Nothing was done yet, so nothing may be told as done. Call the tool that does it, or ask the user with ask_user."
)
NOT_LOOKED_AT = "{name} was not looked at, so what it holds is not known. Call read_file, or the tool that is wanted."

CAN_BE_DONE = "{tool} can do that. Call it with what the user said, or ask with ask_user what is not clear."
STILL_WAITING = (
    "Not carried out yet: {calls}. Call it now with what is known. Answer again only if the user did not ask for it."
)


def fault(answer: str, turn: TurnSoFar, *, again: bool) -> str:
    """What the model is told when `answer` may not stand; empty when it may.

    Args:
        again: the model was told already what is missing, and stays with its answer.
    """
    done = any(ended.changes and ended.result.outcome is Outcome.DONE for ended in turn.calls)
    if not done and claims_a_deed(answer):
        return NOTHING_WAS_DONE
    if turn.waiting and not again:
        return STILL_WAITING.format(calls=", ".join(sorted(turn.waiting.values())))
    if not (turn.calls or again) and (tool := denied_tool(answer)):
        return CAN_BE_DONE.format(tool=tool)
    if turn.calls or again or answer.rstrip().endswith("?"):
        return ""
    name = unseen(turn, answer)
    return NOT_LOOKED_AT.format(name=name) if name else ""


def tells_something(answer: str) -> bool:
    """Whether it is more than a deed that was not done, or an ability that was denied."""
    return not (claims_a_deed(answer) or denied_tool(answer))


def to_be_kept(answer: str, turn: TurnSoFar) -> str:
    """The fact that an answer says is remembered, where the user said it just now and nothing has kept it; else "".

    The model means to keep it then, and only forgot to call the tool that does.
    """
    fact = next(iter(sentences(remembered(answer))), "")
    if not fact or turn.calls or not turn.ground().said.says_all_of(fact):
        return ""
    return fact[0].upper() + fact[1:]


def may_not_stand(sentence: str, turn: TurnSoFar, *, again: bool) -> bool:
    """Whether a sentence of an answer that is still being written is held back, and all that follows it."""
    fails = claims_a_deed(sentence) or bool(to_be_kept(sentence, turn))
    return fails or bool(fault(sentence.rstrip("?"), turn, again=again))


def unseen(turn: TurnSoFar, answer: str = "") -> str:
    """A file that the user or `answer` names, and that no call of this turn was about; empty when there is none."""
    ground = turn.ground()
    touched = {str(value) for ended in turn.calls for value in ended.call.arguments.values()}
    for name in ground.files:
        own = name.rpartition("/")[2]
        named = ground.said.support(name).whole or (len(own) > 2 and own in answer)
        if named and name not in touched:
            return name
    return ""
