"""Sound files of every kind, whole and broken, through the real decoding child."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import av
import numpy as np
import psutil
import pytest
import soundfile
from numpy.typing import NDArray

from aria_desktop.audio.decode import LONGEST_S
from aria_desktop.audio.files import decoded, read_audio
from aria_desktop.core.audio import SPEECH, AudioChunk
from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.errors import AudioUnreadable
from aria_desktop.testing.sounds import silence, tone
from tests.conftest import Children
from tests.ears.conftest import DATA
from tests.ears.test_microphone import likeness

SENTENCE = "read/ljspeech_LJ001-0013_en.flac"

LIBSNDFILE = [
    ("wav", "WAV", "PCM_16"),
    ("wav24", "WAV", "PCM_24"),
    ("wav32", "WAV", "PCM_32"),
    ("wav8", "WAV", "PCM_U8"),
    ("wavfloat", "WAV", "FLOAT"),
    ("wavdouble", "WAV", "DOUBLE"),
    ("wavulaw", "WAV", "ULAW"),
    ("wavadpcm", "WAV", "IMA_ADPCM"),
    ("rf64", "RF64", "PCM_16"),
    ("w64", "W64", "PCM_16"),
    ("aiff", "AIFF", "PCM_16"),
    ("flac", "FLAC", "PCM_16"),
    ("vorbis", "OGG", "VORBIS"),
    ("opus", "OGG", "OPUS"),
    ("mp3", "MP3", "MPEG_LAYER_III"),
]
FFMPEG = [("m4a", "mp4", "aac"), ("webm", "webm", "libopus"), ("mkv", "matroska", "aac")]


def samples(sound: AudioChunk) -> NDArray[np.float32]:
    return np.frombuffer(sound.pcm, "<i2").astype(np.float32) / np.float32(32768)


def write_with_av(path: Path, container: str, codec: str, mono: NDArray[np.float32], rate: int, channels: int) -> None:
    layout = "stereo" if channels == 2 else "mono"
    with av.open(str(path), "w", format=container) as out:
        stream = out.add_stream(codec, rate=48_000, layout=layout)
        resampler = av.AudioResampler(format=stream.codec_context.format, layout=layout, rate=48_000)
        frame = av.AudioFrame.from_ndarray(np.tile(mono, (channels, 1)), format="fltp", layout=layout)
        frame.sample_rate = rate
        fifo = av.AudioFifo()
        for part in (*resampler.resample(frame), *resampler.resample(None)):
            part.pts = None
            fifo.write(part)
        size = stream.codec_context.frame_size or 960
        while part := fifo.read(size) or fifo.read(0, partial=True):
            out.mux(stream.encode(part))
        out.mux(stream.encode(None))


def written(folder: Path, kind: str, mono: NDArray[np.float32], rate: int = 48_000, channels: int = 1) -> Path:
    """A file of that kind, whose name says nothing."""
    path = folder / f"{kind}.sound"
    for name, container, coding in LIBSNDFILE:
        if name == kind:
            soundfile.write(path, np.tile(mono, (channels, 1)).T, rate, format=container, subtype=coding)
    for name, container, coding in FFMPEG:
        if name == kind:
            write_with_av(path, container, coding, mono, rate, channels)
    return path


def at_48k(sound: AudioChunk) -> NDArray[np.float32]:
    import soxr

    resampled: NDArray[np.float32] = soxr.resample(samples(sound), SPEECH.rate, 48_000).astype(np.float32)
    return resampled


def read(path: Path) -> AudioChunk:
    return read_audio(path, CancelToken())


def fault(path: Path) -> AudioUnreadable:
    with pytest.raises(AudioUnreadable) as error:
        read(path)
    return error.value


@pytest.mark.parametrize("channels", [1, 2])
@pytest.mark.parametrize("kind", [name for name, *_ in (*LIBSNDFILE, *FFMPEG)])
def test_every_kind_is_read_by_content(
    kind: str, channels: int, tmp_path: Path, clip: Callable[[str], AudioChunk]
) -> None:
    said = clip(SENTENCE)
    found = read(written(tmp_path, kind, at_48k(said), channels=channels))
    assert found.format == SPEECH
    assert found.seconds == pytest.approx(said.seconds, abs=0.1)
    alike, at = likeness(said, AudioChunk(SPEECH, found.pcm + bytes(3200)))
    assert alike > 0.95
    assert at < 0.08


@pytest.mark.parametrize("rate", [8_000, 11_025, 16_000, 22_050, 44_100, 96_000, 192_000])
def test_every_rate_keeps_the_pitch(rate: int, tmp_path: Path) -> None:
    wave = 0.3 * np.sin(2 * np.pi * 440 * np.arange(rate) / rate)
    soundfile.write(tmp_path / "a", wave, rate, format="WAV", subtype="PCM_24")
    found = samples(read(tmp_path / "a"))
    assert len(found) == pytest.approx(16_000, abs=3)
    assert int(np.abs(np.fft.rfft(found[1000:15000])).argmax()) * 16_000 / 14_000 == pytest.approx(440, abs=1.5)
    assert float(np.abs(found[1000:15000]).max()) == pytest.approx(0.3, abs=0.01)


def test_loud_and_impossible_samples_are_clipped_and_not_wrapped(tmp_path: Path) -> None:
    wave = np.array([0.0, 2.0, -3.0, np.inf, -np.inf, np.nan] * 1000, dtype=np.float32)
    soundfile.write(tmp_path / "a", wave, 16_000, format="WAV", subtype="FLOAT")
    found = samples(read(tmp_path / "a"))
    assert found[:6].tolist() == pytest.approx([0.0, 1.0, -1.0, 1.0, -1.0, 0.0], abs=0.001)


def test_a_stream_that_never_got_its_length_is_read_to_the_end(tmp_path: Path) -> None:
    pcm = tone(1.0, SPEECH).pcm
    header = b"RIFF\xff\xff\xff\xffWAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 16_000, 32_000, 2, 16)
    (tmp_path / "a").write_bytes(header + b"data\xff\xff\xff\xff" + pcm)
    assert read(tmp_path / "a").pcm == pcm


def test_an_mp3_stream_of_changing_bit_rate_is_read_to_the_end(
    tmp_path: Path, clip: Callable[[str], AudioChunk]
) -> None:
    """Without a header that counts its frames its length can only be guessed, and too short a guess loses words."""
    said = clip("read/jfk_inaugural_en.flac")
    path = tmp_path / "a"
    soundfile.write(path, samples(said), 16_000, format="MP3", bitrate_mode="VARIABLE", compression_level=0.99)
    whole = path.read_bytes()
    second_frame = whole.index(whole[:2], 4)
    path.write_bytes(whole[second_frame:])
    assert read(path).seconds == pytest.approx(said.seconds, abs=0.2)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b"milk, eggs and bread\n" * 50, "is a text file, not a sound file"),
        (b"#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n", "is a text file, not a sound file"),
        (b"ffconcat version 1.0\nfile '/etc/passwd'\n", "is a text file, not a sound file"),
        (b"v=0\no=- 0 0 IN IP4 127.0.0.1\nm=audio 9 RTP/AVP 0\n", "is a text file, not a sound file"),
        (bytes(5000), "is no sound file that ARIA knows"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "is no sound file that ARIA knows"),
        (b"RIFF\x24\x00\x00\x00WAVE", "is a damaged WAV file"),
        (b"fLaC" + bytes(200), "is a damaged FLAC file"),
        (b"OggS" + bytes(200), "is a damaged OGG file"),
        (b"ID3\x03\x00\x00\x00\x00\x00\x00" + bytes(200), "is a damaged MP3 file"),
        (b"\x00\x00\x00\x20ftypM4A " + bytes(200), "is a damaged MP4 file"),
        (b"\x1a\x45\xdf\xa3" + bytes(200), "is a damaged WebM file"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_sound_is_refused_with_the_reason(content: bytes, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "talk.wav"
    path.write_bytes(content)
    error = fault(path)
    assert error.text == f"talk.wav {reason}."
    assert error.hint


@pytest.mark.parametrize("kind", ["wav", "wavfloat", "flac", "vorbis", "opus", "mp3", "m4a", "webm", "aiff"])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.7])
def test_a_file_that_breaks_off_is_refused_as_a_whole(
    kind: str, share: float, tmp_path: Path, clip: Callable[[str], AudioChunk]
) -> None:
    path = written(tmp_path, kind, at_48k(clip(SENTENCE)))
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])
    text = fault(path).text
    assert any(words in text for words in ("breaks off", "is a damaged", "holds no sound")), text


def test_names_are_never_taken_for_anything_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("http:__example.org_a.wav", "-i", "concat:a|b", "pipe:0", "udp:x", "a'b\"c.wav"):
        soundfile.write(tmp_path / name, samples(tone(0.2, SPEECH)), 16_000, format="WAV")
        assert read(Path(name)).seconds == pytest.approx(0.2)
    assert fault(Path("http://example.org/a.wav")).text.startswith("There is no file http:")


def test_what_is_no_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert fault(tmp_path / "pipe").text.endswith("pipe is not a file.")
    assert fault(tmp_path).text.endswith("is not a file.")
    assert fault(Path("/dev/zero")).text == "/dev/zero is not a file."
    assert fault(tmp_path / "gone.wav").text.startswith("There is no file ")
    assert "can't be opened" in fault(tmp_path / "gone\0.wav").text


def wav_header(rate: int, channels: int, bits: int, data: int) -> bytes:
    align = channels * bits // 8
    fmt = struct.pack("<IHHIIHH", 16, 1, channels, rate, min(rate * align, 2**32 - 1), align % 65536, bits)
    return b"RIFF" + struct.pack("<I", 0xFFFFFFFF) + b"WAVEfmt " + fmt + b"data" + struct.pack("<I", data)


@pytest.mark.parametrize(
    ("rate", "channels", "bits"),
    [
        (0, 1, 16),
        (1, 1, 16),
        (4_000_000_000, 1, 16),
        (16_000, 0, 16),
        (16_000, 255, 16),
        (16_000, 1, 0),
    ],
)
def test_impossible_headers_are_refused(rate: int, channels: int, bits: int, tmp_path: Path) -> None:
    (tmp_path / "a.wav").write_bytes(wav_header(rate, channels, bits, 0xFFFFFFFF) + bytes(4000))
    assert "damaged" in fault(tmp_path / "a.wav").text


def test_a_million_tiny_chunks_cost_no_time(tmp_path: Path) -> None:
    (tmp_path / "a.wav").write_bytes(b"RIFF\xff\xff\xff\xffWAVE" + b"junk\x00\x00\x00\x00" * 1_000_000)
    assert fault(tmp_path / "a.wav").text


def test_days_of_silence_are_refused_before_they_are_decoded(tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    with path.open("wb") as file:
        frames = int(LONGEST_S * 8_000) + 8_000
        file.write(wav_header(8_000, 1, 8, frames))
        file.truncate(file.tell() + frames)
    assert fault(path).text == "a.wav is longer than 4 hours."


def test_progress_is_told_in_seconds(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "a", samples(silence(5.0, SPEECH)), 16_000, format="FLAC")
    told: list[tuple[float, float | None]] = []
    read_audio(tmp_path / "a", CancelToken(), lambda done, total: told.append((done, total)))
    assert told[-1] == (5.0, 5.0)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_cancelling_ends_the_child(tmp_path: Path, own_children: Children) -> None:
    soundfile.write(tmp_path / "a", samples(silence(600.0, SPEECH)), 16_000, format="FLAC")
    cancel = CancelToken()
    pieces = decoded(tmp_path / "a", cancel, lambda _done, _total: None)
    next(pieces)
    (child,) = own_children()
    threading.Timer(0.01, cancel.cancel).start()
    assert cancel.wait(20)
    with pytest.raises(Cancelled):
        list(pieces)
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE


def test_left_in_the_middle_the_child_is_gone_too(tmp_path: Path, own_children: Children) -> None:
    soundfile.write(tmp_path / "a", samples(silence(600.0, SPEECH)), 16_000, format="FLAC")
    pieces = decoded(tmp_path / "a", CancelToken(), lambda _done, _total: None)
    next(pieces)
    pieces.close()
    assert own_children() == []


def test_a_child_that_dies_is_no_end_of_the_sound(tmp_path: Path, own_children: Children) -> None:
    soundfile.write(tmp_path / "talk.flac", samples(silence(600.0, SPEECH)), 16_000, format="FLAC")
    pieces = decoded(tmp_path / "talk.flac", CancelToken(), lambda _done, _total: None)
    next(pieces)
    (child,) = own_children()
    child.kill()
    with pytest.raises(AudioUnreadable, match=r"talk\.flac can't be read: decoding it failed"):
        list(pieces)


def test_the_main_process_never_loads_ffmpeg(tmp_path: Path, clip: Callable[[str], AudioChunk]) -> None:
    path = written(tmp_path, "m4a", at_48k(clip(SENTENCE)))
    program = (
        "import sys\n"
        "from aria_desktop.audio.files import read_audio\n"
        "from aria_desktop.core.cancel import CancelToken\n"
        f"assert read_audio({str(path)!r}, CancelToken()).seconds > 2\n"
        "loaded = {'av', 'soundfile', 'numpy', 'soxr'} & set(sys.modules)\n"
        "assert not loaded, loaded\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=DATA.parent.parent)


def test_the_current_folder_can_not_slip_code_into_the_child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "numpy.py").write_text("open('slipped', 'w').close()")
    (tmp_path / "soundfile.py").write_text("open('slipped', 'w').close()")
    soundfile.write(tmp_path / "a.wav", samples(tone(0.2, SPEECH)), 16_000, format="WAV")
    monkeypatch.chdir(tmp_path)
    assert read(Path("a.wav")).seconds == pytest.approx(0.2)
    assert not (tmp_path / "slipped").exists()


def test_a_file_deleted_or_growing_while_it_is_read_is_the_file_that_was_opened(tmp_path: Path) -> None:
    path = tmp_path / "a.flac"
    soundfile.write(path, samples(tone(30.0, SPEECH)), 16_000, format="FLAC")
    pieces = decoded(path, CancelToken(), lambda _done, _total: None)
    pcm = next(pieces)
    path.unlink()
    assert len(pcm + b"".join(pieces)) == 30 * 16_000 * 2


def test_the_child_needs_little_memory_however_long_the_file_is(tmp_path: Path, own_children: Children) -> None:
    soundfile.write(tmp_path / "a", samples(silence(1200.0, SPEECH)), 16_000, format="FLAC")
    pieces = decoded(tmp_path / "a", CancelToken(), lambda _done, _total: None)
    next(pieces)
    (child,) = own_children()
    most = 0
    until = time.monotonic() + 60
    for number, _ in enumerate(pieces):
        if number % 200 == 0 and time.monotonic() < until and child.is_running():
            most = max(most, child.memory_info().rss)
    assert 0 < most < 200_000_000
