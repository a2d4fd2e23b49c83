"""How a tool call reads in the conversation: a badge, a verb while it runs, a verb when it is done, its object.

A tool this table does not know is shown under its own name, so that a new tool is never invisible.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from aria_desktop.core.chat import ToolCall
from aria_desktop.gui.state.shown import one_line
from aria_desktop.gui.state.translation import marks, tr


@dataclass(frozen=True, slots=True)
class Verbs:
    badge: str
    icon: str
    """A file of `resources/icons`, without its ending."""
    running: str
    done: str


def _known(icon: str, badge: str, running: str, done: str) -> Verbs:
    return Verbs(badge, icon, running, done)


_KNOWN: Mapping[str, Verbs] = {
    "list_files": _known("folder", *marks("List files", "Looking at the files", "Listed the files")),
    "read_file": _known("file-search", *marks("Read file", "Reading", "Read")),
    "search_files": _known("file-search", *marks("Search", "Searching for", "Searched for")),
    "create_file": _known("file-plus", *marks("Create file", "Creating", "Created")),
    "write_code": _known("code", *marks("Write code", "Writing", "Wrote")),
    "append_file": _known("file-pen", *marks("Append to file", "Adding to", "Added to")),
    "edit_file": _known("file-pen", *marks("Change file", "Changing", "Changed")),
    "move_file": _known("arrow-up", *marks("Move", "Moving", "Moved")),
    "copy_file": _known("copy", *marks("Copy", "Copying", "Copied")),
    "delete_file": _known("x", *marks("Delete", "Moving to the trash", "Moved to the trash")),
    "make_folder": _known("folder-open", *marks("New folder", "Making the folder", "Made the folder")),
    "summarize_text": _known("list-checks", *marks("Summarise", "Summarising", "Summarised")),
    "run_terminal": _known("code", *marks("Terminal", "Running", "Ran")),
    "remember": _known("check", *marks("Remember", "Remembering", "Remembered")),
    "recall": _known("list-checks", *marks("Recall", "Recalling", "Recalled")),
    "undo": _known("undo-2", *marks("Undo", "Undoing", "Undid")),
    "ask_user": _known("message-circle-question", *marks("Ask back", "Asking you", "Asked you")),
}
_OBJECT_ARGUMENTS = ("path", "name", "file", "filename", "folder", "source", "query", "command", "fact")


def verbs(tool: str) -> Verbs:
    if tool in _KNOWN:
        known = _KNOWN[tool]
        return Verbs(tr(known.badge), known.icon, tr(known.running), tr(known.done))
    name = one_line(tool.replace("_", " "))
    return Verbs(name.capitalize(), "wrench", tr("Running {name}", name=name), tr("Ran {name}", name=name))


def call_object(call: ToolCall) -> str:
    """What the call is about, on one line: the file or folder it names, and where it goes; empty when it names none."""
    for argument in _OBJECT_ARGUMENTS:
        value = call.arguments.get(argument)
        if isinstance(value, str) and value.strip():
            return one_line(value + _goes_to(call))
    return ""


def _goes_to(call: ToolCall) -> str:
    destination = call.arguments.get("destination")
    return f" {tr('to')} {destination}" if isinstance(destination, str) and destination.strip() else ""
