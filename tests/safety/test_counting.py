"""The table of what was tried says what was judged: a test that fails is an escape of its set, never a zero."""

from __future__ import annotations

from collections import defaultdict

import pytest

from tests.safety.conftest import Count, Counts, Tried


def test_a_case_is_an_escape_when_its_test_fails_afterwards_and_only_the_last_one() -> None:
    counts: Counts = defaultdict(Count)
    counting = Tried(counts)
    counting.failed()
    assert counts == {}
    counting.begin("a set", uid=1)
    counting.begin("a set", 2, uid=1)
    counting.control("a set", uid=1)
    counting.failed()
    assert counts == {("a set", 1): Count(cases=3, controls=1, escapes=2)}


def test_a_sum_with_an_escape_is_counted_and_fails() -> None:
    counts: Counts = defaultdict(Count)
    with pytest.raises(AssertionError, match="2 of 9 sets got through"):
        Tried(counts)("sets", 9, 9, 2, uid=0)
    assert counts == {("sets", 0): Count(9, 9, 2)}
