"""The stage on which commands meet a session."""

from tests.unit.assistant.conftest import stage

__all__ = ["stage"]
