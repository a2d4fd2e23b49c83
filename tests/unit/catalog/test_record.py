"""What is written of verified files comes back as it was."""

from __future__ import annotations

from pathlib import Path

from aria_desktop.catalog.record import RECORD_NAME, FileRecord, Look, Record, read_record, write_record
from tests.unit.catalog.makers import WEIGHTS, catalogue, entry, lay, sha256


def test_a_record_comes_back_whole_with_what_is_not_known(tmp_path: Path) -> None:
    lay(tmp_path, {"a.gguf": WEIGHTS})
    own = catalogue(entry("a", {"a.gguf": WEIGHTS}, known=False)).get("a")
    record = Record(files={"a.gguf": FileRecord(sha256=sha256(WEIGHTS), look=Look.of(tmp_path / "a.gguf"))}, entry=own)
    write_record(tmp_path, record)
    assert read_record(tmp_path) == record


def test_writing_leaves_the_record_alone(tmp_path: Path) -> None:
    write_record(tmp_path, Record())
    write_record(tmp_path, Record())
    assert [path.name for path in tmp_path.iterdir()] == [RECORD_NAME]


def test_no_record_is_an_empty_one(tmp_path: Path) -> None:
    assert read_record(tmp_path) == Record()
