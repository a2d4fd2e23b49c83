"""What is copied for a report holds no secret, no name and no home folder, and keeps what a fault is found by."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from aria_desktop.core.errors import StorageError
from aria_desktop.storage.diagnostics import LOG_END, REMOVED, cleaned, diagnostics, log_end
from aria_desktop.storage.settings import Settings


@pytest.mark.parametrize(
    "line",
    [
        "api_key=sk-proj-abc",
        'password: "hunter2"',
        "Authorization: Bearer eyJhbGciOi",
        "token hunter2",
        "sent by eve@example.org today",
        "found AKIAIOSFODNN7EXAMPLEKEY123 in it",
        "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    ],
)
def test_what_looks_like_a_secret_is_removed(line: str) -> None:
    shown = cleaned(line, "/home/eve", "eve", "box")
    assert REMOVED in shown
    for secret in ("sk-proj", "hunter2", "eyJ", "eve@", "AKIA", "ghp_"):
        assert secret not in shown


@pytest.mark.parametrize(
    "line",
    [
        "models/qwen2.5-coder-1.5b-instruct/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf is missing",
        'File "aria_desktop/assistant/conversations_of_the_window.py", line 12, in opened_by_the_user',
        "keyboard: the microphone was unplugged",
        "faster-whisper-base ready on the CPU, 2 threads",
    ],
)
def test_what_a_fault_is_found_by_stays(line: str) -> None:
    assert cleaned(line, "/home/eve", "eve", "box") == line


def test_who_and_where_is_removed() -> None:
    assert cleaned("/home/eve/a.txt of eve on box, evening", "/home/eve", "eve", "box") == (
        f"~/a.txt of {REMOVED} on {REMOVED}, evening"
    )


def test_settings_that_differ_are_told_and_others_are_not() -> None:
    settings = Settings()
    settings = replace(settings, microphone=replace(settings.microphone, silence_ms=900))
    text = diagnostics("1.0", settings, {"cores": "2"}, ["faster-whisper-base: installed"], "one\ntwo")
    assert "microphone.silence_ms = 900" in text
    assert "voice.speed" not in text
    assert "cores: 2" in text
    assert text.endswith("one\ntwo\n")


def test_only_whole_lines_of_the_end_of_the_log(tmp_path: Path) -> None:
    assert log_end(tmp_path) == ""
    (tmp_path / "aria.log").write_text("x" * LOG_END + "\nlast\n", "utf-8")
    assert log_end(tmp_path) == "last\n"


def test_a_log_that_can_t_be_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "aria.log").mkdir()
    with pytest.raises(StorageError, match=r"aria\.log"):
        log_end(tmp_path)
