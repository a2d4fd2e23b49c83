"""Everything that crosses a boundary survives the way there and back, and nothing else gets through."""

from __future__ import annotations

import inspect
from types import MappingProxyType
from typing import Any

import pytest

from aria_desktop.core import approval, events, history, listings, models, records, requests
from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest, Extent, Hearing, Offer, Risk, RiskLevel
from aria_desktop.core.chat import Message, Outcome, Role, ToolCall, ToolChoice, ToolResult, TurnOutcome
from aria_desktop.core.plain import from_plain, to_plain, wire_name
from aria_desktop.core.transcript import Segment, Transcript, Word

CALL = ToolCall("c1", "create_file", {"path": "a.txt", "lines": [1, 2.5, None, True]})
DECISION = ApprovalDecision(True, "you")
WORD = Word("hi", 0.1, 0.4, 0.9)
SAMPLES: dict[str, Any] = {
    "str": "grün \u202e\n",
    "int": 3,
    "float": 0.25,
    "bool": True,
    "float | None": None,
    "EngineRole": events.EngineRole.VOICE,
    "EngineState": events.EngineState.READY,
    "Activity": events.Activity.SPEAKING,
    "Source": records.Source.FILE,
    "ListenMode": requests.ListenMode.HOLD,
    "KeyMove": requests.KeyMove.RELEASE,
    "TalkAct": events.TalkAct.LISTEN,
    "TurnOutcome": TurnOutcome.ASKED,
    "TurnOutcome | None": None,
    "ToolCall": CALL,
    "ToolResult": ToolResult(Outcome.UNKNOWN, "t", "a", True),
    "ApprovalRequest": ApprovalRequest(
        "a1",
        "t1",
        "c1",
        "create_file",
        "Create a?",
        "Allow",
        (("x", "y"),),
        "/w/a",
        None,
        "b",
        Risk(RiskLevel.LOW, "r"),
        "w",
        "hash",
        Hearing(0.25, ("notes",)),
        ("the file notes.txt",),
        ("What you said was not heard well.",),
        (Offer(Extent.FOLDER, "create_file for *.txt, in this folder until 16:30"),),
        3,
    ),
    "Extent": Extent.FOLDER,
    "ApprovalDecision": DECISION,
    "ApprovalDecision | None": DECISION,
    "Mapping[str, float]": {"total": 1.5},
    "tuple[str, ...]": ("a", "b"),
    "tuple[ToolChoice, ...]": (ToolChoice("create_file", 0.75, "write_code", 0.25), ToolChoice("recall", 1.0)),
    "tuple[Word, ...]": (WORD,),
    "Transcript": Transcript((Segment("hi", 0.0, 1.0, (WORD,)),), "en", 2.0),
    "tuple[Place, ...]": (history.Place.WORDS, history.Place.FILES),
    "SearchResult": history.SearchResult(
        (
            history.SearchHit(
                "s1", "t", "t1", 1.0, records.Source.TEXT, history.Place.REPLY, "line", ((0, 2),), ("a",), ("b",)
            ),
        ),
        *(3, 2),
        {"words": 1},
        0.5,
    ),
    "bool | int | float | str": 1.5,
    "tuple[int, ...]": (3, 4),
    "tuple[Fact, ...]": (records.Fact(3, "f", 1.0, "t1"),),
    "tuple[AuditRecord, ...]": (
        records.AuditRecord(1, 2.0, "ended", "t1", "c1", "undo", "ab", "done", "you", "Undo?"),
    ),
    "tuple[FileRecord, ...]": (records.FileRecord("a.txt", 3, 1.5),),
    "SessionRecord": records.SessionRecord("s1", "t", 1.0, 2, False),
}
SAMPLES["tuple[CallRecord, ...]"] = (records.CallRecord(CALL, "done", DECISION, "ok"),)
SAMPLES["TurnRecord"] = records.TurnRecord(
    "t1", records.Source.TEXT, "w", "a", TurnOutcome.ANSWERED, 1.0, SAMPLES["tuple[CallRecord, ...]"], {"total": 2.0}
)
SAMPLES["tuple[Message, ...]"] = (Message(Role.USER, "grün"),)
STEP = records.StepRecord(
    1, 1, 3, 1.0, 2.0, SAMPLES["tuple[Message, ...]"], 9, "raw", 10, 8, 2, 0.5, 0.25, SAMPLES["tuple[ToolChoice, ...]"]
)
TIMED = records.TimedCall(1, CALL, "done", "ok", 1.0, None, 2.0, DECISION, "Create a?", None, 3.0)
SAMPLES["RunRecord"] = records.RunRecord(SAMPLES["TurnRecord"], "en", (WORD,), 2.5, (STEP,), (TIMED,), 9.0)
SAMPLES["ModelWork"] = models.ModelWork.ADD
SAMPLES["MachineRecord"] = models.MachineRecord(8, 4, "", "no card")
MODEL = models.ModelRecord(
    *("m", events.EngineRole.VOICE, "Joe", "nobody", "CC0", ("en",), None, models.ModelPresence.PARTIAL, 5, False),
    *(models.ModelFit.TIGHT, True, ("a.example",), "piper", "note", ("odd",), models.MeasuredSpeed(8.5, 1.0)),
    models.ToolScore(3, 4),
)
SAMPLES["tuple[ModelRecord, ...]"] = (MODEL,)
SAMPLES["tuple[TurnRecord, ...]"] = (SAMPLES["TurnRecord"],)
SAMPLES["tuple[SessionRecord, ...]"] = (SAMPLES["SessionRecord"],)

