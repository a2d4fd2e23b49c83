"""The accessibility tree, as a screen reader finds it: written down, and searched for what has no name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QWidget

_ROLE = QAccessible.Role
ACTED_ON = frozenset(
    {
        *(_ROLE.Button, _ROLE.CheckBox, _ROLE.RadioButton, _ROLE.EditableText, _ROLE.ComboBox, _ROLE.Slider),
        *(_ROLE.SpinBox, _ROLE.Link, _ROLE.PageTab, _ROLE.ListItem, _ROLE.MenuItem, _ROLE.ProgressBar, _ROLE.List),
    }
)
"""Roles of what is acted on or moves: a name is all that somebody who does not see it has."""
_DEEPEST = 60


@dataclass(frozen=True, slots=True)
class Node:
    depth: int
    role: QAccessible.Role
    name: str
    focusable: bool
    disabled: bool

    def __str__(self) -> str:
        marks = [word for word, holds in (("focusable", self.focusable), ("disabled", self.disabled)) if holds]
        return f"{'  ' * self.depth}{self.role.name}: {self.name!r} {' '.join(marks)}".rstrip()


def tree(windows: Sequence[QWidget]) -> tuple[Node, ...]:
    """All that can be reached, window after window; what is not to be seen is left out, as a reader leaves it out."""
    return tuple(node for window in windows for node in _below(QAccessible.queryAccessibleInterface(window), 0))


def nameless(nodes: Sequence[Node]) -> list[Node]:
    """What is acted on, and what takes the keyboard, without saying what it is."""
    return [node for node in nodes if (node.role in ACTED_ON or node.focusable) and not node.name.strip()]


def _below(interface: QAccessibleInterface | None, depth: int) -> Iterator[Node]:
    if interface is None or not interface.isValid() or depth > _DEEPEST:
        return
    state = interface.state()
    if state.invisible:
        return
    name = interface.text(QAccessible.Text.Name)
    yield Node(depth, interface.role(), name, bool(state.focusable), bool(state.disabled))
    for number in range(interface.childCount()):
        yield from _below(interface.child(number), depth + 1)
