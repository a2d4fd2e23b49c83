"""Asking the machine, with driver tools that answer, fail and hang."""

from __future__ import annotations

from pathlib import Path

import pytest

from aria_desktop.catalog import hardware
from aria_desktop.catalog.hardware import Gpu, Machine, built_for_cuda, find_gpus, parse_gpus


def tool(folder: Path, script: str) -> str:
    path = folder / "nvidia-smi"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def test_this_machine_has_cores_and_memory() -> None:
    machine = hardware.look()
    assert machine.cores >= 1
    assert 0 < machine.memory_free <= machine.memory_total
    assert bool(machine.gpus) != bool(machine.no_gpu_reason)


def test_cards_are_read_with_their_memory(tmp_path: Path) -> None:
    smi = tool(tmp_path, "echo 'NVIDIA GeForce RTX 4090, 24564, 23028'; echo 'Card, with comma, 8192, 100'")
    gpus, reason = find_gpus(smi)
    assert gpus == (
        Gpu("NVIDIA GeForce RTX 4090", 24564 << 20, 23028 << 20),
        Gpu("Card, with comma", 8192 << 20, 100 << 20),
    )
    assert reason == ""


@pytest.mark.parametrize("table", ["", "NVIDIA, [N/A], [N/A]", "no such thing", "a, b, c\n\n"])
def test_lines_that_are_no_cards_are_left_out(table: str) -> None:
    assert parse_gpus(table) == ()


def test_a_driver_that_finds_no_card_is_quoted(tmp_path: Path) -> None:
    assert find_gpus(tool(tmp_path, "echo 'No devices were found'; exit 6")) == (
        (),
        f"{tmp_path}/nvidia-smi finds no card: No devices were found",
    )


def test_a_driver_that_hangs_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hardware, "TOOL_TIMEOUT_S", 0.1)
    assert "does not answer" in find_gpus(tool(tmp_path, "exec sleep 30"))[1]


def test_without_a_driver_the_reason_is_said(tmp_path: Path) -> None:
    assert find_gpus("no-such-tool", tmp_path / "none")[1] == "no NVIDIA driver is installed"
    assert find_gpus("no-such-tool", tmp_path)[1] == "the NVIDIA driver is loaded, but no-such-tool is missing"


def test_a_card_counts_only_for_an_engine_built_for_it() -> None:
    card = (Gpu("card", 24 << 30, 20 << 30),)
    with_cuda = Machine("cpu", 4, 16 << 30, 8 << 30, card, "", language_on_gpu=True)
    without = Machine("cpu", 4, 16 << 30, 8 << 30, card, "", language_on_gpu=False)
    assert (with_cuda.room.gpu_memory, without.room.gpu_memory) == (24 << 30, 0)


def test_what_an_engine_is_built_for_is_read_off_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = tmp_path / "fake_llama" / "lib"
    library.mkdir(parents=True)
    (library.parent / "__init__.py").write_text("raise RuntimeError('imported')")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert not built_for_cuda("fake_llama")
    (library / "libggml-cuda.so").touch()
    assert built_for_cuda("fake_llama")
    assert not built_for_cuda("there_is_no_such_package")
