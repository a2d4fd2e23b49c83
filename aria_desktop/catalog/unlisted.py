"""Models that no catalogue knows: what their files show, and what only the user can say.

A folder or file counts as a model by the shape its engine needs. Nothing is promised about its bytes, so their hash
is shown and pinned when it first comes in, and it must still have that hash whenever it is opened.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from aria_desktop.catalog.catalog import ChatTemplate, ModelEntry, ModelFile
from aria_desktop.catalog.gguf import read_facts
from aria_desktop.catalog.suitability import family_in
from aria_desktop.core.errors import ModelDamaged
from aria_desktop.core.events import EngineRole

LICENCE_UNKNOWN = "not known"
_SPLIT = re.compile(r"^(?P<stem>.+)-(?P<part>\d{5})-of-(?P<parts>\d{5})$")
_FAMILIES = (
    (re.compile(r"qwen|hermes|chatml|smollm|yi-", re.IGNORECASE), ChatTemplate.CHATML),
    (re.compile(r"llama-?_?3", re.IGNORECASE), ChatTemplate.LLAMA3),
    (re.compile(r"mi[sx]tral|ministral|codestral|devstral", re.IGNORECASE), ChatTemplate.MISTRAL),
    (re.compile(r"gemma", re.IGNORECASE), ChatTemplate.GEMMA),
)
_MAGIC = {".gguf": b"GGUF", ".onnx": b"\x08"}
"""How these files begin. A web page saved under a model's name is caught here."""
MODEL_SUFFIXES = frozenset(_MAGIC)


@dataclass(frozen=True, slots=True)
class Found:
    """A model that lies somewhere."""

    entry: ModelEntry
    files: dict[str, Path]
    """Where each of the entry's files lies; it may have another name there."""


def describe(path: Path, model_id: str = "", template: ChatTemplate | None = None) -> Found | None:
    """The model in `path` (a file or a folder), or None when there is none in it.

    Args:
        model_id: its id; by default the name of the file or folder.
        template: the chat template of a language model; by default the one that its file shows, else its name.

    Raises ModelDamaged for a file that is not what its name says, ValueError for an id that is no folder's name.
    """
    shape = _shape(path)
    if shape is None:
        return None
    role, main, others = shape
    _check_beginning(main)
    name = model_id or slug(_SPLIT.sub(r"\g<stem>", path.stem if path.is_file() else path.name))
    files = {slug(file.name): file for file in (main, *others)}
    entry = ModelEntry(
        id=name,
        role=role,
        name=name,
        publisher="added by hand",
        licence=LICENCE_UNKNOWN,
        chat_template=(template or _template_of(main)) if role is EngineRole.LANGUAGE else None,
        files=tuple(ModelFile(name=name, bytes=file.stat().st_size, sha256=None) for name, file in files.items()),
    )
    return Found(entry, files)


def _template_of(file: Path) -> ChatTemplate | None:
    """None also for a file that shows one which ARIA does not know, whatever its name says."""
    try:
        published = read_facts(file).chat_template
    except ModelDamaged:
        published = ""
    return family_in(published) if published else guess_template(file.name)


def guess_template(name: str) -> ChatTemplate | None:
    """From a file's name; None: it tells nothing, and the engine goes by the marks in the model's vocabulary."""
    return next((template for family, template in _FAMILIES if family.search(name)), None)


def slug(name: str) -> str:
    """A name fit for a folder."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip(".-_")[:100] or "model"


def _shape(path: Path) -> tuple[EngineRole, Path, Sequence[Path]] | None:
    """Role, main file and further files; None when `path` holds no model or several."""
    if path.is_file():
        return _shape_of_file(path)
    if (path / "model.bin").is_file() and (path / "config.json").is_file():
        others = [file for file in sorted(path.iterdir()) if file.is_file() and file.suffix in (".json", ".txt")]
        return EngineRole.SPEECH, path / "model.bin", [file for file in others if not file.name.startswith(".")]
    mains = [file for file in sorted(path.iterdir()) if file.suffix in _MAGIC and _is_first(file)]
    return _shape_of_file(mains[0]) if len(mains) == 1 else None


def _shape_of_file(path: Path) -> tuple[EngineRole, Path, Sequence[Path]] | None:
    if path.suffix == ".gguf":
        first, *rest = _pieces(path)
        return EngineRole.LANGUAGE, first, rest
    config = path.with_name(f"{path.name}.json")
    if path.suffix == ".onnx" and config.is_file():
        return EngineRole.VOICE, path, [config]
    return None


def _is_first(path: Path) -> bool:
    split = _SPLIT.match(path.stem)
    return split is None or int(split["part"]) == 1


def _pieces(path: Path) -> list[Path]:
    """All files of a split model, in order. Raises ModelDamaged when one is missing."""
    split = _SPLIT.match(path.stem)
    if split is None:
        return [path]
    total = int(split["parts"])
    names = [f"{split['stem']}-{part:05d}-of-{total:05d}{path.suffix}" for part in range(1, total + 1)]
    if missing := [name for name in names if not path.with_name(name).is_file()]:
        raise ModelDamaged(
            f"Of the split model {split['stem']}, {', '.join(missing)} is missing.", "Put all parts together."
        )
    return [path.with_name(name) for name in names]


def _check_beginning(path: Path) -> None:
    magic = _MAGIC.get(path.suffix, b"")
    with path.open("rb") as file:
        if file.read(len(magic)) != magic:
            raise ModelDamaged(
                f"{path.name} is no {path.suffix[1:].upper()} file.", "Was a web page saved instead of it?"
            )
