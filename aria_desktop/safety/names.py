"""Which names the file door lets through, decided on the text alone, before the disk is touched.

Models are sloppy with names, so a few things are put right: "./a.txt", "a//b.txt" and "notes/" mean what
they seem to mean. Everything else that could leave the workspace, hide something, or give a file that
another system can't open is refused, on every system alike. Nothing is ever expanded or decoded: "~", "$HOME"
and "%2e" are no short forms here.
"""

from __future__ import annotations

import re
import unicodedata
from typing import ClassVar

from aria_desktop.core.errors import PathRefused
from aria_desktop.core.visible import visible_line

MAX_NAME_BYTES = 255
"""What the usual file systems allow for one name."""
MAX_PATH_BYTES = 4096
MAX_DEPTH = 64

_SHOWN = 120
"""Characters of a refused name that are repeated in the text about it."""
_HIDING = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_WINDOWS_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$"]
    + [f"{port}{digit}" for port in ("com", "lpt") for digit in "0123456789¹²³"]
)
_WINDOWS_FORBIDDEN = frozenset('<>"|?*')
_LOOK_LIKE_SEPARATORS = frozenset("／＼∕⁄⧵﹨．․：")
_DRAWN_AS_NOTHING = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters, marks and signs, as Unicode counts them, that no font draws."""
_SELECTORS = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""They choose how the character before them is drawn, and mean nothing alone."""
_OTHER_BLANKS = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
"""Names hold them (those of screenshots on macOS, for one), and look as if they held a space."""
_SHORT_GIT = re.compile(r"git~\d+")
"""What old Windows programs call a folder .git, the first or a later one with that short name."""
_ENCODED_STEPS = ("%2e", "%2f", "%5c")
"""Dot, slash and backslash as some programs decode them."""
_RUN_LATER_FOLDERS = frozenset(
    {".git", ".githooks", ".husky", ".hg", ".svn", "_darcs", ".ssh", ".gnupg", "site-packages", "dist-packages"}
    | {".vscode", ".idea", ".vs", ".fleet", ".zed", ".devcontainer", ".vim", ".emacs.d"}
    | {".cursor", ".claude", ".codex", ".agents", ".gemini", ".config"}
)
_RUN_LATER_FILES = frozenset(
    {".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".envrc", ".inputrc"}
    | {".zshrc", ".zprofile", ".zshenv", ".zlogin", ".zlogout", ".kshrc", ".cshrc", ".tcshrc", ".login", ".logout"}
    | {".xprofile", ".xinitrc", ".xsession", ".xsessionrc", ".pam_environment", ".netrc", ".curlrc", ".wgetrc"}
    | {".vimrc", ".gvimrc", ".exrc", ".emacs", ".dir-locals.el", ".tmux.conf", ".screenrc", ".gdbinit", ".lldbinit"}
    | {".npmrc", ".yarnrc", ".yarnrc.yml", ".pypirc", ".pythonrc", ".irbrc", ".rprofile", ".hgrc", ".mcp.json"}
    | {"folder.htt", "sitecustomize.py", "usercustomize.py", ".gitconfig", ".gitmodules", "autorun.inf", "desktop.ini"}
    | {"bin/activate", "bin/activate.fish", "bin/activate.csh", "bin/activate_this.py", "scripts/activate"}
    | {"scripts/activate.bat", "scripts/activate.ps1", ".cargo/config", ".cargo/config.toml"}
    # A folder of git's need not be called .git: these run wherever its settings say.
    | {f"hooks/{hook}" for hook in ("pre-commit", "commit-msg", "prepare-commit-msg", "post-commit", "pre-push")}
    | {f"hooks/{hook}" for hook in ("post-checkout", "post-merge", "pre-rebase", "post-rewrite", "pre-receive")}
    | {f"hooks/{hook}" for hook in ("post-receive", "update", "post-update", "fsmonitor-watchman", "pre-auto-gc")}
    | {f"hooks/{hook}" for hook in ("applypatch-msg", "pre-applypatch", "post-applypatch", "pre-merge-commit")}
    | {f"hooks/{hook}" for hook in ("proc-receive", "reference-transaction", "push-to-checkout", "post-index-change")}
    | {f"hooks/{hook}" for hook in ("sendemail-validate", "p4-changelist", "p4-prepare-changelist")}
    | {f"hooks/{hook}" for hook in ("p4-post-changelist", "p4-pre-submit")}
)
_RUN_LATER_ENDINGS = (".desktop", ".lnk", ".pth", ".egg-link", ".url", ".website", ".scf", ".pif", ".code-workspace")

_HIDDEN = re.compile(r"\.[^.]")
_HARMLESS_HIDDEN = frozenset(
    {".gitignore", ".gitattributes", ".gitkeep", ".keep", ".mailmap", ".editorconfig", ".nojekyll"}
    | {".dockerignore", ".npmignore", ".prettierignore", ".eslintignore", ".env", ".env.example", ".env.sample"}
    | {".pytest_cache", ".mypy_cache", ".ruff_cache", ".coverage"}
)
"""Names with a dot in front that hold data. No other is made or changed: what it is for, programs decide that nobody
here knows, and most obey it (settings of shells, editors, assistants, version control, clouds, building machines)."""
_NEVER_MADE = frozenset(
    {"__pycache__", "pyvenv.cfg", "lefthook.yml", "lefthook.yaml", "mise.toml", "ansible.cfg", "pip.conf", "pip.ini"}
    # What has a HEAD is a folder of git's, whatever it is called, and its settings name programs.
    | {"head"}
)
_NEVER_MADE_ENDINGS = (
    # Opened by one click, each does something: on macOS, on Windows.
    *(".webloc", ".inetloc", ".fileloc", ".command", ".terminal", ".workflow", ".hta", ".vbs", ".vbe", ".jse", ".wsf"),
    *(".wsh", ".reg", ".scr", ".cpl", ".msc", ".jnlp", ".theme", ".library-ms", ".search-ms", ".searchconnector-ms"),
    *(".settingcontent-ms", ".appref-ms"),
    # Run instead of the text that is looked at, or a folder of git's.
    *("._pth", ".pyc", ".pyo", ".git"),
)


class PathOutside(PathRefused):
    """The name leads out of the workspace, or starts somewhere else."""

    code: ClassVar[str] = "path_outside"


class NameRefused(PathRefused):
    """The name itself is none that the door opens or makes."""

    code: ClassVar[str] = "path_name"


class PathProtected(PathRefused):
    """The file would be run or obeyed later by some other program."""

    code: ClassVar[str] = "path_protected"


def quoted(name: str) -> str:
    """A name for a message: what hides itself is spelled out, and a long one is cut."""
    text = visible_line(name)
    return f'"{text[:_SHOWN]}…"' if len(text) > _SHOWN else f'"{text}"'


def components(name: str) -> tuple[str, ...]:
    """The folders and the file that `name` leads through; empty for the workspace itself.

    Raises PathOutside or NameRefused. What comes back has no empty part, no "." and no "..".
    """
    _refuse_hidden(name)
    _refuse_rooted(name)
    parts = tuple(part for part in name.split("/") if part not in ("", "."))
    if ".." in parts:
        raise PathOutside(f'{quoted(name)} is refused: a name must not contain "..".', _WAY_OUT)
    if len(name.encode()) > MAX_PATH_BYTES or len(parts) > MAX_DEPTH:
        raise NameRefused(f"The path {quoted(name)} is too long.")
    for part in parts:
        size = len(part.encode())
        if size > MAX_NAME_BYTES:
            raise NameRefused(f"The name {quoted(part)} has {size} bytes, more than the {MAX_NAME_BYTES} allowed.")
    return parts


_WAY_OUT = "Only files inside the workspace can be used, by names that start there, for instance notes/today.txt."


def _refuse_hidden(name: str) -> None:
    hidden = next((c for c in name if unicodedata.category(c) in _HIDING), None)
    if hidden is not None:
        raise NameRefused(f"The name {quoted(name)} contains a character that can't be seen: U+{ord(hidden):04X}.")


def _refuse_rooted(name: str) -> None:
    if name.startswith(("/", "~", "$")) or ":" in name:
        raise PathOutside(f"{quoted(name)} is refused: it does not start in the workspace.", _WAY_OUT)
    if "\\" in name:
        raise PathOutside(f"{quoted(name)} is refused: folders are separated by /.", _WAY_OUT)


def refuse_new(parts: tuple[str, ...]) -> None:
    """Raise NameRefused or PathProtected for a path that the door does not create or write.

    Stricter than for reading: a file made here has to open on every system, and must not be one that some
    other program runs or obeys later.
    """
    for part in parts:
        reason = _unportable(part)
        if reason:
            raise NameRefused(f"No file is made with the name {quoted(part)}: {reason}.")
        if _runs_when_made(folded(part)):
            raise _protected(parts)
    refuse_protected(parts)


def refuse_protected(parts: tuple[str, ...]) -> None:
    """Raise PathProtected for a path that some other program runs or obeys later: it is neither made, changed,
    moved nor taken away."""
    names = tuple(folded(part) for part in parts)
    protected = (
        not _RUN_LATER_FOLDERS.isdisjoint(names)
        or any(map(_SHORT_GIT.fullmatch, names))
        or names[-1] in _RUN_LATER_FILES
        or "/".join(names[-2:]) in _RUN_LATER_FILES
        or names[-1].endswith(_RUN_LATER_ENDINGS)
    )
    if protected:
        raise _protected(parts)


def _protected(parts: tuple[str, ...]) -> PathProtected:
    return PathProtected(f"{quoted('/'.join(parts))} is protected: other programs run or obey such files later.")


def _runs_when_made(name: str) -> bool:
    hidden = _HIDDEN.match(name) is not None and name not in _HARMLESS_HIDDEN
    return hidden or name in _NEVER_MADE or name.endswith(_NEVER_MADE_ENDINGS)


def _unportable(part: str) -> str:
    """Why a name can't be used on every system; empty when it can."""
    if part != part.strip():
        return "it begins or ends with a space"
    if part.endswith("."):
        return "it ends with a dot"
    if part.split(".")[0].strip().casefold() in _WINDOWS_DEVICES:
        return "Windows keeps it for a device"
    encoded = next((step for step in _ENCODED_STEPS if step in part.casefold()), None)
    if encoded:
        return f"some programs read {encoded} as a way to another folder"
    if nothing := next((c for c in part if c in _DRAWN_AS_NOTHING), ""):
        return f"it contains a character that can't be seen, U+{ord(nothing):04X}"
    odd = next((c for c in part if c in _WINDOWS_FORBIDDEN or c in _LOOK_LIKE_SEPARATORS), None)
    return f"it contains {odd}" if odd else ""


def folded(part: str) -> str:
    """Equal for names that some system, or somebody who reads them, can't tell apart by case, accents or blanks."""
    plain = _OTHER_BLANKS.sub(" ", _SELECTORS.sub("", part))
    return unicodedata.normalize("NFC", plain).casefold()


def twin(part: str, others: frozenset[str]) -> str:
    """The name in `others` that some system can't tell from `part` (case, accents written otherwise), or ""."""
    wanted = folded(part)
    return next((other for other in sorted(others) if other != part and folded(other) == wanted), "")
