"""What the set-up scripts say to somebody who may not install, has the wrong Python, or another system."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[3]


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A folder of stand-ins for system programs, which is all that the scripts find."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("sh", "env", "echo", "cat"):
        (folder / name).symlink_to(f"/bin/{name}" if name == "sh" else f"/usr/bin/{name}")
    return folder


def put(folder: Path, name: str, script: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)


def run(script: str, *words: str, path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [REPOSITORY / "scripts" / script, *words],
        env={"PATH": str(path), "LOG": str(path / "log")},
        cwd=path,
        capture_output=True,
        text=True,
        check=False,
        timeout=20,
    )


@pytest.fixture
def debian(tools: Path) -> Path:
    """A Debian on which xvfb and strace are missing, and apt-get notes what it is told."""
    put(
        tools,
        "dpkg-query",
        'for last; do :; done; case $last in xvfb|strace) exit 1;; *) printf "install ok installed";; esac',
    )
    put(tools, "apt-get", 'echo "apt-get $*" >> "$LOG"')
    put(tools, "id", "echo 1000")
    return tools


def test_nothing_is_said_where_nothing_is_missing(debian: Path) -> None:
    done = run("debian-packages.sh", "setup", path=debian)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_who_may_not_install_gets_the_exact_line(debian: Path) -> None:
    done = run("debian-packages.sh", "test", path=debian)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "  sudo apt-get install -y --no-install-recommends xvfb strace"
    assert not (debian / "log").exists()


def test_root_installs_what_is_missing(debian: Path) -> None:
    put(debian, "id", "echo 0")
    done = run("debian-packages.sh", "test", path=debian)
    assert done.returncode == 0, done.stderr
    assert (debian / "log").read_text().splitlines() == [
        "apt-get update -q",
        "apt-get install -y --no-install-recommends xvfb strace",
    ]


def test_sudo_without_a_password_is_used(debian: Path) -> None:
    put(debian, "sudo", '[ "$1" = -n ] || exec "$@"')
    assert run("debian-packages.sh", "test", path=debian).returncode == 0
    assert "install -y" in (debian / "log").read_text()


def test_sudo_with_a_password_is_not_asked(debian: Path) -> None:
    put(debian, "sudo", "exit 1")
    done = run("debian-packages.sh", "test", path=debian)
    assert done.returncode == 1
    assert "sudo apt-get install" in done.stderr


def test_an_installation_that_fails_is_not_passed_over(debian: Path) -> None:
    put(debian, "id", "echo 0")
    put(debian, "apt-get", "exit 100")
    assert run("debian-packages.sh", "test", path=debian).returncode == 100


def test_another_system_is_told_what_it_needs(tools: Path) -> None:
    done = run("debian-packages.sh", "setup", path=tools)
    assert done.returncode == 0
    assert "libportaudio2" in done.stdout


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ('[ "$1" = --version ] && { echo "Python 3.9.2"; exit 0; }; exit 1', "ARIA needs Python 3.11 or newer"),
        ("case $2 in *ensurepip*) exit 1;; esac", "its venv module is missing"),
    ],
)
def test_a_python_that_will_not_do_is_said(tools: Path, script: str, words: str) -> None:
    put(tools, "python3", script)
    done = run("check-python.sh", "python3", path=tools)
    assert done.returncode == 1
    assert words in done.stderr


def test_no_python_is_said(tools: Path) -> None:
    done = run("check-python.sh", "python3", path=tools)
    assert done.returncode == 1
    assert "There is no python3" in done.stderr


def test_every_script_can_be_run() -> None:
    scripts = [*(REPOSITORY / "scripts").glob("*.sh"), REPOSITORY / ".ci" / "run"]
    assert len(scripts) >= 4
    assert all(os.access(script, os.X_OK) for script in scripts)
