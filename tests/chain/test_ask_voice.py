"""The same command by voice: from a sound file, and spoken into a microphone."""

from __future__ import annotations

import threading
from pathlib import Path

from tests.chain.conftest import Aria, Run
from tests.ears.virtual_sound import VirtualSound
from tests.spoken import plain_words, share_found, speak_into

COMMAND = "Create a file called shopping.txt with milk, eggs and bread."


def assert_done(aria: Aria, run: Run) -> None:
    assert run.code == 0, run.err + run.out
    content = (aria.output / "shopping.txt").read_text(encoding="utf-8").lower()
    assert all(word in content for word in ("milk", "eggs", "bread"))
    heard = next(event for event in run.events if event["event"] == "heard")
    assert share_found(plain_words(COMMAND), plain_words(heard["text"])) > 0.8
    assert heard["words"]
    assert all(0 <= word["probability"] <= 1 for word in heard["words"])


def test_a_sound_file_becomes_a_file(aria: Aria, tmp_path: Path, models_dir: Path) -> None:
    clip = speak_into(tmp_path / "command.wav", COMMAND, models_dir)
    clip = clip.rename(tmp_path / "command.mp3")
    run = aria("ask", "--audio", str(clip), "--allow", "create_file", "--no-speak", "--json")
    assert_done(aria, run)
    assert "recognise" in run.ended["timings"]


def test_speech_into_the_microphone_becomes_a_file_and_a_spoken_answer(
    aria: Aria, sound: VirtualSound, tmp_path: Path, models_dir: Path
) -> None:
    clip = speak_into(tmp_path / "command.wav", COMMAND, models_dir)
    spoken = threading.Event()

    def speak_when_it_listens(line: str) -> None:
        if '"listening_started"' in line and not spoken.is_set():
            spoken.set()
            sound.speak(clip)

    run = aria.watched(
        "ask", "--mic", "--allow", "create_file", "--json", env=sound_only(sound), seen=speak_when_it_listens
    )
    assert_done(aria, run)
    assert run.ended["timings"]["first_audio"] > 0
    names = [event["event"] for event in run.events]
    assert names.index("listening_ended") < names.index("heard") < names.index("speaking_started")
    assert next(e for e in run.events if e["event"] == "listening_ended")["reason"] == "silence"


def test_silence_at_the_microphone_is_no_turn(aria: Aria, sound: VirtualSound) -> None:
    aria("settings", "set", "microphone.max_s", "2")
    run = aria("ask", "--mic", "--json", env=sound_only(sound))
    assert run.code == 5
    assert run.ended["outcome"] == "nothing_heard"
    assert run.ended["text"]


def sound_only(sound: VirtualSound) -> dict[str, str]:
    return {name: value for name, value in sound.environment.items() if name != "HOME"}
