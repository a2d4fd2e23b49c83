"""`aria transcribe` against a session on a stage: what is printed, written, and how it ends."""

from __future__ import annotations

import io
import json
import os
import signal
import threading
from pathlib import Path

import pytest

from aria_desktop.commands.transcribe import Job, ProgressLine, carry_out, planned
from aria_desktop.core.audio import SPEECH
from aria_desktop.core.errors import ExitCode, UsageError
from aria_desktop.core.events import RecognitionProgress
from aria_desktop.testing.script import Ending, Step
from aria_desktop.testing.sounds import silence, tone
from tests.unit.assistant.stage import Stage


def jobs(*names: str, out: Path | None = None) -> list[Job]:
    return [Job(Path("/sounds") / name, out / f"{Path(name).stem}.txt" if out else None) for name in names]


def test_a_file_is_printed(stage: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    stage.files["/sounds/a.wav"] = tone(2.0, SPEECH)
    stage.will_hear(Step(("Hello.", "Good bye.")))
    with stage.session() as session:
        assert carry_out(session, jobs("a.wav"), "txt", "") == ExitCode.OK
    printed = capsys.readouterr()
    assert printed.out == "Hello.\nGood bye.\n"
    assert printed.err == "a.wav: 0.0 of 2.0 s\na.wav: 1.0 of 2.0 s, 0 s left\na.wav: 2.0 of 2.0 s, 0 s left\n"


def test_a_bad_file_stops_none_and_the_first_bad_one_gives_the_exit_code(
    stage: Stage, capsys: pytest.CaptureFixture[str]
) -> None:
    stage.files["/sounds/quiet.wav"] = silence(3.0, SPEECH)
    stage.files["/sounds/a.wav"] = tone(1.0, SPEECH)
    stage.will_hear("Hello.")
    with stage.session() as session:
        code = carry_out(session, jobs("quiet.wav", "bad.wav", "a.wav"), "txt", "de")
    printed = capsys.readouterr()
    assert code == ExitCode.NOTHING_HEARD
    assert printed.out == "a.wav:\nHello.\n"
    assert "aria: quiet.wav: nothing was heard in 3.0 seconds of sound.\n" in printed.err
    assert "aria: /sounds/bad.wav can't be read. Copy it again.\n" in printed.err
    assert stage.speech.heard[0][1].language == "de"


def test_json_of_several_files_is_a_line_each(stage: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.wav", "b.wav"):
        stage.files[f"/sounds/{name}"] = tone(1.0, SPEECH)
    stage.will_hear("One.", "Two.")
    with stage.session() as session:
        assert carry_out(session, jobs("a.wav", "b.wav"), "json", "") == ExitCode.OK
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["file"], line["text"]) for line in lines] == [("/sounds/a.wav", "One."), ("/sounds/b.wav", "Two.")]


def test_files_are_written_whole_into_the_folder(
    stage: Stage, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stage.files["/sounds/a.wav"] = tone(1.0, SPEECH)
    stage.will_hear("Grüße.")
    out = tmp_path / "texts"
    with stage.session() as session:
        assert carry_out(session, jobs("a.wav", "bad.wav", out=out), "txt", "") == ExitCode.AUDIO
    assert {path.name: path.read_text("utf-8") for path in out.iterdir()} == {"a.txt": "Grüße.\n"}
    assert capsys.readouterr().out == f"{out / 'a.txt'}\n"


def test_ctrl_c_stops_the_running_file_and_leaves_out_the_rest(stage: Stage, tmp_path: Path) -> None:
    stage.files["/sounds/a.wav"] = stage.files["/sounds/b.wav"] = tone(1.0, SPEECH)
    stage.will_hear(Step(("Hello.",), then=Ending.HANG))
    with stage.session() as session:

        def interrupt() -> None:
            stage.log.wait(RecognitionProgress, 2)
            os.kill(os.getpid(), signal.SIGINT)

        pressing = threading.Thread(target=interrupt)
        pressing.start()
        with pytest.raises(KeyboardInterrupt):
            carry_out(session, jobs("a.wav", "b.wav", out=tmp_path / "texts"), "txt", "")
        pressing.join()
    assert not (tmp_path / "texts").exists()


def test_what_would_overwrite_something_is_refused_before_anything_is_done(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("mine")
    with pytest.raises(UsageError, match=r"a\.txt is there already"):
        planned(["b.wav", "a.wav"], "txt", str(tmp_path))
    with pytest.raises(UsageError, match=r"Two of the files would be written to .*b\.txt"):
        planned(["b.wav", "b.mp3"], "txt", str(tmp_path))
    with pytest.raises(UsageError, match="Subtitles of several files"):
        planned(["a.wav", "b.wav"], "srt", None)
    assert planned(["b.wav"], "srt", str(tmp_path)) == [Job(Path("b.wav").absolute(), tmp_path / "b.srt")]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_on_a_terminal_the_line_changes_and_is_gone_in_the_end() -> None:
    out = Terminal()
    line = ProgressLine(out)
    line.show("a.wav", RecognitionProgress("f", 1.0, 4.0, "", 3.2))
    line.show("a.wav", RecognitionProgress("f", 2.0, 4.0, "", 2.0))
    line.end()
    assert out.getvalue() == "\r\x1b[Ka.wav: 1.0 of 4.0 s, 3 s left\r\x1b[Ka.wav: 2.0 of 4.0 s, 2 s left\r\x1b[K"


def test_elsewhere_there_is_a_line_for_every_tenth() -> None:
    out = io.StringIO()
    line = ProgressLine(out)
    for done in range(101):
        line.show("a.wav", RecognitionProgress("f", float(done), 100.0, "", None))
    assert out.getvalue().count("\n") == 11
