"""Small catalogues and models for tests: a few bytes with the shape of the real thing."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from aria_desktop.catalog.catalog import Catalogue

WEIGHTS = b"GGUF" + bytes(range(256)) * 40
"""10,244 bytes that begin as a language model's file does."""
VOICE = b"\x08" + b"voice" * 500
VOICE_CONFIG = b'{"audio": {"sample_rate": 22050}}'
NOWHERE = "https://hub.invalid"


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def entry(
    model_id: str, files: Mapping[str, bytes], *, role: str = "language", known: bool = True, **more: Any
) -> dict[str, Any]:
    """The catalogue's data for a model with these files. Not `known`: lengths and hashes are null."""
    listed = [
        {"name": name, "bytes": len(content) if known else None, "sha256": sha256(content) if known else None}
        for name, content in files.items()
    ]
    plain = {"name": model_id, "publisher": "nobody", "licence": "none", "revision": "r1", "languages": ["en"]}
    sources = [{"kind": "hub", "repository": f"nobody/{model_id}"}]
    return {"id": model_id, "role": role, **plain, "files": listed, "sources": sources, **more}


def catalogue(*entries: dict[str, Any], hub: str = NOWHERE) -> Catalogue:
    return Catalogue.model_validate({"version": 1, "hub": hub, "models": list(entries)})


def lay(folder: Path, files: Mapping[str, bytes]) -> Path:
    """Write the files of a model by hand."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder
