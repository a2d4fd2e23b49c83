"""LangGraph's side of `aria bench loop`, with its SQLite checkpointer. Imported in child processes alone.

`TheirLoop` is an agent as its guide builds one: messages, a chat model, a tool node that checks arguments; what our
loop does, too. `BareLoop` is the least that it can be: plain values in the state, two plain functions as nodes, nothing
checked. Both write a checkpoint after each node before the next one begins ("sync"), so that a kill loses nothing that
was finished.
"""

from __future__ import annotations

import operator
import sqlite3
from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict

from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from aria_desktop.evaluation import loop_script
from aria_desktop.evaluation.loop_script import Asked

_MOST_NODES = 60
"""More than any turn here runs through."""


class _Graph:
    """A graph on a database of its own, run once for each turn."""

    def __init__(self, graph: Any, folder: Path, *, durable: bool) -> None:
        # As SqliteSaver.from_conn_string opens it; the checkpointer sets the journal to WAL itself.
        self._connection = sqlite3.connect(folder / "theirs.db", check_same_thread=False)
        self._durability = {"durability": "sync"} if durable else {}
        self._graph = graph.compile(checkpointer=SqliteSaver(self._connection) if durable else None)

    def run(self, turn_id: str, state: dict[str, Any]) -> None:
        config = {"configurable": {"thread_id": turn_id}, "recursion_limit": _MOST_NODES}
        self._graph.invoke(state, config, **self._durability)

    def close(self) -> None:
        self._connection.close()


@tool  # type: ignore[untyped-decorator]
def look_up(number: int) -> str:
    """Look up a note."""
    del number
    return loop_script.RESULT


class _ChatModel(BaseChatModel):  # type: ignore[misc]
    """Calls until its replies are used up, then answers."""

    asked: Any
    of: int = 0

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _generate(self, messages: list[Any], *_: Any, **__: Any) -> ChatResult:
        given = sum(isinstance(message, AIMessage) for message in messages)
        self.asked(given)
        if given + 1 < self.of:
            call = {"name": look_up.name, "args": {"number": given + 1}, "id": f"call{given}"}
            message = AIMessage("", tool_calls=[call])
        else:
            message = AIMessage(loop_script.ANSWER)
        return ChatResult(generations=[ChatGeneration(message=message)])


class TheirLoop:
    def __init__(self, folder: Path, asked: Asked, *, durable: bool = True) -> None:
        self._model = _ChatModel(asked=asked)
        graph = StateGraph(MessagesState)
        graph.add_node("model", lambda state: {"messages": [self._model.invoke(state["messages"])]})
        graph.add_node("tools", ToolNode([look_up]))
        graph.add_edge(START, "model")
        graph.add_conditional_edges("model", tools_condition)
        graph.add_edge("tools", "model")
        self._graph = _Graph(graph, folder, durable=durable)

    def turn(self, turn_id: str, steps: int) -> None:
        self._model.of = steps
        self._graph.run(turn_id, {"messages": [{"role": "user", "content": loop_script.WORDS}]})

    def settle(self) -> None:
        """Nothing is left when a turn ends."""

    def close(self) -> None:
        self._graph.close()


class _State(TypedDict):
    messages: Annotated[list[dict[str, Any]], operator.add]
    of: int


class BareLoop:
    def __init__(self, folder: Path, asked: Asked, *, durable: bool = True) -> None:
        self._asked = asked
        graph = StateGraph(_State)
        graph.add_node("model", self._reply)
        graph.add_node("tool", _looked_up)
        graph.add_edge(START, "model")
        graph.add_conditional_edges("model", _next)
        graph.add_edge("tool", "model")
        self._graph = _Graph(graph, folder, durable=durable)

    def turn(self, turn_id: str, steps: int) -> None:
        self._graph.run(turn_id, {"messages": [{"type": "user", "text": loop_script.WORDS}], "of": steps})

    def settle(self) -> None:
        """Nothing is left when a turn ends."""

    def close(self) -> None:
        self._graph.close()

    def _reply(self, state: _State) -> dict[str, Any]:
        given = sum(message["type"] == "ai" for message in state["messages"])
        self._asked(given)
        if given + 1 < state["of"]:
            return {"messages": [{"type": "ai", "number": given + 1}]}
        return {"messages": [{"type": "ai", "text": loop_script.ANSWER}]}


def _looked_up(state: _State) -> dict[str, Any]:
    return {"messages": [{"type": "tool", "number": state["messages"][-1]["number"], "text": loop_script.RESULT}]}


def _next(state: _State) -> Literal["tool", "__end__"]:
    return "tool" if "number" in state["messages"][-1] else END


def kept_steps(folder: Path, turn_id: str) -> int:
    """Tool results in the last checkpoint of the turn."""
    with SqliteSaver.from_conn_string(str(folder / "theirs.db")) as saver:
        found = saver.get_tuple({"configurable": {"thread_id": turn_id}})
    messages = found.checkpoint["channel_values"].get("messages", []) if found else []
    kinds = [message["type"] if isinstance(message, dict) else message.type for message in messages]
    return kinds.count("tool")
