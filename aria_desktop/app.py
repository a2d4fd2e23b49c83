"""The composition root: settings in, a running assistant out. The one file that names concrete classes.

A command asks for an assistant and does not learn whether it runs in this process or in the window's. Engines are
started by their first job, or ahead of it when a command knows that it will need them.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from aria_desktop import app_audio, app_models
from aria_desktop.assistant.ablations import Ablation
from aria_desktop.assistant.agent import Agent, AgentLimits
from aria_desktop.assistant.earcons import play_earcons
from aria_desktop.assistant.earlier import Earlier
from aria_desktop.assistant.parts import SessionParts
from aria_desktop.assistant.prompt import read_examples
from aria_desktop.assistant.retelling import Retelling
from aria_desktop.assistant.session import Session
from aria_desktop.audio.files import decoded, identity
from aria_desktop.control.client import RemoteAssistant, connect
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.errors import DatabaseBusy
from aria_desktop.core.events import EngineRole
from aria_desktop.core.interfaces import (
    Assistant,
    AudioSink,
    FactStore,
    Generation,
    LanguageModel,
)
from aria_desktop.live_settings import CurrentAgent, LiveSettings, keeping_of
from aria_desktop.safety.grants import Grants
from aria_desktop.safety.journal import Journal
from aria_desktop.safety.policy import Rules
from aria_desktop.storage import grants
from aria_desktop.storage.archive import Archive
from aria_desktop.storage.conversations import Conversations
from aria_desktop.storage.current import CurrentSettings
from aria_desktop.storage.facts import Facts
from aria_desktop.storage.last_utterance import LastUtterance
from aria_desktop.storage.lock import DatabaseLock, read_owner
from aria_desktop.storage.log_file import log_to
from aria_desktop.storage.paths import AppPaths, find_paths
from aria_desktop.storage.recovery import open_or_recover
from aria_desktop.storage.settings import Settings, load_settings
from aria_desktop.storage.transcripts import Transcripts
from aria_desktop.storage.workspaces import Workspaces, made
from aria_desktop.tools.prompts import PromptFiles
from aria_desktop.tools.registry import standard_tools
from aria_desktop.workers.engines import ALL_ROLES, Engines
from aria_desktop.workers.remote import RemoteTextToSpeech

if TYPE_CHECKING:
    from aria_desktop.evaluation.evaluated import EvaluatedModel


@dataclass(frozen=True, slots=True)
class Program:
    """The assistant of this process, with what the demo and the benchmarks need beside it."""

    session: Session
    workspace: Path
    """Where turns work that name no folder."""
    sounds: Path
    """Where the demo and the benchmarks put what is said; never seen by a turn."""
    voice: RemoteTextToSpeech
    prepare: Callable[[Collection[EngineRole]], None]
    """Load these engines in the background, and have the language model read the start of its prompts."""
    waiting_session: Callable[[], str]
    """The newest session with a question that nobody answered before the program ended; empty when there is none."""
    wait_ready: Callable[[], None]
    """Blocks until all engines have greeted and the language model has read the start of its prompts."""


@contextmanager
def assistant_for(*, kind: str, prepare: Collection[EngineRole] = ()) -> Iterator[Assistant]:
    """The assistant for a command: the window's when one is open, else one of this process.

    Args:
        kind: the command's name; others who find the database taken are told it.
        prepare: the engines that will surely be needed.

    Raises SettingsError, StorageError and its children, DatabaseBusy when another command owns the database.
    """
    paths, settings = found()
    with ExitStack() as stack:
        try:
            lock = stack.enter_context(DatabaseLock.take(paths.lock, kind))
        except DatabaseBusy:
            yield stack.enter_context(elsewhere_open(paths))
            return
        program = stack.enter_context(program_on(paths, settings, paths.database, lock))
        program.prepare(prepare)
        yield program.session


@contextmanager
def running_assistant() -> Iterator[Assistant | None]:
    """The assistant of the window that is open; None when there is none."""
    paths, _ = found()
    owner = read_owner(paths.lock)
    remote = connect(Path(owner.socket)) if owner is not None and owner.socket else None
    try:
        yield remote
    finally:
        if remote is not None:
            remote.close()


def carried_out_elsewhere(assistant: Assistant) -> bool:
    """Whether it is the window's, so that questions are asked there too."""
    return isinstance(assistant, RemoteAssistant)


