"""A frozen call changes nowhere, can be written like any other, and is told from every other by its hash."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from aria_desktop.core.chat import ToolCall
from aria_desktop.safety.frozen import fingerprint, frozen


def of(arguments: dict[str, object]) -> ToolCall:
    return ToolCall("c1", "create_file", arguments)


NESTED: dict[str, object] = {"path": "a.txt", "deep": {"list": [1, {"x": "y"}], "more": None}}


@pytest.mark.parametrize(
    "change",
    [
        lambda arguments: arguments.update(path="b.txt"),
        lambda arguments: arguments["deep"].update(more=1),
        lambda arguments: arguments["deep"]["list"].append(2),
        lambda arguments: arguments["deep"]["list"][1].clear(),
        lambda arguments: arguments["deep"].__setitem__("x", 1),
        lambda arguments: arguments["deep"].pop("more"),
    ],
)
def test_nothing_in_it_changes(change: Callable[[Any], object]) -> None:
    call = frozen(of(NESTED))
    before = fingerprint(call)
    with pytest.raises((TypeError, AttributeError)):
        change(call.arguments)
    assert fingerprint(call) == before


def test_it_is_its_own_copy() -> None:
    arguments: dict[str, Any] = {"path": "a.txt", "deep": {"list": [1]}}
    call = frozen(of(arguments))
    arguments["deep"]["list"].append(2)
    assert call.arguments["deep"] == {"list": (1,)}


def test_it_is_written_like_any_other() -> None:
    assert json.loads(json.dumps(dict(frozen(of(NESTED)).arguments))) == NESTED


def test_the_hash_tells_every_difference_but_the_id() -> None:
    same = ToolCall("c2", "create_file", dict(NESTED))
    assert fingerprint(frozen(of(NESTED))) == fingerprint(same)
    others = [of(NESTED | {"path": "b.txt"}), of({"path": "a.txt"}), ToolCall("c1", "edit_file", NESTED)]
    assert len({fingerprint(call) for call in (same, *others)}) == 4
