"""Events of a turn in, what the conversation shows of it out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from aria_desktop.core import events, records
from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest, Risk, RiskLevel
from aria_desktop.core.chat import Outcome, ToolCall, ToolResult, TurnOutcome
from aria_desktop.core.transcript import Word
from aria_desktop.gui.state.heard import heard_words
from aria_desktop.gui.state.run_view import NO_RUN
from aria_desktop.gui.state.story import Moment, TurnStory
from aria_desktop.gui.state.turn import CardState, HeardWord, Mark, Note, Speech, Step, Tone, TurnView

GAP = "\N{NO-BREAK SPACE}"
CALL = ToolCall("c1", "create_file", {"path": "shopping.txt", "content": "milk\n"})
REQUEST = ApprovalRequest(
    "a1", "t1", "c1", "create_file", "Create shopping.txt?", "Allow create", (), "/w/shopping.txt", None, "milk\n",
    Risk(RiskLevel.LOW, "A new file."), "make a list",
)  # fmt: skip
PROPOSED = events.CallProposed("t1", 1, CALL)
ASKED = events.ApprovalRequested(REQUEST)
STARTED = events.CallStarted("t1", "c1")


def _told(
    *happened: events.Event, words: str = "make a list", source: records.Source = records.Source.TEXT
) -> TurnView:
    """One event a second, from 0, at five past ten."""
    story = TurnStory("t1", source, words)
    for second, event in enumerate(happened):
        story.apply(event, Moment(float(second), 1.7e9))
    return story.view()


def _decided(allowed: bool, by: str = "you") -> events.Event:
    return events.ApprovalDecided("t1", "a1", ApprovalDecision(allowed, by), 1.0)


def _call_ended(outcome: Outcome = Outcome.DONE, text: str = "done", call: ToolCall = CALL) -> events.Event:
    return events.CallEnded("t1", call, ToolResult(outcome, text))


def _ended(
    outcome: TurnOutcome = TurnOutcome.ANSWERED, answer: str = "", text: str = "", hint: str = ""
) -> events.Event:
    return events.TurnEnded("t1", "s1", "", outcome, answer, (), {"total": 2.5}, "", text, hint)


def test_typed_words_are_there_from_the_start() -> None:
    view = _told()
    assert (view.text, view.steps, view.ended) == ("make a list", (), False)


def test_spoken_words_come_step_by_step() -> None:
    progress = events.RecognitionProgress("t1", 1.0, 3.0, "make a", None)
    view = _told(progress, words="", source=records.Source.MICROPHONE)
    assert view.steps == (Step(Mark.ACTIVE, "Recognising", figure="0:01 of 0:03"),)
    assert (view.words, view.tentative) == ((), "make a")
    view = _told(progress, events.Heard("t1", "make a list", "en", (), 3.0), words="", source=records.Source.MICROPHONE)
    assert (view.text, view.tentative, view.steps) == ("make a list", "", ())


def test_thinking_shows_until_the_model_has_chosen() -> None:
    assert _told(events.StepStarted("t1", 1)).steps == (Step(Mark.ACTIVE, "Thinking"),)
    assert _told(events.StepStarted("t1", 1), PROPOSED).steps == (Step(Mark.ACTIVE, "Creating", "shopping.txt"),)
    assert _told(events.StepStarted("t1", 1), events.AnswerPiece("t1", "Hel")).steps == ()


def test_a_change_from_question_to_done() -> None:
    waiting = _told(PROPOSED, ASKED)
    assert waiting.steps == (Step(Mark.WAITING, "Waiting for your answer", "shopping.txt"),)
    assert [card.state for card in waiting.cards] == [CardState.WAITING]
    done = _told(PROPOSED, ASKED, _decided(True), STARTED, _call_ended())
    assert [(step.mark, step.verb, step.object) for step in done.steps] == [
        (Mark.ALLOWED, "You allowed this once", ""),
        (Mark.DONE, "Created", "shopping.txt"),
    ]
    assert done.steps[1].figure == f"5{GAP}B"
    (card,) = done.cards
    assert (card.name, card.text, card.state) == ("shopping.txt", "milk\n", CardState.SAVED)
    assert card.footer.startswith("You allowed this once, ")
    assert [badge.badge for badge in done.badges] == ["Create file"]


def test_a_refusal_is_one_line_and_nothing_is_shown_as_saved() -> None:
    view = _told(PROPOSED, ASKED, _decided(False), _call_ended(Outcome.REFUSED, "The user said no."))
    assert [(step.mark, step.verb) for step in view.steps] == [(Mark.REFUSED, "You said no")]
    assert [card.state for card in view.cards] == [CardState.NOT_SAVED]


def test_others_who_decide_are_named() -> None:
    view = _told(PROPOSED, ASKED, _decided(True, "--allow create_file"), STARTED)
    assert view.steps[0].verb == "Allowed by --allow create_file"
    assert view.cards[0].footer == "Being saved"


@pytest.mark.parametrize(
    ("outcome", "mark", "verb", "footer"),
    [
        (Outcome.FAILED, Mark.FAILED, "Create file: failed", "Not saved"),
        (Outcome.CANCELLED, Mark.STOPPED, "Create file: stopped", "Not saved"),
        (Outcome.REFUSED, Mark.REFUSED, "Create file: refused", "Not saved"),
        (
            Outcome.UNKNOWN,
            Mark.UNKNOWN,
            "Create file: may or may not have happened",
            "This may or may not have been saved",
        ),
    ],
)
def test_every_other_end_of_a_call(outcome: Outcome, mark: Mark, verb: str, footer: str) -> None:
    draft = events.DraftPiece("t1", "c1", "milk")
    view = _told(PROPOSED, draft, STARTED, _call_ended(outcome, "shopping.txt is\nthere already"))
    assert view.steps == (Step(mark, verb, "shopping.txt", "shopping.txt is"),)
    assert view.cards[0].footer == footer


def test_a_long_reason_is_cut_in_the_row() -> None:
    view = _told(PROPOSED, _call_ended(Outcome.FAILED, "x" * 500))
    assert len(view.steps[0].figure) == 60


def test_a_draft_grows() -> None:
    view = _told(PROPOSED, events.DraftPiece("t1", "c1", "mi"), events.DraftPiece("t1", "c1", "lk"))
    (card,) = view.cards
    assert (card.text, card.state, card.footer) == ("milk", CardState.WRITING, "Nothing is saved yet")


def test_a_read_has_no_card_and_tells_how_long_it_took() -> None:
    call = ToolCall("c1", "read_file", {"path": "notes.txt"})
    view = _told(events.CallProposed("t1", 1, call), STARTED, _call_ended(call=call))
    assert view.steps == (Step(Mark.DONE, "Read", "notes.txt", f"1.0{GAP}s"),)
    assert view.cards == ()


def test_progress_of_a_tool_is_its_figure() -> None:
    view = _told(PROPOSED, STARTED, events.CallProgress("t1", "c1", "2 of 5\nfiles"))
    assert view.steps[0].figure == "2 of 5<U+000A>files"


def test_a_tool_nobody_knows_is_shown_under_its_own_name() -> None:
    call = ToolCall("c1", "water_plants", {"where": "kitchen"})
    view = _told(events.CallProposed("t1", 1, call))
    assert view.steps == (Step(Mark.ACTIVE, "Running water plants"),)
    assert view.badges[0].badge == "Water plants"


def test_an_answer_streams_and_is_then_given_whole() -> None:
    view = _told(events.AnswerPiece("t1", "Hel"), events.AnswerPiece("t1", "lo"))
    assert view.answer == "Hello"
    view = _told(events.AnswerPiece("t1", "Hel"), events.AnswerGiven("t1", "Hello."), _ended(answer="Hello."))
    assert (view.answer, view.note, view.ended, view.figure) == ("Hello.", None, True, f"2.5{GAP}s")


@pytest.mark.parametrize(("interrupted", "speech"), [(False, Speech.SPOKEN), (True, Speech.INTERRUPTED)])
def test_speaking(interrupted: bool, speech: Speech) -> None:
    started = events.SpeakingStarted("t1", "Loudspeaker")
    assert _told(started).speech is Speech.SPEAKING
    assert _told(started, events.SpeakingEnded("t1", 1.0, interrupted)).speech is speech


def test_an_answer_without_a_voice_says_so_from_then_on() -> None:
    unspoken = events.AnswerUnspoken("t1", "es", "No hay voz.")
    for told in ((unspoken,), (unspoken, events.AnswerGiven("t1", "Hola."), _ended(answer="Hola."))):
        view = _told(*told)
        assert (view.speech, view.note) == (Speech.UNSPOKEN, Note(Tone.QUIET, "No hay voz."))


@pytest.mark.parametrize(
    ("outcome", "note"),
    [
        (TurnOutcome.FAILED, Note(Tone.LOSS, "It broke.", "Try again.")),
        (TurnOutcome.CANCELLED, Note(Tone.QUIET, "It broke.", "Try again.")),
        (TurnOutcome.REFUSED, None),
        (TurnOutcome.ASKED, None),
    ],
)
def test_ends_without_an_answer(outcome: TurnOutcome, note: Note | None) -> None:
    assert _told(_ended(outcome, text="It broke.", hint="Try again.")).note == note


def test_what_still_ran_when_the_turn_ended_was_stopped() -> None:
    view = _told(PROPOSED, ASKED, _ended(TurnOutcome.CANCELLED))
    assert view.steps == (Step(Mark.STOPPED, "Create file: stopped", "shopping.txt"),)
    assert [card.state for card in view.cards] == [CardState.NOT_SAVED]


def test_events_about_calls_never_proposed_change_nothing() -> None:
    told = _told(events.DraftPiece("t1", "c9", "x"), events.CallProgress("t1", "c9", "x"), ASKED, _decided(True))
    assert replace(told, run=NO_RUN) == replace(_told(), run=NO_RUN)


def test_a_call_that_only_ended_is_still_shown() -> None:
    assert _told(_call_ended(Outcome.FAILED, "There is no such tool.")).steps[0].mark is Mark.FAILED


def test_unsure_words_are_marked_in_the_text_as_it_is() -> None:
    words = (Word(" Add", 0, 1, 0.99), Word(" jitter", 1, 2, 0.41), Word(" to", 2, 3, 0.99), Word(" it", 3, 4, 0.3))
    assert heard_words("Add jitter to it.", words) == (
        HeardWord("Add "),
        HeardWord("jitter", unsure=True),
        HeardWord(" to "),
        HeardWord("it", unsure=True),
        HeardWord("."),
    )
    assert heard_words("Something else", words) == (HeardWord("Something else"),)
    assert heard_words("", ()) == ()


def _recorded(
    *calls: records.CallRecord, outcome: TurnOutcome | None = None, answer: str = "", text: str = ""
) -> TurnStory:
    record = records.TurnRecord(
        "t1", records.Source.TEXT, "make a list", answer, outcome, 1.7e9, calls, {"total": 3.0}, text
    )
    return TurnStory.recorded(record)


def test_a_stored_turn_reads_like_it_did() -> None:
    call = records.CallRecord(CALL, "done", ApprovalDecision(True, "you"), "done")
    view = _recorded(call, outcome=TurnOutcome.ANSWERED, answer="Done.").view()
    assert [step.verb for step in view.steps] == ["You allowed this once", "Created"]
    assert (view.answer, view.figure, view.note, view.ended) == ("Done.", f"3.0{GAP}s", None, True)


def test_a_stored_failure_keeps_its_reason() -> None:
    view = _recorded(outcome=TurnOutcome.FAILED, text="The model stopped.").view()
    assert view.note == Note(Tone.LOSS, "The model stopped.")


def test_a_turn_that_was_cut_off_says_so_and_its_call_is_unknown() -> None:
    view = _recorded(records.CallRecord(CALL, "running", None, "")).view()
    assert view.note == Note(Tone.DOUBT, "This turn was cut off.")
    assert view.steps[0].mark is Mark.UNKNOWN
    assert view.ended


def test_a_state_of_a_newer_program_counts_as_unknown() -> None:
    assert _recorded(records.CallRecord(CALL, "postponed", None, "")).view().steps[0].mark is Mark.UNKNOWN


def test_a_turn_that_waits_goes_on() -> None:
    story = _recorded(records.CallRecord(CALL, "waiting", None, "", REQUEST))
    assert not story.view().ended
    assert story.view().cards[0].state is CardState.WAITING
    for event in (_decided(True), STARTED, _call_ended(), _ended(answer="Done.")):
        story.apply(event, Moment(1.0, 1.7e9))
    view = story.view()
    assert [step.mark for step in view.steps] == [Mark.ALLOWED, Mark.DONE]
    assert (view.note, view.ended, view.answer) == (None, True, "Done.")
