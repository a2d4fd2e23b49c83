"""List, fetch, verify, add and remove models. Nothing is downloaded by any other command, and no other can reach the
network at all."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aria_desktop.catalog.arrival import Arrived
    from aria_desktop.catalog.store import ModelStore
    from aria_desktop.catalog.unlisted import Found
    from aria_desktop.core.seal import Door

ROLES = ("speech", "language", "voice")
TEMPLATES = ("chatml", "llama3", "mistral", "gemma")
FETCH_MODE = "Fetch mode: this process can reach the network, and does nothing but fetch models."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--catalog", type=Path, metavar="FILE", help="use this catalogue instead of the shipped one")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="use this models folder, a stick for instance")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")

    listing = actions.add_parser("list", help="all models: what is here, sizes, licences, languages, what fits")
    listing.add_argument("--json", action="store_true", help="as one JSON object")

    fetch = actions.add_parser("fetch", help="bring models here; without names: those that ARIA starts with")
    fetch.add_argument("names", nargs="*", metavar="ID")
    fetch.add_argument("--role", choices=ROLES, help="only the model that ARIA starts with for this role")
    fetch.add_argument("--from", dest="origin", type=Path, metavar="DIR", help="from this folder, not the network")
    fetch.add_argument("--quiet", action="store_true", help="say nothing about what is here already")

    fetch.add_argument("--then-window", action="store_true", help="open the window afterwards, sealed as ever")

    verify = actions.add_parser("verify", help="hash every file of the models that are here")
    verify.add_argument("names", nargs="*", metavar="ID")

    add = actions.add_parser("add", help="copy models from a file, a folder or a stick, with the same check")
    add.add_argument("path", type=Path, metavar="PATH")
    add.add_argument("--id", default="", metavar="NAME", help="take PATH as a model of its own, with this name")
    add.add_argument("--template", choices=TEMPLATES, help="the chat template it was trained with")

    remove = actions.add_parser("remove", help="delete models")
    remove.add_argument("names", nargs="+", metavar="ID")


def door(arguments: argparse.Namespace) -> Door | None:
    """Open outward to fetch, and for nothing else: what is copied from a folder needs no network. Who waits for a
    fetch to become the window afterwards closes no door yet: it would be the window's for good."""
    from aria_desktop.core.seal import Door

    if arguments.action != "fetch":
        return Door.LOCAL
    if arguments.then_window:
        return None
    return Door.LOCAL if arguments.origin else Door.FETCHING


def run(arguments: argparse.Namespace) -> int:
    from aria_desktop.catalog.catalog import load_catalogue
    from aria_desktop.catalog.store import ModelStore
    from aria_desktop.storage.paths import find_paths

    paths = find_paths()
    catalogue = load_catalogue(arguments.catalog or paths.catalog)
    folder = arguments.folder.absolute() if arguments.folder else paths.models
    actions = {"list": _list, "fetch": _fetch, "verify": _verify, "add": _add, "remove": _remove}
    return actions[arguments.action](ModelStore(folder, catalogue, print), arguments)


def _list(store: ModelStore, arguments: argparse.Namespace) -> int:
    from aria_desktop.catalog import hardware
    from aria_desktop.commands import model_table
    from aria_desktop.core.errors import ExitCode

    rows = model_table.rows(store, machine := hardware.look())
    print(model_table.as_json(store, machine, rows) if arguments.json else model_table.as_text(store, machine, rows))
    return ExitCode.OK


def _fetch(store: ModelStore, arguments: argparse.Namespace) -> int:
    import sys

    from aria_desktop.catalog.store import ModelState

    if arguments.then_window:
        return _before_window(arguments)
    names = _wanted(store, arguments)
    bring = _from_folder(store, arguments.origin) if arguments.origin else _from_network(store)
    if not arguments.origin and any(store.state(name) is not ModelState.INSTALLED for name in names):
        print(FETCH_MODE, file=sys.stderr)

    def fetch(name: str) -> None:
        arrived = bring(name)
        if arrived.brought or not arguments.quiet:
            words = "fetched and verified" if arrived.brought else "is here already"
            print(f"{name}: {words}, {arrived.model.folder}")

    try:
        return _each(names, fetch)
    except KeyboardInterrupt:
        print("\nWhat arrived is kept; the same command goes on from there.", file=sys.stderr)
        raise


def _before_window(arguments: argparse.Namespace) -> int:
    """Fetches in a process of its own. After that this one ends and the window begins in its place: it closes its door
    as at every start, and nobody is left whose door is open."""
    import os
    import subprocess

    from aria_desktop.storage.program import own_command, own_environment

    fetch = own_command(*_words_of_fetch(arguments))
    code = subprocess.run(fetch, env=own_environment(), check=False).returncode
    if code == 0:
        command = own_command("window")
        os.execve(command[0], command, own_environment())
    return code


