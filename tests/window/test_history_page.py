"""The History page with real keys and clicks: found as typed, shown, named, pinned, branched, exported and deleted."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QListWidget

from aria_desktop.core import events, listings, requests
from aria_desktop.core.chat import ToolCall, TurnOutcome
from aria_desktop.core.history import Place, SearchHit, SearchResult
from aria_desktop.core.records import CallRecord, SessionRecord, Source, TurnRecord
from aria_desktop.gui.languages import read_language
from aria_desktop.gui.pages.history_page import HistoryPage
from aria_desktop.gui.state.pages import Page
from aria_desktop.gui.state.translation import ENGLISH, use
from tests.conftest import REPOSITORY
from tests.window import stories
from tests.window.conftest import MakeStage, Stage
from tests.window.desk import TestDesk

NOW = time.time()
RETRY = SessionRecord("s1", "Retry helper", NOW - 60, 2, waiting=False, began=NOW - 900)
EXPORT = SessionRecord("s2", "Convert the CSV export", NOW - 4 * 86_400, 3, waiting=False, began=NOW - 4 * 86_400)
REPORT = SessionRecord("s3", "Weekly report template", NOW - 20 * 86_400, 9, waiting=False, pinned=True, began=NOW)
TURNS = (
    TurnRecord(
        "t1",
        Source.MICROPHONE,
        "Write a Python function that retries failed HTTP requests and save it",
        "Saved as retry.py. It tries four times and waits twice as long before each new try.",
        TurnOutcome.ANSWERED,
        NOW - 900,
        (CallRecord(ToolCall("c1", "write_code", {"path": "retry.py"}), "done", None, "ok"),),
        {},
    ),
    TurnRecord("t2", Source.TEXT, "Run the <b>tests</b>", "4 passed.", TurnOutcome.ANSWERED, NOW - 60, (), {}),
)
HITS = (
    SearchHit(
        *("s1", "Retry helper", "t1", NOW - 900, Source.MICROPHONE, Place.WORDS),
        *("Write a Python function that retries failed HTTP requests and save it", ((29, 36),)),
        *(("retry.py",), ("write_code",)),
    ),
    SearchHit(
        *("s2", "Convert the CSV export", "t9", NOW - 4 * 86_400, Source.TEXT, Place.REPLY),
        *("The download failed once and was retried; the file has 1,204 rows.", ((33, 40),)),
        *((), ()),
    ),
)


def answer(stage: Stage, kind: type[requests.Request], *answers: object) -> requests.Request:
    """Wait for a request and answer it: each answer is made from its id."""
    stage.qtbot.waitUntil(lambda: any(isinstance(each, kind) for each in stage.assistant.received), timeout=20_000)
    stage.qtbot.waitUntil(lambda: kind not in stage.assistant.missing, timeout=20_000)
    request = stage.assistant.last(kind)
    for make in answers:
        stage.assistant.publish(make(request.request_id))  # type: ignore[operator, attr-defined]
    return request


def listed(request_id: str) -> events.Event:
    return listings.SessionsListed(request_id, (RETRY, EXPORT, REPORT))


def found(request_id: str) -> events.Event:
    return listings.SessionsFound(request_id, SearchResult(HITS, 2, 2, {"words": 1, "reply": 1}, 0.02))


def shown(request_id: str) -> events.Event:
    return listings.SessionShown(request_id, RETRY, TURNS, current=False)


def opened(stage: Stage) -> HistoryPage:
    stage.assistant.expect(requests.ListSessions, requests.ShowSession)
    stage.desktop.key("ctrl+shift+f")
    answer(stage, requests.ListSessions, listed)
    answer(stage, requests.ShowSession, shown)
    stage.wait_for("Retry helper")
    stage.qtbot.waitUntil(lambda: stage.visible("openSession"), timeout=20_000)
    (page,) = stage.window.findChildren(HistoryPage)
    return page


def searched(stage: Stage, words: str = "retr") -> HistoryPage:
    page = opened(stage)
    stage.assistant.expect(requests.SearchSessions, requests.ShowSession)
    stage.desktop.type(words)
    answer(stage, requests.SearchSessions, found)
    answer(stage, requests.ShowSession, shown)
    stage.wait_for("2\N{NO-BREAK SPACE}turns in 2\N{NO-BREAK SPACE}conversations, 0.02\N{NO-BREAK SPACE}s")
    return page


@pytest.fixture
def stage(make_stage: MakeStage) -> Stage:
    return make_stage(desk=TestDesk().desk())


def test_all_conversations_by_day_and_the_newest_in_full(stage: Stage) -> None:
    page = opened(stage)
    titles = [page.list.item(row).text() for row in range(page.list.count())]
    assert titles[0] == "Pinned"
    assert titles[1].startswith("Weekly report template")
    assert titles[2] == "Today"
    stage.wait_for("Run the <b>tests</b>")
    stage.picture("8-history-all")


def test_a_search_as_it_is_typed_with_its_places(stage: Stage) -> None:
    page = searched(stage)
    request = stage.assistant.last(requests.SearchSessions)
    assert isinstance(request, requests.SearchSessions)
    assert (request.text, request.places, request.newest_first) == ("retr", tuple(Place), True)
    stage.assistant.expect(requests.SearchSessions)
    stage.click(stage.find("place-files"))
    stage.qtbot.waitUntil(lambda: stage.assistant.missing == [], timeout=20_000)
    narrowed = stage.assistant.last(requests.SearchSessions)
    assert isinstance(narrowed, requests.SearchSessions)
    assert Place.FILES not in narrowed.places
    assert page.list.count() == 4


def test_nothing_found_says_where_it_looked(stage: Stage) -> None:
    opened(stage)
    stage.assistant.expect(requests.SearchSessions)
    stage.desktop.type("xyzzy")
    answer(
        stage, requests.SearchSessions, lambda number: listings.SessionsFound(number, SearchResult((), 0, 0, {}, 0.0))
    )
    stage.wait_for("Nothing found for 'xyzzy'. Search looks at words, replies, tool calls and file names.")
    assert not stage.visible("openSession")
    stage.picture("8-history-nothing")


def test_a_late_answer_to_an_earlier_search_is_not_shown(stage: Stage) -> None:
    page = searched(stage)
    stage.assistant.publish(listings.SessionsFound("history-1", SearchResult((), 0, 0, {}, 0.0)))
    stage.assistant.publish(events.WindowWanted())
    stage.qtbot.wait(150)
    assert page.list.count() == 4


def test_a_title_is_changed_in_place(stage: Stage) -> None:
    opened(stage)
    stage.assistant.expect(requests.RenameSession, requests.ListSessions, requests.ShowSession)
    stage.click(stage.find("renameSession"))
    stage.qtbot.waitUntil(lambda: stage.visible("renameField"), timeout=20_000)
    stage.desktop.type("Backoff")
    stage.desktop.key("Return")
    request = answer(stage, requests.RenameSession, lambda number: listings.SessionChanged(number, RETRY))
    assert request == requests.RenameSession(request.request_id, "s1", "Backoff")  # type: ignore[attr-defined]
    answer(stage, requests.ListSessions, listed)
    answer(stage, requests.ShowSession, shown)


def test_pinning_and_branching(stage: Stage) -> None:
    opened(stage)
    stage.assistant.expect(requests.PinSession, requests.BranchSession)
    stage.click(stage.find("pinSession"))
    stage.click(stage.find("branchSession"))
    stage.qtbot.waitUntil(lambda: stage.assistant.missing == [], timeout=20_000)
    pin, branch = stage.assistant.last(requests.PinSession), stage.assistant.last(requests.BranchSession)
    assert isinstance(pin, requests.PinSession)
    assert isinstance(branch, requests.BranchSession)
    assert (pin.session_id, pin.pinned) == ("s1", True)
    assert (branch.session_id, branch.turn_id) == ("s1", "t2")


def test_deleting_asks_and_no_is_the_easy_answer(stage: Stage) -> None:
    opened(stage)
    stage.click(stage.find("deleteSession"))
    stage.qtbot.waitUntil(lambda: stage.visible("deleteQuestion"), timeout=20_000)
    stage.wait_for("Delete Retry helper?")
    stage.picture("8-history-delete")
    stage.desktop.key("Return")
    stage.qtbot.waitUntil(lambda: not stage.visible("deleteQuestion"), timeout=20_000)
    stage.click(stage.find("deleteSession"))
    stage.qtbot.waitUntil(lambda: stage.visible("confirmDelete"), timeout=20_000)
    stage.assistant.expect(requests.DeleteSession)
    stage.click(stage.find("confirmDelete"))
    stage.qtbot.waitUntil(lambda: stage.assistant.missing == [], timeout=20_000)


def test_export_by_the_name_s_ending_and_a_disk_that_fails(stage: Stage, tmp_path: Path) -> None:
    opened(stage)
    control = stage.conductor._pages._history
    assert control is not None
    control.write(str(tmp_path / "a.json"))
    control.write(str(tmp_path / "a.md"))
    assert json.loads((tmp_path / "a.json").read_text("utf-8"))["title"] == "Retry helper"
    assert "# Retry helper" in (tmp_path / "a.md").read_text("utf-8")
    stage.wait_for(f"Exported to {tmp_path / 'a.md'}")
    control.write(str(tmp_path / "gone" / "a.md"))
    stage.qtbot.waitUntil(lambda: any("gone" in label for label in _labels(stage)), timeout=20_000)


def _labels(stage: Stage) -> list[str]:
    return [getattr(stage.find("searchSaid"), "text", str)()]


def test_enter_opens_it_and_not_while_a_turn_runs(stage: Stage) -> None:
    page = opened(stage)
    stage.assistant.publish(stories.started("t9", "go"))
    stage.qtbot.waitUntil(lambda: not page.preview.open_button.isEnabled(), timeout=20_000)
    stage.assistant.expect(requests.ListSessions, requests.ShowSession)
    stage.assistant.publish(stories.ended("t9", "Done."))
    stage.qtbot.waitUntil(page.preview.open_button.isEnabled, timeout=20_000)
    answer(stage, requests.ListSessions, listed)
    answer(stage, requests.ShowSession, shown)
    stage.assistant.expect(requests.OpenSession)
    page.list.setFocus()
    stage.desktop.key("Return")
    stage.qtbot.waitUntil(lambda: stage.window.pages.current is Page.TALK, timeout=20_000)
    stage.qtbot.waitUntil(lambda: stage.assistant.missing == [], timeout=20_000)


def test_the_list_is_a_list_for_screen_readers_and_each_entry_says_all(stage: Stage) -> None:
    searched(stage)
    widget = stage.find("historyList")
    assert isinstance(widget, QListWidget)
    interface = QAccessible.queryAccessibleInterface(widget)
    assert interface.role() == QAccessible.Role.List
    names = [interface.child(row).text(QAccessible.Text.Name) for row in range(interface.childCount())]
    assert any("Write a Python function that retries" in name and "retry.py" in name for name in names)


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_pictures(make_stage: MakeStage, theme: str) -> None:
    stage = make_stage(theme=theme, desk=TestDesk().desk())
    searched(stage)
    stage.picture(f"8-history-{theme}")


def test_picture_at_twice_the_size(make_stage: MakeStage) -> None:
    stage = make_stage(font_percent=200, desk=TestDesk().desk())
    opened(stage)
    stage.picture("8-history-200")


@pytest.fixture
def _spanish() -> Iterator[None]:
    use(read_language(REPOSITORY / "resources" / "words", "es"))
    yield
    use(ENGLISH)


@pytest.mark.usefixtures("_spanish")
def test_picture_in_spanish(make_stage: MakeStage) -> None:
    stage = make_stage(desk=TestDesk().desk())
    opened(stage)
    stage.wait_for("Buscar en")
    stage.picture("8-history-spanish")
