"""What code says, in English: the source that other languages follow, key by key and part by part."""

from __future__ import annotations

from collections.abc import Callable, Mapping

Sentences = Mapping[str, str | tuple[str, str]]

NOUNS: Mapping[str, tuple[str, str]] = {
    "file": ("file", "files"),
    "folder": ("folder", "folders"),
    "large file": ("large file", "large files"),
    "line": ("line", "lines"),
    "thing": ("thing", "things"),
}
READINGS: Mapping[str, str] = {
    "append_file": "add something to a file",
    "copy_file": "copy a file",
    "create_file": "make a new file",
    "delete_file": "delete something",
    "edit_file": "change a file that is there",
    "make_folder": "make a new folder",
    "move_file": "move or rename something",
    "run_terminal": "run a command",
    "write_code": "write a program",
}
"""What a change would come to, for a question which one is meant."""
JOINTS: Mapping[str, Callable[[str], str]] = {"and": lambda _: "and", "or": lambda _: "or"}

_CHANGES: Sentences = {
    "created": "I created {name} with {content}.",
    "created_empty": "I created {name}, empty.",
    "replaced": "I replaced the text of {name} with {content}.",
    "added": "I added {content} to the end of {name}.",
    "changed": "I changed {name}.",
    "changed_to": 'I changed {name}: it says "{line}" now.',
    "changed_fewer": ("I changed {name}: {lines} went.", "I changed {name}: {lines} went."),
    "not_created": "{name} was not created",
    "not_replaced": "{name} was not replaced",
    "not_added": "{name} was not added to",
    "not_changed": "{name} was not changed",
    "exists_already": "{name} exists already. Which new file do you want, and what goes into it?",
    "not_valid": "It is not valid {language}: {fault}.",
}
_PLACES: Sentences = {
    "moved": "I moved {source} {where}{replaced}.",
    "renamed": "I renamed {source} {where}{replaced}.",
    "copied": "I copied {source} {where}{replaced}.",
    "deleted": "I moved {source} to the trash.",
    "deleted_folder": "I moved the folder {source} to the trash.",
    "deleted_full_folder": "I moved the folder {source} with {things} in it to the trash.",
    "folder_made": "I made the folder {name}.",
    "to_name": "to {name}",
    "into_folder": "into {folder}",
    "into_workspace": "into the workspace itself",
    "and_replaced": ", and the file that was there to the trash",
    "not_moved": "{name} was not moved",
    "not_renamed": "{name} was not renamed",
    "not_copied": "{name} was not copied",
    "not_deleted": "{name} was not deleted",
    "not_made": "{name} was not made",
}
_LOOKING: Sentences = {
    "folder_holds": "{folder} holds {counts}: {names}.",
    "folder_empty": "{folder} is empty.",
    "with_ending": "{counts} ending in {endings}: {names}.",
    "workspace_holds": "The workspace holds {counts}: {names}.",
    "workspace_empty": "The workspace is empty.",
    "file_empty": "{name} is empty.",
    "both_counts": "{files} and {folders}",
    "was_read": "I read {name}. ",
    "nothing_to_sum_up": "There is nothing in it to sum up.",
    "found_named": ("{things} has {query} in its name: {names}.", "{things} have {query} in their names: {names}."),
    "found_in_files": "{files} mention {query}: {names}.",
    "found_on_lines": "1 file mentions {query}: {name}, on {lines}.",
    "found_on_line": '1 file mentions {query}: {name}, on line {number}: "{line}"',
    "found_nothing": "Nothing mentions {query}.",
    "not_looked_into": "I did not look into {files}.",
    "first_names_only": "I looked at the first {count} names only.",
    "which_file": "Which file do you mean: {names}?",
    "which_folder": "Which folder do you mean: {names}?",
    "which_reading": "Should I {one} or {other}?",
    "which_name": "What should the name of {name} be?",
    "which_text": "What in {name} should be changed, and to what?",
    "which_new_file": "What should the file be called, and what goes into it?",
}
_TERMINAL: Sentences = {
    "command_ran": "I ran the command",
    "command_ran_status": "I ran the command; it ended with exit status {status}",
    "command_not_run": "The command was not run",
    "command_dropped": "{ended}. Nothing of what it changed was kept",
    "command_kept": "What it changed was kept: {names}.",
    "command_left_out": "This was not kept: {names}.",
    "command_too_much": "It changed more than can be shown, so nothing of it was kept.",
    "stopped_changes": "The command was stopped: it changed more than {most} MB or {files} files",
    "fact_not_kept": "It was not remembered",
    "stopped_time": "The command was stopped after {seconds} seconds, before its end",
    "stopped_processes": "The command was stopped: it started more than {most} processes",
    "stopped_memory": "The command was stopped: it took more than {most} MB of memory",
    "stopped_output": "The command was stopped: it printed more than {most} MB",
    "stopped_command": "The command was stopped",
    "printed_nothing": "{ended}. It printed nothing.",
    "printed": "{ended}. It printed:\n{printed}",
    "printed_lines": "{ended}. It printed {lines}, the last: {last}",
}
_MEMORY: Sentences = {
    "remembered": "I'll remember this: {fact}",
    "remembered_already": "I remember that already: {fact}",
    "no_credentials": "I don't remember passwords, PINs, card numbers or keys: what I remember is kept openly.",
    "memory_full": "I remember {count} things and can't take more. `aria facts forget` removes some.",
    "nothing_remembered": "You haven't told me to remember anything.",
    "not_remembered": "I don't remember anything about that.",
    "told_one": "You told me this: {fact}",
    "told_several": "You told me this:\n{facts}",
    "told_more": "\nand {count} more; `aria facts` lists all.",
}
_TURNS: Sentences = {
    "refused": "{what}: {reason}.",
    "refused_changed": "{what}.",
    "you_said_no": "you said no",
    "not_allowed": "it was not allowed ({by})",
    "switched_off": "{tool} is switched off.",
    "cannot": "I can't do that. {reason}",
    "not_known": "It is not known whether {tool} was carried out: the program stopped in the middle.",
    "nothing_changed": "Nothing was changed.",
    "no_usable_reply": "The language model gave no usable reply.",
    "did_not_work": "{tool} did not work: {reason}",
    "stopped": "Stopped.",
    "faster": "I speak faster from now on.",
    "slower": "I speak slower from now on.",
    "no_faster": "I can't speak faster than this.",
    "no_slower": "I can't speak slower than this.",
    "no_undo": "Changes in this folder are not recorded, so I can't undo them. Nothing was changed.",
    "nothing_to_undo": "There is no change that I can undo.",
    "nothing_of_call": "I can't undo that, or it is undone already.",
    "undo_out_of_reach": "The last thing I did was {tool}, and I can't undo that. `aria undo list` shows what I can.",
    "undone": ("I undid 1 change.", "I undid {count} changes."),
    "not_undone": (
        "1 change stays, because something was changed since.",
        "{count} changes stay, because something was changed since.",
    ),
    "undo_refused": "Nothing was undone",
    "new_conversation": "This is a new conversation.",
    "one_moment": "One moment.",
    "goodbye": "Goodbye.",
    "no_answer_yet": "There is no answer yet in this conversation.",
    "no_voice": "There is no voice for this language, so the answer is not spoken.",
}
SENTENCES: Sentences = {
    **_CHANGES, **_PLACES, **_LOOKING, **_TERMINAL, **_MEMORY, **_TURNS
}  # fmt: skip
