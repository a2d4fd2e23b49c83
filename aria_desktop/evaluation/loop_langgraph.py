"""LangGraph's side of `aria bench loop`: the same turn as a graph of two nodes, model and tool, with its SQLite
checkpointer. Imported in the benchmark's own child process only.

It is given every advantage that leaves it durable: plain values in its state, no chat model class, no tool class, and
a checkpoint after each node ("sync": a kill loses nothing that was finished).
"""

from __future__ import annotations

import operator
import sqlite3
from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict

from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph

from aria_desktop.evaluation import loop_script
from aria_desktop.evaluation.loop_script import Asked

_STEPS = 60
"""More nodes than any turn here runs through."""


class _State(TypedDict):
    messages: Annotated[list[dict[str, Any]], operator.add]
    of: int


class TheirLoop:
    def __init__(self, folder: Path, asked: Asked, *, durable: bool = True) -> None:
        self._asked = asked
        # As SqliteSaver.from_conn_string opens it; the checkpointer sets the journal to WAL itself.
        self._connection = sqlite3.connect(folder / "theirs.db", check_same_thread=False)
        self._durability: dict[str, Any] = {"durability": "sync"} if durable else {}
        graph = StateGraph(_State)
        graph.add_node("model", self._model)
        graph.add_node("tool", _tool)
        graph.add_edge(START, "model")
        graph.add_conditional_edges("model", _next)
        graph.add_edge("tool", "model")
        self._graph = graph.compile(checkpointer=SqliteSaver(self._connection) if durable else None)

    def turn(self, turn_id: str, steps: int) -> None:
        asked = {"messages": [{"role": "user", "text": loop_script.WORDS}], "of": steps}
        config = {"configurable": {"thread_id": turn_id}, "recursion_limit": _STEPS}
        self._graph.invoke(asked, config, **self._durability)

    def close(self) -> None:
        self._connection.close()

    def _model(self, state: _State) -> dict[str, Any]:
        given = sum(message["role"] == "assistant" for message in state["messages"])
        self._asked(given)
        if given + 1 < state["of"]:
            return {"messages": [{"role": "assistant", "call": "look_up", "number": given + 1}]}
        return {"messages": [{"role": "assistant", "text": loop_script.ANSWER}]}


def _tool(state: _State) -> dict[str, Any]:
    call = state["messages"][-1]
    return {"messages": [{"role": "tool", "number": call["number"], "text": loop_script.RESULT}]}


def _next(state: _State) -> Literal["tool", "__end__"]:
    return "tool" if "call" in state["messages"][-1] else END


def kept_steps(folder: Path, turn_id: str) -> int:
    """Tool results in the last checkpoint of the turn."""
    with SqliteSaver.from_conn_string(str(folder / "theirs.db")) as saver:
        found = saver.get_tuple({"configurable": {"thread_id": turn_id}})
    messages = found.checkpoint["channel_values"].get("messages", []) if found else []
    return sum(message["role"] == "tool" for message in messages)
