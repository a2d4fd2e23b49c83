"""One stream of sound in another rate and number of channels. What needs no change costs nothing."""

from __future__ import annotations

from aria_desktop.core.audio import AudioFormat


class Resampler:
    """For one stream, in order; keeps the last few milliseconds until `end`."""

    def __init__(self, source: AudioFormat, target: AudioFormat, channel: int | None = None) -> None:
        """`channel`: the one to take, from 0; None mixes all when the target has one."""
        if target.channels not in (1, source.channels):
            raise ValueError(f"{source.channels} channels can't become {target.channels}")
        self._source = source
        self._target = target
        self._channel = channel
        self._stream = None
        if source.rate != target.rate:
            import soxr

            self._stream = soxr.ResampleStream(source.rate, target.rate, target.channels, dtype="int16")

    def push(self, pcm: bytes, *, last: bool = False) -> bytes:
        """The next samples; whole frames of the source's format in, of the target's format out."""
        if self._source == self._target:
            return pcm
        import numpy as np

        samples = np.frombuffer(pcm, dtype="<i2")
        if self._source.channels != self._target.channels:
            side_by_side = samples.reshape(-1, self._source.channels)
            if self._channel is None:
                samples = side_by_side.mean(axis=1).round().astype("<i2")
            else:
                samples = np.ascontiguousarray(side_by_side[:, self._channel])
        if self._stream is not None:
            shaped = samples if self._target.channels == 1 else samples.reshape(-1, self._target.channels)
            samples = self._stream.resample_chunk(shaped, last=last)
        return samples.tobytes()

    def end(self) -> bytes:
        """The rest; nothing may be pushed after it."""
        return self.push(b"", last=True)
