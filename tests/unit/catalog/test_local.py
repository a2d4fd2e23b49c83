"""Models from sticks and folders."""

from __future__ import annotations

from pathlib import Path

import pytest

from aria_desktop.catalog.local import Importer, find_listed, find_unlisted
from aria_desktop.catalog.store import ModelState, ModelStore
from aria_desktop.catalog.unlisted import Found
from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.errors import DiskFull, ModelDamaged, StorageError, UsageError
from aria_desktop.core.events import EngineRole
from tests.unit.catalog.makers import VOICE, VOICE_CONFIG, WEIGHTS, catalogue, entry, lay, sha256

EARS = {"model.bin": b"ears" * 100, "config.json": b"{}"}
OTHER_EARS = {"model.bin": b"other" * 100, "config.json": b"{ }"}
CATALOGUE = catalogue(
    entry("tiny", {"tiny.gguf": WEIGHTS}),
    entry("ears", EARS, role="speech"),
    entry("other-ears", OTHER_EARS, role="speech"),
    entry("voice", {"v.onnx": VOICE, "v.onnx.json": VOICE_CONFIG}, role="voice"),
    entry("unpinned", {"unpinned.gguf": WEIGHTS}, known=False),
)


class Here:
    """A store to bring models into, and what was said."""

    def __init__(self, folder: Path) -> None:
        self.said: list[str] = []
        self.cancel = CancelToken()
        self.store = ModelStore(folder, CATALOGUE)
        self.importer = Importer(self.store, self.cancel, told=self.said.append)


@pytest.fixture
def here(tmp_path: Path) -> Here:
    return Here(tmp_path / "models")


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    """A stick with three models: in folders of their names, and one among other files."""
    lay(tmp_path / "stick" / "aria" / "tiny", {"tiny.gguf": WEIGHTS})
    lay(tmp_path / "stick" / "whisper", OTHER_EARS)
    lay(tmp_path / "stick", {"v.onnx": VOICE, "v.onnx.json": VOICE_CONFIG, "holiday.jpg": b"beach"})
    return tmp_path / "stick"


def ids(found: tuple[Found, ...]) -> set[str]:
    return {each.entry.id for each in found}


def test_all_models_of_a_stick_are_found_by_names_and_lengths(stick: Path) -> None:
    assert ids(find_listed(stick, CATALOGUE)) == {"tiny", "other-ears", "voice"}


def test_files_called_the_same_are_told_apart_by_their_lengths(stick: Path, here: Here) -> None:
    (found,) = find_listed(stick / "whisper", CATALOGUE)
    arrived = here.importer.bring_in(found)
    assert arrived.model.path == here.store.folder / "other-ears"
    assert (arrived.model.path / "model.bin").read_bytes() == OTHER_EARS["model.bin"]
    assert here.store.open("other-ears") == arrived.model
    assert (stick / "whisper" / "model.bin").exists()


def test_one_file_of_a_stick_brings_its_model_alone(stick: Path) -> None:
    assert ids(find_listed(stick / "v.onnx", CATALOGUE)) == {"voice"}
    assert ids(find_listed(stick / "whisper" / "model.bin", CATALOGUE)) == {"other-ears"}


def test_a_renamed_file_is_known_by_its_hash(tmp_path: Path, here: Here) -> None:
    renamed = lay(tmp_path / "stick", {"download (1).gguf": WEIGHTS}) / "download (1).gguf"
    (found,) = find_listed(renamed, CATALOGUE)
    here.importer.bring_in(found)
    assert here.store.path("tiny").read_bytes() == WEIGHTS


def test_a_file_of_the_same_length_is_not_taken_for_another(tmp_path: Path) -> None:
    path = lay(tmp_path, {"mine.gguf": WEIGHTS[:-1] + b"?"}) / "mine.gguf"
    assert find_listed(path, CATALOGUE) == ()


def test_a_flipped_byte_leaves_nothing_and_says_both_hashes(tmp_path: Path, here: Here) -> None:
    wrong = WEIGHTS[:-1] + b"?"
    (found,) = find_listed(lay(tmp_path / "tiny", {"tiny.gguf": wrong}), CATALOGUE)
    with pytest.raises(ModelDamaged, match=f"{sha256(wrong)} and must have {sha256(WEIGHTS)}; it was deleted"):
        here.importer.bring_in(found)
    assert not here.store.folder_of("tiny").exists()
    assert (tmp_path / "tiny" / "tiny.gguf").read_bytes() == wrong


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"model.bin": EARS["model.bin"]}, "config.json is missing"),
        ({**EARS, "model.bin": b"ears"}, "model.bin has 4 of 400 bytes"),
    ],
)
def test_half_a_model_is_said_before_anything_is_copied(
    tmp_path: Path, here: Here, files: dict[str, bytes], words: str
) -> None:
    (found,) = find_listed(lay(tmp_path / "ears", files), CATALOGUE)
    with pytest.raises(ModelDamaged, match=f"ears is not whole there: {words}"):
        here.importer.bring_in(found)
    assert not here.store.folder_of("ears").exists()