def _words_of_fetch(arguments: argparse.Namespace) -> list[str]:
    """The command line of the same fetch, without what comes after it."""
    words = ["models"]
    for option in ("catalog", "folder"):
        if value := getattr(arguments, option):
            words += [f"--{option}", str(value)]
    words.append("fetch")
    for option, value in (("role", arguments.role), ("from", arguments.origin)):
        if value:
            words += [f"--{option}", str(value)]
    return [*words, *(["--quiet"] if arguments.quiet else []), "--", *arguments.names]


def _wanted(store: ModelStore, arguments: argparse.Namespace) -> list[str]:
    """The ids to fetch. Raises ModelMissing for a name that is in no catalogue, before anything is fetched."""
    from aria_desktop.core.errors import UsageError
    from aria_desktop.core.events import EngineRole

    if arguments.names and arguments.role:
        raise UsageError("Give names or --role, not both.", "Without either, the starter models are fetched.")
    if arguments.names:
        return [store.catalogue.get(name).id for name in dict.fromkeys(arguments.names)]
    return [entry.id for entry in store.catalogue.starters(EngineRole(arguments.role) if arguments.role else None)]


def _from_network(store: ModelStore) -> Callable[[str], Arrived]:
    from aria_desktop.catalog.fetch import Fetcher
    from aria_desktop.commands.progress_line import ProgressLine
    from aria_desktop.core.cancel import CancelToken

    line = ProgressLine()
    return Fetcher(store, CancelToken(), line.show, line.say).fetch


def _from_folder(store: ModelStore, origin: Path) -> Callable[[str], Arrived]:
    from aria_desktop.catalog.local import find_listed
    from aria_desktop.core.errors import ModelMissing

    found = {each.entry.id: each for each in find_listed(origin.absolute(), store.catalogue)}
    bring_in = _importer(store)

    def bring(name: str) -> Arrived:
        if name not in found:
            raise ModelMissing(
                f"The model {name} is not in {origin}.", "It lies in a folder that has the model's name."
            )
        return bring_in(found[name])

    return bring


def _verify(store: ModelStore, arguments: argparse.Namespace) -> int:
    from aria_desktop.catalog.store import ModelState
    from aria_desktop.catalog.structure import check_structure
    from aria_desktop.commands.progress_line import ProgressLine
    from aria_desktop.core.errors import ModelMissing

    here = (entry.id for entry in store.entries() if store.state(entry.id) is not ModelState.MISSING)
    names = list(dict.fromkeys(arguments.names)) or list(here)
    if not names:
        raise ModelMissing(f"There are no models in {store.folder}.", "Fetch some: aria models fetch")
    line = ProgressLine()

    def verify(name: str) -> None:
        model = store.verify(name, line.show)
        if store.catalogue.find(name) is None:
            check_structure(model.role, model.main_file)
        line.say(f"{name}: all files are what they must be")

    return _each(names, verify)


def _add(store: ModelStore, arguments: argparse.Namespace) -> int:
    from aria_desktop.catalog.catalog import ChatTemplate
    from aria_desktop.catalog.local import find_listed, find_unlisted
    from aria_desktop.catalog.remarks import remarks_on
    from aria_desktop.catalog.structure import check_structure

    path = arguments.path.absolute()
    own = arguments.id or arguments.template
    found = {} if own else {each.entry.id: each for each in find_listed(path, store.catalogue)}
    if not found:
        template = ChatTemplate(arguments.template) if arguments.template else None
        each = find_unlisted(path, arguments.id, template)
        check_structure(each.entry.role, each.files[each.entry.main_file])
        found = {each.entry.id: each}
    bring_in = _importer(store)

    def add(name: str) -> None:
        print(f"{name}: added and verified, {bring_in(found[name]).model.folder}")
        for remark in remarks_on(store, store.entry(name)):
            print(f"{name}: {remark}")

    return _each(found, add)


def _importer(store: ModelStore) -> Callable[[Found], Arrived]:
    from aria_desktop.catalog.local import Importer
    from aria_desktop.commands.progress_line import ProgressLine
    from aria_desktop.core.cancel import CancelToken

    line = ProgressLine()
    return Importer(store, CancelToken(), line.show, line.say).bring_in


def _remove(store: ModelStore, arguments: argparse.Namespace) -> int:
    from aria_desktop.core.visible import visible_line

    def remove(name: str) -> None:
        left = store.remove(name)
        names = ", ".join(visible_line(path.name) for path in left)
        print(f"{name}: removed" + (f"; left in its folder: {names}" if left else ""))

    return _each(dict.fromkeys(arguments.names), remove)


def _each(names: Iterable[str], action: Callable[[str], None]) -> int:
    """Do it for all; what goes wrong with one does not keep the others. The exit code is that of the first fault."""
    import sys

    from aria_desktop.core.errors import AriaError, ExitCode
    from aria_desktop.core.visible import visible

    code = ExitCode.OK
    for name in names:
        try:
            action(name)
        except AriaError as error:
            told = f"aria: {error.text}" + (f"\n      {error.hint}" if error.hint else "")
            print(visible(told), file=sys.stderr)
            code = code or error.exit_code
    return code
