"""A sound system for one test run: a microphone to speak into, and a loudspeaker to listen to.

A PulseAudio server of its own, reached through a socket of its own: the sound of the machine that tests is never
touched. What is played into the sink "room" is what the microphone hears; unloading a module is pulling a plug.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from aria_desktop.audio.wav import write_wav
from aria_desktop.core.audio import SPEECH, AudioChunk, AudioFormat

START_S = 20.0
AHEAD_MS = 1000
"""So far ahead of the room are samples handed to the server: one that comes late is a hole in a word."""
HEARD = AudioFormat(16_000)
"""What the ear at the loudspeaker records."""


class VirtualSound:
    """Devices come and go by `plug_*` and `unplug_*`; each may be called in any state."""

    def __init__(self, folder: Path) -> None:
        for program in ("pulseaudio", "pactl", "paplay", "parec"):
            assert shutil.which(program), f"{program} is missing: run `make setup`"
        self._folder = folder
        self._modules: dict[str, list[str]] = {}
        self._awake: dict[str, subprocess.Popen[bytes]] = {}
        self.environment = {
            "PULSE_SERVER": f"unix:{folder / 'socket'}",
            "XDG_RUNTIME_DIR": str(folder),
            "PULSE_RUNTIME_PATH": str(folder),
            "HOME": str(folder),
        }
        socket = f"module-native-protocol-unix socket={folder / 'socket'} auth-anonymous=1"
        with (folder / "pulseaudio.log").open("wb") as log:
            self._server = subprocess.Popen(
                ["pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "-L", socket],
                env={**os.environ, **self.environment},
                stderr=log,
            )
        self._wait_until_up()

    def close(self) -> None:
        self.unplug_microphone()
        self.unplug_speaker()
        self._server.terminate()
        self._server.wait()

    def plug_microphone(self) -> None:
        if "room" not in self._modules:
            room = self._load("module-null-sink", "sink_name=room", "rate=48000")
            ear = self._load("module-remap-source", "master=room.monitor", "source_name=microphone")
            self._modules["room"] = [ear, room]
            self._keep_awake("room")
            self._pactl("set-default-source", "microphone")

    def unplug_microphone(self) -> None:
        self._unload("room")

    def plug_speaker(self) -> None:
        if "speaker" not in self._modules:
            self._modules["speaker"] = [self._load("module-null-sink", "sink_name=speaker", "rate=48000")]
            self._keep_awake("speaker")
            self._pactl("set-default-sink", "speaker")

    def unplug_speaker(self) -> None:
        self._unload("speaker")

    def speak(self, sound: Path | AudioChunk) -> None:
        """Say it into the microphone; returns when it is said."""
        path = sound
        if isinstance(sound, AudioChunk):
            path = self._folder / "said.wav"
            write_wav(path, sound)
        self._run("paplay", "--device=room", f"--latency-msec={AHEAD_MS}", str(path))

    @contextlib.contextmanager
    def speaking(self, sound: Path | AudioChunk) -> Iterator[None]:
        """Say it while the body runs."""
        thread = threading.Thread(target=self.speak, args=(sound,))
        thread.start()
        yield
        thread.join()

    def ear_at_the_speaker(self) -> contextlib.AbstractContextManager[bytearray]:
        """All that the loudspeaker plays while the body runs, in the format `HEARD`."""
        return self.ear_at("speaker")

    @contextlib.contextmanager
    def ear_at(self, sink: str) -> Iterator[bytearray]:
        """The same at a sink of any name."""
        heard = bytearray()
        recorder = self._recorder(sink)
        assert recorder.stdout is not None
        heard += recorder.stdout.read(2)
        stream = recorder.stdout

        def listen() -> None:
            while piece := stream.read(640):
                heard.extend(piece)

        thread = threading.Thread(target=listen)
        thread.start()
        try:
            yield heard
        finally:
            recorder.terminate()
            recorder.wait()
            thread.join()
            stream.close()

    def _recorder(self, sink: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [
                "parec",
                f"--device={sink}.monitor",
                "--rate=16000",
                "--channels=1",
                "--format=s16le",
                "--latency-msec=20",
            ],
            env={**os.environ, **self.environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def _keep_awake(self, sink: str) -> None:
        """A null sink renders two seconds ahead until somebody wants it sooner; real devices never do."""
        self._awake[sink] = subprocess.Popen(
            ["parec", f"--device={sink}.monitor", "--latency-msec=20"],
            env={**os.environ, **self.environment},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def _unload(self, name: str) -> None:
        for module in self._modules.pop(name, []):
            self._pactl("unload-module", module)
        recorder = self._awake.pop(name, None)
        if recorder is not None:
            recorder.terminate()
            recorder.wait()

    def _load(self, *words: str) -> str:
        return self._pactl("load-module", *words)

    def _pactl(self, *words: str) -> str:
        return self._run("pactl", *words)

    def _run(self, *words: str) -> str:
        environment = {**os.environ, **self.environment}
        done = subprocess.run(words, env=environment, check=True, capture_output=True, text=True, timeout=60)
        return done.stdout.strip()

    def _wait_until_up(self) -> None:
        environment = {**os.environ, **self.environment}
        until = time.monotonic() + START_S
        while subprocess.run(["pactl", "info"], env=environment, capture_output=True, check=False).returncode:
            assert self._server.poll() is None, (self._folder / "pulseaudio.log").read_text()
            assert time.monotonic() < until, "the sound server does not answer"
            time.sleep(0.05)


def from_pcm(pcm: bytes | bytearray) -> AudioChunk:
    whole = len(pcm) - len(pcm) % SPEECH.frame_bytes
    return AudioChunk(SPEECH, bytes(pcm[:whole]))