def test_what_is_here_already_is_not_copied_again(stick: Path, here: Here) -> None:
    (found,) = find_listed(stick / "whisper", CATALOGUE)
    here.importer.bring_in(found)
    assert here.importer.bring_in(found).brought == ()


def test_a_damaged_model_is_mended_from_the_stick(stick: Path, here: Here) -> None:
    lay(here.store.folder_of("tiny"), {"tiny.gguf": WEIGHTS[::-1]})
    (found,) = find_listed(stick / "aria", CATALOGUE)
    assert here.importer.bring_in(found).brought == ("tiny.gguf",)
    assert here.store.path("tiny").read_bytes() == WEIGHTS


def test_an_unknown_hash_is_shown_and_pinned(tmp_path: Path, here: Here) -> None:
    (found,) = find_listed(lay(tmp_path / "stick", {"unpinned.gguf": WEIGHTS}), CATALOGUE)
    here.importer.bring_in(found)
    assert here.said == [
        f"unpinned: the right SHA-256 of unpinned.gguf is not known. It is pinned to {sha256(WEIGHTS)}."
    ]


def test_a_model_of_no_catalogue_is_added_pinned_and_used(tmp_path: Path, here: Here) -> None:
    content = b"GGUF mine"
    found = find_unlisted(lay(tmp_path, {"My Llama-3 (v2).gguf": content}) / "My Llama-3 (v2).gguf", "mine")
    here.importer.bring_in(found)
    again = ModelStore(here.store.folder, CATALOGUE)
    model = again.open("mine")
    assert (model.role, model.chat_template) == (EngineRole.LANGUAGE, "llama3")
    assert sha256(content) in here.said[0]
    model.main_file.write_bytes(b"GGUF evil")
    with pytest.raises(ModelDamaged) as damaged:
        again.open("mine")
    assert "aria models remove mine" in damaged.value.hint


def test_a_model_under_a_taken_name_is_refused(tmp_path: Path, here: Here) -> None:
    first = lay(tmp_path / "one", {"m.gguf": b"GGUF one"}) / "m.gguf"
    second = lay(tmp_path / "two", {"m.gguf": b"GGUF two"}) / "m.gguf"
    here.importer.bring_in(find_unlisted(first))
    for taken in (find_unlisted(second), find_unlisted(second, "tiny")):
        with pytest.raises(UsageError, match="already"):
            here.importer.bring_in(taken)
    assert here.store.path("m").read_bytes() == b"GGUF one"


def test_a_model_that_lies_in_the_models_folder_is_recorded_where_it_is(here: Here) -> None:
    folder = lay(here.store.folder_of("mine"), {"m.gguf": b"GGUF mine"})
    arrived = here.importer.bring_in(find_unlisted(folder))
    assert arrived.brought == ()
    assert arrived.model.main_file == folder / "m.gguf"


@pytest.mark.parametrize("content", [{"a.txt": b"x"}, {}, {"v.onnx": VOICE}, {"a.gguf": b"GGUF", "b.gguf": b"GGUF"}])
def test_a_folder_without_one_usable_model_says_what_a_model_is(tmp_path: Path, content: dict[str, bytes]) -> None:
    with pytest.raises(UsageError, match="no model in") as refused:
        find_unlisted(lay(tmp_path / "folder", content))
    assert "A model is a .gguf file" in refused.value.hint


def test_a_path_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="There is no"):
        find_listed(tmp_path / "none", CATALOGUE)


def test_the_disk_is_asked_before_copying(stick: Path, here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aria_desktop.catalog.space.free_bytes", lambda _: 0)
    (found,) = find_listed(stick / "whisper", CATALOGUE)
    with pytest.raises(DiskFull, match="0 bytes are free"):
        here.importer.bring_in(found)


def test_a_disk_that_fills_up_meanwhile_leaves_nothing(
    stick: Path, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("aria_desktop.catalog.arrival._flush", full)
    (found,) = find_listed(stick / "whisper", CATALOGUE)
    with pytest.raises(DiskFull):
        here.importer.bring_in(found)
    assert not here.store.folder_of("other-ears").exists()


def test_cancelling_leaves_nothing_half_copied(stick: Path, here: Here) -> None:
    (found,) = find_listed(stick / "whisper", CATALOGUE)
    here.cancel.cancel()
    with pytest.raises(Cancelled):
        here.importer.bring_in(found)
    assert here.store.state("other-ears") is ModelState.MISSING
    assert not here.store.folder_of("other-ears").exists()
