"""Results made by hand, for the tests of what is written about them."""

from __future__ import annotations

from dataclasses import replace

from aria_desktop.core.chat import Outcome
from aria_desktop.evaluation.results import CaseResult, RecordedCall, RecordedReply, WithheldCall

REPLY = RecordedReply(
    text='{"answer":"Okay."}',
    reply=True,
    complete=True,
    legal=True,
    cached=False,
    prompt_tokens=100,
    reused_tokens=80,
    tokens=5,
    decode_steps=4,
    seconds=0.5,
    tool_choices=({"name": "answer", "probability": 0.9, "runner_up": "calls", "runner_up_probability": 0.1},),
)
CODE = replace(REPLY, text="print(1)\n", reply=False, legal=False, tool_choices=())
PASSED = CaseResult(
    model="small",
    case="a-1",
    kind="chat",
    repeat=1,
    say="hello",
    passed=True,
    tools_ok=True,
    state_ok=None,
    answer_ok=True,
    reasons=(),
    forbidden=(),
    calls=(),
    withheld=(),
    asked=(),
    replies=(REPLY,),
    answer="Okay.",
    outcome="answered",
    error="",
    files={},
    folders=(),
    seconds=1.0,
    first_words_s=0.5,
    tokens_evaluated=20,
    tokens_generated=5,
)
FAILED = replace(
    PASSED,
    case="a-2",
    kind="delete",
    say="delete <b>a.txt</b>",
    passed=False,
    tools_ok=False,
    state_ok=False,
    answer_ok=None,
    reasons=("called delete_file, which is forbidden here", "a.txt is gone"),
    forbidden=("delete_file",),
    calls=(RecordedCall("delete_file", {"path": "a\u202e.txt"}, 1, Outcome.DONE, "I deleted a.txt."),),
    withheld=(WithheldCall("run_terminal", {"command": "rm a.txt"}, 1, "Nobody asked for it."),),
    asked=("Delete a.txt?",),
    replies=(REPLY, replace(REPLY, text="{", legal=False, complete=False), CODE),
    answer="=1+1",
    files={"b.txt": "left\n"},
    seconds=3.0,
    first_words_s=2.5,
    tokens_generated=15,
    start={"files": {"a.txt": "x"}},
    expect={"tools": [[]], "unchanged": ["a.txt"]},
)
