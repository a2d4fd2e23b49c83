"""Three ways to write the same reply: each measured there and back, and compared where the text is the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import Message, Role
from aria_desktop.core.errors import EngineFailed, UsageError
from aria_desktop.core.interfaces import Generation, GenerationEnd
from aria_desktop.evaluation import decode
from aria_desktop.evaluation.decode import Arms
from aria_desktop.evaluation.llama_peer import Do

TEXT = '{"answer":"Hello."}'
GENERATION = Generation((Message(Role.USER, "hi"),), {"type": "string"}, max_tokens=64)


class Model:
    """Says the same each time, in 2 s of which 1 s is the prompt's."""

    context_tokens = 4096

    def __init__(self, *, complete: bool = True) -> None:
        self._complete = complete

    def complete(self, generation: Generation, cancel: CancelToken) -> Iterator[str | GenerationEnd]:
        assert generation is GENERATION
        cancel.raise_if_cancelled()
        yield TEXT
        yield GenerationEnd(self._complete, 100, 90, 10, 4, 1, 1.0, 2.0)

    def warm(self, messages: Sequence[Message]) -> None:
        raise AssertionError(messages)


class Peer:
    def __init__(self, text: str = TEXT, *, fails: bool = False) -> None:
        self._text = text
        self._fails = fails
        self.asked: list[str] = []

    def ask(self, what: Do, messages: Sequence[Message] = (), **more: object) -> Mapping[str, Any]:
        assert messages == GENERATION.messages
        self.asked.append(what)
        match what:
            case Do.GRAMMAR:
                assert more == {"schema": GENERATION.reply_schema, "most": 64}
                if self._fails:
                    raise EngineFailed("no such grammar")
                return {"text": self._text, "tokens": 10, "steps": 10, "seconds": float(len(self.asked))}
            case Do.FOLLOW:
                assert more == {"text": TEXT}
                return {"text": TEXT, "tokens": 10, "steps": 10, "seconds": 2.0}
            case _:
                return {}


def arms(peer: Peer, *, complete: bool = True) -> Arms:
    return Arms(Model(complete=complete), peer)  # type: ignore[arg-type]


def test_each_way_is_measured_there_and_back() -> None:
    peer = Peer()
    found: Any = decode.measured(arms(peer), GENERATION)
    assert peer.asked[0] == Do.FIRST
    assert peer.asked[1:] == list(reversed(peer.asked[1:]))
    assert sorted(peer.asked[1:]) == ["follow", "follow", "grammar", "grammar"]
    assert found["ours"] == {"text": TEXT, "tokens": 10, "steps": 4, "full_checks": 1, "seconds": 1.0}
    first, last = (at for at, what in enumerate(peer.asked, start=1) if what == "grammar")
    assert found["grammar"]["seconds"] == (first + last) / 2


def test_what_was_cut_off_or_never_asked_is_passed_over() -> None:
    assert "passed over" in decode.measured(arms(Peer(), complete=False), GENERATION)
    assert "passed over" in decode.measured(arms(Peer()), None)


def item(number: int, grammar: str = TEXT) -> dict[str, Any]:
    way = {"text": TEXT, "tokens": 20, "steps": 20}
    return {
        "round": number,
        "text": TEXT,
        "ours": {**way, "steps": 8, "full_checks": 0, "seconds": 1.0},
        "grammar": {**way, "text": grammar, "seconds": 3.0},
        "free": {**way, "seconds": 2.0},
    }


def test_the_figures() -> None:
    report = decode.report([item(0), item(1), item(2), item(0, "other")], 6)
    found = {figure.name: figure for figure in report.figures}
    assert found["cases passed over"].value == 2
    assert found["replies that grammar sampling wrote in other words"].value == 1
    assert found["times faster than grammar sampling"].value == pytest.approx(3)
    assert found["time over unconstrained generation"].value == pytest.approx(0.5)
    assert found["ours: decode steps saved"].value == pytest.approx(60)
    assert report.met


def test_a_library_that_can_not_do_it_is_no_pair() -> None:
    found: Any = decode.measured(arms(Peer(fails=True)), GENERATION)
    assert "no such grammar" in found["grammar"]["error"]
    report = decode.report([{"round": 0, **found}], 1)
    assert "times faster than grammar sampling" not in {figure.name for figure in report.figures}


def test_nothing_measured_is_an_error() -> None:
    with pytest.raises(UsageError, match="No reply"):
        decode.report([], 3)


def test_the_librarys_grammar_gets_no_lengths() -> None:
    text = {"type": "string", "maxLength": 1500}
    one = {"type": "object", "properties": {"answer": text}, "required": ["answer"]}
    assert decode.without_lengths({"oneOf": [one, {"type": "array", "items": text, "maxItems": 3}]}) == {
        "oneOf": [
            {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]},
            {"type": "array", "items": {"type": "string"}, "maxItems": 3},
        ]
    }
