"""The doctor's look at this machine: one finding per question, each answered on its own.

A finding is missing when no command can be carried out without it; what only takes one way of talking to ARIA away
(a microphone, a display) is a note. Looking changes nothing, apart from the record of models that were verified.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from aria_desktop.catalog.catalog import Catalogue, load_catalogue
from aria_desktop.catalog.fit import Fit, fit, memory_need, recommended
from aria_desktop.catalog.hardware import Machine
from aria_desktop.catalog.space import free_bytes, size_words
from aria_desktop.catalog.store import ModelStore
from aria_desktop.commands.model_table import gpu_words
from aria_desktop.core.errors import AriaError, ExitCode
from aria_desktop.core.events import EngineRole
from aria_desktop.storage.declarations import EngineSettings, Settings
from aria_desktop.storage.paths import AppPaths, find_paths
from aria_desktop.storage.settings import load_settings

SCRIPTED = "scripted"


class Verdict(StrEnum):
    OK = "ok"
    NOTE = "note"
    """Good to know; commands can be carried out all the same."""
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Finding:
    name: str
    verdict: Verdict
    words: str
    hint: str = ""
    code: ExitCode = ExitCode.OK


def all_of_them(machine: Machine) -> tuple[Finding, ...]:
    """In the order in which they should be mended. Raises SettingsError or StorageError when not even the folders
    can be found."""
    return tuple(_look(machine, find_paths()))


def exit_code(found: Iterable[Finding]) -> ExitCode:
    return next((finding.code for finding in found if finding.verdict is Verdict.MISSING), ExitCode.OK)


def _look(machine: Machine, paths: AppPaths) -> Iterator[Finding]:
    settings, finding = _settings(paths)
    yield finding
    yield _folder("data", paths.data)
    yield _folder("output", paths.output)
    yield _as_note(_folder("models dir", paths.models))
    yield _machine(machine)
    yield _gpu(machine, settings)
    yield from _models(paths, settings, machine)
    yield _network()
    yield _cage(paths.data)
    yield _microphone()
    yield _speaker(settings)
    yield _talk_key(settings)
    yield _display()


def _settings(paths: AppPaths) -> tuple[Settings, Finding]:
    try:
        settings = load_settings(paths.settings_file)
    except AriaError as error:
        return Settings(), _trouble("settings", error)
    there = paths.settings_file.exists()
    return settings, _ok(
        "settings", str(paths.settings_file) if there else "no settings file; everything is as shipped"
    )


def _folder(name: str, folder: Path) -> Finding:
    """Whether files can be made in it, or it can be made itself."""
    there = next(place for place in (folder, *folder.parents) if place.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        words = f"{there} can't be written" if there.is_dir() else f"{there} is no folder"
        return Finding(name, Verdict.MISSING, words, "Check who owns it.", ExitCode.STORAGE)
    return _ok(name, f"{folder}, {size_words(free_bytes(folder))} free")


def _machine(machine: Machine) -> Finding:
    memory = f"{size_words(machine.memory_free)} of {size_words(machine.memory_total)} memory free"
    return _ok("machine", f"{machine.processor}, {machine.cores} cores, {memory}")


def _gpu(machine: Machine, settings: Settings) -> Finding:
    if settings.engines.gpu == "off":
        return Finding("graphics", Verdict.NOTE, "not used: the settings say so (engines.gpu)")
    words = gpu_words(machine)
    return _ok("graphics", words) if machine.room.gpu_memory else Finding("graphics", Verdict.NOTE, words)


def _models(paths: AppPaths, settings: Settings, machine: Machine) -> Iterator[Finding]:
    try:
        catalogue = load_catalogue(paths.catalog)
    except AriaError as error:
        yield _trouble("models", error)
        return
    store = ModelStore(paths.models, catalogue)
    for role in EngineRole:
        finding = _model(role, getattr(settings.engines, role.value), store, machine)
        silent = role is EngineRole.VOICE and not settings.voice.speak_replies
        yield _as_note(finding) if silent else finding
    yield from _advice(catalogue, settings.engines, machine)


def _model(role: EngineRole, setting: str, store: ModelStore, machine: Machine) -> Finding:
    engine, _, model_id = setting.partition(":")
    if engine == SCRIPTED:
        return _answered(role.value, lambda: _script(Path(model_id)))
    return _answered(role.value, lambda: _installed(store, model_id, machine))


def _script(path: Path) -> Finding:
    if path.is_file():
        return Finding("script", Verdict.NOTE, f"a script answers: {path}")
    return Finding("script", Verdict.MISSING, f"there is no script {path}", "", ExitCode.MODEL)


def _installed(store: ModelStore, model_id: str, machine: Machine) -> Finding:
    store.open(model_id)
    need = memory_need(store.entry(model_id))
    verdict = fit(need, machine.room)
    words = f"{model_id}, verified" + (f", needs {size_words(need.bytes)} of memory" if need else "")
    if verdict in (Fit.TIGHT, Fit.TOO_BIG):
        return Finding("", Verdict.NOTE, f"{words}: {verdict.value} for this machine")
    return _ok("", words)


def _advice(catalogue: Catalogue, engines: EngineSettings, machine: Machine) -> Iterator[Finding]:
    """What suits this machine better than what is set."""
    for role in (EngineRole.SPEECH, EngineRole.LANGUAGE):
        best = recommended(catalogue.models, role, machine.room)
        if best is not None and not getattr(engines, role.value).endswith(f":{best.id}"):
            yield Finding(
                "advice", Verdict.NOTE, f"{best.id} suits this machine for {role}", f"aria models fetch {best.id}"
            )


def _network() -> Finding:
    """Tried, here and now: this process closed its door when it started, as every other of ARIA does."""
    from aria_desktop.safety import airgap

    reach, reason = airgap.look()
    if reach.sealed:
        return _ok("network", "closed by the kernel for ARIA and all that it starts (aria doctor --airgap proves it)")
    return Finding("network", Verdict.NOTE, f"not closed by the system: {reason} ARIA itself asks nobody there.")


def _cage(data: Path) -> Finding:
    """Whether commands of the terminal can be run, and can change anything; all else works without.

    Tried on the file system that ARIA's data lies on, as only some can take what a command changes.
    """
    from aria_desktop.core.cancel import CancelToken
    from aria_desktop.safety.cage_probe import ATTACKS, proven
    from aria_desktop.safety.cage_system import find_systems

    def look() -> Finding:
        there = next(place for place in (data, *data.parents) if place.exists())
        try:
            with tempfile.TemporaryDirectory(prefix="aria-doctor-", dir=there) as made:
                cage = proven(find_systems(), Path(made) / "staging", CancelToken())
        except OSError:
            cage = proven(find_systems(), None, CancelToken())
        held = f"{len(ATTACKS)} attacks on the cage failed ({cage.system.bwrap})"
        if cage.staging is None:
            hint = "Changes need bubblewrap 0.11, and a data folder on a disk that can be the upper part of an overlay."
            return Finding("", Verdict.NOTE, f"commands run without network, and can only look; {held}", hint)
        return _ok("", f"commands run without network; what they change is shown before it counts; {held}")

    return _as_note(_answered("terminal", look))


def _microphone() -> Finding:
    from aria_desktop.audio.devices import microphones

    def look() -> Finding:
        names = [device.name for device in microphones()]
        without = "commands can be typed, or given as sound files"
        return _ok("", ", ".join(names)) if names else Finding("", Verdict.NOTE, f"there is none; {without}")

    return _as_note(_answered("microphone", look))


def _speaker(settings: Settings) -> Finding:
    from aria_desktop.audio.devices import speakers

    def look() -> Finding:
        names = [device.name for device in speakers()]
        return _ok("", ", ".join(names)) if names else Finding("", Verdict.NOTE, "there is none; answers are shown")

    if not settings.voice.speak_replies:
        return Finding("speaker", Verdict.NOTE, "not used: the settings say so (voice.speak_replies)")
    return _as_note(_answered("speaker", look))


def _talk_key(settings: Settings) -> Finding:
    """By which way it would be heard, and why not by the others; where none works, a command still does."""
    from aria_desktop.app_audio import wanted_keys, wanted_ways
    from aria_desktop.hotkey.ways import WORDS, look_at

    key, names = settings.talk_key.key, wanted_ways(settings.talk_key)
    if not names:
        return Finding("talk key", Verdict.NOTE, "not used: the settings say so (talk_key.way)")
    found = look_at(wanted_keys(settings.talk_key), names)
    good = next((one.way for one in found if not one.reason), "")
    others = [f"not by {WORDS[one.way]}: {one.reason}" for one in found if one.reason]
    words = "\n".join([f"{key}, heard by {WORDS[good]}" if good else f"{key} can't be heard here", *others])
    if good:
        return _ok("talk key", words)
    return Finding("talk key", Verdict.NOTE, words, "Bind `aria talk toggle` to a key in the desktop's settings.")


def _display() -> Finding:
    from aria_desktop.gui.display import require_display

    def look() -> Finding:
        require_display(os.environ)
        return _ok("", "a window can be opened")

    return _as_note(_answered("display", look))


def _answered(name: str, look: Callable[[], Finding]) -> Finding:
    """The answer under its name; trouble is one, too."""
    try:
        found = look()
    except AriaError as error:
        return _trouble(name, error)
    return Finding(name, found.verdict, found.words, found.hint, found.code)


def _as_note(finding: Finding) -> Finding:
    if finding.verdict is not Verdict.MISSING:
        return finding
    return Finding(finding.name, Verdict.NOTE, finding.words, finding.hint)


def _ok(name: str, words: str) -> Finding:
    return Finding(name, Verdict.OK, words)


def _trouble(name: str, error: AriaError) -> Finding:
    return Finding(name, Verdict.MISSING, error.text, error.hint, error.exit_code)
