"""Engines are found by name and imported on use; what is wrong is said in words."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest

from aria_desktop.core.errors import EngineFailed, ModelDamaged, ModelMissing
from aria_desktop.engines import registry
from aria_desktop.engines.model_files import model_file, model_folder
from aria_desktop.engines.options import read_options
from tests.conftest import REPOSITORY

HEAVY = ("llama_cpp", "ctranslate2", "faster_whisper", "av", "piper", "onnxruntime", "numpy")


def test_an_unknown_engine_lists_the_known_ones() -> None:
    with pytest.raises(EngineFailed, match="'whisper9'") as raised:
        registry.load_speech("whisper9", "/x", {})
    assert "faster-whisper" in raised.value.hint


def test_a_package_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.VOICE, "broken", "aria_desktop_no_such_module:load")
    with pytest.raises(EngineFailed, match="aria_desktop_no_such_module"):
        registry.load_voice("broken", "/x", {})


def test_every_name_leads_to_a_function() -> None:
    for table in (registry.SPEECH, registry.LANGUAGE, registry.VOICE):
        for target in table.values():
            module, _, function = target.partition(":")
            source = (REPOSITORY / f"{module.replace('.', '/')}.py").read_text("utf-8")
            assert f"\ndef {function}(" in source


def test_the_side_that_asks_imports_no_engine() -> None:
    code = (
        "import sys, aria_desktop.workers.host, aria_desktop.workers.remote, aria_desktop.engines.registry\n"
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=REPOSITORY, check=True)
    assert done.stdout.strip() == "[]"


@dataclass(frozen=True, slots=True)
class Known:
    threads: int = 0
    gpu: Literal["auto", "off"] = "auto"


@pytest.mark.parametrize("options", [{"thread": 2}, {"threads": "2"}, {"threads": 2.0}, {"gpu": "maybe"}])
def test_options_are_read_strictly(options: dict[str, str | int | float | bool]) -> None:
    with pytest.raises(EngineFailed, match="The engine x is given"):
        read_options(Known, "x", options)


def test_options_that_are_not_given_have_their_defaults() -> None:
    assert read_options(Known, "x", {"threads": 3}) == Known(threads=3)


def test_the_file_of_a_model(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="no model at"):
        model_folder(str(tmp_path / "nothing"))
    with pytest.raises(ModelMissing, match=r"no \.gguf file") as raised:
        model_file(str(tmp_path), ".gguf")
    assert "aria models fetch" in raised.value.hint
    (tmp_path / "README.md").touch()
    one = tmp_path / "one.gguf"
    one.touch()
    assert model_file(str(tmp_path), ".gguf") == model_file(str(one), ".gguf") == one
    (tmp_path / "two.gguf").touch()
    with pytest.raises(ModelDamaged, match=r"one\.gguf, two\.gguf"):
        model_file(str(tmp_path), ".gguf")


def test_of_a_split_model_it_is_the_first_part(tmp_path: Path) -> None:
    for part in (3, 1, 2):
        (tmp_path / f"big-0000{part}-of-00003.gguf").touch()
    assert model_file(str(tmp_path), ".gguf").name == "big-00001-of-00003.gguf"
