"""The recordings that recognition is measured on: folders of sound files, each with a JSON file of labels.

The file is called labels.json or transcripts.json and is {"clips": [...]}; of a clip count `file`, `language`, `text`
or `spoken` (the words as they are said), and `slots`. Clips with neither words nor slots are passed over, and so are
languages other than English.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from aria_desktop.audio.files import read_audio
from aria_desktop.core.audio import AudioChunk
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.errors import UsageError

_LABELS = ("labels.json", "transcripts.json")
_CONVERSATIONS = "turns"
"""A folder of this name holds people talking over each other, and marks among the words: not for counting words."""
_WAY_OUT = "Give --data a folder with sound files and a labels.json, or a folder of such folders."


class Half(StrEnum):
    """What is tuned on one half is reported on the other; a file's name decides which it belongs to."""

    TUNED_ON = "tuned-on"
    HELD_OUT = "held-out"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class SpeechClip:
    name: str
    """Folder and file."""
    path: Path
    said: str = ""
    """The words; empty where only slots are known."""
    slots: tuple[str, ...] = ()

    def read(self) -> AudioChunk:
        """Raises AudioUnreadable."""
        return read_audio(self.path, CancelToken())


def speech_clips(folder: Path, half: Half = Half.BOTH) -> tuple[SpeechClip, ...]:
    """All of `folder` and the folders in it, by name. Raises UsageError when there is none."""
    found = [clip for labels in _label_files(folder) for clip in _clips(labels)]
    wanted = sorted((clip for clip in found if half in (Half.BOTH, half_of(clip.name))), key=lambda clip: clip.name)
    if not wanted:
        raise UsageError(f"{folder} holds no labelled English speech.", _WAY_OUT)
    return tuple(wanted)


def half_of(name: str) -> Half:
    odd = hashlib.sha256(name.encode()).digest()[-1] % 2
    return Half.HELD_OUT if odd else Half.TUNED_ON


def spread(clips: tuple[SpeechClip, ...], most: int | None) -> tuple[SpeechClip, ...]:
    """At most so many of them, at equal distances; None: all."""
    return clips if most is None else clips[:: -(-len(clips) // most)]


def clips_hash(clips: Sequence[SpeechClip]) -> str:
    """Changes with the files and with what is said of them. Raises UsageError when one can't be read."""
    hashed = hashlib.sha256()
    for clip in clips:
        try:
            hashed.update(f"{clip.name} {clip.said} {clip.slots}".encode() + clip.path.read_bytes())
        except OSError as error:
            raise UsageError(f"{clip.path} can't be read: {error.strerror}.", _WAY_OUT) from error
    return hashed.hexdigest()


def noise_clips(folder: Path) -> tuple[SpeechClip, ...]:
    """The sound files of `folder`/noise. Raises UsageError when there is none."""
    found = sorted((folder / "noise").glob("*.flac"))
    if not found:
        raise UsageError(f"{folder} has no folder noise with FLAC files.", _WAY_OUT)
    return tuple(SpeechClip(f"noise/{path.name}", path) for path in found)


def _label_files(folder: Path) -> Sequence[Path]:
    found = sorted(path for name in _LABELS for path in (*folder.glob(name), *folder.glob(f"*/{name}")))
    if not found:
        raise UsageError(f"{folder} holds no labels.", _WAY_OUT)
    return found


def _clips(labels: Path) -> Iterator[SpeechClip]:
    try:
        clips = json.loads(labels.read_text("utf-8"))["clips"]
        for label in clips:
            clip = _clip(labels.parent, label)
            wanted = label.get("language") == "en" and clip.path.parent.name != _CONVERSATIONS
            if wanted and (clip.said or clip.slots) and clip.path.is_file():
                yield clip
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UsageError(f"{labels} is no file of labels: {error!r:.200}.", _WAY_OUT) from error


def _clip(folder: Path, label: Mapping[str, Any]) -> SpeechClip:
    slots = tuple(str(value).strip() for value in (label.get("slots") or {}).values())
    said = "" if slots else str(label.get("spoken") or label.get("text") or "")
    path = folder / label["file"]
    return SpeechClip(f"{path.parent.name}/{path.name}", path, said, slots)
