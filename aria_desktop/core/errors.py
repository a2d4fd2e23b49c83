"""All that can go wrong, in one tree: a stable code, a text for people, a way out, an exit code.

Three families, by whose fault it is: the model's (`ModelFault`: goes back to the model as a result), the
surroundings' (`AriaError` and its other children: shown to the user with a hint), and ours (any other
exception: a bug, which surfaces). Cancelling is no error, see `core.cancel.Cancelled`.
"""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar


class ExitCode(IntEnum):
    """What `aria` ends with. Documented in docs/guide/command-line.md; numbers never change their meaning."""

    OK = 0
    FAILED = 1
    """The turn failed, or a benchmark goal was missed."""
    USAGE = 2
    """The command line is wrong, or a benchmark could not run."""
    MODEL = 3
    """A model is missing, damaged or does not fit."""
    AUDIO = 4
    """No microphone or speaker, or a sound file that can't be read."""
    NOTHING_HEARD = 5
    REFUSED = 6
    """Something was asked and the answer was no, or nobody was there to ask."""
    BUSY = 7
    """Another running ARIA holds the database and can't carry the command out."""
    STORAGE = 8
    """The disk is full, the database is damaged or comes from a newer version."""
    NO_DISPLAY = 9
    SETTINGS = 10
    CANCELLED = 130
    """Stopped by the user (Ctrl+C), as shells number it."""


class AriaError(Exception):
    """Trouble that the user should read about.

    Args:
        text: what happened, naming the thing and the reason, in plain words.
        hint: what to do about it; empty only when there is nothing to do.
    """

    code: ClassVar[str] = "error"
    exit_code: ClassVar[ExitCode] = ExitCode.FAILED
    retryable: ClassVar[bool] = False
    """True when the same request may work if it is simply made again."""

    def __init__(self, text: str, hint: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.text} {self.hint}".strip()


class UsageError(AriaError):
    code = "usage"
    exit_code = ExitCode.USAGE


class SettingsError(AriaError):
    """The settings file has problems; the text lists all of them, a line each."""

    code = "settings"
    exit_code = ExitCode.SETTINGS


class ModelMissing(AriaError):
    code = "model_missing"
    exit_code = ExitCode.MODEL


class ModelDamaged(AriaError):
    """A model file's size, hash or format is not what it must be."""

    code = "model_damaged"
    exit_code = ExitCode.MODEL


class FetchFailed(AriaError):
    """No source delivered the model. What was received so far is kept and resumed."""

    code = "fetch_failed"
    exit_code = ExitCode.MODEL
    retryable = True


class EngineFailed(AriaError):
    """An engine answered a job with an error, or refuses it (a grammar that does not parse, for instance)."""

    code = "engine_failed"


class EngineOutOfMemory(AriaError):
    """An engine asked for more memory than its model and its work are reckoned to need, and did not get it."""

    code = "engine_memory"
    exit_code = ExitCode.MODEL


class EngineDied(AriaError):
    """The engine's process ended in the middle of a job. It is started again for the next one."""

    code = "engine_died"
    retryable = True


class EngineGivenUp(AriaError):
    """The engine died too often in a short time and is not started again by itself."""

    code = "engine_given_up"


class MicrophoneMissing(AriaError):
    code = "microphone_missing"
    exit_code = ExitCode.AUDIO


class SpeakerMissing(AriaError):
    code = "speaker_missing"
    exit_code = ExitCode.AUDIO


class AudioUnreadable(AriaError):
    """A file that is no sound, holds none, or breaks off before any."""

    code = "audio_unreadable"
    exit_code = ExitCode.AUDIO


class NothingHeard(AriaError):
    """There are no words in the sound. An outcome of its own wherever a turn is told."""

    code = "nothing_heard"
    exit_code = ExitCode.NOTHING_HEARD


class StorageError(AriaError):
    code = "storage"
    exit_code = ExitCode.STORAGE


class DiskFull(StorageError):
    code = "disk_full"


class DatabaseTooNew(StorageError):
    code = "database_too_new"


class DatabaseBusy(AriaError):
    code = "database_busy"
    exit_code = ExitCode.BUSY
    retryable = True


class DisplayMissing(AriaError):
    code = "display_missing"
    exit_code = ExitCode.NO_DISPLAY


class Busy(AriaError):
    """Not now: something else has to end first."""

    code = "busy"
    retryable = True


class ModelFault(AriaError):
    """Something the language model did wrong. Its text is written for the model, which may try again."""

    code = "model_fault"


class ReplyInvalid(ModelFault):
    """A reply that is not what the reply schema allows."""

    code = "reply_invalid"


class ToolFailed(ModelFault):
    """A tool could not do what the call asked: no such file, not text, too long."""

    code = "tool_failed"


class PathRefused(ToolFailed):
    """A path outside the workspace, or one that the file door does not let through."""

    code = "path_refused"


def error_named(code: str, text: str, hint: str = "") -> AriaError:
    """The error that another process or an event reported by its code; an unknown code is a plain AriaError."""
    return _family(AriaError).get(code, AriaError)(text, hint)


def _family(parent: type[AriaError]) -> dict[str, type[AriaError]]:
    """Every class below `parent` by its code."""
    found = {parent.code: parent}
    for child in parent.__subclasses__():
        found |= _family(child)
    return found
