"""Bad model files: refused with a reason before native code sees them, in little time and memory.

The controls are native: the same bytes, given to llama.cpp as they are, end its process or are taken for a model.
"""

from __future__ import annotations

import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import jinja2
import pytest

from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import Message, Role
from aria_desktop.core.errors import ModelDamaged
from aria_desktop.engines.language.llama_cpp import load
from aria_desktop.safety.models.gguf_check import BLOCKS, LONGEST_TEMPLATE, check_gguf
from aria_desktop.safety.models.memory import require_room
from aria_desktop.safety.models.reading import require_same
from tests.safety.bad_models import CANARY, GGUF, HARMFUL_TEMPLATES, WHOLE, BadModel, of
from tests.safety.conftest import Tried
from tests.tiny_model import TinyModel

LONGEST_S = 10.0
MOST_BYTES = 32 * 2**20

_NATIVE = """
import sys, llama_cpp.llama_cpp as lib
params = lib.llama_model_default_params()
params.n_gpu_layers = 0
print("loaded" if lib.llama_model_load_from_file(sys.argv[1].encode(), params) else "refused")
"""


def native(path: Path) -> str:
    """What llama.cpp alone makes of a file: "loaded", "refused", or "died"."""
    done = subprocess.run(
        [sys.executable, "-c", _NATIVE, str(path)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={"GGML_NO_BACKTRACE": "1"},
    )
    return done.stdout.strip() if done.returncode == 0 else "died"


def test_there_are_as_many_as_were_promised() -> None:
    assert [case.number for case in GGUF] == list(range(1, 66))
    assert len({case.name for case in GGUF}) == 65
    assert len(HARMFUL_TEMPLATES) == 14


@pytest.mark.parametrize("case", GGUF, ids=lambda case: f"{case.number}-{case.name}")
def test_a_bad_gguf_file_is_refused_before_it_is_loaded(case: BadModel, tmp_path: Path, tried: Tried) -> None:
    tried.begin("bad models: GGUF")
    path = case.make(tmp_path)
    tracemalloc.start()
    started = time.monotonic()
    with pytest.raises(ModelDamaged, match=case.reason) as caught:
        check_gguf(path)
    took, (_, peak) = time.monotonic() - started, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert caught.value.text.startswith("Model refused: bad")
    assert caught.value.hint
    assert took < LONGEST_S
    assert peak < MOST_BYTES


def test_the_same_file_unharmed_is_let_through(tmp_path: Path) -> None:
    """Otherwise the test above would prove nothing."""
    assert check_gguf(of(WHOLE)(tmp_path)).weights > 0
    tiny = TinyModel().write(tmp_path / "tiny.gguf")
    assert list(check_gguf(tiny).files) == [tiny]
    assert native(tiny) == "loaded"


def test_llama_cpp_alone_dies_of_a_model_without_layers(tmp_path: Path, tried: Tried) -> None:
    (case,) = (case for case in GGUF if case.name == "no layers")
    assert native(case.make(tmp_path)) == "died"
    tried.control("bad models: GGUF")


@pytest.mark.parametrize("template", [pytest.param(text, id=name) for name, text in HARMFUL_TEMPLATES])
def test_a_harmful_template_is_never_run(
    template: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tried: Tried
) -> None:
    """Not even where the model's marks are in it, so that the engine takes the form that it knows by that name."""
    monkeypatch.chdir(tmp_path)
    path = TinyModel(chat_template=f"<|im_start|><|im_end|>{template}").write(tmp_path / "bad.gguf")
    started = time.monotonic()
    if len(template) > LONGEST_TEMPLATE:
        with pytest.raises(ModelDamaged, match=r"chat template of more than 64 kB|too long"):
            load(str(path), {"context_tokens": 512})
    else:
        engine = load(str(path), {"context_tokens": 512})
        engine.prefill([Message(Role.USER, "hello")], CancelToken())
    assert time.monotonic() - started < LONGEST_S
    tried("bad models: templates", 1, 0, (tmp_path / CANARY).exists())


def test_a_template_that_is_rendered_runs_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tried: Tried
) -> None:
    monkeypatch.chdir(tmp_path)
    jinja2.Template(dict(HARMFUL_TEMPLATES)["globals"]).render()
    assert (tmp_path / CANARY).exists()
    tried.control("bad models: templates")


def test_a_file_that_was_replaced_or_cut_after_the_check_is_noticed(tmp_path: Path) -> None:
    path = TinyModel().write(tmp_path / "a.gguf")
    ((_, identity),) = check_gguf(path).files.items()
    require_same(path, identity)
    with path.open("r+b") as file:
        file.truncate(identity.size - 1)
    with pytest.raises(ModelDamaged, match="was changed while it was loaded"):
        require_same(path, identity)
    path.unlink()
    with pytest.raises(ModelDamaged, match="was taken away"):
        require_same(path, identity)


def test_what_needs_three_times_the_memory_is_refused() -> None:
    with pytest.raises(ModelDamaged, match=r"needs about 24\.0 GB of memory, and this machine has 8\.0"):
        require_room("big.gguf", 24 * 10**9, 8 * 10**9)
    require_room("small.gguf", 4 * 10**9, 8 * 10**9)


def test_the_sizes_of_blocks_are_those_of_the_library() -> None:
    import ctypes

    import llama_cpp.llama_cpp as lib

    folder = Path(lib.__file__).parent / "lib"
    base = ctypes.CDLL(str(next(folder.glob("libggml-base*"))))
    base.ggml_blck_size.restype = ctypes.c_int64
    base.ggml_type_size.restype = ctypes.c_size_t
    for kind, (numbers, size) in BLOCKS.items():
        assert (base.ggml_blck_size(kind), base.ggml_type_size(kind)) == (numbers, size), kind