CROSSING = [
    cls
    for module, parent in ((events, events.Event), (listings, events.Event), (requests, requests.Request))
    for _, cls in inspect.getmembers(module, inspect.isclass)
    if issubclass(cls, parent) and cls is not parent and cls.__module__ == module.__name__
]


def sample(cls: type[Any]) -> Any:
    return cls(**{name: SAMPLES[str(kind)] for name, kind in inspect.get_annotations(cls).items()})


@pytest.mark.parametrize("cls", CROSSING, ids=lambda cls: cls.__name__)
def test_every_event_and_request_survives_the_way_there_and_back(cls: type[Any]) -> None:
    value = sample(cls)
    assert from_plain(cls, to_plain(value)) == value


def test_frozen_arguments_are_written_like_any_other() -> None:
    frozen = ToolCall("c1", "create_file", MappingProxyType({"path": "a.txt"}))
    assert to_plain(events.CallProposed("t1", 1, frozen))["call"]["arguments"] == {"path": "a.txt"}


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(ValueError, match="JSON"):
        to_plain(ToolCall("c1", "create_file", {"path": object()}))


def test_the_walk_finds_them_all() -> None:
    assert {wire_name(cls) for cls in CROSSING} >= {"turn_ended", "approval_requested", "submit_text", "call_ended"}


@pytest.mark.parametrize(
    "data",
    [
        {"request_id": "r"},
        {"request_id": 5, "words": "w"},
        {"request_id": "r", "words": "w", "speak": "yes"},
        {"request_id": "r", "words": "w", "extra": 1},
    ],
)
def test_what_does_not_fit_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="SubmitText"):
        from_plain(requests.SubmitText, data)


def test_the_fingerprint_covers_all_that_is_shown() -> None:
    shown: approval.ApprovalRequest = SAMPLES["ApprovalRequest"]
    from dataclasses import replace

    changed = [
        replace(shown, tool="x"),
        replace(shown, question="x"),
        replace(shown, facts=()),
        replace(shown, path="/x"),
        replace(shown, before=""),
        replace(shown, after="x"),
    ]
    assert len({shown.fingerprint, *(other.fingerprint for other in changed)}) == 7