@contextmanager
def demo_program(workspace: str) -> Iterator[Program]:
    """A program with a database of its own that is gone afterwards. In a fresh folder under output/ it has its
    loudspeaker, the file reply.wav, and its workspace, the folder files/ (unless `workspace` names another)."""
    paths, settings = found()
    sounds = _fresh_folder(paths.output)
    files = Path(workspace).absolute() if workspace else sounds / "files"
    for folder in (sounds, files):
        made(folder)
    with _private_program(paths, settings, files, sounds) as program:
        program.prepare(ALL_ROLES)
        yield program


@contextmanager
def bench_program() -> Iterator[Program]:
    """Like the demo's, in a temporary folder."""
    paths, settings = found()
    with ExitStack() as stack:
        sounds = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="aria-bench-")))
        files = sounds / "files"
        files.mkdir()
        yield stack.enter_context(_private_program(paths, settings, files, sounds))


@contextmanager
def evaluated_model(name: str, without: frozenset[Ablation]) -> Iterator[EvaluatedModel]:
    """The agent as everybody gets it, but for the parts that are left out, on the model `name` ("ID", or "ENGINE:ID").
    Raises ModelMissing and ModelDamaged at once."""
    from aria_desktop.evaluation.evaluated import EvaluatedModel, fingerprint, language_engine
    from aria_desktop.tools.memory import MemoryFacts

    paths, settings = found()
    settings = replace(settings, engines=replace(settings.engines, language=language_engine(name)))
    with closing(Engines(paths, lambda: settings)) as engines:
        deciding = repr((settings.language_model, settings.limits, settings.answers, sorted(without)))
        spec = engines.load_spec(EngineRole.LANGUAGE)
        yield EvaluatedModel(
            name,
            fingerprint(spec),
            engines.language,
            lambda: engines.hosts[EngineRole.LANGUAGE].loaded(CancelToken()).context_tokens,
            lambda language, facts: _agent(paths, settings, language, MemoryFacts(facts), without),
            deciding,
            spec,
        )


def tool_names() -> tuple[str, ...]:
    return standard_tools().names


def found() -> tuple[AppPaths, Settings]:
    paths = find_paths()
    settings = load_settings(paths.settings_file)
    log_to(paths.logs)
    return paths, settings


@contextmanager
def elsewhere_open(paths: AppPaths) -> Iterator[RemoteAssistant]:
    """The window that owns the database. Raises DatabaseBusy when its owner has no window."""
    owner = read_owner(paths.lock)
    remote = connect(Path(owner.socket)) if owner is not None and owner.socket else None
    if remote is None:
        DatabaseLock.take(paths.lock, "nobody").release()
        raise DatabaseBusy("Another ARIA was just ending.", "Try again.")
    try:
        yield remote
    finally:
        remote.close()


@contextmanager
def _private_program(paths: AppPaths, settings: Settings, files: Path, sounds: Path) -> Iterator[Program]:
    from aria_desktop.audio.wav import WavSink

    with ExitStack() as stack:
        database = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="aria-"))) / "conversations.db"
        lock = stack.enter_context(DatabaseLock.take(database.with_suffix(".lock"), "demo"))
        # What the voice says is recognised again here: a word slurred by chance would fail the whole run.
        clear = replace(settings, voice=replace(settings.voice, steady=True))
        program = program_on(paths, clear, database, lock, files, lambda: WavSink(sounds / "reply.wav"), sounds)
        yield stack.enter_context(program)


def _fresh_folder(output: Path) -> Path:
    stem = time.strftime("demo-%Y-%m-%d-%H%M%S")
    names = (stem if number == 1 else f"{stem}-{number}" for number in range(1, 1000))
    return next(output / name for name in names if not (output / name).exists())


