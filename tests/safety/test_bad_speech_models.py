"""Bad speech models and voices: refused with a reason before native code sees them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import ctranslate2
import onnxruntime  # type: ignore[import-untyped]
import pytest

from aria_desktop.core.errors import ModelDamaged
from aria_desktop.safety.models.ctranslate2 import check_ctranslate2
from aria_desktop.safety.models.onnx_check import check_onnx
from aria_desktop.safety.models.voice import check_voice
from tests.safety.bad_speech_models import (
    SPEECH,
    VOICE_FILE,
    VOICES,
    WHOLE_SPEECH,
    WHOLE_VOICE,
    BadFiles,
    node,
    number,
    onnx,
    part,
)
from tests.safety.conftest import Tried

LONGEST_S = 10.0


def laid(folder: Path, files: Mapping[str, bytes]) -> Path:
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


def refused(check: Callable[[], object], reason: str) -> None:
    started = time.monotonic()
    with pytest.raises(ModelDamaged, match=reason) as caught:
        check()
    assert time.monotonic() - started < LONGEST_S
    assert caught.value.text.startswith("Model refused: ")
    assert caught.value.hint


def test_there_are_as_many_as_were_promised() -> None:
    assert (len({case.name for case in SPEECH}), len({case.name for case in VOICES})) == (20, 23)


@pytest.mark.parametrize("case", SPEECH, ids=lambda case: f"{case.number}-{case.name}")
def test_a_bad_speech_model_is_refused(case: BadFiles, tmp_path: Path, tried: Tried) -> None:
    tried.begin("bad models: CTranslate2")
    folder = laid(tmp_path / "model", WHOLE_SPEECH)
    check_ctranslate2(folder)
    case.harm(folder)
    refused(lambda: check_ctranslate2(folder), case.reason)


@pytest.mark.parametrize("case", VOICES, ids=lambda case: f"{case.number}-{case.name}")
def test_a_bad_voice_is_refused(case: BadFiles, tmp_path: Path, tried: Tried) -> None:
    tried.begin("bad models: voices")
    folder = laid(tmp_path / "model", WHOLE_VOICE)
    check_voice(folder / VOICE_FILE)
    case.harm(folder)
    refused(lambda: check_voice(folder / VOICE_FILE), case.reason)


def test_onnxruntime_alone_reads_another_file_through_a_hard_link(tmp_path: Path, tried: Tried) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(b"\x00\x00\x80\x3f" * 2)
    folder = laid(tmp_path / "model", {VOICE_FILE: copying_weights_of("weights")})
    os.link(secret, folder / "weights")
    session = onnxruntime.InferenceSession(str(folder / VOICE_FILE), providers=["CPUExecutionProvider"])
    (found,) = session.run(None, {})
    assert found.tolist() == [1.0, 1.0]
    refused(lambda: check_onnx(folder / VOICE_FILE), "in another file")
    tried.control("bad models: voices")


def copying_weights_of(path: str) -> bytes:
    """A whole ONNX file: one node gives back two numbers that lie in the file `path`."""
    where = part(13, part(1, b"location"), part(2, path.encode()))
    weights = part(5, number(1, 2), number(2, 1), part(8, b"w"), where, number(14, 1))
    kind = part(2, part(1, number(1, 1), part(2, part(1, number(1, 2)))))
    output = part(12, part(1, b"y"), kind)
    return onnx(node(b"Identity", part(1, b"w"), part(2, b"y")), part(2, b"g"), weights, output)


def test_ctranslate2_alone_takes_a_file_with_more_behind_its_end(
    models_dir: Path, tmp_path: Path, tried: Tried
) -> None:
    real = models_dir / "faster-whisper-tiny.en"
    folder = laid(tmp_path / "model", {file.name: file.read_bytes() for file in real.iterdir() if file.is_file()})
    check_ctranslate2(folder)
    with (folder / "model.bin").open("ab") as file:
        file.write(b"something else")
    ctranslate2.models.Whisper(str(folder), device="cpu", compute_type="int8", intra_threads=1)
    refused(lambda: check_ctranslate2(folder), "belong to nothing")
    tried.control("bad models: CTranslate2")
