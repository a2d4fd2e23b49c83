"""Whisper models in CTranslate2's format, run by faster-whisper.

Audio comes as samples, models from a local folder: neither is ever a name that the library could look up
elsewhere. Whisper writes text for silence and noise too; so only what a voice activity detector takes for
speech is recognised, and text that the model itself doubts is dropped. Short speech is decoded in a window of its size
(see `short_window`), and a longer recording is cut in its longest pauses until each part fits into Whisper's: the
library cuts where the window ends, and leaves whole sentences out there. Who speaks for half a minute without a pause
is read as the library does it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import ctranslate2
import numpy as np
import psutil
from faster_whisper import WhisperModel
from faster_whisper.vad import VadOptions
from numpy.typing import NDArray
from tqdm import tqdm  # type: ignore[import-untyped]

from aria_desktop.core.audio import SPEECH, AudioChunk
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.errors import EngineFailed, ModelDamaged, ModelMissing
from aria_desktop.core.interfaces import Capabilities, Recognised, RecognitionHints
from aria_desktop.core.transcript import Nothing, RecognitionEnd, Segment, Word
from aria_desktop.engines.model_files import FETCH, model_folder
from aria_desktop.engines.options import read_options
from aria_desktop.engines.speech.decoder import Asked, Decoded, Decoder
from aria_desktop.engines.speech.sentence_segments import by_sentence
from aria_desktop.engines.speech.short_window import FULL, SHORT_S, frames_for, is_doubtful, tokens_for
from aria_desktop.engines.speech.speech_gate import Evidence, SpeechFound, speech_in, verdicts
from aria_desktop.engines.speech.trust import NO_SPEECH, UNLIKELY, Heard, best_of, is_believed, is_broken
from aria_desktop.safety.models.ctranslate2 import check_ctranslate2
from aria_desktop.safety.models.memory import require_room
from aria_desktop.safety.models.memory_limit import claim
from aria_desktop.safety.models.reading import require_same

_FILES = ("model.bin", "config.json", "tokenizer.json")
"""Without its tokenizer file the library would look for one on a hub."""
_SPEECH = VadOptions(threshold=0.25, min_silence_duration_ms=1000, speech_pad_ms=400)
"""Low enough for whispering; noise in a room stays below 0.2."""
_TEMPERATURES = (0.0, 0.4)
"""The second is for what repeats itself or is very unlikely at the first."""
_MOST_S = 27.0
"""Decoded at once, what is kept around it included: a little less than Whisper's window of 30 s."""
_BEFORE_S = 0.3
_AFTER_S = 0.6
"""Kept around the speech: a soft beginning, and an end that fades, which in a noisy room is not seen as speech."""
_AROUND_S = _BEFORE_S + _AFTER_S
_SEED = 1
"""Of what is sampled. The engine's own differs in every process, and then the same recording has other words each time
it is read. Each of its threads takes the seed when it samples for the first time, and goes on from there."""
_TOO_SHORT_S = 0.2
_QUIET = 0.004
"""Peaks below this (-48 dB of full scale) are no voice near a microphone that works."""


# The library's progress bar, which is never shown, would start a thread that watches it for good.
tqdm.monitor_interval = 0


@dataclass(frozen=True, slots=True)
class WhisperOptions:
    threads: int = 0
    """0: as many as there are cores for this process."""
    gpu: Literal["auto", "off"] = "auto"
    beam: int = 5
    """Candidates kept while decoding; 1 is greedy."""


_RECORDING = 4 * 3600 * 400_000
"""Bytes that the spectrum of the longest recording takes while it is made."""


def load(model_path: str, options: Mapping[str, str | int | float | bool]) -> FasterWhisper:
    """`model_path`: the folder with the converted model."""
    wanted = read_options(WhisperOptions, "faster-whisper", options)
    folder = model_folder(model_path)
    missing = [name for name in _FILES if not (folder / name).is_file()]
    if missing:
        raise ModelMissing(f"{folder} lacks {', '.join(missing)}.", FETCH)
    checked = check_ctranslate2(folder)
    require_room(folder.name, checked.identity.size, psutil.virtual_memory().total)
    if wanted.gpu == "off" or not ctranslate2.get_cuda_device_count():
        claim(3 * checked.identity.size + _RECORDING)
    ctranslate2.set_random_seed(_SEED)
    model, words = _loaded(folder, wanted)
    require_same(checked.model, checked.identity)
    return FasterWhisper(model, wanted.beam, words)


