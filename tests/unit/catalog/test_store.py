"""What lies in the models folder, and what opening a model notices."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from aria_desktop.catalog.progress import Progress
from aria_desktop.catalog.record import RECORD_NAME
from aria_desktop.catalog.store import STAGING_NAME, ModelState, ModelStore
from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.errors import ModelDamaged, ModelMissing
from aria_desktop.core.events import EngineRole
from tests.unit.catalog.makers import VOICE, VOICE_CONFIG, WEIGHTS, catalogue, entry, lay, sha256

SPEECH = {"model.bin": b"weights" * 100, "config.json": b"{}"}


@pytest.fixture
def store(tmp_path: Path) -> ModelStore:
    models = catalogue(
        entry("tiny", {"tiny.gguf": WEIGHTS}, chat_template="chatml", context_tokens=2048),
        entry("ears", SPEECH, role="speech"),
        entry("unpinned", {"u.gguf": WEIGHTS}, known=False),
    )
    return ModelStore(tmp_path / "models", models)


def watched(store: ModelStore, model_id: str) -> list[Progress]:
    """Open a model; what was reported meanwhile. Nothing is reported when nothing is hashed."""
    seen: list[Progress] = []
    store.open(model_id, seen.append)
    return seen


def put_back_times(path: Path, state: os.stat_result) -> None:
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))


def test_a_model_put_there_by_hand_is_verified_once(store: ModelStore) -> None:
    lay(store.folder_of("tiny"), {"tiny.gguf": WEIGHTS})
    assert watched(store, "tiny")
    assert not watched(store, "tiny")


def test_engines_get_the_folder_or_the_file(store: ModelStore) -> None:
    lay(store.folder_of("tiny"), {"tiny.gguf": WEIGHTS})
    lay(store.folder_of("ears"), SPEECH)
    assert store.path("tiny") == store.folder / "tiny" / "tiny.gguf"
    assert store.path("ears") == store.folder / "ears"
    model = store.open("tiny")
    assert (model.chat_template, model.context_tokens, model.role) == ("chatml", 2048, EngineRole.LANGUAGE)
    assert [each.id for each in store.installed()] == ["tiny", "ears"]


def test_a_model_that_is_not_here_names_the_command_that_fetches_it(store: ModelStore) -> None:
    with pytest.raises(ModelMissing) as missing:
        store.open("tiny")
    assert missing.value.hint == "Fetch it: aria models fetch tiny"
    assert store.state("tiny") is ModelState.MISSING


def test_one_flipped_byte_is_noticed(store: ModelStore) -> None:
    path = lay(store.folder_of("tiny"), {"tiny.gguf": WEIGHTS}) / "tiny.gguf"
    store.open("tiny")
    path.write_bytes(WEIGHTS[:500] + b"\xff" + WEIGHTS[501:])
    with pytest.raises(ModelDamaged, match=f"must have {sha256(WEIGHTS)}") as damaged:
        store.open("tiny")
    assert damaged.value.hint == "Fetch it: aria models fetch tiny"


def test_a_flipped_byte_is_noticed_with_the_old_date_too(store: ModelStore) -> None:
    path = lay(store.folder_of("tiny"), {"tiny.gguf": WEIGHTS}) / "tiny.gguf"
    store.open("tiny")
    before = path.stat()
    with path.open("rb+") as file:
        file.seek(500)
        file.write(b"\xff")
    put_back_times(path, before)
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    with pytest.raises(ModelDamaged):
        store.open("tiny")


def test_another_file_in_its_place_is_noticed(store: ModelStore) -> None:
    path = lay(store.folder_of("tiny"), {"tiny.gguf": WEIGHTS}) / "tiny.gguf"
    store.open("tiny")
    other = path.with_name("other")
    other.write_bytes(WEIGHTS[::-1])
    put_back_times(other, path.stat())
    other.replace(path)
    with pytest.raises(ModelDamaged):
        store.open("tiny")


def test_half_a_file_is_damage_without_hashing(store: ModelStore) -> None:
    lay(store.folder_of("tiny"), {"tiny.gguf": WEIGHTS[:5000]})
    with pytest.raises(ModelDamaged, match=f"tiny.gguf has 5000 of {len(WEIGHTS)} bytes"):
        store.open("tiny", lambda _: pytest.fail("hashed"))
    assert store.state("tiny") is ModelState.DAMAGED


def test_half_a_model_names_the_file_that_is_missing(store: ModelStore) -> None:
    lay(store.folder_of("ears"), {"model.bin": SPEECH["model.bin"]})
    with pytest.raises(ModelDamaged, match=r"not whole: config\.json is missing"):
        store.open("ears")


@pytest.mark.parametrize("odd", ["fifo", "folder"])
def test_what_is_no_ordinary_file_is_damage_and_is_not_opened(store: ModelStore, odd: str) -> None:
    folder = lay(store.folder_of("ears"), {"config.json": SPEECH["config.json"]})
    if odd == "fifo":
        os.mkfifo(folder / "model.bin")
    else:
        (folder / "model.bin").mkdir()
    with pytest.raises(ModelDamaged, match=r"model\.bin is no ordinary file"):
        store.open("ears")


def test_verify_hashes_what_opening_would_believe(store: ModelStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bits that rot on the disk change no date."""
    path = lay(store.folder_of("tiny"), {"tiny.gguf": WEIGHTS}) / "tiny.gguf"
    store.open("tiny")
    look = path.stat()
    path.write_bytes(WEIGHTS[::-1])
    monkeypatch.setattr("aria_desktop.catalog.record.Path.stat", lambda *_, **__: look)
    store.open("tiny")
    with pytest.raises(ModelDamaged):
        store.verify("tiny")


