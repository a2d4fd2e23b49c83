"""Model files as the engine finds them: where they are put, what they say of themselves, and harmed ones."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from aria_desktop.core.errors import EngineFailed, ModelDamaged, ModelMissing
from aria_desktop.engines.language import llama_cpp
from aria_desktop.engines.language.llama_cpp import LlamaCpp, load
from aria_desktop.engines.language.native_library import devices, gpus
from aria_desktop.engines.language.native_model import NativeModel
from aria_desktop.engines.language.placement import Gpu
from tests.agent.engine_stage import SMALL


@pytest.fixture(scope="module")
def engine(models_dir: Path) -> LlamaCpp:
    return load(str(models_dir / SMALL), {"context_tokens": 512})


def test_what_the_model_says_of_itself(engine: LlamaCpp, models_dir: Path) -> None:
    assert engine.capabilities.context_tokens == 512
    assert "CPU" in engine.capabilities.detail
    (file,) = (models_dir / SMALL).glob("*.gguf")
    size = NativeModel(str(file), 0, only_measure=True).size(4096)
    assert size.layers == 24
    assert size.weights == pytest.approx(file.stat().st_size, rel=0.05)
    assert size.cache == 24 * 2 * 2 * 128 * 4096


def test_the_processor_is_a_device_and_no_graphics_card() -> None:
    names = [device.name for _, device in devices()]
    assert names
    assert all(names)
    processors = [device for kind, device in devices() if kind == 0]
    assert processors
    assert not set(processors) & set(gpus())


def test_layers_go_to_a_graphics_card_that_has_room(models_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llama_cpp, "gpus", lambda: (Gpu("Card", 8 * 10**9),))
    on_card = load(str(models_dir / SMALL), {"context_tokens": 512})
    assert on_card.capabilities.detail == "Card: all 25 layers, 8.0 GB of its memory were free"
    off = load(str(models_dir / SMALL), {"context_tokens": 512, "gpu": "off", "threads": 1})
    assert off.capabilities.detail == "CPU, 1 thread: the graphics card is switched off in the settings"


def test_a_context_is_no_longer_than_the_model_was_trained_for(models_dir: Path) -> None:
    engine = load(str(models_dir / SMALL), {"context_tokens": 1_000_000, "threads": 1})
    assert engine.capabilities.context_tokens == 32_768


@pytest.mark.parametrize("harm", ["half", "text", "empty", "header"])
def test_a_harmed_file_is_said_to_be_harmed(models_dir: Path, tmp_path: Path, harm: str) -> None:
    (whole,) = (models_dir / SMALL).glob("*.gguf")
    harmed = tmp_path / "m.gguf"
    match harm:
        case "half":
            with whole.open("rb") as source, harmed.open("wb") as target:
                shutil.copyfileobj(source, target)
                target.truncate(whole.stat().st_size // 2)
        case "text":
            harmed.write_text("This is no model.\n" * 100)
        case "empty":
            harmed.touch()
        case "header":
            with whole.open("rb") as source:
                head = bytearray(source.read(1_000_000))
            head[8:16] = b"\xff" * 8
            harmed.write_bytes(head)
    with pytest.raises(ModelDamaged, match=r"m\.gguf") as raised:
        load(str(tmp_path), {})
    assert "aria models verify" in raised.value.hint


def test_a_model_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing):
        load(str(tmp_path / "no"), {})


def test_a_template_that_nobody_knows(models_dir: Path) -> None:
    with pytest.raises(EngineFailed, match="no chat form") as raised:
        load(str(models_dir / SMALL), {"template": "jinja"})
    assert "chatml" in raised.value.hint
