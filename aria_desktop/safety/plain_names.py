"""Which names of files can be shown to the model as they are, and what stands for the others. Pure.

A name is text that somebody else may have chosen, and a long one can hold a whole order. A plain one is short and made
of letters, digits and a few signs; any other is shown as "file 7", and whoever asks for it brings its name into the
conversation as untrusted text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

MOST_CHARACTERS = 40
"""Of each part of a plain path."""
_SIGNS = frozenset("._- ")


def is_plain(path: str) -> bool:
    """Whether each part of a path is a plain name; "/" at the end stands for a folder."""
    return all(_is_plain_name(part) for part in path.removesuffix("/").split("/"))


def stand_ins(names: Sequence[str]) -> dict[str, str]:
    """ "file 7" or "folder 7/" -> the name that stands seventh and is not plain. A stand-in that is itself the name of
    something is left out: then that name can't be asked for by its number."""
    found = {}
    for number, name in enumerate(names, start=1):
        if not is_plain(name):
            stand_in = f"folder {number}/" if name.endswith("/") else f"file {number}"
            found[stand_in] = name
    return {stand_in: name for stand_in, name in found.items() if stand_in not in names}


def shown(names: Sequence[str]) -> tuple[str, ...]:
    """The names as the model is told them: plain ones to the last character as they are."""
    return tuple(
        name if is_plain(name) else f"folder {number}/" if name.endswith("/") else f"file {number}"
        for number, name in enumerate(names, start=1)
    )


def _is_plain_name(name: str) -> bool:
    letters = unicodedata.normalize("NFC", name)
    fits = 0 < len(letters) <= MOST_CHARACTERS and letters == letters.strip()
    return fits and all(character in _SIGNS or unicodedata.category(character)[0] in "LN" for character in letters)
