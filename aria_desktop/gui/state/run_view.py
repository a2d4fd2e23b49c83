"""The run of one turn as the window draws it: seven nodes, the edges between them, and what each node has to tell."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from aria_desktop.gui.state.translation import marks, tr


class Node(StrEnum):
    """In the order in which a turn goes through them."""

    LISTEN = "listen"
    RECOGNISE = "recognise"
    THINK = "think"
    ASK = "ask"
    ACT = "act"
    CHECK = "check"
    SPEAK = "speak"


class NodeLook(StrEnum):
    TODO = "todo"
    ACTIVE = "active"
    DONE = "done"
    WAITING = "waiting"
    """For the user."""
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class NodeView:
    node: Node
    look: NodeLook
    label: str
    under: str = ""
    """A time, or what came of it, in a few words."""


@dataclass(frozen=True, slots=True)
class Loop:
    """The way back that was taken last."""

    start: Node
    end: Node
    words: str
    """ "Retry 1 of 2", "Step 2"."""
    again: bool
    """After something did not work; else it goes on with what it found out."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A tool, and how likely the model held it to be the right one."""

    name: str
    probability: float
    """0 to 1."""


@dataclass(frozen=True, slots=True)
class Choice:
    chosen: Bar
    runner_up: Bar | None
    why: str
    """One sentence, made of what is known: the model is not asked for reasons."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One time that the turn was at a node."""

    node: Node
    number: int
    """1 for the first time at this node."""
    look: NodeLook
    seconds: float | None
    """None while it is there, and where nobody measured."""
    under: str = ""
    """As in `NodeView`."""
    choices: tuple[Choice, ...] = ()
    prompt: str = ""
    reply: str = ""
    state: tuple[tuple[str, str], ...] = ()
    """What else is known, as name and value."""

    def as_text(self) -> str:
        """All of it, for the clipboard."""
        parts = [f"{label(self.node)} {self.number}"]
        parts += [f"{name}: {value}" for name, value in self.state]
        for choice in self.choices:
            bars = filter(None, (choice.chosen, choice.runner_up))
            parts += [f"{bar.name}: {bar.probability:.2f}" for bar in bars] + [choice.why]
        parts += [
            f"\n{name}:\n{text}" for name, text in ((tr("Prompt"), self.prompt), (tr("Reply"), self.reply)) if text
        ]
        return "\n".join(parts) + "\n"


@dataclass(frozen=True, slots=True)
class RunView:
    nodes: tuple[NodeView, ...] = ()
    """One for each `Node`, in its order."""
    taken: frozenset[tuple[Node, Node]] = frozenset()
    """Steps from one node to a later one that were taken."""
    loop: Loop | None = None
    loops: int = 0
    """How many ways back were taken in all."""
    now: str = ""
    """One sentence: what happens now; empty once the turn is over."""
    visits: tuple[Visit, ...] = ()
    """In the order in which they began."""
    over: bool = False

    def visit(self, node: Node) -> Visit | None:
        """The last one at that node."""
        return next((visit for visit in reversed(self.visits) if visit.node is node), None)


NO_RUN = RunView()
_LABELS = dict(zip(Node, marks("Listen", "Recognise", "Think", "Ask", "Act", "Check", "Speak"), strict=True))


def label(node: Node) -> str:
    return tr(_LABELS[node])


ICONS = {
    Node.LISTEN: "mic",
    Node.RECOGNISE: "audio-lines",
    Node.THINK: "brain",
    Node.ASK: "hand",
    Node.ACT: "wrench",
    Node.CHECK: "list-checks",
    Node.SPEAK: "volume-2",
}
"""Files of `resources/icons`, without their ending."""
