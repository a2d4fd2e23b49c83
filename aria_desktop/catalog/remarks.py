"""What the user should know of a language model that is here, from its file."""

from __future__ import annotations

from aria_desktop.catalog.catalog import ModelEntry
from aria_desktop.catalog.gguf import read_facts
from aria_desktop.catalog.store import ModelState, ModelStore
from aria_desktop.catalog.suitability import remarks
from aria_desktop.core.errors import ModelDamaged
from aria_desktop.core.events import EngineRole


def remarks_on(store: ModelStore, entry: ModelEntry) -> tuple[str, ...]:
    """What the file of a language model that is here says of it that one has to know."""
    if entry.role is not EngineRole.LANGUAGE or store.state(entry.id) is not ModelState.INSTALLED:
        return ()
    file = store.model(entry).main_file
    try:
        return remarks(read_facts(file), entry.chat_template)
    except ModelDamaged as error:
        return (error.text.rstrip("."),)
    except OSError as error:
        return (f"{file.name} can't be read: {error.strerror}",)
