"""Where everything lies. The one file that knows a folder; all others are handed a path.

Three questions are answered, each on its own:

* Settings, database, logs and socket: in `config`, `data` and `logs` of `ARIA_HOME` when it is set; else of
  `aria-data` beside the program when a file named `aria-portable` lies there; else where the system keeps such
  things (platformdirs).
* Models and output: where `ARIA_MODELS` and `ARIA_OUTPUT` say; else in `models/` and `output/` of the checkout,
  whatever the current folder is; else with the portable data; else in the data folder and in `Documents/ARIA`.
  `ARIA_HOME` alone does not move them: a second home does not cost a second gigabyte of models.
* Resources: in the checkout, else inside the installed package.

A variable that is empty counts as unset; one that is no absolute path is refused, because it would mean
another folder in every terminal. Finding paths makes no folder: whoever writes calls `files.private_folder`.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

from aria_desktop.core.errors import SettingsError, StorageError

PACKAGE = Path(__file__).resolve().parent.parent
PORTABLE_MARKER = "aria-portable"
PORTABLE_DATA = "aria-data"
SOCKET_PATH_LIMIT = 100
"""Bytes. Linux takes 107 and macOS 103 in the address of a local socket."""

_APP = "aria-desktop"


@dataclass(frozen=True, slots=True)
class AppPaths:
    """All absolute; none of them needs to exist yet."""

    models: Path
    """One folder per model id."""
    output: Path
    """The default workspace: what the assistant writes."""
    data: Path
    """What is kept and is neither setting nor log: the database, its lock, its copies before a migration."""
    config: Path
    settings_file: Path
    database: Path
    lock: Path
    """Beside the database, so that whoever reaches the one reaches the other."""
    logs: Path
    runtime: Path
    """Holds the local socket; 0700."""
    socket: Path
    resources: Path
    catalog: Path
    """The model catalogue."""
    checkout: bool
    """The program runs from its source tree."""


def find_paths(package: Path = PACKAGE) -> AppPaths:
    """Look at the environment and the disk, and change neither.

    Args:
        package: folder of the package, from which the checkout is found.

    Raises SettingsError for a variable that is no absolute path, StorageError when the user has no home folder.
    """
    root = package.parent
    checkout = _is_checkout(root)
    portable = _portable_folder(root if checkout else _program_folder())
    home = _variable("ARIA_HOME") or portable
    data, config, logs = (home / "data", home / "config", home / "logs") if home else _system_folders()
    runtime = _runtime_folder(data)
    resources = (root if checkout else package) / "resources"
    return AppPaths(
        models=_variable("ARIA_MODELS") or (root if checkout else portable or data) / "models",
        output=_variable("ARIA_OUTPUT") or (root / "output" if checkout else _documents(portable)),
        data=data,
        config=config,
        settings_file=config / "settings.toml",
        database=data / "aria.db",
        lock=data / "aria.lock",
        logs=logs,
        runtime=runtime,
        socket=runtime / "aria.sock",
        resources=resources,
        catalog=resources / "catalog.json",
        checkout=checkout,
    )


def _variable(name: str) -> Path | None:
    value = os.environ.get(name, "").strip()
    if not value:
        return None
    path = Path(os.path.normpath(Path(value).expanduser()))
    if not path.is_absolute():
        raise SettingsError(
            f"{name} is {value}, which is no absolute path.", f"Set {name} to a whole path, or unset it."
        )
    return path


def _is_checkout(root: Path) -> bool:
    """`root` holds the project file of this program and its models folder."""
    try:
        project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    except (OSError, ValueError):
        return False
    return project.get("project", {}).get("name") == _APP and (root / "models").is_dir()


def _program_folder() -> Path:
    """Where a user would put the marker: beside the frozen program, or the top of the environment."""
    return Path(sys.executable).parent if getattr(sys, "frozen", False) else Path(sys.prefix)


def _portable_folder(program: Path) -> Path | None:
    return program / PORTABLE_DATA if (program / PORTABLE_MARKER).is_file() else None


def _system_folders() -> tuple[Path, Path, Path]:
    """Data, configuration and logs."""
    import platformdirs

    dirs = platformdirs.PlatformDirs(_APP, appauthor=False)
    folders = (dirs.user_data_path, dirs.user_config_path, dirs.user_log_path)
    for folder in folders:
        if not folder.is_absolute():
            raise StorageError(f"There is no home folder to keep things in: {folder}.", "Set ARIA_HOME to a folder.")
    return folders


def _documents(portable: Path | None) -> Path:
    if portable:
        return portable / "output"
    import platformdirs

    return platformdirs.user_documents_path() / "ARIA"


def _runtime_folder(data: Path) -> Path:
    """Below the data folder, so that it is the same in every session of the user (a desktop's, a remote one,
    a timer's), as the session's own runtime folder is not. Where that path is too long for a socket: a short
    one whose name is derived from it; clients read the path from the database's lock file."""
    folder = data / "run"
    if len(os.fsencode(folder / "aria.sock")) <= SOCKET_PATH_LIMIT:
        return folder
    short = f"aria-{hashlib.sha256(os.fsencode(data)).hexdigest()[:16]}"
    bases = [os.environ.get("XDG_RUNTIME_DIR", ""), tempfile.gettempdir(), "/tmp"]
    paths = [Path(base) / short for base in bases if base and Path(base).is_dir()]
    fitting = [path for path in paths if len(os.fsencode(path / "aria.sock")) <= SOCKET_PATH_LIMIT]
    return fitting[0] if fitting else folder
