"""Conversations as wholes: found by any word in any place, renamed, pinned, branched, brought in, and really gone."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from aria_desktop.core import events
from aria_desktop.core.chat import Outcome, ToolCall, ToolResult, TurnOutcome
from aria_desktop.core.errors import UsageError
from aria_desktop.core.history import EVERYWHERE, Place, SearchResult
from aria_desktop.core.interfaces import ConversationArchive
from aria_desktop.core.records import Source
from aria_desktop.storage.archive import IMPORTED, Archive
from aria_desktop.storage.conversations import Conversations
from aria_desktop.storage.database import Database
from aria_desktop.storage.exchange import as_json, as_markdown, from_json
from aria_desktop.storage.lock import DatabaseLock
from aria_desktop.storage.migrations import MIGRATIONS
from aria_desktop.storage.search import unmarked

DAY = 86_400.0


class Clock:
    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(database: Database, clock: Clock) -> Conversations:
    return Conversations(database, clock)


@pytest.fixture
def archive(database: Database, clock: Clock) -> Archive:
    return Archive(database, clock)


def turn(
    store: Conversations, session: str, turn_id: str, words: str, answer: str = "", *calls: tuple[ToolCall, str]
) -> None:
    store.begin_turn(session, turn_id, Source.TEXT, words, "/w")
    for call, result in calls:
        store.record(events.CallProposed(turn_id, 1, call))
        store.record(events.CallEnded(turn_id, call, ToolResult(Outcome.DONE, result, "")))
    store.record(events.TurnEnded(turn_id, session, "r", TurnOutcome.ANSWERED, answer, (), {"total": 1.5}))


def call(number: int, tool: str, **arguments: object) -> ToolCall:
    return ToolCall(f"c{number}", tool, arguments)


@pytest.fixture
def told(store: Conversations) -> tuple[str, str]:
    """Two conversations."""
    first, second = store.new_session(), store.new_session()
    writing = call(1, "write_code", path="src/retry_helper.py", request="tries again")
    turn(
        store, first, "t1", "Write a function that retries requests", "Saved. It waits twice as long.", (writing, "ok")
    )
    turn(store, first, "t2", "Run the tests", "All pass.", (call(2, "run_terminal", command="pytest -q"), "4 passed"))
    turn(store, second, "t3", "Ábreme el fichero número dos", "No retriever is there.")
    return first, second


def find(archive: Archive, text: str, places: tuple[Place, ...] = EVERYWHERE, since: float = 0.0) -> SearchResult:
    return archive.search(text, places, since, 200, newest_first=True)


def ids(result: SearchResult) -> list[str]:
    return [hit.turn_id for hit in result.hits]


def test_it_is_the_program_s_archive(archive: ConversationArchive) -> None:
    assert archive


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("retr", ["t3", "t1"]),
        ("RETRIES function", ["t1"]),
        ("retries nothing", []),
        ("abreme numero", ["t3"]),
        ("pytest", ["t2"]),
        ("passed", ["t2"]),
        ("retry_helper.py", ["t1"]),
        ("again", ["t1"]),
        ("twice", ["t1"]),
        ("write_code", ["t1"]),
        ("", []),
        ("!?", []),
        ('"', []),
        ('tests" OR "x', []),
        ("NEAR(tests)", []),
        ("words:tests", []),
        ("tests -run", ["t2"]),
        ("run*", ["t2"]),
        ("run \x00 tests", ["t2"]),
        ("\ud800", []),
        ("a" * 5000, []),
    ],
)
def test_each_word_is_found_as_a_beginning_and_no_sign_is_an_operator(
    archive: Archive, told: tuple[str, str], text: str, found: list[str]
) -> None:
    assert told
    assert ids(find(archive, text)) == found


def test_places_are_told_apart_and_counted(archive: Archive, told: tuple[str, str]) -> None:
    result = find(archive, "retr")
    assert (result.turns, result.sessions) == (2, 2)
    assert result.places == {"words": 1, "reply": 1, "calls": 1, "files": 1}
    newest, oldest = result.hits
    assert (oldest.session_id, oldest.title) == (told[0], "Write a function that retries requests")
    assert (oldest.place, oldest.line) == (Place.WORDS, "Write a function that retries requests")
    assert [oldest.line[start:end] for start, end in oldest.marks] == ["retries"]
    assert (oldest.files, oldest.tools) == (("src/retry_helper.py",), ("write_code",))
    assert newest.place is Place.REPLY
    assert ids(find(archive, "retr", (Place.FILES,))) == ["t1"]
    assert find(archive, "retr", (Place.FILES,)).hits[0].line == "src/retry_helper.py"
    assert ids(find(archive, "retr", ())) == []


def test_the_best_match_or_the_newest_comes_first_and_no_more_than_asked_for(
    store: Conversations, archive: Archive
) -> None:
    session = store.new_session()
    turn(store, session, "t1", "milk milk milk")
    turn(store, session, "t2", f"milk and {'much else ' * 40}")
    assert ids(archive.search("milk", EVERYWHERE, 0.0, 200, newest_first=False)) == ["t1", "t2"]
    result = archive.search("milk", EVERYWHERE, 0.0, 1, newest_first=True)
    assert ids(result) == ["t2"]
    assert result.turns == 2


def test_only_since_a_time(store: Conversations, archive: Archive, clock: Clock) -> None:
    session = store.new_session()
    turn(store, session, "t1", "milk")
    clock.now += DAY
    then = clock.now
    turn(store, session, "t2", "milk")
    result = find(archive, "milk", since=then)
    assert ids(result) == ["t2"]
    assert (result.turns, result.places["words"]) == (1, 1)


def test_words_that_come_later_are_found_and_those_they_replace_are_not(store: Conversations, archive: Archive) -> None:
    session = store.new_session()
    store.begin_turn(session, "t1", Source.MICROPHONE, "", "/w")
    store.record(events.Heard("t1", "buy butter", "en", (), 1.0))
    assert ids(find(archive, "butter")) == ["t1"]
    store.record(events.Heard("t1", "buy bread", "en", (), 1.0))
    assert ids(find(archive, "butter")) == []
    store.record(events.TurnEnded("t1", session, "r", TurnOutcome.NOTHING_HEARD, "", (), {}))
    assert ids(find(archive, "bread")) == []


def test_of_a_deleted_conversation_not_even_the_index_keeps_a_word(
    store: Conversations, archive: Archive, database: Database, path: Path
) -> None:
    kept, gone = store.new_session(), store.new_session()
    for number in range(60):
        turn(store, kept, f"k{number}", f"kept words {number}")
        turn(
            store,
            gone,
            f"g{number}",
            f"zyxwvut{number} secretly",
            "qponmlk",
            (call(number, "recall", about="hgfedcb"), "x"),
        )
    assert find(archive, "zyxwvut").turns == 60
    store.delete_session(gone)
    assert find(archive, "zyxwvut").turns == 0
    assert find(archive, "kept").turns == 60
    database.close()
    for file in path.parent.iterdir():
        content = file.read_bytes()
        for word in (b"zyxwvut", b"qponmlk", b"hgfedcb"):
            assert word not in content, file


def test_an_older_database_gets_its_index(path: Path, lock: DatabaseLock, clock: Clock) -> None:
    with Database.open(path, lock, MIGRATIONS[:5]) as old, old.transaction() as connection:
        connection.execute("INSERT INTO sessions VALUES ('s1', 'Old', 1.0)")
        connection.execute(
            "INSERT INTO turns (id, session_id, source, workspace, words, answer, started)"
            " VALUES ('t1', 's1', 'text', '', 'buy butter', 'Noted.', 1.0)"
        )
        connection.execute(
            "INSERT INTO calls (id, turn_id, step, tool, arguments, state, proposed)"
            " VALUES ('c1', 't1', 1, 'create_file', ?, 'done', 1.0)",
            ('{"path": "list.txt", "deep": [1, {"x": "cheese"}]}',),
        )
    with Database.open(path, lock) as new:
        archive = Archive(new, clock)
        for word in ("butter", "noted", "list.txt", "cheese", "create_file"):
            assert ids(find(archive, word)) == ["t1"], word


def test_a_title_is_changed_and_never_empty(store: Conversations, archive: Archive, told: tuple[str, str]) -> None:
    archive.rename(told[0], "  Retry\n helper ")
    assert {session.session_id: session.title for session in store.sessions()}[told[0]] == "Retry helper"
    with pytest.raises(UsageError, match="title"):
        archive.rename(told[0], " \n ")


def test_a_pin_is_told_with_when_it_began(store: Conversations, archive: Archive, told: tuple[str, str]) -> None:
    archive.pin(told[0], True)
    found = {session.session_id: session for session in store.sessions()}
    assert found[told[0]].pinned
    assert not found[told[1]].pinned
    assert found[told[0]].began < found[told[0]].updated
    archive.pin(told[0], False)
    assert not any(session.pinned for session in store.sessions())


def test_a_branch_is_a_copy_up_to_a_turn(store: Conversations, archive: Archive, told: tuple[str, str]) -> None:
    branch = archive.branch(told[0], "t1")
    (copy,) = store.turns(branch)
    (original, _) = store.turns(told[0])
    assert copy.turn_id != original.turn_id
    assert replace(copy, turn_id="", calls=()) == replace(original, turn_id="", calls=())
    assert [(record.call.tool, record.call.arguments, record.state) for record in copy.calls] == [
        (record.call.tool, record.call.arguments, record.state) for record in original.calls
    ]
    store.delete_session(told[0])
    assert [record.words for record in store.turns(branch)] == ["Write a function that retries requests"]


def test_what_has_not_ended_and_what_is_not_there_is_not_branched(store: Conversations, archive: Archive) -> None:
    session = store.new_session()
    store.begin_turn(session, "t1", Source.TEXT, "go", "/w")
    before = len(store.sessions())
    with pytest.raises(UsageError, match="not ended"):
        archive.branch(session, "t1")
    with pytest.raises(UsageError, match="no turn t9"):
        archive.branch(session, "t9")
    assert len(store.sessions()) == before


def test_a_conversation_goes_out_as_json_and_comes_in_again_untrusted(
    store: Conversations, archive: Archive, told: tuple[str, str]
) -> None:
    (session,) = [session for session in store.sessions() if session.session_id == told[0]]
    title, turns = from_json(as_json(session, store.turns(told[0])).encode())
    new = archive.add(title, turns)
    assert [(each.words, each.answer) for each in store.turns(new)] == [
        (each.words, each.answer) for each in store.turns(told[0])
    ]
    assert all(each.untrusted == (IMPORTED,) for each in store.turns(new))
    assert find(archive, "retry_helper").turns == 2


def test_what_comes_in_open_is_closed_and_never_asked_again(store: Conversations, archive: Archive) -> None:
    session = store.new_session()
    store.begin_turn(session, "t1", Source.TEXT, "go", "/w")
    store.record(events.CallProposed("t1", 1, call(1, "delete_path", path="a")))
    (open_turn,) = store.turns(session)
    waiting = replace(open_turn, calls=(replace(open_turn.calls[0], state="waiting"),))
    new = archive.add("x", [waiting])
    (stored,) = store.turns(new)
    assert (stored.outcome, stored.calls[0].state) == (TurnOutcome.FAILED, "cancelled")
    assert store.waiting(new) == ()
    with pytest.raises(UsageError, match="no turns"):
        archive.add("x", [])


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "can't be understood"),
        (b"\xff", "can't be understood"),
        (b"[]", "holds no conversation"),
        (b'{"format": "aria conversation", "version": 2}', "newer ARIA"),
        (b'{"format": "aria conversation", "version": 1, "title": "x"}', "can't be understood"),
        (b'{"format": "aria conversation", "version": 1, "title": "x", "turns": [{}]}', "can't be understood"),
        (b"[" * 100_000, "can't be understood"),
        (b" " * 12_000_001, "are the most"),
    ],
    ids=range(8),
)
def test_a_file_that_is_no_conversation_is_refused_with_the_reason(data: bytes, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        from_json(data)


def test_as_markdown_nothing_that_was_said_is_markup(store: Conversations) -> None:
    session = store.new_session()
    turn(
        store,
        session,
        "t1",
        "# Title\n[link](http://x) <b>",
        "```\ncode\n```\n\u202e",
        (call(1, "recall", about="*"), "`"),
    )
    (record,) = store.sessions()
    text = as_markdown(record, store.turns(session))
    assert "> \\# Title" in text
    assert "\\[link\\](http://x) \\<b\\>" in text
    assert "````\n```\ncode\n```\n<U+202E>\n````" in text
    assert "\u202e" not in text


@pytest.mark.parametrize(("days", "left"), [(0, 4), (1, 3), (3650, 4)])
def test_by_its_age_only_what_nobody_kept_is_removed(
    store: Conversations, archive: Archive, clock: Clock, days: int, left: int
) -> None:
    old, pinned, asking = (store.new_session() for _ in range(3))
    for session, turn_id in ((old, "t1"), (pinned, "t2")):
        turn(store, session, turn_id, "go")
    store.begin_turn(asking, "t3", Source.TEXT, "go", "/w")
    store.record(events.CallProposed("t3", 1, call(9, "delete_path", path="a")))
    with archive._database.transaction() as connection:
        connection.execute("UPDATE calls SET state = 'waiting' WHERE turn_id = 't3'")
    archive.pin(pinned, True)
    clock.now += 2 * DAY
    turn(store, store.new_session(), "t4", "go")
    assert archive.forget_older(days) == 4 - left
    assert len(store.sessions()) == left


def test_marks_of_a_text_that_holds_such_signs_itself() -> None:
    assert unmarked("a\ue000b\ue001c") == ("abc", ((1, 2),))
    assert unmarked("\ue001x\ue000") == ("x", ())
    assert unmarked("\ue000\ue000x\ue001\ue001") == ("x", ((0, 1),))


def test_the_index_agrees_with_what_is_stored(database: Database, archive: Archive, told: tuple[str, str]) -> None:
    assert told
    find(archive, "anything")
    with database.reading() as connection:
        try:
            connection.execute("INSERT INTO search (search) VALUES ('integrity-check')")
        except sqlite3.DatabaseError as error:
            raise AssertionError("the index is not what its rows are") from error
        rows = connection.execute("SELECT rowid, words, reply FROM search ORDER BY rowid").fetchall()
        assert rows == connection.execute("SELECT seq, words, answer FROM turns ORDER BY seq").fetchall()


def due(database: Database) -> int:
    with database.reading() as connection:
        return int(connection.execute("SELECT count(*) FROM search_due").fetchone()[0])


def test_a_search_finds_nothing_left_to_do(
    database: Database, store: Conversations, archive: Archive, told: tuple[str, str]
) -> None:
    assert due(database) == 0
    store.begin_turn(told[0], "t9", Source.TEXT, "Under way", "/w")
    assert due(database) == 1
    store.record(events.TurnEnded("t9", told[0], "r", TurnOutcome.ANSWERED, "Done.", (), {}))
    archive.branch(told[0], "t2")
    archive.add("Brought in", store.turns(told[0]))
    assert due(database) == 0
    assert find(archive, "under way").turns == 2