def _loaded(folder: Path, wanted: WhisperOptions) -> tuple[WhisperModel, str]:
    reason = "the graphics card is switched off in the settings"
    if wanted.gpu == "auto":
        reason = "no graphics card with CUDA was found"
        if ctranslate2.get_cuda_device_count() > 0:
            try:
                model = WhisperModel(str(folder), device="cuda", compute_type="float16", local_files_only=True)
                return model, "graphics card, 16-bit: CUDA works here"
            except (RuntimeError, ValueError) as error:
                reason = f"CUDA does not work here ({error})"
    threads = wanted.threads or _cores()
    try:
        model = WhisperModel(str(folder), device="cpu", compute_type="int8", cpu_threads=threads, local_files_only=True)
    except Exception as error:
        # ctranslate2 and tokenizers raise many kinds for a file that is not what it must be.
        raise ModelDamaged(
            f"faster-whisper can't load {folder}: {error}", "`aria models verify` tells whether a file is damaged."
        ) from error
    return model, f"CPU, 8-bit, {threads} {'thread' if threads == 1 else 'threads'}: {reason}"


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class FasterWhisper:
    def __init__(self, model: WhisperModel, beam: int, detail: str) -> None:
        self._model = model
        self._beam = beam
        self._decoder = Decoder(model, beam)
        self.capabilities = Capabilities(detail, languages=tuple(model.supported_languages))
        verdicts(np.zeros(SPEECH.rate, np.float32))

    def transcribe(self, audio: AudioChunk, hints: RecognitionHints, cancel: CancelToken) -> Iterator[Recognised]:
        cancel.raise_if_cancelled()
        if hints.language and hints.language not in self.capabilities.languages:
            known = ", ".join(self.capabilities.languages)
            raise EngineFailed(f"The speech model does not know the language {hints.language!r}.", f"It knows {known}.")
        samples = np.frombuffer(audio.pcm, dtype="<i2").astype(np.float32) / np.float32(32768)
        parts = speech_in(samples, _MOST_S - _AROUND_S)
        if parts:
            yield from self._in_parts(samples, hints, parts, cancel)
        else:
            yield hints.language
            yield RecognitionEnd(why_no_speech(samples))

    def _in_parts(
        self, samples: NDArray[np.float32], hints: RecognitionHints, parts: Sequence[SpeechFound], cancel: CancelToken
    ) -> Iterator[Recognised]:
        """Each part alone, in the language of the first."""
        ends = list[RecognitionEnd]()
        for number, spoken in enumerate(_spans(parts, len(samples) / SPEECH.rate)):
            sound = samples[round(spoken.start * SPEECH.rate) : round(spoken.end * SPEECH.rate)]
            for item in self._part(sound, hints, spoken, cancel):
                if isinstance(item, RecognitionEnd):
                    ends.append(item)
                elif isinstance(item, Segment):
                    yield item
                elif not number:
                    yield item
                    hints = replace(hints, language=item)
        yield _all_in_all(ends, parts)

    def _part(
        self, sound: NDArray[np.float32], hints: RecognitionHints, spoken: SpeechFound, cancel: CancelToken
    ) -> Iterator[Recognised]:
        """Yields a RecognitionEnd for each way that was tried."""
        seconds = len(sound) / SPEECH.rate
        if seconds > _MOST_S:
            yield from self._piece_by_piece(sound, hints, spoken, cancel)
            return
        passes = self._passes(sound, hints, cancel, most=3 if spoken.evidence is Evidence.STRONG else 1)
        smaller = speech_in(sound, SHORT_S - _AROUND_S) if seconds > SHORT_S else ()
        if len(smaller) > 1 and is_doubtful(passes[0].heard, seconds):
            yield _work(passes, Nothing.UNCLEAR)
            for item in self._in_parts(sound, hints, smaller, cancel):
                yield _later(item, spoken.start) if isinstance(item, Segment) else item
        else:
            yield from self._told(passes, seconds, spoken, cancel)

    def _told(
        self, passes: Sequence[Decoded], seconds: float, spoken: SpeechFound, cancel: CancelToken
    ) -> Iterator[Recognised]:
        told = passes[best_of([one.heard for one in passes])]
        # What is doubtful in every window is what a distant murmur is made into.
        doubtful = len(passes) > 1 and is_doubtful(told.heard, seconds)
        sure = spoken.evidence is Evidence.STRONG
        believed = not doubtful and is_believed(told.heard, told.no_speech, sure_of_speech=sure)
        yield told.language
        cancel.raise_if_cancelled()
        if believed:
            words = tuple(self._decoder.words(told, seconds))
            whole = Segment(told.heard.text, 0.0, seconds, words)
            yield from (_later(sentence, spoken.start) for sentence in by_sentence(whole))
        yield _work(passes, Nothing.NONE if believed else Nothing.UNCLEAR)

    def _passes(
        self, sound: NDArray[np.float32], hints: RecognitionHints, cancel: CancelToken, most: int
    ) -> Sequence[Decoded]:
        """In a window of the sound's size; where that is not believed in the whole one, and then not only by
        likelihood. A long sound, which can be cut instead, goes through once.

        Args:
            most: passes. Where it is not even sure that somebody spoke, more than one is not worth its time.
        """
        seconds = len(sound) / SPEECH.rate
        common, tokens = (hints.language, ", ".join(hints.phrases)), tokens_for(seconds)
        asked = [Asked(frames_for(seconds), tokens, *common)]
        if seconds <= SHORT_S:
            asked += [Asked(FULL, 2 * tokens, *common, temperature) for temperature in _TEMPERATURES]
        made: list[Decoded] = []
        for each in asked[:most]:
            cancel.raise_if_cancelled()
            made.append(self._decoder.decoded(sound, each))
            short = each.frames < FULL
            if not (is_doubtful(made[-1].heard, seconds) if short else is_broken(made[-1].heard)):
                break
        cancel.raise_if_cancelled()
        return made

    def _piece_by_piece(
        self, sound: NDArray[np.float32], hints: RecognitionHints, spoken: SpeechFound, cancel: CancelToken
    ) -> Iterator[Recognised]:
        """As the library does it: the whole window, and segments that are made while they are read."""
        segments, info = self._model.transcribe(
            sound,
            language=hints.language or None,
            hotwords=", ".join(hints.phrases) or None,
            beam_size=self._beam,
            temperature=_TEMPERATURES,
            condition_on_previous_text=False,
            no_speech_threshold=NO_SPEECH,
            log_prob_threshold=UNLIKELY,
            word_timestamps=True,
            vad_filter=True,
            vad_parameters=_SPEECH,
        )
        yield str(info.language)
        windows, tokens, told = set[int](), 0, False
        for segment in segments:
            cancel.raise_if_cancelled()
            windows.add(segment.seek)
            tokens += len(segment.tokens)
            heard = Heard(segment.text.strip(), segment.avg_logprob, segment.compression_ratio)
            if is_believed(heard, segment.no_speech_prob):
                told = True
                yield _later(_segment(segment), spoken.start)
        yield RecognitionEnd(Nothing.NONE if told else Nothing.UNCLEAR, 0.0, 1, FULL * len(windows), tokens)


