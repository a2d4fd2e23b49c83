"""Sound files dropped or chosen: progress, the text, what to do with it, and clear answers to everything else."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog

from aria_desktop.core import events
from aria_desktop.core.requests import (
    CancelTranscription,
    ContinueTranscription,
    PauseTranscription,
    SubmitText,
    TranscribeFile,
)
from aria_desktop.core.transcript import Segment, Transcript
from tests.window.conftest import Stage

TEXT = "Create a file called shopping.txt with milk"


def _drop(stage: Stage, *urls: QUrl, text: str = "") -> None:
    """The events Qt makes of a drag from another program; xdotool can't be a drag source."""
    data = QMimeData()
    if urls:
        data.setUrls(list(urls))
    if text:
        data.setText(text)
    place, buttons, keys = QPoint(700, 400), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(stage.window, QDragEnterEvent(place, Qt.DropAction.CopyAction, data, buttons, keys))
    QApplication.sendEvent(stage.window, QDropEvent(QPointF(place), Qt.DropAction.CopyAction, data, buttons, keys))


def _files(folder: Path, *names: str) -> list[QUrl]:
    for name in names:
        (folder / name).write_bytes(b"anything: only the content is judged, and not by the window")
    return [QUrl.fromLocalFile(str(folder / name)) for name in names]


def _request(stage: Stage, count: int = 1) -> TranscribeFile:
    stage.qtbot.waitUntil(lambda: _transcriptions(stage) == count, timeout=30_000)
    request = stage.assistant.last(TranscribeFile)
    assert isinstance(request, TranscribeFile)
    return request


def _transcriptions(stage: Stage) -> int:
    return sum(isinstance(request, TranscribeFile) for request in stage.assistant.received)


def _transcribed(request: TranscribeFile, text: str = TEXT) -> events.Event:
    segments = (Segment(text, 0.0, 3.0),) if text else ()
    return events.FileTranscribed(request.request_id, request.path, Transcript(segments, "en", 42.0))


def test_progress_then_carry_out(stage: Stage, tmp_path: Path) -> None:
    stage.assistant.expect(TranscribeFile, SubmitText)
    _drop(stage, *_files(tmp_path, "voice note.m4a"))
    request = _request(stage)
    assert request.path == str(tmp_path / "voice note.m4a")
    stage.assistant.publish(events.RecognitionProgress(request.request_id, 12.0, 42.0, "Create a file", 9.3))
    stage.wait_for("0:12 of 0:42, about 9\N{NO-BREAK SPACE}s left")
    stage.picture("9-file-running")
    stage.assistant.publish(_transcribed(request))
    stage.qtbot.waitUntil(lambda: stage.visible("carryOut"), timeout=20_000)
    stage.picture("9-file-done")
    stage.click(stage.find("carryOut"))
    stage.qtbot.waitUntil(lambda: isinstance(stage.assistant.received[-1], SubmitText), timeout=20_000)
    submitted = stage.assistant.last(SubmitText)
    assert isinstance(submitted, SubmitText)
    assert submitted.words == TEXT
    assert not stage.window.files.isVisible()


def test_keep_as_text_does_nothing_but_keep_it(stage: Stage, tmp_path: Path) -> None:
    stage.assistant.expect(TranscribeFile)
    _drop(stage, *_files(tmp_path, "memo.wav"))
    stage.assistant.publish(_transcribed(_request(stage)))
    stage.qtbot.waitUntil(lambda: stage.visible("keepAsText"), timeout=20_000)
    stage.click(stage.find("keepAsText"))
    stage.wait_for("kept as text, nothing was done with it")
    stage.wait_for(TEXT)
    stage.click(stage.find("copyKept"))
    stage.qtbot.waitUntil(lambda: QGuiApplication.clipboard().text() == TEXT, timeout=20_000)
    stage.picture("9-kept-text")


def test_a_bad_file_says_why_and_the_queue_goes_on(stage: Stage, tmp_path: Path) -> None:
    stage.assistant.expect(TranscribeFile, TranscribeFile, TranscribeFile)
    _drop(stage, *_files(tmp_path, "letter.wav", "silence.wav", "good.wav"))
    first = _request(stage, 1)
    stage.assistant.publish(
        events.FileRejected(
            first.request_id, first.path, "audio_unreadable", "letter.wav is a text file.", "Choose a sound."
        )
    )
    stage.wait_for("letter.wav is a text file.")
    second = _request(stage, 2)
    stage.assistant.publish(_transcribed(second, ""))
    stage.wait_for("No speech was found in it")
    stage.assistant.publish(_transcribed(_request(stage, 3)))
    stage.qtbot.waitUntil(lambda: stage.visible("carryOut"), timeout=20_000)
    stage.picture("9-file-queue")


