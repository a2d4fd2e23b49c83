"""Leave for more than once: what it covers, how long it lasts whatever the clock does, and what never gives any."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import pytest

from aria_desktop.core.approval import ApprovalRequest, Extent, Offer, Risk, RiskLevel
from aria_desktop.core.chat import ToolCall
from aria_desktop.core.errors import AriaError, StorageError
from aria_desktop.safety.grants import CONVERSATION_S, FOLDER_S, Granted, Grants, pattern_of

NOON = 1_800_000_000.0
OFFERS = (Offer(Extent.CONVERSATION, "c"), Offer(Extent.FOLDER, "f"))
REQUEST = ApprovalRequest(
    "a1", "t1", "c1", "create_file", "Create a.txt?", "Allow create", (), "/w/a.txt", None, "x",
    Risk(RiskLevel.LOW, "Nothing is lost."), "make it", offers=OFFERS,
)  # fmt: skip


class Kept:
    """A store in memory that can be broken."""

    def __init__(self) -> None:
        self.granted = Granted(0.0)
        self.broken = False

    def read(self) -> Granted:
        if self.broken:
            raise StorageError("It can't be understood.")
        return self.granted

    def change(self, change: Callable[[Granted], Granted]) -> Granted:
        self.granted = change(self.read())
        return self.granted


@dataclass
class Clocks:
    wall: float = NOON
    steady: float = 50.0

    def pass_by(self, seconds: float) -> None:
        self.wall += seconds
        self.steady += seconds


@pytest.fixture
def clocks() -> Clocks:
    return Clocks()


@pytest.fixture
def kept() -> Kept:
    return Kept()


@pytest.fixture
def grants(kept: Kept, clocks: Clocks) -> Grants:
    return Grants(kept, lambda: clocks.wall, lambda: clocks.steady)


def create(path: str = "a.txt", tool: str = "create_file", **more: object) -> ToolCall:
    return ToolCall("c1", tool, {"path": path, "content": "milk", **more})


def covers(
    grants: Grants, call: ToolCall, risk: RiskLevel = RiskLevel.LOW, folder: str = "/w", session: str = "s1"
) -> bool:
    return grants.covering(call, risk, folder, session) is not None


def test_it_covers_the_same_tool_for_names_of_the_same_pattern(grants: Grants) -> None:
    grants.give(create(), REQUEST, Extent.FOLDER, "/w", "s1")
    assert covers(grants, create("b.TXT"))
    assert covers(grants, create("b.txt"), session="s2")


@pytest.mark.parametrize(
    ("call", "more"),
    [
        (create("b.md"), {}),
        (create("sub/b.txt"), {}),
        (create("../a.txt"), {}),
        (create("b"), {}),
        (create(".txt"), {}),
        (create("a.txt/"), {}),
        (create(tool="append_file"), {}),
        (create(source="x.txt"), {}),
        (create(), {"risk": RiskLevel.MEDIUM}),
        (create(), {"risk": RiskLevel.HIGH}),
        (create(), {"folder": "/w2"}),
        (create(), {"folder": "/"}),
        (ToolCall("c1", "create_file", {"content": "x"}), {}),
    ],
)
def test_it_covers_nothing_else(grants: Grants, call: ToolCall, more: Mapping[str, RiskLevel | str]) -> None:
    grants.give(create(), REQUEST, Extent.FOLDER, "/w", "s1")
    assert covers(grants, create())
    assert not covers(grants, call, **more)  # type: ignore[arg-type]


def test_leave_for_a_conversation_is_for_that_one(grants: Grants) -> None:
    grants.give(create(), REQUEST, Extent.CONVERSATION, "/w", "s1")
    assert covers(grants, create())
    assert not covers(grants, create(), session="s2")
    assert not covers(grants, create(), session="")


def test_what_was_not_offered_is_not_given(grants: Grants, kept: Kept) -> None:
    only_once = replace(REQUEST, offers=())
    with pytest.raises(AriaError, match="not offered"):
        grants.give(create(), only_once, Extent.FOLDER, "/w", "s1")
    assert kept.granted.grants == ()


def test_nothing_is_offered_for_what_may_lose_something_or_names_nothing(grants: Grants) -> None:
    assert grants.offers(create(), RiskLevel.HIGH) == ()
    assert grants.offers(ToolCall("c1", "run_terminal", {"command": "ls"}), RiskLevel.LOW) == ()
    assert [offer.extent for offer in grants.offers(create("sub/a.txt"), RiskLevel.LOW)] == [
        Extent.CONVERSATION,
        Extent.FOLDER,
    ]
    assert grants.offers(create("sub/a.txt"), RiskLevel.LOW)[1].text.startswith("create_file for sub/*.txt, in this f")


@pytest.mark.parametrize(("extent", "seconds"), [(Extent.CONVERSATION, CONVERSATION_S), (Extent.FOLDER, FOLDER_S)])
def test_it_ends_by_the_clock(grants: Grants, clocks: Clocks, kept: Kept, extent: Extent, seconds: float) -> None:
    grants.give(create(), REQUEST, extent, "/w", "s1")
    clocks.pass_by(seconds - 1)
    assert covers(grants, create())
    clocks.pass_by(2)
    assert not covers(grants, create())
    assert kept.granted.grants == (), "what has ended is forgotten"


def test_a_clock_that_stands_still_does_not_prolong_it(grants: Grants, clocks: Clocks) -> None:
    grants.give(create(), REQUEST, Extent.FOLDER, "/w", "s1")
    assert covers(grants, create())
    clocks.steady += FOLDER_S + 1
    assert not covers(grants, create())


def test_a_clock_that_was_set_back_ends_it(grants: Grants, clocks: Clocks) -> None:
    grants.give(create(), REQUEST, Extent.FOLDER, "/w", "s1")
    clocks.pass_by(3600)
    assert covers(grants, create())
    clocks.wall -= 1800
    assert not covers(grants, create())
    clocks.wall += 1800
    assert not covers(grants, create()), "and it does not come back"


def test_a_clock_set_back_while_nothing_ran_ends_it_too(kept: Kept, clocks: Clocks) -> None:
    Grants(kept, lambda: clocks.wall, lambda: clocks.steady).give(create(), REQUEST, Extent.FOLDER, "/w", "s1")
    clocks.wall -= 3600
    assert not covers(Grants(kept, lambda: clocks.wall, lambda: 0.0), create())


def test_leave_from_the_future_counts_for_nothing(grants: Grants, kept: Kept) -> None:
    grants.give(create(), REQUEST, Extent.FOLDER, "/w", "s1")
    (grant,) = kept.granted.grants
    kept.granted = Granted(0.0, (replace(grant, given=NOON + 60, until=NOON + 10**9),))
    assert not covers(grants, create())


def test_it_is_taken_back_at_once(grants: Grants) -> None:
    first = grants.give(create(), REQUEST, Extent.FOLDER, "/w", "s1")
    second = grants.give(create("a.md"), REQUEST, Extent.FOLDER, "/w", "s1")
    assert grants.revoke([first.id]) == (first,)
    assert not covers(grants, create())
    assert covers(grants, create("b.md"))
    assert grants.revoke() == (second,)
    assert not covers(grants, create("b.md"))


def test_what_cannot_be_read_covers_nothing(grants: Grants, kept: Kept) -> None:
    grants.give(create(), REQUEST, Extent.FOLDER, "/w", "s1")
    assert covers(grants, create())
    kept.broken = True
    assert not covers(grants, create())


def test_a_pattern_holds_no_sign_that_means_more_than_it_shows() -> None:
    """Whatever is in a name, its pattern covers only names of its own folder and ending."""
    random.seed(4)
    parts = ["a", "*", "?", "[a-z]", "..", ".txt", ".md", "/", " ", "\u202e", "b.txt", "**"]
    names = ["".join(random.choices(parts, k=random.randint(1, 5))) for _ in range(400)]
    for one in names:
        for other in names[:60]:
            if pattern_of(one) == pattern_of(other) and one != other:
                assert one.rpartition("/")[0].strip("/.") == other.rpartition("/")[0].strip("/.")
                assert one.casefold().rpartition(".")[2] == other.casefold().rpartition(".")[2]