def why_no_speech(samples: NDArray[np.float32]) -> Nothing:
    """Pure."""
    if len(samples) < _TOO_SHORT_S * SPEECH.rate:
        return Nothing.TOO_SHORT
    loudest = float(np.abs(samples).max())
    if loudest == 0:
        return Nothing.ZEROS
    return Nothing.QUIET if loudest < _QUIET else Nothing.NOISE


def _spans(parts: Sequence[SpeechFound], seconds: float) -> Iterator[SpeechFound]:
    """The parts with what is kept around them, without a word of their neighbours."""
    befores = [0.0, *(part.end for part in parts[:-1])]
    afters = [*(part.start for part in parts[1:]), seconds]
    for part, before, after in zip(parts, befores, afters, strict=True):
        yield replace(part, start=max(before, part.start - _BEFORE_S), end=min(after, part.end + _AFTER_S))


def _work(passes: Sequence[Decoded], nothing: Nothing) -> RecognitionEnd:
    frames, tokens = sum(one.frames for one in passes), sum(len(one.tokens) for one in passes)
    return RecognitionEnd(nothing, 0.0, len(passes), frames, tokens)


def _all_in_all(ends: Sequence[RecognitionEnd], parts: Sequence[SpeechFound]) -> RecognitionEnd:
    return RecognitionEnd(
        Nothing.NONE if any(end.nothing is Nothing.NONE for end in ends) else Nothing.UNCLEAR,
        sum(part.end - part.start for part in parts),
        sum(end.passes for end in ends),
        sum(end.encoder_frames for end in ends),
        sum(end.tokens for end in ends),
    )


def _later(segment: Segment, by: float) -> Segment:
    words = tuple(replace(word, start=word.start + by, end=word.end + by) for word in segment.words)
    return replace(segment, start=segment.start + by, end=segment.end + by, words=words)


def _segment(segment: Any) -> Segment:
    words = tuple(
        Word(word.word.strip(), float(word.start), float(word.end), min(1.0, max(0.0, float(word.probability))))
        for word in segment.words or ()
        if word.word.strip()
    )
    return Segment(segment.text.strip(), float(segment.start), float(segment.end), words)
