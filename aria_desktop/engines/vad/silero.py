"""Is this frame speech? Silero's recurrent network, in the file that faster-whisper ships, frame by frame.

It tells speech from music and clatter far better than energy does, for some hundred microseconds a frame. The file is
found without importing faster-whisper: the process of the window never loads a recogniser.
"""

from __future__ import annotations

import functools
import importlib.util
import os
from pathlib import Path
from typing import Any

from aria_desktop.core.audio import SAMPLE_WIDTH
from aria_desktop.core.errors import EngineFailed

FRAME_SAMPLES = 512
"""The network knows no other length at 16 kHz."""
_CONTEXT_SAMPLES = 64
"""Of the frame before, that it is given along."""
_STATE = (1, 1, 128)
_FILE = "silero_vad_v6.onnx"


class SileroDetector:
    """One recording at a time; not for two threads at once."""

    def __init__(self) -> None:
        """Raises EngineFailed when the network can't be loaded."""
        self._session = _session()
        self._context: Any = None
        self._h: Any = None
        self._c: Any = None
        self.reset()

    @property
    def frame_samples(self) -> int:
        return FRAME_SAMPLES

    def speech_probability(self, frame: bytes) -> float:
        import numpy as np

        if len(frame) != FRAME_SAMPLES * SAMPLE_WIDTH:
            raise ValueError(f"{len(frame)} bytes are not one frame of {FRAME_SAMPLES} samples")
        samples = np.frombuffer(frame, dtype="<i2").astype(np.float32) / 32768
        heard = np.concatenate([self._context, samples])[np.newaxis]
        self._context = samples[-_CONTEXT_SAMPLES:]
        found, self._h, self._c = self._session.run(None, {"input": heard, "h": self._h, "c": self._c})
        return float(found[0])

    def reset(self) -> None:
        import numpy as np

        self._h = np.zeros(_STATE, np.float32)
        self._c = np.zeros(_STATE, np.float32)
        self._context = np.zeros(_CONTEXT_SAMPLES, np.float32)


def model_file() -> Path:
    """Raises EngineFailed."""
    found = importlib.util.find_spec("faster_whisper")
    for folder in (found.submodule_search_locations or ()) if found else ():
        path = Path(folder) / "assets" / _FILE
        if path.is_file():
            return path
    raise EngineFailed("The detector of speech is missing: faster-whisper is installed without it.", "Install it anew.")


@functools.cache
def _session() -> Any:
    """The network, loaded once; a session may be used by several detectors, each of which keeps its own state."""
    # Read by the library while it is imported.
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    path = model_file()
    try:
        import onnxruntime  # type: ignore[import-untyped]

        options = onnxruntime.SessionOptions()
        options.inter_op_num_threads = options.intra_op_num_threads = 1
        options.enable_cpu_mem_arena = False
        options.log_severity_level = 4
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        text = f"The detector of speech {path.name} can't be loaded: {error}."
        raise EngineFailed(text, "Install ARIA's packages anew.") from error
