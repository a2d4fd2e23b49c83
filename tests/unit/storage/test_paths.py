"""Every way in which folders are chosen, and what happens where none can be."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from aria_desktop.core.errors import SettingsError, StorageError
from aria_desktop.storage.paths import PORTABLE_MARKER, SOCKET_PATH_LIMIT, find_paths

VARIABLES = ("ARIA_HOME", "ARIA_MODELS", "ARIA_OUTPUT", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home folder, and none of the variables."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    return folder


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The package as it lies in an environment: nothing of a checkout around it."""
    package = tmp_path / "site-packages" / "aria_desktop"
    package.mkdir(parents=True)
    return package


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    package = tmp_path / "source" / "aria_desktop"
    package.mkdir(parents=True)
    (package.parent / "models").mkdir()
    (package.parent / "pyproject.toml").write_text('[project]\nname = "aria-desktop"\n')
    return package


def test_a_checkout_uses_its_own_models_and_output_whatever_the_current_folder(
    home: Path, checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    paths = find_paths(checkout)
    assert paths.checkout
    assert paths.models == checkout.parent / "models"
    assert paths.output == checkout.parent / "output"
    assert paths.catalog == checkout.parent / "resources" / "catalog.json"
    assert home in paths.database.parents
    assert home in paths.settings_file.parents
    assert home in paths.logs.parents


def test_this_repository_is_a_checkout() -> None:
    assert find_paths().checkout


@pytest.mark.parametrize(
    "project", ['[project]\nname = "another"\n', "[tool.x]\n", "not [ toml", '[project]\nname = "aria-desktop"\n']
)
def test_another_project_above_the_package_is_no_checkout(home: Path, installed: Path, project: str) -> None:
    """The last one has the right name, and no models folder."""
    (installed.parent / "pyproject.toml").write_text(project)
    paths = find_paths(installed)
    assert not paths.checkout
    assert home in paths.models.parents


def test_an_installed_program_uses_the_systems_folders(home: Path, installed: Path) -> None:
    paths = find_paths(installed)
    assert paths.models == paths.data / "models"
    assert paths.output == home / "Documents" / "ARIA"
    assert paths.resources == installed / "resources"


def test_aria_home_holds_what_is_the_users_but_not_the_models(
    home: Path, checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own"
    monkeypatch.setenv("ARIA_HOME", str(own))
    paths = find_paths(checkout)
    for path in (paths.database, paths.lock, paths.settings_file, paths.logs, paths.socket):
        assert own in path.parents
        assert home not in path.parents
    assert paths.models == checkout.parent / "models"


def test_models_and_output_have_variables_of_their_own(
    home: Path, checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARIA_MODELS", str(tmp_path / "m"))
    monkeypatch.setenv("ARIA_OUTPUT", "~/o")
    paths = find_paths(checkout)
    assert (paths.models, paths.output) == (tmp_path / "m", home / "o")


@pytest.mark.parametrize("empty", ["", "  "])
def test_an_empty_variable_counts_as_unset(
    home: Path, installed: Path, monkeypatch: pytest.MonkeyPatch, empty: str
) -> None:
    expected = find_paths(installed)
    for name in VARIABLES:
        monkeypatch.setenv(name, empty)
    assert home in expected.data.parents
    assert find_paths(installed) == expected


@pytest.mark.parametrize("name", ["ARIA_HOME", "ARIA_MODELS", "ARIA_OUTPUT"])
def test_a_relative_path_is_refused_by_name(
    home: Path, installed: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, "here/and/there")
    with pytest.raises(SettingsError, match=f"{name} is here/and/there") as caught:
        find_paths(installed)
    assert caught.value.hint
    assert list(home.iterdir()) == []


def test_a_marker_beside_the_program_keeps_everything_there(home: Path, checkout: Path) -> None:
    (checkout.parent / PORTABLE_MARKER).touch()
    paths = find_paths(checkout)
    portable = checkout.parent / "aria-data"
    assert portable in paths.database.parents
    assert portable in paths.settings_file.parents
    assert paths.models == checkout.parent / "models"
    assert home not in paths.socket.parents


def test_a_portable_installed_program_takes_models_and_output_along(
    home: Path, installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.prefix", str(tmp_path / "stick"))
    (tmp_path / "stick").mkdir()
    (tmp_path / "stick" / PORTABLE_MARKER).touch()
    paths = find_paths(installed)
    portable = tmp_path / "stick" / "aria-data"
    assert (paths.models, paths.output) == (portable / "models", portable / "output")
    assert home not in paths.database.parents


def test_a_home_with_a_long_path_still_gets_a_socket(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARIA_HOME", str(tmp_path / ("long" * 30)))
    first = find_paths(installed)
    assert len(os.fsencode(first.socket)) <= SOCKET_PATH_LIMIT
    monkeypatch.setenv("ARIA_HOME", str(tmp_path / ("other" * 30)))
    assert find_paths(installed).socket != first.socket
    assert not first.runtime.exists()


@pytest.mark.usefixtures("home")
def test_no_home_folder_is_said_with_the_way_out(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platformdirs.PlatformDirs.user_data_path", Path("~/.local/share"))
    with pytest.raises(StorageError, match="no home folder") as caught:
        find_paths(installed)
    assert "ARIA_HOME" in caught.value.hint


def test_looking_makes_nothing(home: Path, installed: Path) -> None:
    find_paths(installed)
    assert list(home.iterdir()) == []
