"""The shipped catalogue's promises, and what a catalogue that is not right gets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from aria_desktop.catalog.catalog import Catalogue, HubSource, WheelSource, load_catalogue
from aria_desktop.catalog.hub import address
from aria_desktop.core.errors import ModelMissing, StorageError
from aria_desktop.core.events import EngineRole
from aria_desktop.storage.declarations import Settings
from aria_desktop.storage.paths import find_paths
from tests.unit.catalog.makers import VOICE, WEIGHTS, entry


@pytest.fixture(scope="module")
def shipped() -> Catalogue:
    return load_catalogue(find_paths().catalog)


def test_every_starter_model_is_known_to_the_last_byte_and_comes_from_two_sources(shipped: Catalogue) -> None:
    starters = shipped.starters()
    assert {model.role for model in starters} == set(EngineRole)
    for model in starters:
        assert all(file.bytes and file.sha256 for file in model.files), model.id
        assert [type(source) for source in model.sources] == [HubSource, WheelSource], model.id
        assert model.memory_bytes, model.id


def test_the_starters_are_what_the_settings_begin_with(shipped: Catalogue) -> None:
    engines = Settings().engines
    wanted = {setting.partition(":")[2] for setting in (engines.speech, engines.language, engines.voice)}
    assert {model.id for model in shipped.starters()} == wanted


def test_a_revision_is_given_wherever_hashes_are(shipped: Catalogue) -> None:
    """Known bytes at the newest revision would stop being right without a word."""
    for model in shipped.models:
        if model.revision is None and model.id != "fr_FR-siwis-medium":
            assert not any(file.sha256 for file in model.files), model.id


def test_language_models_say_their_template_and_context(shipped: Catalogue) -> None:
    for model in shipped.models:
        if model.role is EngineRole.LANGUAGE:
            assert model.chat_template, model.id
            assert model.context_tokens, model.id
        assert model.languages, model.id
        assert model.licence, model.id


def test_a_seventy_billion_model_and_a_split_one_are_listed(shipped: Catalogue) -> None:
    assert shipped.get("llama-3.3-70b-instruct").bytes == 42_520_398_816
    split = shipped.get("qwen2.5-72b-instruct")
    assert split.main_file.endswith("-00001-of-00012.gguf")
    assert len(split.files) == 12


def test_no_wheel_is_named_twice_for_a_file(shipped: Catalogue) -> None:
    for model in shipped.models:
        for source in model.sources:
            for parts in source.parts.values() if isinstance(source, WheelSource) else ():
                assert len(set(parts)) == len(parts), model.id


def test_addresses_are_built_from_repository_revision_and_folder(shipped: Catalogue) -> None:
    voice = shipped.get("en_US-joe-medium")
    source = voice.sources[0]
    assert isinstance(source, HubSource)
    where = "rhasspy/piper-voices/resolve/0d907f158acc877ddeebcbf827659ee13bea8bcd/en/en_US/joe/medium"
    assert address(shipped.hub, source, voice, voice.files[0]) == f"{shipped.hub}/{where}/en_US-joe-medium.onnx"


def test_an_unknown_name_gets_the_nearest_one(shipped: Catalogue) -> None:
    with pytest.raises(ModelMissing) as missing:
        shipped.get("faster-wisper-base")
    assert missing.value.hint == "Is it faster-whisper-base?"


def write(folder: Path, *entries: dict[str, Any], **more: Any) -> Path:
    path = folder / "catalog.json"
    path.write_text(json.dumps({"version": 1, "hub": "https://hub.invalid", "models": entries, **more}))
    return path


def test_shared_lists_of_languages_are_named(tmp_path: Path) -> None:
    path = write(tmp_path, entry("a", {"a.gguf": WEIGHTS}, languages="two"), language_sets={"two": ["en", "de"]})
    assert load_catalogue(path).get("a").languages == ("en", "de")


@pytest.mark.parametrize("name", ["../a.gguf", "/a.gguf", "a/b.gguf", "..", ".aria-record.json", "a\\b", ""])
def test_a_name_that_leads_out_of_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(StorageError, match=r"models\[0\]\.files\[0\]\.name"):
        load_catalogue(write(tmp_path, entry("a", {name: WEIGHTS})))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"id": "../up"}, "pattern"),
        ({"files": []}, "at least 1 item"),
        ({"chat_template": "alpaca"}, "chatml"),
        ({"memory_bytes": "2 GB"}, "integer"),
        ({"memory_bytes": -1}, "greater than 0"),
        ({"licens": "MIT"}, "not permitted"),
        ({"role": "voice", "chat_template": "chatml"}, "only language models"),
        ({"sources": [{"kind": "wheels", "parts": {"other": []}}]}, "other files than the model has"),
        ({"sources": [{"kind": "torrent"}]}, "torrent"),
        (
            {"sources": [{"kind": "wheels", "parts": {"a.gguf": [{"wheel": "--index-url=x", "member": "a"}]}}]},
            "pattern",
        ),
        ({"sources": [{"kind": "wheels", "parts": {"a.gguf": [{"wheel": "a==1", "member": "../a"}]}}]}, "pattern"),
    ],
)
def test_an_entry_that_is_not_right_is_refused_with_its_place(
    tmp_path: Path, change: dict[str, Any], words: str
) -> None:
    with pytest.raises(StorageError, match=words) as refused:
        load_catalogue(write(tmp_path, entry("a", {"a.gguf": WEIGHTS}) | change))
    assert "models[0]" in refused.value.text


def test_all_problems_are_said_at_once(tmp_path: Path) -> None:
    path = write(tmp_path, entry("a", {"../a": WEIGHTS}), entry("b", {"b.gguf": WEIGHTS}, role="nose"))
    with pytest.raises(StorageError) as refused:
        load_catalogue(path)
    assert "models[0].files[0].name" in refused.value.text
    assert "models[1].role" in refused.value.text


def test_two_models_may_not_differ_in_case_alone(tmp_path: Path) -> None:
    path = write(tmp_path, entry("a", {"a.gguf": WEIGHTS}), entry("A", {"b.gguf": WEIGHTS}))
    with pytest.raises(StorageError, match="the same id: a"):
        load_catalogue(path)


@pytest.mark.parametrize(
    "hub", ["http://hub.invalid", "ftp://hub.invalid", "hub.invalid", "http://127.0.0.1.evil.invalid"]
)
def test_a_hub_without_encryption_is_refused(tmp_path: Path, hub: str) -> None:
    with pytest.raises(StorageError, match="must begin with https"):
        load_catalogue(write(tmp_path, hub=hub))


@pytest.mark.parametrize("content", ["", "{", "[]", "null", '{"version": 2, "hub": "https://h", "models": []}'])
def test_what_is_no_catalogue_is_said(tmp_path: Path, content: str) -> None:
    path = tmp_path / "catalog.json"
    path.write_text(content)
    with pytest.raises(StorageError, match="is not right"):
        load_catalogue(path)


def test_a_catalogue_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="can't be read: No such file"):
        load_catalogue(tmp_path / "none.json")


def test_starters_can_be_asked_for_by_role(tmp_path: Path) -> None:
    voice = entry("v", {"v.onnx": VOICE}, role="voice", starter=True)
    found = load_catalogue(write(tmp_path, entry("a", {"a.gguf": WEIGHTS}, starter=True), voice))
    assert [model.id for model in found.starters(EngineRole.VOICE)] == ["v"]
    assert len(found.starters()) == 2
