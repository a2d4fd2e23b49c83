"""How a tool call reads in the conversation: a badge, a verb while it runs, a verb when it is done, its object.

A tool this table does not know is shown under its own name, so that a new tool is never invisible.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from aria_desktop.core.chat import ToolCall
from aria_desktop.gui.state.shown import one_line


@dataclass(frozen=True, slots=True)
class Verbs:
    badge: str
    icon: str
    """A file of `resources/icons`, without its ending."""
    running: str
    done: str


_KNOWN: Mapping[str, Verbs] = {
    "list_files": Verbs("List files", "folder", "Looking at the files", "Listed the files"),
    "read_file": Verbs("Read file", "file-search", "Reading", "Read"),
    "search_files": Verbs("Search", "file-search", "Searching for", "Searched for"),
    "create_file": Verbs("Create file", "file-plus", "Creating", "Created"),
    "write_code": Verbs("Write code", "code", "Writing", "Wrote"),
    "append_file": Verbs("Append to file", "file-pen", "Adding to", "Added to"),
    "edit_file": Verbs("Change file", "file-pen", "Changing", "Changed"),
    "move_file": Verbs("Move", "arrow-up", "Moving", "Moved"),
    "copy_file": Verbs("Copy", "copy", "Copying", "Copied"),
    "delete_file": Verbs("Delete", "x", "Moving to the trash", "Moved to the trash"),
    "make_folder": Verbs("New folder", "folder-open", "Making the folder", "Made the folder"),
    "summarize_text": Verbs("Summarise", "list-checks", "Summarising", "Summarised"),
    "run_terminal": Verbs("Terminal", "code", "Running", "Ran"),
    "remember": Verbs("Remember", "check", "Remembering", "Remembered"),
    "recall": Verbs("Recall", "list-checks", "Recalling", "Recalled"),
    "undo": Verbs("Undo", "undo-2", "Undoing", "Undid"),
    "ask_user": Verbs("Ask back", "message-circle-question", "Asking you", "Asked you"),
}
_OBJECT_ARGUMENTS = ("path", "name", "file", "filename", "folder", "source", "query", "command", "fact")


def verbs(tool: str) -> Verbs:
    if tool in _KNOWN:
        return _KNOWN[tool]
    name = one_line(tool.replace("_", " "))
    return Verbs(name.capitalize(), "wrench", f"Running {name}", f"Ran {name}")


def call_object(call: ToolCall) -> str:
    """What the call is about, on one line: the file or folder it names, and where it goes; empty when it names none."""
    for argument in _OBJECT_ARGUMENTS:
        value = call.arguments.get(argument)
        if isinstance(value, str) and value.strip():
            return one_line(value + _goes_to(call))
    return ""


def _goes_to(call: ToolCall) -> str:
    destination = call.arguments.get("destination")
    return f" to {destination}" if isinstance(destination, str) and destination.strip() else ""
