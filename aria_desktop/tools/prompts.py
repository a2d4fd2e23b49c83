"""The texts of resources/prompts: read once, filled in with nothing missing and nothing left over."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template

from aria_desktop.core.errors import AriaError

_END_OF_MARK = re.compile(r"[<\uff1c\u2039]\s{0,9}[/\uff0f\u2215]\s{0,9}data", re.IGNORECASE)
"""What a model reads as the end of the mark, also in other letters and with blanks."""


@dataclass(frozen=True, slots=True)
class PromptFiles:
    texts: Mapping[str, str]
    """File name without ending -> text."""

    @classmethod
    def read(cls, folder: Path) -> PromptFiles:
        """All .txt files of `folder`."""
        try:
            texts = {path.stem: path.read_text("utf-8").strip() for path in sorted(folder.glob("*.txt"))}
        except (OSError, UnicodeDecodeError) as error:
            raise AriaError(f"The prompts in {folder} can't be read: {error}.", "Install ARIA again.") from error
        if not texts:
            raise AriaError(f"There are no prompts in {folder}.", "Install ARIA again.")
        return cls(texts)

    def filled(self, prompt: str, /, **values: str) -> str:
        """The text with its $names replaced. A name without a value, or a value without a name, is a bug."""
        template = Template(self.texts[prompt])
        unused = values.keys() - set(template.get_identifiers())
        if unused:
            raise KeyError(f"{prompt}.txt has no place for {', '.join(sorted(unused))}")
        return template.substitute(values)


def as_data(text: str) -> str:
    """A text from a file, a tool or a name, marked as something to look at, not to obey. It can't end its mark.

    Role marks of chat templates need no care here: engines read messages without looking for marks.
    """
    return f"<data>\n{_END_OF_MARK.sub('< /data', text)}\n</data>"