def test_stopping_a_file_cancels_it_and_starts_the_next(stage: Stage, tmp_path: Path) -> None:
    stage.assistant.expect(TranscribeFile, CancelTranscription, TranscribeFile)
    _drop(stage, *_files(tmp_path, "long.wav", "next.wav"))
    first = _request(stage)
    away = next(b for b in stage.buttons() if b.accessibleName() == "Stop and take it out")
    stage.click(away)
    second = _request(stage, 2)
    assert second.path.endswith("next.wav")
    cancelled = stage.assistant.last(CancelTranscription)
    assert isinstance(cancelled, CancelTranscription)
    assert cancelled.request_id == first.request_id
    # What still arrives about the stopped file is nobody's business.
    stage.assistant.publish(events.FileRejected(first.request_id, first.path, "cancelled", "It was stopped.", ""))
    stage.assistant.publish(_transcribed(second))
    stage.qtbot.waitUntil(lambda: stage.visible("carryOut"), timeout=20_000)
    assert not stage.shows("It was stopped.")


def test_a_file_is_paused_and_goes_on(stage: Stage, tmp_path: Path) -> None:
    stage.assistant.expect(TranscribeFile, PauseTranscription, ContinueTranscription)
    _drop(stage, *_files(tmp_path, "lecture.wav"))
    request = _request(stage)
    stage.click(stage.find("holdFile"))
    stage.qtbot.waitUntil(lambda: isinstance(stage.assistant.received[-1], PauseTranscription), timeout=20_000)
    stage.assistant.publish(events.TranscriptionPaused(request.request_id))
    stage.wait_for("Paused")
    stage.find("holdFile").setFocus()
    stage.desktop.key("space")
    stage.qtbot.waitUntil(lambda: isinstance(stage.assistant.received[-1], ContinueTranscription), timeout=20_000)
    stage.assistant.publish(events.TranscriptionContinued(request.request_id))
    stage.assistant.publish(events.RecognitionProgress(request.request_id, 12.0, 42.0, "so far", 9.3))
    stage.wait_for("0:12 of 0:42, about 9\N{NO-BREAK SPACE}s left")


def test_folders_links_and_text_get_an_answer(stage: Stage, tmp_path: Path) -> None:
    _drop(stage, QUrl.fromLocalFile(str(tmp_path)))
    stage.wait_for(f"{tmp_path.name} is a folder.")
    _drop(stage, QUrl("https://example.org/a.wav"))
    stage.wait_for("Only files of this computer can be dropped.")
    _drop(stage, text="some text")
    stage.wait_for("Only files of this computer can be dropped.")
    _drop(stage, QUrl.fromLocalFile(str(tmp_path / "gone.wav")))
    stage.wait_for("gone.wav is not there any more.")
    assert stage.assistant.received == []


def test_the_drop_zone_shows_that_something_may_be_dropped(stage: Stage, tmp_path: Path) -> None:
    zone = stage.window.panel.drop_zone
    before = zone.grab().toImage()
    data = QMimeData()
    data.setUrls(_files(tmp_path, "a.wav"))
    enter = QDragEnterEvent(
        QPoint(700, 400),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(stage.window, enter)
    assert enter.isAccepted()
    assert zone.grab().toImage() != before
    QApplication.sendEvent(stage.window, QDragLeaveEvent())
    assert zone.grab().toImage() == before


def test_choosing_with_the_keyboard(stage: Stage, tmp_path: Path) -> None:
    stage.assistant.expect(TranscribeFile)
    _files(tmp_path, "chosen.wav")
    stage.desktop.key("ctrl+o")
    stage.qtbot.waitUntil(lambda: isinstance(QApplication.activeWindow(), QFileDialog), timeout=30_000)
    stage.desktop.type(str(tmp_path / "chosen.wav"))
    stage.desktop.key("Return")
    assert _request(stage).path == str(tmp_path / "chosen.wav")
    stage.qtbot.waitUntil(lambda: not stage.visible("fileDialog"), timeout=20_000)
