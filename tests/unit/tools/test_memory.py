"""What is remembered, what is not, and how it is found again."""

from __future__ import annotations

import pytest

from aria_desktop.core.chat import Outcome, ToolResult
from aria_desktop.core.errors import ToolFailed
from aria_desktop.tools import memory
from aria_desktop.tools.credentials import looks_like_a_credential
from aria_desktop.tools.memory import FEW, MOST_CHARACTERS, SAID, TOLD, MemoryFacts, recall, remember
from aria_desktop.tools.recalling import matching, same
from aria_desktop.tools.tool import Effect, Tool
from tests.unit.tools.conftest import Bench

TULIPS = "The tulips are watered on Mondays."
SISTER = "The user's sister plays the cello."
PIANO = "The piano tuner is Herr Weiß."


def called(bench: Bench, tool: Tool, **arguments: str) -> ToolResult:
    result = bench.call(tool, **arguments)
    assert isinstance(result, ToolResult)
    return result


def texts(bench: Bench) -> list[str]:
    return [fact.text for fact in bench.facts.facts()]


class TestRemember:
    def test_it_is_kept_with_its_turn_and_said(self, bench: Bench) -> None:
        result = called(bench, remember, fact=f"  {TULIPS}\n")
        assert result == ToolResult(Outcome.DONE, f"I'll remember this: {TULIPS}", f"I'll remember this: {TULIPS}")
        (kept,) = bench.facts.facts()
        assert (kept.text, kept.turn_id, kept.number) == (TULIPS, "t1", 1)

    def test_nobody_is_asked(self) -> None:
        assert remember.effect is Effect.KEEPS
        assert not remember.changes
        assert recall.effect is Effect.LOOKS

    def test_the_same_is_not_kept_twice(self, bench: Bench) -> None:
        called(bench, remember, fact=TULIPS)
        result = called(bench, remember, fact="the tulips  are watered, on mondays")
        assert result.answer == f"I remember that already: {TULIPS}"
        assert texts(bench) == [TULIPS]

    @pytest.mark.parametrize("fact", ["", " \n", "x" * (MOST_CHARACTERS + 1)])
    def test_what_is_empty_or_too_long_goes_back_to_the_model(self, bench: Bench, fact: str) -> None:
        with pytest.raises(ToolFailed):
            called(bench, remember, fact=fact)
        assert texts(bench) == []

    def test_a_full_memory_says_the_way_out(self, bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(memory, "MOST_FACTS", 1)
        called(bench, remember, fact=TULIPS)
        result = called(bench, remember, fact=SISTER)
        assert result.outcome is Outcome.FAILED
        assert "aria facts forget" in result.answer
        assert texts(bench) == [TULIPS]

    def test_a_credential_is_not_kept_and_the_model_has_no_second_try(self, bench: Bench) -> None:
        result = called(bench, remember, fact="My password for the bank is swordfish.")
        assert result.outcome is Outcome.FAILED
        assert result.answer.startswith("I don't remember passwords")
        assert texts(bench) == []


class TestCredentials:
    @pytest.mark.parametrize(
        "text",
        [
            "my password is swordfish",
            "The user's pass word for the old laptop is swordfish.",
            "PIN: 9310",
            "API_KEY=abcdef",
            "MY_PASSWORD=swordfish",
            "my pwd: swordfish",
            "My pass-phrase \u2014 swordfish and chips",
            "The user's password\u2019s swordfish.",
            "The new password will be swordfish.",
            "The user uses swordfish as the bank password.",
            "the seed phrase is apple banana cherry",
            "mi contrasena es gatito",
            "9310 is my pin",
            "My bank card's PIN number is 9310.",
            "mi contraseña es gatito",
            "the api key for the weather is abcdef",
            "card 4111 1111 1111 1111",
            "5555-5555-5555-4444",
            "ghp_abcdefghij0123456789",
            "token aB3dE5gH7jK9mN1pQ3sT5vX7",
            "-----BEGIN OPENSSH PRIVATE KEY-----",
        ],
    )
    def test_refused(self, text: str) -> None:
        assert looks_like_a_credential(text)

    @pytest.mark.parametrize(
        "text",
        [
            TULIPS,
            "The gate code is 2290.",
            "My password manager is new.",
            "The password is in the red book.",
            "The user collects enamel pins.",
            "My phone number is 0171 5550123.",
            "Order 1234567890123 has arrived.",
            "The report is in /data/reports/Quarter3/FinalVersionB2.txt",
            "The train leaves at 10:45 from platform 9.",
            "The user spins wool.",
            "The recovery key is kept in the safe.",
            "The user works as a pin maker.",
            "The user's nephew learned pinstriping = fun.",
        ],
    )
    def test_kept(self, text: str) -> None:
        assert not looks_like_a_credential(text)


class TestRecall:
    def recalled(self, bench: Bench, query: str, *facts: str) -> ToolResult:
        bench.facts = MemoryFacts(facts)
        return called(bench, recall, query=query)

    @pytest.mark.parametrize("query", ["sister", "SISTERS", "what does my sister play?", "the user's sister's cello"])
    def test_shared_words_find_it(self, bench: Bench, query: str) -> None:
        result = self.recalled(bench, query, TULIPS, SISTER, PIANO)
        assert result == ToolResult(Outcome.DONE, f"- {SISTER}", f"You told me this: {SISTER}")

    def test_several_come_newest_first(self, bench: Bench) -> None:
        result = self.recalled(bench, "dogs", "The dog is called Fox.", TULIPS, "The dog's basket is green.")
        assert result.answer == "You told me this:\n- The dog's basket is green.\n- The dog is called Fox."

    def test_an_empty_question_lists_all(self, bench: Bench) -> None:
        many = [f"Fact number {i}." for i in range(TOLD + 3)]
        result = self.recalled(bench, " ", *many)
        assert result.text.endswith("[3 more]")
        assert result.answer.count("\n- ") == SAID
        assert f"and {TOLD + 3 - SAID} more" in result.answer

    def test_of_few_facts_all_are_told_and_the_model_answers(self, bench: Bench) -> None:
        result = self.recalled(bench, "brother", TULIPS, SISTER)
        assert result.answer == ""
        assert SISTER in result.text
        assert TULIPS in result.text

    def test_of_many_facts_none_is_guessed(self, bench: Bench) -> None:
        result = self.recalled(bench, "brother", *[f"Fact number {i}." for i in range(FEW + 1)])
        assert result.answer == "I don't remember anything about that."

    def test_an_empty_memory_says_so(self, bench: Bench) -> None:
        assert self.recalled(bench, "brother").answer == "You haven't told me to remember anything."

    def test_what_hides_itself_is_spelled_out(self, bench: Bench) -> None:
        assert "<U+202E>" in self.recalled(bench, "key", "The key \u202eis here.").answer


class TestMatching:
    @pytest.mark.parametrize(
        ("query", "fact"),
        [
            ("cafe", "Mi caf\u00e9 es solo."),
            ("CAFÉS", "Mi caf\u00e9 es solo."),
            ("boxes", "The box is blue."),
            ("box", "The boxes are blue."),
            ("shoe size", "Her shoes are red."),
            ("shoes", "The shoe is red."),
            ("berries", "The berry is ripe."),
            ("flores", "La flor es roja."),
            ("bus", "The bus is late."),
            ("strasse", "Hauptstra\u00dfe or Stra\u00dfe."),
            ("2290", "The gate code is 2290."),
        ],
    )
    def test_shared(self, query: str, fact: str) -> None:
        facts = MemoryFacts([fact]).facts()
        assert matching(query, facts) == facts

    @pytest.mark.parametrize("query", ["", "what is the user's", "the", "qu\u00e9 es", "229", "tulip bulbs x"])
    def test_not_shared(self, query: str) -> None:
        assert matching(query, MemoryFacts(["The user's code is 2290.", "qu\u00e9 es"]).facts()) == ()

    def test_what_shares_much_less_than_the_best_is_left_out(self) -> None:
        facts = MemoryFacts(["The red bike has new tyres.", "The red house.", "The red bike tyres leak."]).facts()
        assert [fact.text for fact in matching("red bike tyres", facts)] == [
            "The red bike tyres leak.",
            "The red bike has new tyres.",
        ]

    def test_the_same_needs_the_same_order_of_words(self) -> None:
        assert same("Ann likes Bob.", "ann LIKES bob")
        assert not same("Ann likes Bob.", "Bob likes Ann.")


class TestMemoryFacts:
    def test_it_forgets_by_number_and_never_gives_one_again(self) -> None:
        facts = MemoryFacts(["one", "two"])
        assert facts.forget(2)
        assert not facts.forget(2)
        assert facts.keep("three", "t").number == 3
        assert [fact.text for fact in facts.facts()] == ["three", "one"]
        assert facts.clear() == 2
        assert facts.facts() == ()
