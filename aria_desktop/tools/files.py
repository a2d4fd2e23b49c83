"""Tools that look at the files of the workspace. All of them go through the file door and nowhere else."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import PurePosixPath

from aria_desktop.core.chat import Outcome, ToolResult
from aria_desktop.core.visible import visible_line
from aria_desktop.safety.paths import Entry, EntryKind, Listing
from aria_desktop.safety.plain_names import is_plain
from aria_desktop.tools.languages.wording import Wording
from aria_desktop.tools.named import FILES, FOLDERS, NAMES_TOLD, Named, existing
from aria_desktop.tools.spoken_names import folded
from aria_desktop.tools.tool import OWN_WORDS, Limit, ToolContext, tool
from aria_desktop.tools.wording import counted

NAMES_SPOKEN = 12
"""Entries of a folder that an answer names one by one."""


@tool(Limit.READ, source=OWN_WORDS)
def list_files(context: ToolContext, folder: str = ".") -> ToolResult:
    """Show which files and folders there are.

    Args:
        folder: name of the folder; "." is the whole workspace.
    """
    listing = context.workspace.listing(existing(context, folder, FOLDERS).path)
    source = _strange_names(listing)
    if said := _endings_said(context.words, listing):
        return replace(_by_ending(listing, said, context.wording), untrusted=source)
    return ToolResult(Outcome.DONE, _told(listing), answer=_spoken(listing, context.wording), untrusted=source)


@tool(Limit.READ, source="the file {path}")
def read_file(context: ToolContext, path: str) -> ToolResult:
    """Read a file.

    Args:
        path: name of the file.
    """
    named = existing(context, path, FILES)
    text = context.workspace.read_text(named.path).removeprefix("\ufeff")
    if not text.strip():
        answer = context.wording.say("file_empty", name=named.shown)
        return ToolResult(Outcome.DONE, f"{_this_is(named)}The file is empty.", answer=answer)
    limit = context.limits.result_characters
    if len(text) > limit:
        left_out = f"\n[{len(text) - limit:,} more characters are not shown; summarize_text reads them all]"
        return ToolResult(Outcome.DONE, _this_is(named) + text[:limit] + left_out)
    answer = said_to_be_read(named, context.wording) + text.strip()
    return ToolResult(Outcome.DONE, _this_is(named) + text, answer=answer)


def _strange_names(listing: Listing) -> str:
    """The source of names that are more than a name, if there are such ones; empty when there are none."""
    if is_plain(listing.folder or ".") and all(is_plain(entry.name) for entry in listing.entries):
        return ""
    return f"names in the folder {visible_line(listing.folder) or 'of the workspace'}"


def said_to_be_read(named: Named, wording: Wording) -> str:
    """The beginning of an answer about a file: its name, when it is not the one that was given."""
    return wording.say("was_read", name=named.shown) if named.guessed else ""


def _this_is(named: Named) -> str:
    return f"[{named.shown}]\n" if named.guessed else ""


def _endings_said(words: str, listing: Listing) -> frozenset[str]:
    """Endings, as ".csv", that the user named and only some of the files have: then the list of all is no answer."""
    said = {f".{word}" for word in re.findall(r"[^\W_]+", folded(words))}
    endings = {_ending(entry) for entry in listing.entries if entry.kind is EntryKind.FILE}
    return frozenset(said & endings) if len(endings) > 1 else frozenset()


def _ending(entry: Entry) -> str:
    return folded(PurePosixPath(entry.name).suffix)


def _by_ending(listing: Listing, said: frozenset[str], wording: Wording) -> ToolResult:
    """Those with an ending that was named stand apart from the rest, and they are the answer."""
    shown = listing.entries[:NAMES_TOLD]
    of_kind = [entry for entry in shown if entry.kind is EntryKind.FILE and _ending(entry) in said]
    others = [entry for entry in shown if entry not in of_kind]
    endings = sorted(said)
    lines = [f"{counted(len(of_kind), 'file')} ending in {' or '.join(endings)}:", *map(_line, of_kind)]
    lines += [f"{len(others)} without that ending:", *map(_line, others)]
    if left_out := listing.total - len(shown):
        return ToolResult(Outcome.DONE, "\n".join([*lines, f"[{left_out:,} more]"]))
    names = [visible_line(entry.name) for entry in of_kind]
    answer = wording.say(
        "with_ending",
        counts=files_and_folders(len(of_kind), 0, wording),
        endings=wording.enumerated(endings, 0, "or"),
        names=wording.enumerated(names[:NAMES_SPOKEN], max(0, len(names) - NAMES_SPOKEN)),
    )
    return ToolResult(Outcome.DONE, "\n".join(lines), answer=answer)


def _told(listing: Listing) -> str:
    if not listing.entries:
        return "The folder is empty."
    lines = [_line(entry) for entry in listing.entries[:NAMES_TOLD]]
    left_out = listing.total - len(lines)
    folders = sum(entry.kind is EntryKind.FOLDER for entry in listing.entries)
    counts = [counted(listing.total - folders, "file")] + ([counted(folders, "folder")] if folders else [])
    return "\n".join([f"{' and '.join(counts)}:", *lines]) + (f"\n[{left_out:,} more]" if left_out else "")


def _line(entry: Entry) -> str:
    match entry.kind:
        case EntryKind.FILE:
            return f"{visible_line(entry.name)} ({entry.size:,} bytes)"
        case EntryKind.FOLDER:
            return f"{visible_line(entry.name)}/"
        case EntryKind.OTHER:
            return f"{visible_line(entry.name)} (a link or device, not usable)"


def _spoken(listing: Listing, wording: Wording) -> str:
    folder = visible_line(listing.folder)
    if not listing.entries:
        return wording.say("folder_empty", folder=folder) if folder else wording.say("workspace_empty")
    shown = [visible_line(entry.name) for entry in listing.entries[:NAMES_SPOKEN]]
    counts, names = _counts(listing, wording), wording.enumerated(shown, listing.total - len(shown))
    if folder:
        return wording.say("folder_holds", folder=folder, counts=counts, names=names)
    return wording.say("workspace_holds", counts=counts, names=names)


def _counts(listing: Listing, wording: Wording) -> str:
    folders = sum(entry.kind is EntryKind.FOLDER for entry in listing.entries)
    return files_and_folders(listing.total - folders, folders, wording)


def files_and_folders(files: int, folders: int, wording: Wording) -> str:
    """ "1 file", "2 folders", "1 file and 2 folders"; "0 files" when there are none of either."""
    if not folders:
        return wording.counted(files, "file")
    if not files:
        return wording.counted(folders, "folder")
    return wording.say("both_counts", files=wording.counted(files, "file"), folders=wording.counted(folders, "folder"))
