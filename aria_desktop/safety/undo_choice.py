"""Which changes are meant by "the last one", by a turn, by a file, or by a number. Pure.

An undo is a change like any other, and can be undone. So each change that was made starts a chain: taken back, done
again, taken back again. With an odd number of links it is undone; else it stands, and its last link is what has to be
taken back, as that one knows where the bytes are now.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aria_desktop.core.errors import UsageError
from aria_desktop.safety.journal import Action, ActionState

_WITHOUT_EFFECT = (ActionState.FAILED, ActionState.NO_EFFECT)
_LIST = "`aria undo list` shows what can be taken back."


@dataclass(frozen=True, slots=True)
class Chain:
    made: Action
    """The change as it was made first."""
    now: Action
    """The last link."""
    stands: bool
    """False while it is taken back."""


def chains(actions: Sequence[Action]) -> tuple[Chain, ...]:
    """Of all changes, in the order in which they were made. What failed or has no effect makes none; what was cut
    off does."""
    by = {action.undoes: action for action in actions if action.undoes and action.state is ActionState.DONE}
    made = (action for action in actions if not action.undoes and action.state not in _WITHOUT_EFFECT)
    return tuple(_followed(action, by) for action in made)


def last_change(actions: Sequence[Action]) -> tuple[Action, ...]:
    """Raises UsageError when nothing stands."""
    return (_standing(actions)[-1].now,)


def of_turn(actions: Sequence[Action], turn_id: str = "") -> tuple[Action, ...]:
    """All that stands of a turn, or of an undo; of the last turn that changed something when none is named.

    Raises UsageError when nothing stands.
    """
    if not turn_id:
        last = _standing(actions)[-1].made
        return _of_same_turn(actions, last) if last.deed.turn_id else last_change(actions)
    undos = tuple(chain.now for chain in chains(actions) if not chain.stands and chain.now.deed.turn_id == turn_id)
    found = undos or tuple(c.now for c in chains(actions) if c.stands and c.made.deed.turn_id == turn_id)
    if not found:
        raise UsageError(f"Nothing of turn {turn_id} can be taken back.", _LIST)
    return found


def of_call(actions: Sequence[Action], call_id: str) -> tuple[Action, ...]:
    """All that stands of one call, be it an undo. Raises UsageError when nothing does."""
    undos = tuple(chain.now for chain in chains(actions) if not chain.stands and chain.now.deed.call_id == call_id)
    found = undos or tuple(c.now for c in chains(actions) if c.stands and c.made.deed.call_id == call_id)
    if not found:
        raise UsageError("That change can't be taken back, or is already.", _LIST)
    return found


def last_undo(actions: Sequence[Action]) -> tuple[Action, ...]:
    """All that was taken back together last. Raises UsageError when nothing is."""
    undone = [chain.now for chain in chains(actions) if not chain.stands]
    if not undone:
        raise UsageError("Nothing is taken back at the moment.", _LIST)
    last = max(undone, key=lambda action: action.number)
    turn = last.deed.turn_id
    return tuple(action for action in undone if action is last or (turn and action.deed.turn_id == turn))


def of_file(actions: Sequence[Action], path: str) -> tuple[Action, ...]:
    """The last change that stands and concerns the file `path`, relative to its workspace. Raises UsageError."""
    wanted = path.removeprefix("./").strip("/")
    found = [chain.now for chain in chains(actions) if chain.stands and wanted in _paths(chain.now)]
    if not found:
        raise UsageError(f"No change to {path} can be taken back.", _LIST)
    return (max(found, key=lambda action: action.number),)


def numbered(actions: Sequence[Action], number: int) -> tuple[Action, ...]:
    """The change with a number, or an undo. Raises UsageError for one that is not there or is taken back."""
    by_number = {action.number: action for action in actions}
    if number not in by_number:
        raise UsageError(f"There is no change {number}, or it is too old.", _LIST)
    by = {action.undoes: action for action in actions if action.undoes and action.state is ActionState.DONE}
    chain = _followed(by_number[number], by)
    if not chain.stands:
        raise UsageError(f"Change {number} is taken back already.", f"`aria undo {chain.now.number}` makes it again.")
    return (chain.now,)


def _followed(made: Action, by: dict[int, Action]) -> Chain:
    now, links = made, 0
    while now.number in by:
        now, links = by[now.number], links + 1
    return Chain(made, now, links % 2 == 0)


def _standing(actions: Sequence[Action]) -> tuple[Chain, ...]:
    found = tuple(chain for chain in chains(actions) if chain.stands)
    if not found:
        raise UsageError("There is no change that can be taken back.", _LIST)
    return found


def _of_same_turn(actions: Sequence[Action], last: Action) -> tuple[Action, ...]:
    turn = last.deed.turn_id
    return tuple(c.now for c in _standing(actions) if c.made.deed.turn_id == turn)


def _paths(action: Action) -> frozenset[str]:
    return frozenset(path for step in action.steps for path in (step.path, step.to) if path)
