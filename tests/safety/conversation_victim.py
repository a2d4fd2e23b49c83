"""A whole spoken turn that is killed at a named point: session, agent, store and their threads are real, engines and
devices scripted.

Run as `python -m tests.safety.conversation_victim FOLDER POINT`. What a front end was told is printed, a line each:
that is what counts as acknowledged.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from aria_desktop.core import events
from aria_desktop.core.requests import ListenMode, StartListening
from aria_desktop.storage.conversations import Conversations
from aria_desktop.storage.database import Database
from aria_desktop.testing.script import Step
from aria_desktop.testing.scripted import ScriptedLanguageModel, ScriptedSpeechToText, ScriptedTextToSpeech
from tests.unit.assistant.agent_stage import Run, answer
from tests.unit.assistant.stage import FakeSpeaker, LoudnessDetector, Stage, open_store, quiet, speech

WORDS = "What is tea?"
ANSWER = "Tea is a drink. It is made of leaves."


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def at_call(owner: object, name: str, number: int = 1, *, before: bool = True, only: type | None = None) -> None:
    """Die at the `number`-th call of a method, or when it has returned; with `only`, of those that are given one."""
    real, left = getattr(owner, name), [number]

    def dying(*arguments: Any, **named: Any) -> Any:
        if only is None or any(isinstance(argument, only) for argument in arguments):
            left[0] -= 1
        if left[0] == 0 and before:
            die()
        found = real(*arguments, **named)
        if left[0] == 0:
            die()
        return found

    setattr(owner, name, dying)


def at_piece(owner: object, name: str, number: int) -> None:
    """Die when the `number`-th thing that a generating method yields is wanted; 0: when it begins."""
    real = getattr(owner, name)

    def dying(*arguments: Any, **named: Any) -> Any:
        for count, piece in enumerate(real(*arguments, **named)):
            if count == number:
                die()
            yield piece

    setattr(owner, name, dying)


def in_statement(start: str, *, begun: bool = True) -> None:
    """Die at the first SQL statement that begins so: in the middle of it, where SQLite asks every few instructions,
    or before it has begun."""
    real = sqlite3.connect

    def connect(*arguments: Any, **named: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = real(*arguments, **named)
        running = [False]

        def traced(statement: str) -> None:
            running[0] = statement.startswith(start)
            if running[0] and not begun:
                die()

        connection.set_trace_callback(traced)
        connection.set_progress_handler(lambda: die() if running[0] else 0, 50)
        return connection

    sqlite3.connect = connect  # type: ignore[assignment]


POINTS: dict[str, Callable[[], None]] = {
    "before the words are stored": lambda: at_call(Conversations, "begin_turn"),
    "after the words are stored": lambda: at_call(Conversations, "begin_turn", before=False),
    "during detection of speech": lambda: at_call(LoudnessDetector, "speech_probability", 20),
    "during recognition": lambda: at_piece(ScriptedSpeechToText, "transcribe", 1),
    "after recognition, before it is stored": lambda: at_call(Conversations, "record", only=events.Heard),
    "prompt built": lambda: at_piece(ScriptedLanguageModel, "complete", 0),
    "first token": lambda: at_piece(ScriptedLanguageModel, "complete", 1),
    "middle of a token": lambda: at_piece(ScriptedLanguageModel, "complete", 3),
    "after the answer, before it is stored": lambda: at_call(Conversations, "record", only=events.AnswerGiven),
    "after the answer is stored, before it is spoken": lambda: at_call(
        Conversations, "record", before=False, only=events.AnswerGiven
    ),
    "while it is spoken": lambda: at_call(FakeSpeaker, "play"),
    "before the end is stored": lambda: at_call(Conversations, "record", only=events.TurnEnded),
    "after the end is stored": lambda: at_call(Conversations, "record", before=False, only=events.TurnEnded),
    "when the program ends": lambda: at_call(Database, "close"),
    "when the program has ended": lambda: at_call(Database, "close", before=False),
    "in VACUUM": lambda: in_statement("VACUUM"),
    "before the journal is taken in": lambda: in_statement("PRAGMA wal_checkpoint", begun=False),
    "after a conversation is deleted, before it is purged": lambda: at_call(Database, "forget_deleted"),
}
DELETING = ("in VACUUM", "before the journal is taken in", "after a conversation is deleted, before it is purged")


def main(folder: Path, point: str) -> None:
    POINTS[point]()
    with open_store(folder) as store:
        stage = Stage(folder, store)
        stage.speech = ScriptedSpeechToText([Step(("What is", "tea?"))])
        run = Run(folder, [])
        reply = answer(ANSWER)
        run.use(ScriptedLanguageModel([Step((reply[:9], reply[9:20], reply[20:25], reply[25:]))]))
        stage.voice = ScriptedTextToSpeech()
        with stage.session(agent=run.agent) as session:
            unsubscribe = session.subscribe(tell)
            session.submit(StartListening("r1", ListenMode.UNTIL_SILENCE, speak=True))
            stage.microphone.feed(speech(1.0), quiet(2.0))
            stage.ended("r1")
            unsubscribe()
        if point in DELETING:
            for conversation in store.sessions():
                store.delete_session(conversation.session_id)


def tell(event: events.Event) -> None:
    match event:
        case events.Heard():
            print("words", event.text, flush=True)
        case events.AnswerGiven():
            print("answer", event.text, flush=True)
        case events.TurnEnded():
            print("ended", event.answer, flush=True)
        case _:
            pass


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
