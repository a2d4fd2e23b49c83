"""What is kept, as it is told to a front end that asks: conversations, runs, files, facts, the audit, settings."""

from __future__ import annotations

from dataclasses import dataclass

from aria_desktop.core.events import Event
from aria_desktop.core.history import SearchResult
from aria_desktop.core.models import MachineRecord, ModelRecord, ModelWork
from aria_desktop.core.records import AuditRecord, Fact, FileRecord, RunRecord, SessionRecord, TurnRecord

MOST_FILES = 200
"""Told of one folder."""


@dataclass(frozen=True, slots=True)
class SessionsListed(Event):
    request_id: str
    sessions: tuple[SessionRecord, ...]
    """Newest first."""


@dataclass(frozen=True, slots=True)
class SessionShown(Event):
    """Answers `ShowSession`, `BranchSession`, `ImportSession`, and `OpenSession`: then it is the current one."""

    request_id: str
    session: SessionRecord
    turns: tuple[TurnRecord, ...]
    """Oldest first."""
    current: bool


@dataclass(frozen=True, slots=True)
class RunShown(Event):
    request_id: str
    run: RunRecord


@dataclass(frozen=True, slots=True)
class SessionDeleted(Event):
    request_id: str
    session_id: str


@dataclass(frozen=True, slots=True)
class SessionChanged(Event):
    """It has another title, or was pinned or let go."""

    request_id: str
    session: SessionRecord


@dataclass(frozen=True, slots=True)
class SessionsFound(Event):
    request_id: str
    result: SearchResult


@dataclass(frozen=True, slots=True)
class FilesListed(Event):
    request_id: str
    files: tuple[FileRecord, ...]
    """Those that don't hide themselves, the newest first, at most `MOST_FILES`."""
    total: int
    """Of them all."""


@dataclass(frozen=True, slots=True)
class FileShown(Event):
    request_id: str
    name: str
    text: str
    cut: bool
    """There is more of it."""


@dataclass(frozen=True, slots=True)
class FactsListed(Event):
    request_id: str
    facts: tuple[Fact, ...]
    """Newest first."""


@dataclass(frozen=True, slots=True)
class FactsForgotten(Event):
    request_id: str
    facts: tuple[Fact, ...]
    """Those that were there and are gone now."""


@dataclass(frozen=True, slots=True)
class AuditListed(Event):
    request_id: str
    records: tuple[AuditRecord, ...]
    """Oldest first."""


@dataclass(frozen=True, slots=True)
class SettingChanged(Event):
    """It is written, and holds."""

    request_id: str
    name: str
    """"section.name"."""
    value: bool | int | float | str


@dataclass(frozen=True, slots=True)
class MicrophonesListed(Event):
    request_id: str
    names: tuple[str, ...]
    """As `microphone.device` takes them, the system's default first."""


@dataclass(frozen=True, slots=True)
class ModelsListed(Event):
    request_id: str
    models: tuple[ModelRecord, ...]
    """In the order of the catalogue, then those that only this machine knows."""
    machine: MachineRecord


@dataclass(frozen=True, slots=True)
class ModelWorkMoved(Event):
    request_id: str
    model_id: str
    work: ModelWork
    done: int
    """Bytes; 0 where it can't be told how far it is."""
    total: int
    """Bytes; 0: not known."""


@dataclass(frozen=True, slots=True)
class ModelWorkDone(Event):
    """Answers `WorkOnModel`; what went wrong comes as a `Problem`."""

    request_id: str
    work: ModelWork
    model_ids: tuple[str, ...]
    """Those that it was done with; fewer than meant when it was stopped."""
    text: str = ""
    """What else there is to say of it: files that were left, a hash that was pinned."""
