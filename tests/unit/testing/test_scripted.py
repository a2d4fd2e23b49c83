"""Scripted engines do what their script says, remember what they were asked, and complain."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from aria_desktop.core.approval import ApprovalRequest, Risk, RiskLevel
from aria_desktop.core.audio import SPEECH
from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.chat import Message, Role
from aria_desktop.core.errors import EngineDied, EngineFailed
from aria_desktop.core.interfaces import Generation, GenerationEnd, RecognitionHints
from aria_desktop.core.transcript import Nothing, RecognitionEnd, Segment
from aria_desktop.testing.script import Ending, ScriptFile, Step, steps_of
from aria_desktop.testing.scripted import (
    VOICE_FORMAT,
    ScriptedApprover,
    ScriptedLanguageModel,
    ScriptedSpeechToText,
    ScriptedTextToSpeech,
    load_language,
    load_speech,
    load_voice,
)
from aria_desktop.testing.sounds import silence, tone

ASK = Generation((Message(Role.SYSTEM, "Be short."), Message(Role.USER, "Hello?")))
QUESTION = ApprovalRequest(
    "a", "t", "c", "create_file", "Create a?", "Allow", (), "", None, None, Risk(RiskLevel.LOW, "r"), "w"
)


def replies(model: ScriptedLanguageModel) -> list[str | GenerationEnd]:
    return list(model.complete(ASK, CancelToken()))


def test_replies_come_in_order_and_piece_by_piece() -> None:
    model = ScriptedLanguageModel(["one", Step(("t", "wo"))])
    assert replies(model)[0] == "one"
    *pieces, end = replies(model)
    assert pieces == ["t", "wo"]
    assert isinstance(end, GenerationEnd)
    assert (end.complete, end.tokens) == (True, 2)
    assert model.asked == [ASK, ASK]
    model.script.assert_used_up()


def test_a_call_too_many_and_a_step_too_many() -> None:
    model = ScriptedLanguageModel(["one"])
    with pytest.raises(AssertionError, match="1 of 1 steps were never asked for"):
        model.script.assert_used_up()
    replies(model)
    with pytest.raises(AssertionError, match=r"unexpected call: .*Hello"):
        replies(model)


def test_a_step_may_expect_to_be_asked_something() -> None:
    assert replies(ScriptedLanguageModel([Step(("ok",), expects="Hello?")]))[0] == "ok"
    with pytest.raises(AssertionError, match="expects 'Goodbye'"):
        replies(ScriptedLanguageModel([Step(("ok",), expects="Goodbye")]))


@pytest.mark.parametrize(("ending", "error"), [(Ending.CRASH, EngineDied), (Ending.ERROR, EngineFailed)])
def test_an_engine_that_dies_or_fails_behind_its_pieces(ending: Ending, error: type[Exception]) -> None:
    answers = ScriptedLanguageModel([Step(("a",), then=ending)]).complete(ASK, CancelToken())
    assert next(answers) == "a"
    with pytest.raises(error):
        next(answers)


@pytest.mark.parametrize("step", [Step(("a",), then=Ending.HANG), Step(("a", "b"), delay_s=60)])
def test_hanging_and_waiting_end_with_the_token(step: Step) -> None:
    cancel = CancelToken()
    answers = ScriptedLanguageModel([step]).complete(ASK, cancel)
    timer = threading.Timer(0.05, cancel.cancel)
    timer.start()
    with pytest.raises(Cancelled):
        list(answers)
    timer.join()


def test_warming_is_remembered_and_takes_no_step() -> None:
    model = ScriptedLanguageModel([])
    model.warm(ASK.messages)
    assert model.warmed == [ASK.messages]
    assert model.context_tokens == 4096


def test_what_is_heard() -> None:
    ears = ScriptedSpeechToText([Step(("Hello there.", "Bye."), language="es"), ""])
    sound = silence(3.0, SPEECH)
    language, *segments, end = ears.transcribe(sound, RecognitionHints(), CancelToken())
    assert language == "es"
    assert [(s.text, s.start, s.end) for s in segments if isinstance(s, Segment)] == [
        ("Hello there.", 0.0, 1.5),
        ("Bye.", 1.5, 3.0),
    ]
    assert end == RecognitionEnd(Nothing.NONE, 3.0, passes=1)
    nothing = RecognitionEnd(Nothing.UNCLEAR, passes=1)
    assert list(ears.transcribe(sound, RecognitionHints("en"), CancelToken())) == ["", nothing]
    assert [hints.language for _, hints in ears.heard] == ["", "en"]


def test_what_is_spoken_is_a_sound_for_each_sentence() -> None:
    voice = ScriptedTextToSpeech()
    chunks = list(voice.synthesize("Hello there. And bye!", CancelToken()))
    assert [round(chunk.seconds, 2) for chunk in chunks] == [0.6, 0.36]
    assert {chunk.format for chunk in chunks} == {VOICE_FORMAT}
    assert list(voice.synthesize("...", CancelToken())) == []
    assert voice.spoken == ["Hello there. And bye!", "..."]


def test_a_voice_with_a_script_is_strict() -> None:
    voice = ScriptedTextToSpeech(["Hello."])
    with pytest.raises(AssertionError, match=r"to be spoken was .Bye\.."):
        list(voice.synthesize("Bye.", CancelToken()))


def test_the_approver_follows_its_script() -> None:
    approver = ScriptedApprover([True, False])
    assert approver.ask(QUESTION, CancelToken()).allowed
    decision = approver.ask(QUESTION, CancelToken())
    assert (decision.allowed, decision.by) == (False, "scripted approver")
    approver.assert_used_up()
    with pytest.raises(AssertionError, match="no answer to 'Create a"):
        approver.ask(QUESTION, CancelToken())
    with pytest.raises(AssertionError, match="1 answers"):
        ScriptedApprover([True]).assert_used_up()
    assert ScriptedApprover(otherwise=True).ask(QUESTION, CancelToken()).allowed


def test_a_question_that_nobody_answers() -> None:
    cancel = CancelToken()
    timer = threading.Timer(0.05, cancel.cancel)
    timer.start()
    with pytest.raises(Cancelled):
        ScriptedApprover([Ending.HANG]).ask(QUESTION, cancel)
    timer.join()


def script(folder: Path, data: Any) -> str:
    path = folder / "script.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return str(path)


def test_a_file_goes_on_where_an_earlier_engine_stopped(tmp_path: Path) -> None:
    path = script(tmp_path, {"language": ["one", ["t", "wo"], {"pieces": ["x"], "then": "error"}]})
    assert replies(load_language(path, {"context_tokens": 99}))[0] == "one"
    again = load_language(path, {})
    assert replies(again)[:2] == ["t", "wo"]
    file = ScriptFile(Path(path), "language")
    assert len(file.noted("load")) == 2
    assert [call["messages"] for call in file.noted("complete")] == [["Be short.", "Hello?"]] * 2
    with pytest.raises(AssertionError, match="2 calls of complete for 3 steps"):
        file.assert_used_up("complete")
    with pytest.raises(EngineFailed):
        replies(again)
    file.assert_used_up("complete")


def test_one_file_for_all_roles(tmp_path: Path) -> None:
    path = script(tmp_path, {"speech": ["hi"], "language": [], "voice": "silence"})
    heard = load_speech(path, {}).transcribe(silence(1, SPEECH), RecognitionHints(), CancelToken())
    assert next(iter(heard)) == "en"
    (chunk,) = load_voice(path, {}).synthesize("Hello", CancelToken())
    assert set(chunk.pcm) == {0}
    assert load_language(path, {"context_tokens": 99}).context_tokens == 99


@pytest.mark.parametrize(
    "data", [[], {"languages": []}, {"language": "x"}, {"language": [7]}, {"language": [{"piece": []}]}]
)
def test_a_file_that_is_no_script(tmp_path: Path, data: Any) -> None:
    with pytest.raises(EngineFailed, match="The script"):
        load_language(script(tmp_path, data), {})


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(EngineFailed, match="can't be read"):
        load_language(str(tmp_path / "no.json"), {})


def test_steps_are_strings_lists_or_objects() -> None:
    assert steps_of(["a", ["b", "c"], {"pieces": ["d"], "delay_s": 0.5, "then": "hang"}]) == (
        Step(("a",)),
        Step(("b", "c")),
        Step(("d",), 0.5, Ending.HANG),
    )


def test_a_tone_is_as_long_and_as_loud_as_it_should_be() -> None:
    sound = tone(0.5, VOICE_FORMAT, level=0.5)
    assert sound.seconds == 0.5
    samples = memoryview(sound.pcm).cast("h")
    assert max(samples) == pytest.approx(0.5 * 32767, rel=0.01)
    assert silence(0.5, SPEECH).pcm == bytes(16_000)
