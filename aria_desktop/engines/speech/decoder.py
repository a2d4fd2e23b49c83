"""One utterance through Whisper in one window of any length: samples to words with their probabilities and times.

The samples are filled up with silence before they become a spectrogram, as the model was trained: filled up with zeros
afterwards, which stand for a loud hum, a short window makes it say things twice. For the same reason it writes time
marks: they let it see that everything was said.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from faster_whisper import WhisperModel
from faster_whisper.tokenizer import Tokenizer
from faster_whisper.transcribe import get_suppressed_tokens, merge_punctuations
from numpy.typing import NDArray

from aria_desktop.core.audio import SPEECH
from aria_desktop.core.transcript import Word
from aria_desktop.engines.speech.short_window import FRAMES_PER_SECOND
from aria_desktop.engines.speech.trust import Heard

_SAMPLES_PER_FRAME = SPEECH.rate // FRAMES_PER_SECOND
_LATEST_BEGINNING = 50
"""Time marks of 20 ms: the first one says no later than this when speech begins."""
_BEFORE = "\"'“¿([{-"
_AFTER = "\"'.。,，!！?？:：”)]}、"
"""Signs that belong to the word behind or before them."""
_MOST_PROMPT = 220
"""Tokens of hints: half of what the model can read, less a little."""
_LONGEST = 448
"""Tokens, with the prompt."""


@dataclass(frozen=True, slots=True)
class Asked:
    """How a pass is to be made."""

    frames: int
    """Of the window."""
    most_tokens: int
    language: str = ""
    """Empty: find it out."""
    hints: str = ""
    """Words that are likely, as a text that might have come before."""
    temperature: float = 0.0


@dataclass(frozen=True, slots=True)
class Decoded:
    language: str
    heard: Heard
    no_speech: float
    """How likely the model thinks it that nobody spoke, 0 to 1."""
    tokens: tuple[int, ...]
    """All that were decoded, time marks among them."""
    frames: int
    """Encoded."""
    encoded: Any
    """The encoder's output, for `Decoder.words`."""


class Decoder:
    def __init__(self, model: WhisperModel, beam: int) -> None:
        self._model = model
        self._beam = beam
        self._suppressed = get_suppressed_tokens(self._tokenizer("en"), [-1])

    def decoded(self, samples: NDArray[np.float32], asked: Asked) -> Decoded:
        encoded = self._encoded(samples, asked.frames)
        language = asked.language or self._language(encoded)
        tokenizer = self._tokenizer(language)
        prompt = [*self._hints(tokenizer, asked.hints), *tokenizer.sot_sequence]
        room = min(asked.most_tokens, _LONGEST - len(prompt))
        result = self._model.model.generate(
            encoded,
            [prompt],
            max_length=len(prompt) + room,
            return_scores=True,
            return_no_speech_prob=True,
            suppress_blank=True,
            suppress_tokens=self._suppressed,
            max_initial_timestamp_index=_LATEST_BEGINNING,
            **self._search(asked.temperature),
        )[0]
        tokens = tuple(result.sequences_ids[0])
        text = tokenizer.decode(list(tokens)).strip()
        # The score is a mean over the tokens; the end counts as one more.
        likely = result.scores[0] * len(tokens) / (len(tokens) + 1)
        heard = Heard(text, likely, _compression(text), complete=len(tokens) < room)
        return Decoded(language, heard, float(result.no_speech_prob), tokens, asked.frames, encoded)

    def words(self, decoded: Decoded, seconds: float) -> Iterator[Word]:
        """Times count from the first sample, which were `seconds` in all."""
        tokenizer = self._tokenizer(decoded.language)
        text = [token for token in decoded.tokens if token < tokenizer.eot]
        frames = round(seconds * FRAMES_PER_SECOND)
        (found,) = self._model.find_alignment(tokenizer, [text], decoded.encoded, frames) or ([],)
        merge_punctuations(found, _BEFORE, _AFTER)
        for word in found:
            if said := word["word"].strip():
                end = min(float(word["end"]), seconds)
                yield Word(said, min(float(word["start"]), end), end, min(1.0, max(0.0, float(word["probability"]))))

    def _encoded(self, samples: NDArray[np.float32], frames: int) -> Any:
        missing = frames * _SAMPLES_PER_FRAME - len(samples)
        features = self._model.feature_extractor(np.pad(samples, (0, max(0, missing))))
        return self._model.encode(features[..., :frames])

    def _language(self, encoded: Any) -> str:
        if not self._model.model.is_multilingual:
            return "en"
        ((token, _), *_) = self._model.model.detect_language(encoded)[0]
        return str(token[2:-2])

    def _search(self, temperature: float) -> dict[str, float]:
        if temperature:
            return {"beam_size": 1, "num_hypotheses": 5, "sampling_topk": 0, "sampling_temperature": temperature}
        return {"beam_size": self._beam, "patience": 1}

    def _hints(self, tokenizer: Tokenizer, hints: str) -> Sequence[int]:
        return [tokenizer.sot_prev, *tokenizer.encode(f" {hints}")[:_MOST_PROMPT]] if hints else ()

    @lru_cache(maxsize=8)  # noqa: B019 (one decoder in a process, which lives as long)
    def _tokenizer(self, language: str) -> Tokenizer:
        return Tokenizer(
            self._model.hf_tokenizer, self._model.model.is_multilingual, task="transcribe", language=language
        )


def _compression(text: str) -> float:
    """How many times smaller it becomes when it is compressed."""
    raw = text.encode()
    return len(raw) / len(zlib.compress(raw)) if raw else 0.0
