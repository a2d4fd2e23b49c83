"""`aria models` says what one has to know of a language model that is here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aria_desktop import cli
from tests.tiny_model import TinyModel

ODD = {
    "stranger": (TinyModel("unknown", "{{ '<|user|>' + tools + '<|end|>' }}"), "trained for no known chat form"),
    "plain": (TinyModel(chat_template="<|im_start|><|im_end|>"), "not trained to call tools"),
    "small": (TinyModel(context_tokens=512), "keeps only 512 tokens in mind"),
    "broken": (TinyModel(chat_template="{% if <|im_start|>tools<|im_end|>"), "its chat template is broken"),
}


def listed(folder: Path, capsys: pytest.CaptureFixture[str], *more: str) -> str:
    assert cli.main(["models", "--folder", str(folder), "list", *more]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("name", ODD)
def test_it_is_said_when_it_is_added_and_when_it_is_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    model, remark = ODD[name]
    folder = tmp_path / "models"
    path = model.write(tmp_path / f"{name}.gguf")
    assert cli.main(["models", "--folder", str(folder), "add", str(path)]) == 0
    assert f"{name}: {remark}" in capsys.readouterr().out
    assert f"{name}: {remark}" in listed(folder, capsys)
    models = {model["id"]: model for model in json.loads(listed(folder, capsys, "--json"))["models"]}
    assert models[name]["remarks"][0].startswith(remark)
    assert all(not model["remarks"] for other, model in models.items() if other != name)


def test_a_good_model_in_parts_is_listed_without_remarks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "models"
    (tmp_path / "big").mkdir()
    parts = TinyModel().write_parts(tmp_path / "big", "big", 3)
    assert cli.main(["models", "--folder", str(folder), "add", str(parts[0])]) == 0
    assert "big: added and verified" in capsys.readouterr().out
    models = {model["id"]: model for model in json.loads(listed(folder, capsys, "--json"))["models"]}
    assert (models["big"]["remarks"], models["big"]["chat_template"]) == ([], "chatml")
    assert "big:" not in listed(folder, capsys)


def test_a_file_that_is_damaged_at_its_head_is_still_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "models" / "half"
    folder.mkdir(parents=True)
    path = TinyModel().write(folder / "half.gguf")
    path.write_bytes(path.read_bytes()[:600])
    assert "half: Model refused: half.gguf ends in the middle of its head" in listed(tmp_path / "models", capsys)
