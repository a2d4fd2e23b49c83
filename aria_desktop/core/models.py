"""Models as they are told to a front end: what the catalogue says, what is here, and what was measured."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from aria_desktop.core.events import EngineRole

PACKAGE_INDEX = "the package index"
"""How a source is called whose address is in pip's own configuration."""


class ModelPresence(StrEnum):
    MISSING = "missing"
    PARTIAL = "partial"
    """A fetch was stopped; it goes on where it stopped."""
    INSTALLED = "installed"
    DAMAGED = "damaged"


class ModelFit(StrEnum):
    FITS = "fits"
    TIGHT = "tight"
    """It runs, and little else does."""
    TOO_BIG = "too big"
    UNKNOWN = "not known"


@dataclass(frozen=True, slots=True)
class MeasuredSpeed:
    """Of this machine."""

    value: float
    """Of a thinking model: tokens written in a second. Of the others: seconds of sound for a second of work."""
    at: float
    """Unix time."""


@dataclass(frozen=True, slots=True)
class ToolScore:
    """Of the commands with known outcomes: so many ended in the right sequence of tools."""

    right: int
    cases: int


@dataclass(frozen=True, slots=True)
class ModelRecord:
    model_id: str
    role: EngineRole
    name: str
    publisher: str
    licence: str
    languages: tuple[str, ...]
    """ISO 639 codes; empty: not known."""
    size: int | None
    """Bytes of all files; None: not known."""
    presence: ModelPresence
    memory: int | None
    """Bytes needed in use; None: not known."""
    memory_measured: bool
    """False: an estimate from the sizes of the files."""
    fit: ModelFit
    in_use: bool
    sources: tuple[str, ...]
    """Where it can be fetched: hosts, and `PACKAGE_INDEX`. Empty: only from a folder."""
    engine: str
    """The engine that runs it, as the setting names it: "piper"."""
    note: str = ""
    remarks: tuple[str, ...] = ()
    """What its file says of it that one has to know."""
    speed: MeasuredSpeed | None = None
    tools: ToolScore | None = None
    recommended: bool = False
    """The one of its role that suits this machine best. Of voices none is: size says nothing of them."""


@dataclass(frozen=True, slots=True)
class MachineRecord:
    memory_total: int
    memory_free: int
    gpu: str
    """Name of the graphics card that models use; empty: none."""
    reason: str
    """Why none is used; empty when one is."""


class ModelWork(StrEnum):
    """What can be done with a model that is here, or with a folder that holds one."""

    VERIFY = "verify"
    ADD = "add"
    REMOVE = "remove"
    MEASURE = "measure"