def test_a_file_of_unknown_hash_is_pinned_at_first_use_and_said(store: ModelStore) -> None:
    said: list[str] = []
    store = ModelStore(store.folder, store.catalogue, said.append)
    path = lay(store.folder_of("unpinned"), {"u.gguf": WEIGHTS}) / "u.gguf"
    store.open("unpinned")
    assert said == [f"unpinned: u.gguf is pinned to SHA-256 {sha256(WEIGHTS)}."]
    path.write_bytes(WEIGHTS[::-1])
    for _ in range(2):
        with pytest.raises(ModelDamaged, match=sha256(WEIGHTS)):
            store.open("unpinned")
    assert len(said) == 1


@pytest.mark.parametrize("content", ["", "nonsense", '{"version": 9}', "[]"])
def test_a_record_that_says_nothing_means_hashing_again(store: ModelStore, content: str) -> None:
    folder = lay(store.folder_of("tiny"), {"tiny.gguf": WEIGHTS})
    store.open("tiny")
    (folder / RECORD_NAME).write_text(content)
    assert watched(store, "tiny")
    assert not watched(store, "tiny")


def test_a_folder_that_cannot_be_written_is_verified_each_time(
    store: ModelStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("aria_desktop.catalog.store.write_record", refuse)
    lay(store.folder_of("tiny"), {"tiny.gguf": WEIGHTS})
    assert watched(store, "tiny")
    assert watched(store, "tiny")


def test_verifying_can_be_stopped(store: ModelStore) -> None:
    lay(store.folder_of("tiny"), {"tiny.gguf": WEIGHTS})
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        store.verify("tiny", cancel=cancel)


def test_a_voice_of_no_catalogue_is_listed_and_used(store: ModelStore) -> None:
    lay(store.folder_of("mine"), {"v.onnx": VOICE, "v.onnx.json": VOICE_CONFIG})
    assert store.state("mine") is ModelState.INSTALLED
    assert store.path("mine") == store.folder / "mine" / "v.onnx"
    assert store.entries()[-1].id == "mine"


def test_folders_that_are_no_models_are_not_listed(store: ModelStore) -> None:
    lay(store.folder_of("notes"), {"readme.txt": b"x"})
    lay(store.folder_of("page"), {"page.gguf": b"<!doctype html>"})
    lay(store.folder_of(".hidden"), {"h.gguf": WEIGHTS})
    lay(store.folder_of("bad name"), {"h.gguf": WEIGHTS})
    (store.folder / "loose.gguf").write_bytes(WEIGHTS)
    assert [model.id for model in store.entries()] == ["tiny", "ears", "unpinned"]


@pytest.mark.parametrize("model_id", ["..", ".", "../models/tiny", "/tiny", "", "tiny/"])
def test_an_id_never_leads_out_of_the_folder(store: ModelStore, model_id: str) -> None:
    lay(store.folder, {"loose.gguf": WEIGHTS})
    with pytest.raises(ModelMissing):
        store.open(model_id)


def test_removing_leaves_what_does_not_belong_to_the_model(store: ModelStore) -> None:
    folder = lay(store.folder_of("tiny"), {"tiny.gguf": WEIGHTS, "notes.txt": b"mine"})
    (folder / STAGING_NAME).mkdir()
    store.open("tiny")
    assert store.remove("tiny") == (folder / "notes.txt",)
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]


def test_removing_a_model_removes_its_folder(store: ModelStore) -> None:
    lay(store.folder_of("ears"), SPEECH)
    store.open("ears")
    assert store.remove("ears") == ()
    assert not store.folder_of("ears").exists()
    with pytest.raises(ModelMissing, match="is not here"):
        store.remove("ears")


def test_a_stopped_fetch_is_called_partial(store: ModelStore) -> None:
    (store.folder_of("tiny") / STAGING_NAME).mkdir(parents=True)
    assert store.state("tiny") is ModelState.PARTIAL
