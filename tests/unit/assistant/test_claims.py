"""Sentences that claim a deed, and answers that may not stand."""

from __future__ import annotations

import pytest

from aria_desktop.assistant.claims import SentenceGate, claims_a_deed, denied_tool, remembered, without_claims


@pytest.mark.parametrize(
    "text",
    [
        "I created a.txt.", "I've just saved it.", "I’ve moved it.", "The file has been deleted.", "It is now saved.",
        "Okay. I have successfully renamed the file.", "Created the file.", "I wrote it down.", "I ran the script.",
        "I'll remember that.", "He creado el archivo.", "Ha sido borrado.",
    ],
)  # fmt: skip
def test_a_deed_is_claimed(text: str) -> None:
    assert claims_a_deed(text)


@pytest.mark.parametrize(
    "text",
    [
        "I can create a file.", "I haven't saved anything.", "I did not delete it.", "Shakespeare wrote it.",
        "It was written by Cervantes.", "I can't remember that.", "Should I delete it?", "The moved parts are heavy.",
        "Written by Ada.", "Deleted files lie in the trash.", "El libro fue escrito por Cervantes.",
    ],
)  # fmt: skip
def test_no_deed_is_claimed(text: str) -> None:
    assert not claims_a_deed(text)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("I remember that you park on level 3.", "you park on level 3."),
        ("I’ll keep in mind you like tea.", "you like tea."),
        ("Recuerdo que aparcas abajo.", "aparcas abajo."),
        ("I can't remember that.", ""),
    ],
)
def test_what_is_said_to_be_remembered(text: str, kept: str) -> None:
    assert remembered(text) == kept


@pytest.mark.parametrize(
    ("text", "tool"),
    [
        ("I can't copy anything.", "copy_file"),
        ("I am unable to move the file because it is there.", "move_file"),
        ("No puedo borrar archivos.", "delete_file"),
        ("I can't delete your mail.", ""),
        ("You can't copy it.", ""),
        ("I can't move you.", ""),
    ],
)
def test_an_ability_is_denied(text: str, tool: str) -> None:
    assert denied_tool(text) == tool


def test_only_the_sentences_that_claim_nothing_stay() -> None:
    assert without_claims("I created sum.txt. The sum is 25. It has been saved.") == "The sum is 25."
    assert without_claims("I deleted it.") == ""


def test_the_gate_lets_whole_sentences_through_up_to_the_first_claim() -> None:
    gate = SentenceGate()
    pieces = ["All ri", "ght. The su", "m is 25. I cre", "ated it. ", "More. "]
    assert [gate.feed(piece) for piece in pieces] == ["", "All right. ", "The sum is 25. ", "", ""]
