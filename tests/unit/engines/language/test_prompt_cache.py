"""The record of evaluated tokens against a model's memory: they agree whatever happens."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from aria_desktop.engines.language.prompt_cache import PromptCache

A = list(range(1000))
B = list(range(5000, 5300))


class FakeMemory:
    """Remembers what it was shown, as a model's memory would."""

    def __init__(self, *, only_whole: bool = False) -> None:
        self.held: dict[int, list[int]] = {}
        self._only_whole = only_whole

    def remove(self, sequence: int, start: int) -> bool:
        if start and self._only_whole and start < len(self.held.get(sequence, [])):
            return False
        self.held[sequence] = self.held.get(sequence, [])[:start]
        return True

    def copy(self, source: int, target: int, end: int) -> None:
        assert not self.held.get(target)
        self.held[target] = self.held[source][:end]


class Model:
    """Evaluates what the cache says it must, and counts."""

    def __init__(self, *, only_whole: bool = False) -> None:
        self.memory = FakeMemory(only_whole=only_whole)
        self.cache = PromptCache(self.memory)
        self.evaluated = 0

    def read(self, prompt: list[int]) -> int:
        reused = self.cache.begin(prompt)
        self.show(prompt[reused:])
        return reused

    def show(self, tokens: list[int]) -> None:
        self.memory.held.setdefault(self.cache.active, []).extend(tokens)
        self.cache.evaluated(tokens)
        self.evaluated += len(tokens)

    @property
    def active(self) -> list[int]:
        return self.memory.held[self.cache.active]


def test_a_shared_start_is_evaluated_once() -> None:
    model = Model()
    assert model.read([*A, 1, 2, 3]) == 0
    assert model.read([*A, 4, 5]) == 1000
    assert model.active == [*A, 4, 5]
    assert model.evaluated == 1005


def test_the_last_token_is_always_evaluated_since_its_logits_are_needed() -> None:
    model = Model()
    model.read(A)
    assert model.read(A) == 999
    assert model.read(A[:10]) == 9


def test_two_kinds_of_prompts_keep_their_starts() -> None:
    model = Model()
    model.read([*A, 1])
    model.read([*B, 1])
    assert model.read([*A, 2]) == 1000
    assert model.read([*B, 2]) == 300
    assert model.evaluated == 1001 + 301 + 2


def test_a_short_tail_does_not_take_the_other_place() -> None:
    model = Model()
    model.read([*A, 1])
    model.read([*B, 1])
    model.read([*A, *range(2000, 2100)])
    model.read([*A, 7])
    assert model.read([*B, 2]) == 300


def test_a_long_conversation_keeps_its_place_beside_a_new_one_with_the_same_start() -> None:
    model = Model()
    long = [*A[:200], *range(3000, 3600)]
    model.read(long)
    assert model.read([*A[:200], 7]) == 200
    assert model.read([*long, 8]) == 800


def test_what_is_pinned_survives_any_row_of_other_prompts() -> None:
    model = Model()
    model.read([*A, 1])
    model.cache.pin(A)
    for other in range(5):
        model.read(list(range(10_000 * (other + 1), 10_000 * (other + 1) + 300)))
    assert model.read([*A, 2]) == 1000
    assert model.active == [*A, 2]
    assert model.cache.knows(A)


def test_another_pin_takes_the_place_of_the_first() -> None:
    model = Model()
    for start in (A, B):
        model.read([*start, 1])
        model.cache.pin(start)
    model.read(list(range(10_000, 10_300)))
    model.read(list(range(20_000, 20_300)))
    assert model.read([*B, 2]) == 300
    assert not model.cache.knows(A)


def test_a_pin_is_given_up_when_nothing_else_makes_room() -> None:
    model = Model()
    model.read([*A, 1])
    model.cache.pin(A)
    model.read(B)
    assert model.cache.make_room()
    assert model.cache.knows(A)
    assert model.cache.make_room()
    assert not model.cache.knows(A[:1])
    assert model.active == B
    assert not model.cache.make_room()


def test_a_pin_that_the_active_sequence_shares_makes_no_room() -> None:
    model = Model()
    model.read([*A, 1])
    model.cache.pin(A)
    assert not model.cache.make_room()


def test_what_is_known_is_known_in_any_place() -> None:
    model = Model()
    model.read([*A, 1])
    model.read([*B, 1])
    assert model.cache.knows(A)
    assert model.cache.knows(B)
    assert not model.cache.knows([*A, 9])


def test_a_broken_off_evaluation_leaves_nothing() -> None:
    model = Model()
    model.read(A[:10])
    model.memory.held[model.cache.active].extend([77, 78])
    model.cache.undo()
    assert model.active == A[:10]
    assert model.cache.length == 10


def test_room_is_made_by_forgetting_what_is_not_worked_on() -> None:
    model = Model()
    model.read(A)
    model.read(B)
    assert model.cache.make_room()
    assert model.active == B
    assert not model.cache.knows(A[:1])
    assert not model.cache.make_room()


def test_a_model_that_can_only_forget_everything_is_evaluated_again_in_full() -> None:
    model = Model(only_whole=True)
    model.read([*A, 1])
    assert model.read([*A, 2]) == 0
    assert model.active == [*A, 2]


def test_what_an_earlier_process_evaluated_counts() -> None:
    model = Model()
    model.memory.held[model.cache.active] = list(A)
    model.cache.brought_back(A)
    assert model.read([*A, 1]) == 1000


@given(st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=12), max_size=12), st.data())
def test_memory_and_record_agree_after_any_row_of_prompts(prompts: list[list[int]], data: st.DataObject) -> None:
    memory = FakeMemory(only_whole=data.draw(st.booleans()))
    cache = PromptCache(memory, sequences=data.draw(st.integers(1, 3)), worth_keeping=2)
    for prompt in prompts:
        reused = cache.begin(prompt)
        assert reused < len(prompt)
        assert memory.held.get(cache.active, [])[:reused] == prompt[:reused]
        memory.held.setdefault(cache.active, []).extend(prompt[reused:])
        if data.draw(st.booleans()):
            cache.evaluated(prompt[reused:])
            assert memory.held[cache.active] == prompt
            if data.draw(st.booleans()):
                cache.pin(prompt[: data.draw(st.integers(1, len(prompt)))])
        else:
            cache.undo()
        assert cache.length == len(memory.held[cache.active])
        if data.draw(st.booleans()):
            cache.make_room()
