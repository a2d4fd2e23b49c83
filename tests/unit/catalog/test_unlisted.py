"""What a file or folder shows of the model in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from aria_desktop.catalog.unlisted import describe, guess_template, slug
from aria_desktop.core.errors import ModelDamaged
from aria_desktop.core.events import EngineRole
from tests.unit.catalog.makers import VOICE, VOICE_CONFIG, lay


def split(*parts: int, of: int = 3) -> dict[str, bytes]:
    return {f"big-{part:05d}-of-{of:05d}.gguf": b"GGUF" + bytes([part]) for part in parts}


def test_a_split_model_is_one_model_with_its_parts_in_order(tmp_path: Path) -> None:
    lay(tmp_path, split(3, 1, 2))
    for place in (tmp_path, tmp_path / "big-00001-of-00003.gguf", tmp_path / "big-00003-of-00003.gguf"):
        found = describe(place, "big")
        assert found
        assert [file.name for file in found.entry.files] == list(split(1, 2, 3))


def test_a_split_model_is_named_without_its_part(tmp_path: Path) -> None:
    lay(tmp_path, split(1, 2))
    lay(tmp_path, split(3))
    found = describe(tmp_path / "big-00001-of-00003.gguf")
    assert found
    assert found.entry.id == "big"


def test_a_part_that_is_missing_is_named(tmp_path: Path) -> None:
    lay(tmp_path, split(1, 3))
    with pytest.raises(ModelDamaged, match=r"big-00002-of-00003\.gguf is missing"):
        describe(tmp_path / "big-00001-of-00003.gguf")


def test_a_whisper_folder_is_a_speech_model_with_all_its_files(tmp_path: Path) -> None:
    files = {"model.bin": b"w", "config.json": b"{}", "vocabulary.txt": b"a", ".aria-record.json": b"{}", "x.md": b""}
    found = describe(lay(tmp_path / "ears", files))
    assert found
    assert (found.entry.role, [file.name for file in found.entry.files]) == (
        EngineRole.SPEECH,
        ["model.bin", "config.json", "vocabulary.txt"],
    )


def test_a_voice_needs_its_settings_beside_it(tmp_path: Path) -> None:
    lay(tmp_path, {"v.onnx": VOICE})
    assert describe(tmp_path / "v.onnx") is None
    lay(tmp_path, {"v.onnx.json": VOICE_CONFIG})
    found = describe(tmp_path / "v.onnx")
    assert found
    assert found.entry.role is EngineRole.VOICE


@pytest.mark.parametrize(("name", "content"), [("a.gguf", b"<html>"), ("a.gguf", b""), ("a.onnx", b"{}")])
def test_a_file_that_is_not_what_its_name_says_is_refused(tmp_path: Path, name: str, content: bytes) -> None:
    lay(tmp_path, {name: content, "a.onnx.json": b"{}"})
    with pytest.raises(ModelDamaged, match=f"{name} is no"):
        describe(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "template"),
    [
        ("Qwen3-8B-Q4_K_M.gguf", "chatml"),
        ("Llama-3.2-3B.gguf", "llama3"),
        ("Meta-Llama-3-8B.gguf", "llama3"),
        ("Mixtral-8x7B.gguf", "mistral"),
        ("gemma-3-4b-it.gguf", "gemma"),
        ("llama-2-7b.gguf", None),
        ("model.gguf", None),
    ],
)
def test_templates_are_guessed_by_family_or_not_at_all(name: str, template: str | None) -> None:
    assert guess_template(name) == template


@pytest.mark.parametrize(
    ("name", "folder"), [("My model (v2)", "My-model-v2"), ("..", "model"), ("größe", "gr-e"), ("a" * 200, "a" * 100)]
)
def test_names_become_fit_for_folders(name: str, folder: str) -> None:
    assert slug(name) == folder
