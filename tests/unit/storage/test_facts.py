"""Facts are on disk when a call returns, and gone from it when they are forgotten."""

from __future__ import annotations

from pathlib import Path

from aria_desktop.core.interfaces import FactStore
from aria_desktop.core.records import Fact
from aria_desktop.storage.conversations import Conversations
from aria_desktop.storage.database import Database
from aria_desktop.storage.facts import Facts
from aria_desktop.storage.lock import DatabaseLock

SPOKEN = "The heron nests behind the mill."


def ticking() -> float:
    return 1_700_000_000.0


def test_what_is_kept_is_there_after_a_restart(path: Path, lock: DatabaseLock) -> None:
    with Database.open(path, lock) as database:
        store: FactStore = Facts(database, ticking)
        assert store.facts() == ()
        kept = store.keep(SPOKEN, "t1")
        store.keep("A second one.", "")
    assert kept == Fact(1, SPOKEN, ticking(), "t1")
    with Database.open(path, lock) as database:
        assert [fact.text for fact in Facts(database).facts()] == ["A second one.", SPOKEN]
        assert Facts(database).facts()[1] == kept


def test_a_number_names_one_fact_for_good(database: Database) -> None:
    store = Facts(database)
    numbers = [store.keep(text, "t").number for text in ("one", "two")]
    assert store.forget(numbers[1])
    assert not store.forget(numbers[1])
    assert not store.forget(99)
    assert store.keep("three", "t").number not in numbers
    assert store.clear() == 2
    assert store.clear() == 0
    assert store.keep("four", "t").number == 4


def test_a_fact_outlives_the_conversation_in_which_it_was_told(database: Database) -> None:
    conversations, store = Conversations(database), Facts(database)
    session = conversations.new_session()
    store.keep(SPOKEN, "t1")
    conversations.delete_session(session)
    assert [fact.text for fact in store.facts()] == [SPOKEN]


def test_what_is_forgotten_is_in_no_file_any_more(path: Path, lock: DatabaseLock) -> None:
    with Database.open(path, lock) as database:
        store = Facts(database)
        first, second = store.keep(SPOKEN, "t"), store.keep(SPOKEN * 2, "t")
        assert store.forget(first.number)
        assert store.forget(second.number)
        for file in path.parent.iterdir():
            assert SPOKEN.encode() not in file.read_bytes()


def test_broken_characters_are_stored_as_such(database: Database) -> None:
    store = Facts(database)
    assert store.keep("half \ud83d", "t").text == "half \ufffd"
    assert store.facts()[0].text == "half \ufffd"
