"""What stands beside a question."""

from __future__ import annotations

from aria_desktop.core.approval import Hearing
from aria_desktop.gui.state.asked import heard_words, source_words


def test_how_well_it_was_heard() -> None:
    assert heard_words(Hearing(0.934)) == "with 93%"
    assert heard_words(Hearing(0.52, ("nodes", "eggs"))) == "with 52%, not sure of: nodes, eggs"


def test_many_sources_do_not_push_the_newest_out_of_sight() -> None:
    told = source_words([f"the file {number}.txt" for number in range(7)])
    assert told.startswith("the file 6.txt, the file 5.txt, ")
    assert "the file 2.txt and 2 more. " in told
    assert "the file 1.txt" not in told


def test_a_single_source() -> None:
    assert source_words(["text that was pasted"]).startswith("text that was pasted. ")
