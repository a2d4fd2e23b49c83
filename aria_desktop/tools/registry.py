"""Which tools there are, in the order in which the model is told of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from aria_desktop.tools.changes import append_file, create_file, edit_file
from aria_desktop.tools.code import write_code
from aria_desktop.tools.conversation import ask_user
from aria_desktop.tools.files import list_files, read_file
from aria_desktop.tools.memory import recall, remember
from aria_desktop.tools.placing import copy_file, delete_file, make_folder, move_file
from aria_desktop.tools.search import search_files
from aria_desktop.tools.terminal import run_terminal
from aria_desktop.tools.text import summarize_text
from aria_desktop.tools.tool import Tool


@dataclass(frozen=True, slots=True)
class Registry:
    """Fixed for its lifetime: neither a model nor a file can add a tool."""

    tools: tuple[Tool, ...]
    _by_name: Mapping[str, Tool] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        by_name = {tool.name: tool for tool in self.tools}
        if len(by_name) != len(self.tools):
            raise ValueError("two tools have the same name")
        object.__setattr__(self, "_by_name", MappingProxyType(by_name))

    def __iter__(self) -> Iterator[Tool]:
        return iter(self.tools)

    def find(self, name: str) -> Tool | None:
        return self._by_name.get(name)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(tool.name for tool in self.tools)


def standard_tools() -> Registry:
    return Registry(
        (
            list_files,
            read_file,
            search_files,
            create_file,
            write_code,
            append_file,
            edit_file,
            move_file,
            copy_file,
            delete_file,
            make_folder,
            summarize_text,
            run_terminal,
            remember,
            recall,
            ask_user,
        )
    )
