from __future__ import annotations

from aria_desktop.core import events
from aria_desktop.core.requests import CancelTranscription, ContinueTranscription, PauseTranscription, TranscribeFile
from aria_desktop.core.transcript import Segment, Transcript
from aria_desktop.gui.state.sound_files import MOST_WAITING, SoundQueue, Stage, progress_words


def _progress(key: str, done: float = 1.0, remaining: float | None = None) -> events.RecognitionProgress:
    return events.RecognitionProgress(key, done, 4.0, "so far", remaining)


def _transcribed(key: str, text: str = "hello") -> events.FileTranscribed:
    return events.FileTranscribed(key, "/a.wav", Transcript((Segment(text, 0, 1),) if text else (), "en", 4.0))


def _stages(queue: SoundQueue) -> list[Stage]:
    return [file.stage for file in queue.files()]


def test_one_file_at_a_time_in_order() -> None:
    queue = SoundQueue()
    assert queue.add(["/a.wav", "/b.wav"]) == TranscribeFile("file-1", "/a.wav")
    assert _stages(queue) == [Stage.RUNNING, Stage.WAITING]
    assert queue.add(["/c.wav"]) is None
    changed, following = queue.apply(_transcribed("file-1"))
    assert changed
    assert following == TranscribeFile("file-2", "/b.wav")
    assert _stages(queue) == [Stage.DONE, Stage.RUNNING, Stage.WAITING]


def test_progress_and_text_are_shown() -> None:
    queue = SoundQueue()
    queue.add(["/a.wav"])
    queue.apply(_progress("file-1"))
    (file,) = queue.files()
    assert (file.part, file.text, file.words) == (0.25, "so far", "0:01 of 0:04")
    queue.apply(_transcribed("file-1", "the words"))
    (file,) = queue.files()
    assert (file.stage, file.text, file.part) == (Stage.DONE, "the words", 1.0)


def test_a_rejected_file_says_why_and_the_next_one_starts() -> None:
    queue = SoundQueue()
    queue.add(["/a.wav", "/b.wav"])
    rejected = events.FileRejected("file-1", "/a.wav", "audio_unreadable", "a.wav is a text file.", "Try another.")
    assert queue.apply(rejected) == (True, TranscribeFile("file-2", "/b.wav"))
    file = queue.files()[0]
    assert (file.stage, file.words, file.hint) == (Stage.FAILED, "a.wav is a text file.", "Try another.")


def test_what_was_recognised_before_it_broke_off_stays_readable() -> None:
    queue = SoundQueue()
    queue.add(["/a.wav"])
    queue.apply(_progress("file-1"))
    queue.apply(events.FileRejected("file-1", "/a.wav", "engine_died", "The engine ended.", "Try again."))
    (file,) = queue.files()
    assert (file.stage, file.text) == (Stage.FAILED, "so far")


def test_a_problem_with_the_request_counts_as_rejection() -> None:
    queue = SoundQueue()
    queue.add(["/a.wav"])
    queue.apply(events.Problem("file-1", "busy", "50 sound files wait already.", "Wait."))
    assert _stages(queue) == [Stage.FAILED]


def test_silence_is_no_text() -> None:
    queue = SoundQueue()
    queue.add(["/a.wav"])
    queue.apply(_transcribed("file-1", ""))
    assert _stages(queue) == [Stage.FAILED]


def test_taking_out_the_running_file_stops_it_and_starts_the_next() -> None:
    queue = SoundQueue()
    queue.add(["/a.wav", "/b.wav"])
    file, following = queue.take("file-1")
    assert file is not None
    assert following == (CancelTranscription("file-1"), TranscribeFile("file-2", "/b.wav"))
    assert queue.apply(_transcribed("file-1")) == (False, None)


def test_taking_out_a_waiting_or_finished_file_asks_for_nothing() -> None:
    queue = SoundQueue()
    queue.add(["/a.wav", "/b.wav"])
    assert queue.take("file-2")[1] == ()
    queue.apply(_transcribed("file-1"))
    assert queue.take("file-1")[1] == ()
    assert queue.take("file-1") == (None, ())
    assert queue.files() == ()


def test_news_of_others_change_nothing() -> None:
    queue = SoundQueue()
    queue.add(["/a.wav"])
    assert queue.apply(_progress("t1")) == (False, None)
    assert queue.apply(events.ActivityChanged(events.Activity.THINKING)) == (False, None)


def test_the_queue_has_an_end() -> None:
    queue = SoundQueue()
    queue.add([f"/{number}.wav" for number in range(MOST_WAITING + 5)])
    assert len(queue.files()) == MOST_WAITING
    assert queue.room == 0


def test_the_name_is_the_last_part_and_hides_nothing() -> None:
    queue = SoundQueue()
    queue.add(["/folder/voice\u202e.wav"])
    assert queue.files()[0].name == "voice<U+202E>.wav"


def test_words_of_progress() -> None:
    assert (
        progress_words(_progress("x", 2.0, 61.2))
        == "0:02 of 0:04, about 1\N{NO-BREAK SPACE}min 1\N{NO-BREAK SPACE}s left"
    )


def test_a_file_that_is_read_waits_and_goes_on_and_others_can_not_be_held() -> None:
    queue = SoundQueue()
    queue.add(["/a.wav", "/b.wav"])
    assert queue.hold("file-2") is None
    assert queue.hold("file-1") == PauseTranscription("file-1")
    queue.apply(_progress("file-1"))
    (file, _) = queue.files()
    assert (file.words, file.part, file.held) == ("Pauses after this stretch", 0.25, True)
    queue.apply(events.TranscriptionPaused("file-1"))
    assert queue.files()[0].words == "Paused"
    assert queue.hold("file-1") == ContinueTranscription("file-1")
    queue.apply(events.TranscriptionContinued("file-1"))
    queue.apply(_progress("file-1", 2.0))
    assert queue.files()[0].words == "0:02 of 0:04"
    queue.apply(_transcribed("file-1"))
    assert queue.hold("file-1") is None


def test_a_file_that_ends_while_it_is_to_wait_is_done() -> None:
    queue = SoundQueue()
    queue.add(["/a.wav"])
    queue.hold("file-1")
    queue.apply(_transcribed("file-1"))
    (file,) = queue.files()
    assert (file.stage, file.held) == (Stage.DONE, False)
