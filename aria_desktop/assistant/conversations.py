"""Which stored conversation is the current one, and what is asked about them. Part of the session's state: for its
thread only.

A new conversation is stored with its first turn, so an assistant that is only opened leaves nothing behind.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from aria_desktop.core.errors import UsageError
from aria_desktop.core.interfaces import ConversationArchive, ConversationStore
from aria_desktop.core.listings import (
    RunShown,
    SessionChanged,
    SessionDeleted,
    SessionsFound,
    SessionShown,
    SessionsListed,
)
from aria_desktop.core.records import SessionRecord, TurnRecord
from aria_desktop.core.requests import SearchSessions

MOST_FOUND = 1000
"""Hits of one search that are told."""


class Conversations:
    """Raises UsageError for ids that are not there."""

    def __init__(self, store: ConversationStore, archive: ConversationArchive) -> None:
        self._store = store
        self._archive = archive
        self._current = ""

    @property
    def current(self) -> str:
        """Empty as long as there is none."""
        return self._current

    def of(self, session_id: str) -> str:
        """The conversation that a request means; the current one when it names none, begun where needed."""
        if session_id:
            self._check(session_id)
            return session_id
        if not self._current:
            self._current = self._store.new_session()
        return self._current

    def new(self, request_id: str) -> SessionShown:
        self._current = self._store.new_session()
        return self.shown(request_id, self._current)

    def opened(self, request_id: str, session_id: str) -> SessionShown:
        self._check(session_id)
        self._current = session_id
        return self.shown(request_id, session_id)

    def shown(self, request_id: str, session_id: str) -> SessionShown:
        self._check(session_id)
        return SessionShown(
            request_id, self._record(session_id), self._store.turns(session_id), session_id == self._current
        )

    def listed(self, request_id: str) -> SessionsListed:
        return SessionsListed(request_id, self._store.sessions())

    def found(self, wanted: SearchSessions) -> SessionsFound:
        most = min(max(wanted.most, 0), MOST_FOUND)
        result = self._archive.search(wanted.text, wanted.places, wanted.since, most, newest_first=wanted.newest_first)
        return SessionsFound(wanted.request_id, result)

    def renamed(self, request_id: str, session_id: str, title: str) -> SessionChanged:
        self._check(session_id)
        self._archive.rename(session_id, title)
        return SessionChanged(request_id, self._record(session_id))

    def pinned(self, request_id: str, session_id: str, *, pinned: bool) -> SessionChanged:
        self._check(session_id)
        self._archive.pin(session_id, pinned)
        return SessionChanged(request_id, self._record(session_id))

    def branched(self, request_id: str, session_id: str, turn_id: str) -> SessionShown:
        self._check(session_id)
        return self.shown(request_id, self._archive.branch(session_id, turn_id))

    def imported(self, request_id: str, title: str, turns: Sequence[TurnRecord]) -> SessionShown:
        return self.shown(request_id, self._archive.add(title, turns))

    def run(self, request_id: str, turn_id: str) -> RunShown:
        found = self._store.run(turn_id)
        if found is None:
            raise UsageError(f"There is no turn {turn_id}.", "Its conversation may have been deleted.")
        return RunShown(request_id, found)

    def deleted(self, request_id: str, session_id: str) -> SessionDeleted:
        if not self._store.delete_session(session_id):
            raise _no_such(session_id)
        if session_id == self._current:
            self._current = ""
        return SessionDeleted(request_id, session_id)

    def _record(self, session_id: str) -> SessionRecord:
        found = [session for session in self._store.sessions() if session.session_id == session_id]
        return found[0] if found else SessionRecord(session_id, "", time.time(), 0, waiting=False)

    def _check(self, session_id: str) -> None:
        if not self._store.has_session(session_id):
            raise _no_such(session_id)


def _no_such(session_id: str) -> UsageError:
    return UsageError(f"There is no conversation {session_id}.", "`aria sessions list` shows those there are.")