@contextmanager
def program_on(
    paths: AppPaths,
    settings: Settings,
    database: Path,
    lock: DatabaseLock,
    workspace: Path | None = None,
    open_speaker: Callable[[], AudioSink] | None = None,
    sounds: Path | None = None,
) -> Iterator[Program]:
    workspaces = Workspaces(paths)
    home, voice = workspace or workspaces.used(), settings.voice
    open_sink = open_speaker or (lambda: app_audio.speaker(current.now.voice.device, current.now.voice.volume))
    with open_or_recover(database, lock) as opened:
        current = CurrentSettings(paths.settings_file, settings)
        engines = Engines(paths, lambda: current.now)
        store, archive, facts = Conversations(opened), Archive(opened), Facts(opened)
        archive.forget_older(settings.history.days)
        journal = journal_of(database.parent, settings)
        prompts, model = PromptFiles.read(paths.resources / "prompts"), settings.language_model
        leave = Grants(grants.GrantFile(database.parent / grants.NAME))
        agent = CurrentAgent(lambda now: _agent(paths, now, engines.language, facts, leave=leave), settings)
        live = LiveSettings(current, engines, agent, journal)
        models = app_models.model_desk(paths, database.parent, engines, lambda event: session.publish(event))
        session = Session(
            SessionParts(
                speech=engines.speech,
                voice=engines.voice,
                agent=agent,
                store=store,
                archive=archive,
                facts=facts,
                make_vad=app_audio.detector,
                make_strict_vad=app_audio.strict_detector,
                open_microphone=lambda: app_audio.microphone(current.now.microphone),
                microphones=app_audio.microphone_names,
                open_speaker=open_sink,
                read_audio=app_audio.read_audio,
                stream_audio=decoded,
                identify_audio=identity,
                transcripts=Transcripts(opened),
                earlier=Earlier(store, engines.language, prompts),
                retell=Retelling(engines.language, prompts, model.max_tokens, model.temperature),
                open_workspace=lambda folder: workspaces.opened(Path(folder) if folder else home, journal),
                language_of_voice=engines.voice.language,
                preferences=live.preferences,
                change_setting=live.change,
                models=models.take,
                last_utterance=LastUtterance(database.parent),
                engines=tuple(engines.off(role) for role in ALL_ROLES),
                close_engines=engines.close,
            )
        )
        engines.publish = session.publish
        close_earcons = play_earcons(session, open_sink, "off" if open_speaker else voice.earcons)

        def prepare(roles: Collection[EngineRole]) -> None:
            for role in roles:
                engines.hosts[role].start()
            if EngineRole.LANGUAGE in roles:
                engines.language.warm(agent.agent.stable_messages())

        def waiting_session() -> str:
            waiting = store.waiting()
            return waiting[-1].session_id if waiting else ""

        def wait_ready() -> None:
            prepare(ALL_ROLES)
            for host in engines.hosts.values():
                host.loaded(CancelToken())
            list(engines.language.complete(Generation(agent.agent.stable_messages(), max_tokens=1), CancelToken()))

        try:
            yield Program(session, home, sounds or home, engines.voice, prepare, waiting_session, wait_ready)
        finally:
            models.close()
            session.close()
            close_earcons()


def _agent(
    paths: AppPaths,
    settings: Settings,
    language: LanguageModel,
    facts: FactStore,
    without: frozenset[Ablation] = frozenset(),
    leave: Grants | None = None,
) -> Agent:
    model, limits = settings.language_model, settings.limits
    prompts = paths.resources / "prompts"
    return Agent(
        language,
        standard_tools(),
        PromptFiles.read(prompts),
        read_examples(prompts),
        AgentLimits(
            steps=limits.steps,
            read_s=limits.read_s,
            change_s=limits.change_s,
            command_s=limits.command_s,
            reply_tokens=model.max_tokens,
            code_tokens=model.code_tokens,
            context_tokens=model.context_tokens,
            temperature=model.temperature,
        ),
        Rules(),
        facts=facts,
        without=without,
        leave=leave,
    )


def journal_of(data: Path, settings: Settings) -> Journal:
    """The journal of changes in a data folder; nothing is made before it is needed."""
    return Journal(data / "journal", data / "trash", keeping_of(settings))
