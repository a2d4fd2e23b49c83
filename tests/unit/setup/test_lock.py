"""The lock holds what the project asks for, with hashes, and no word about where packages come from."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

REPOSITORY = Path(__file__).resolve().parents[3]
LOCK = (REPOSITORY / "requirements.lock").read_text("utf-8")
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]


def locked() -> dict[str, str]:
    """Version by name."""
    pins = re.findall(r"^([A-Za-z0-9._-]+)==(\S+)", LOCK, re.MULTILINE)
    return {canonicalize_name(name): version for name, version in pins}


def asked_for() -> list[str]:
    """On this system, which is the one that is locked."""
    extras = (line for extra in PROJECT["optional-dependencies"].values() for line in extra)
    lines = [*PROJECT["dependencies"], *extras]
    return [line for line in lines if (marker := Requirement(line).marker) is None or marker.evaluate()]


@pytest.mark.parametrize("line", asked_for())
def test_what_the_project_asks_for_is_locked_within_its_bounds(line: str) -> None:
    requirement = Requirement(line)
    version = locked().get(canonicalize_name(requirement.name))
    assert version, "run `make lock`"
    assert requirement.specifier.contains(version), "run `make lock`"


def test_the_build_tool_is_locked_too() -> None:
    """The package itself is installed without a build environment of its own."""
    assert int(locked()["setuptools"].split(".")[0]) >= 77


def test_every_pin_has_hashes() -> None:
    pins = re.split(r"^(?=[A-Za-z0-9])", LOCK, flags=re.MULTILINE)[1:]
    assert len(pins) == len(locked())
    assert all("--hash=sha256:" in pin for pin in pins)


def test_no_place_is_named() -> None:
    for word in ("://", "--index-url", "--extra-index-url", "--find-links", "--trusted-host", "@ "):
        assert word not in LOCK
    assert not re.search(r"(^|\s)/\w", LOCK)
