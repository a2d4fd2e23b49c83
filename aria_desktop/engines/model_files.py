"""Finds the file to load in a model's folder."""

from __future__ import annotations

from pathlib import Path

from aria_desktop.core.errors import ModelDamaged, ModelMissing

FETCH = "Fetch it with `aria models fetch`, or choose another model in the settings."


def model_folder(path: str) -> Path:
    folder = Path(path)
    if not folder.is_dir():
        raise ModelMissing(f"There is no model at {folder}.", FETCH)
    return folder


def model_file(path: str, suffix: str) -> Path:
    """`path` itself when it is a file, else the one file with `suffix` in that folder. Of a model that is split
    into parts it is the first one, which names the others.
    """
    place = Path(path)
    if place.is_file():
        return place
    found = sorted(file for file in model_folder(path).iterdir() if file.name.endswith(suffix))
    whole = [file for file in found if "-of-" not in file.stem or "-00001-of-" in file.stem]
    if not found:
        raise ModelMissing(f"There is no {suffix} file in {place}.", FETCH)
    if len(whole) != 1:
        names = ", ".join(file.name for file in found)
        raise ModelDamaged(f"{place} must hold one model, and holds {names}.", "Keep one of them there.")
    return whole[0]
