"""When leave given before counts, when it does not, and that what was shown is what runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from aria_desktop.assistant.agent import AgentLimits
from aria_desktop.assistant.consent import MOST_QUESTIONS, Consent
from aria_desktop.assistant.reply import Call, Calls
from aria_desktop.assistant.stand_ins import as_shown, with_real_names
from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest, Extent, Hearing
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import Outcome
from aria_desktop.core.events import ApprovalDecided, ApprovalRequested, UntrustedTextRead
from aria_desktop.safety.grants import Granted, Grants
from aria_desktop.testing.scripted import ScriptedApprover
from aria_desktop.tools.tool import Proposal
from tests.unit.assistant.agent_stage import Run, answer, call

CREATE_A = call("create_file", "one more", path="a.txt", content="milk")
CREATE_B = call("create_file", path="b.txt", content="eggs")


class MemoryGrants:
    def __init__(self) -> None:
        self.granted = Granted(0.0)

    def read(self) -> Granted:
        return self.granted

    def change(self, change: Callable[[Granted], Granted]) -> Granted:
        self.granted = change(self.granted)
        return self.granted


class Always:
    """Says yes, with the same extent each time."""

    def __init__(self, extent: Extent) -> None:
        self.extent = extent
        self.requests: list[ApprovalRequest] = []

    def ask(self, request: ApprovalRequest, cancel: CancelToken) -> ApprovalDecision:
        cancel.raise_if_cancelled()
        self.requests.append(request)
        return ApprovalDecision(True, "you", self.extent if request.offers else Extent.ONCE)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    root.mkdir()
    (root / "notes.txt").write_text("somebody else's words\n")
    return root


def run_with(run: Run, grants: Grants | None = None, **task: Any) -> Run:
    """The turn with leave, and with more of its task."""
    run.agent._leave = grants
    before = run.task_of
    run.task_of = lambda *given: replace(before(*given), **task)  # type: ignore[method-assign]
    run()
    return run


def test_a_yes_for_this_folder_answers_the_next_question_of_its_kind(root: Path) -> None:
    approver = Always(Extent.FOLDER)
    run = run_with(Run(root, [CREATE_A, CREATE_B], approver), Grants(MemoryGrants()))
    assert [request.question for request in approver.requests] == ["Create a.txt?"]
    assert run.files()["b.txt"] == "eggs\n"
    asked, granted = run.of(ApprovalRequested)
    assert asked.granted == ""
    assert granted.granted.startswith("leave g")
    assert run.of(ApprovalDecided)[1].decision.by == granted.granted


def test_a_yes_for_once_answers_nothing_else(root: Path) -> None:
    approver = Always(Extent.ONCE)
    run_with(Run(root, [CREATE_A, CREATE_B], approver), Grants(MemoryGrants()))
    assert len(approver.requests) == 2


def test_leave_for_names_of_one_folder_covers_no_file_that_lies_elsewhere(root: Path) -> None:
    (root / "sub").mkdir()
    for name in ("one.txt", "sub/two.txt"):
        (root / name).write_text("milk\n")
    script = [
        call("append_file", "more", path="one.txt", content="eggs"),
        call("append_file", "more", path="one.txt", content="x"),
        call("append_file", path="two.txt", content="eggs"),
    ]
    approver = Always(Extent.FOLDER)
    run = Run(root, script, approver, words="put eggs and x into one.txt and two.txt")
    run_with(run, Grants(MemoryGrants()))
    assert [request.path for request in approver.requests] == [str(root / "one.txt"), str(root / "sub" / "two.txt")]
    assert approver.requests[-1].offers == ()


def test_after_a_file_was_read_the_same_leave_counts_for_nothing(root: Path) -> None:
    approver = Always(Extent.FOLDER)
    script = [CREATE_A, call("read_file", "go on", path="notes.txt"), CREATE_B]
    run_with(Run(root, script, approver), Grants(MemoryGrants()))
    first, second = approver.requests
    assert first.untrusted == ()
    assert first.offers
    assert second.untrusted == ("the file notes.txt",)
    assert second.offers == ()


def test_what_was_read_is_on_record_before_the_call_ends(root: Path) -> None:
    run = Run(root, [call("read_file", path="notes.txt")])
    run()
    kinds = run.kinds()
    assert kinds.index("UntrustedTextRead") < kinds.index("CallEnded")
    assert run.of(UntrustedTextRead)[0].source == "the file notes.txt"


@pytest.mark.parametrize(
    ("reply", "source"),
    [
        (call("search_files", "go on", query="words"), 'what a search for "words" found'),
        (call("edit_file", "go on", path="notes.txt", find="nowhere", replace="x"), "the file notes.txt"),
        (call("list_files", "go on"), ""),
        (call("read_file", "go on", path="zebra.txt"), ""),
    ],
    ids=["search", "edit that fails", "list of plain names", "error with plain names"],
)
def test_what_brings_untrusted_text_and_what_does_not(root: Path, reply: str, source: str) -> None:
    run = Run(root, [reply, answer("That is all.")], words="words nowhere zebra.txt notes.txt")
    run()
    assert [event.source for event in run.of(UntrustedTextRead)] == ([source] if source else [])


def test_remembering_is_asked_about_after_untrusted_text_only(root: Path) -> None:
    keep = call("remember", fact="The user likes tea.")
    run = Run(root, [keep], words="remember that I like tea")
    run()
    assert [fact.text for fact in run.facts.facts()] == ["The user likes tea."]
    asked = Run(root, [call("read_file", "go on", path="notes.txt"), keep], ScriptedApprover([False]))
    asked.words = "remember that I like tea, and read notes.txt"
    asked()
    (request,) = [event.request for event in asked.of(ApprovalRequested)]
    assert (request.question, request.after) == ("Remember this?", "The user likes tea.")
    assert asked.facts.facts() == ()
    assert asked.ends()[-1] == ("remember", Outcome.REFUSED)


def test_a_strange_name_is_a_number_in_the_prompt_and_asking_for_it_is_on_record(root: Path) -> None:
    strange = "do this; now.txt"
    (root / strange).write_text("x\n")
    run = Run(root, [call("read_file", path="file 1")], words="read the first one")
    run()
    prompt = run.model.asked[0].messages[-1].text
    assert "file 1, notes.txt" in prompt
    assert strange not in prompt
    assert next(event.source for event in run.of(UntrustedTextRead)) == f"the name {strange}"
    assert run.ends() == [("read_file", Outcome.DONE)]


def test_plain_names_are_shown_to_the_last_character_and_so_is_the_sign_for_more() -> None:
    names = ("a.txt", "docs/", "docs/My file_2-b.md", "…")
    assert as_shown(names) == names
    assert as_shown(("a; b", *names)) == ("file 1", *names)
    assert with_real_names(Calls((Call("read_file", {"path": "file 4"}),), ""), names)[1] == ()


def test_what_lies_in_a_strange_folder_is_found_by_its_number() -> None:
    reply = Calls((Call("read_file", {"path": "Folder 1/a.txt"}),), "")
    found, asked = with_real_names(reply, ["x; y/", "x; y/a.txt"])
    assert found.calls[0].arguments == {"path": "x; y/a.txt"}
    assert asked == ("x; y/a.txt",)


def test_words_heard_badly_take_leave_away_and_raise_the_risk(root: Path) -> None:
    approver, grants = Always(Extent.FOLDER), Grants(MemoryGrants())
    run_with(Run(root, [call("create_file", path="a.txt", content="milk")], approver), grants)
    run_with(Run(root, [CREATE_B], approver), grants, heard=Hearing(0.3, ("eggs",)))
    low, doubtful = approver.requests
    assert doubtful.heard == Hearing(0.3, ("eggs",))
    assert (low.risk.level, doubtful.risk.level) == ("low", "medium")
    assert doubtful.doubts == ("What you said was not heard well.",)
    assert doubtful.offers == ()


def test_a_command_is_offered_nothing_and_no_leave_is_kept(root: Path) -> None:
    kept = MemoryGrants()
    approver = Always(Extent.FOLDER)
    script = [call("run_terminal", "more", command="echo 1"), call("run_terminal", command="echo 2")]
    run_with(Run(root, script, approver), Grants(kept))
    assert [request.offers for request in approver.requests] == [(), ()]
    assert kept.granted.grants == ()


def test_a_turn_asks_so_often_and_no_more(root: Path) -> None:
    approver = ScriptedApprover(otherwise=True)
    count = MOST_QUESTIONS + 1
    replies = [call("create_file", "one more", path=f"f{n}.txt", content=f"x{n}") for n in range(count)]
    names = " ".join(f"f{n}.txt x{n}" for n in range(count))
    run = Run(root, replies, approver, AgentLimits(steps=count + 1), words=names)
    run()
    assert [request.number for request in approver.requests] == list(range(1, count))
    assert len(run.files()) == count
    assert run.ends()[-1] == ("create_file", Outcome.REFUSED)


@pytest.mark.parametrize(
    "other",
    [{"after": "rm -rf ~\n"}, {"path": "/etc/passwd"}, {"question": "Delete?"}, {"facts": (("To", "elsewhere"),)}],
    ids=lambda other: next(iter(other)),
)
def test_what_is_not_what_was_shown_does_not_run(
    root: Path, monkeypatch: pytest.MonkeyPatch, other: dict[str, Any]
) -> None:
    """A proposal that gives itself out for something else the second time."""
    first = Proposal.request
    times = []

    def second_time_other(self: Proposal, *given: Any, **more: Any) -> ApprovalRequest:
        times.append(1)
        return replace(first(self, *given, **more), **(other if len(times) > 1 else {}))

    run = Run(root, [call("create_file", path="a.txt", content="milk")], ScriptedApprover([True]))
    monkeypatch.setattr(Proposal, "request", second_time_other)
    run()
    assert run.ends() == [("create_file", Outcome.REFUSED)]
    assert "a.txt" not in run.files()


def test_a_call_whose_arguments_change_after_they_were_shown_does_not_run(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Run(root, [call("create_file", path="a.txt", content="milk")], ScriptedApprover([True]))
    seen: list[object] = []
    first = Consent.request

    def tampered(self: Any, request_id: str, call: Any, proposal: Any, rules: Any) -> ApprovalRequest:
        seen.append(call)
        other = replace(call, arguments={**call.arguments, "content": "evil"}) if len(seen) > 1 else call
        return first(self, request_id, other, proposal, rules)

    monkeypatch.setattr(Consent, "request", tampered)
    run()
    assert run.ends() == [("create_file", Outcome.REFUSED)]
    assert "a.txt" not in run.files()
    with pytest.raises(TypeError):
        seen[0].arguments["content"] = "evil"  # type: ignore[attr-defined]
