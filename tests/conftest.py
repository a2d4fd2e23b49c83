"""Rules for every test: its own user folders, no hub, no left-over children or threads."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from pydantic import Field, TypeAdapter  # noqa: F401 (once Qt has changed how imports work, pydantic's own fail)

from tests.processes import command_line

pytest_plugins = ["tests.timing", "tests.sound"]

# A run in the background starts with Ctrl+C ignored, and so would every program that a test starts.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Engines that a test loads into this process are as quiet as those in their own.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def user_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings, database and logs of this test go to a folder of its own; models stay the checkout's."""
    home = tmp_path / "aria-home"
    monkeypatch.setenv("ARIA_HOME", str(home))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    return home


Children = Callable[[], list[psutil.Process]]


@pytest.fixture
def own_children() -> Children:
    """Asks for the processes that this test started; those of fixtures shared by several tests don't count."""
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    return lambda: [child for child in psutil.Process().children(recursive=True) if child.pid not in before]


@pytest.fixture(autouse=True)
def nothing_left_over(own_children: Children) -> Iterator[None]:
    """A test that leaves a thread or a child process running has failed."""
    threads_before = set(threading.enumerate())
    yield
    for thread in set(threading.enumerate()) - threads_before:
        thread.join(timeout=20)
    threads = [t.name for t in set(threading.enumerate()) - threads_before if t.is_alive()]
    assert not threads, f"threads left running: {threads}"
    _, alive = psutil.wait_procs(own_children(), timeout=20)
    names = [f"{child.pid} {' '.join(command_line(child)[:6])}" for child in alive if child.is_running()]
    assert not names, f"child processes left running: {names}"


@pytest.fixture(scope="session")
def models_dir() -> Path:
    """The checkout's models; a missing starter model is an error, not a reason to skip."""
    folder = REPOSITORY / "models"
    assert (folder / "faster-whisper-base" / "model.bin").is_file(), "starter models are missing: run `make setup`"
    return folder


@pytest.fixture(scope="session")
def prefixes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("prefixes")


@pytest.fixture
def warm_home(user_folders: Path, prefixes: Path) -> Path:
    """This test's user folder, in which the language model finds what it has read of its prompt in earlier tests."""
    (user_folders / "data").mkdir(parents=True, mode=0o700)
    (user_folders / "data" / "prefixes").symlink_to(prefixes)
    return user_folders
