"""What was generated once for a prompt costs nothing the second time, and is the same to the piece."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.chat import Message, Role
from aria_desktop.core.errors import EngineFailed
from aria_desktop.core.interfaces import Generation, GenerationEnd
from aria_desktop.evaluation.reply_cache import CachedLanguageModel
from aria_desktop.testing.script import Ending, Step
from aria_desktop.testing.scripted import ScriptedLanguageModel

ASKED = Generation((Message(Role.USER, "hello"),), reply_schema={"type": "object"})


class Bench:
    """Caches before scripted models, all in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.loads = 0
        self.said: list[str] = []
        self.models: list[ScriptedLanguageModel] = []

    def cache(self, *steps: Step | str, fingerprint: str = "model") -> CachedLanguageModel:
        model = ScriptedLanguageModel(list(steps), context_tokens=2048)
        self.models.append(model)

        def load() -> int:
            self.loads += 1
            return model.context_tokens

        return CachedLanguageModel(model, self.folder, fingerprint, load, self.said.append)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path / "replies")
    yield made
    for model in made.models:
        model.script.assert_used_up()


def whole(cache: CachedLanguageModel, asked: Generation = ASKED) -> list[str | GenerationEnd]:
    return list(cache.complete(asked, CancelToken()))


def beginning(cache: CachedLanguageModel, pieces: int) -> list[str | GenerationEnd]:
    """Read no further; the generator ends with this function."""
    return list(islice(cache.complete(ASKED, CancelToken()), pieces))


def test_what_is_being_replayed_counts_whole(bench: Bench) -> None:
    whole(bench.cache(Step(("he", "llo"), delay_s=0.01)))
    again = bench.cache()
    replay = again.complete(ASKED, CancelToken())
    next(replay)
    began = again.replayed_s
    list(replay)
    assert began == again.replayed_s == again.take()[0].seconds > 0


def test_the_second_time_it_is_replayed_to_the_piece(bench: Bench) -> None:
    first = bench.cache(Step(("he", "llo"), delay_s=0.01))
    made = whole(first)
    assert made[:2] == ["he", "llo"]
    again = bench.cache()
    assert whole(again) == made
    assert (first.hits, first.misses, again.hits, again.misses) == (0, 1, 1, 0)
    assert bench.loads == 1
    assert first.replayed_s == 0
    shown = again.replayed_s
    (fresh,), (replayed,) = first.take(), again.take()
    assert shown == replayed.seconds > 0
    assert (fresh.cached, replayed.cached) == (False, True)
    assert replayed.text == "hello"
    assert replayed.seconds == pytest.approx(fresh.seconds, abs=1e-3)
    assert again.take() == ()


@pytest.mark.parametrize(
    "changed",
    [
        replace(ASKED, messages=(Message(Role.USER, "hallo"),)),
        replace(ASKED, messages=(Message(Role.TOOL, "hello"),)),
        replace(ASKED, reply_schema=None),
        replace(ASKED, reply_schema={"type": "string"}),
        replace(ASKED, max_tokens=7),
        replace(ASKED, temperature=0.5),
        replace(ASKED, stop=("x",)),
    ],
)
def test_another_prompt_schema_or_sampling_is_another_generation(bench: Bench, changed: Generation) -> None:
    cache = bench.cache("one", "two")
    assert whole(cache)[0] == "one"
    assert whole(cache, changed)[0] == "two"
    assert (cache.hits, cache.misses) == (0, 2)


def test_the_order_of_names_in_a_schema_counts(bench: Bench) -> None:
    cache = bench.cache("one", "two")
    assert whole(cache, replace(ASKED, reply_schema={"a": 1, "b": 2}))[0] == "one"
    assert whole(cache, replace(ASKED, reply_schema={"b": 2, "a": 1}))[0] == "two"


def test_another_model_is_another_generation(bench: Bench) -> None:
    assert whole(bench.cache("one"))[0] == "one"
    assert whole(bench.cache("two", fingerprint="other"))[0] == "two"


def test_only_sampling_depends_on_the_repeat(bench: Bench) -> None:
    cache = bench.cache("greedy", "first", "second")
    warm = replace(ASKED, temperature=1.0)
    said = []
    for repeat in (1, 2, 1, 2):
        cache.repeat = repeat
        said.append((whole(cache)[0], whole(cache, warm)[0]))
    assert said == [("greedy", "first"), ("greedy", "second")] * 2
    assert [asked.seed for asked in bench.models[0].asked] == [0, 0, 1]


def test_a_reader_who_has_enough_is_replayed_too(bench: Bench) -> None:
    cache = bench.cache(Step(("one ", "two ", "three")))
    for _ in range(2):
        assert beginning(cache, 2) == ["one ", "two "]
    fresh, replayed = cache.take()
    assert (fresh.cached, replayed.cached) == (False, True)
    assert replayed.text == "one two "
    assert (replayed.end, replayed.tokens, replayed.evaluated) == (None, 2, 0)


def test_who_reads_on_past_what_is_known_gets_the_rest_from_the_model(bench: Bench) -> None:
    cache = bench.cache(Step(("one ", "two")), Step(("on", "e t", "wo")))
    beginning(cache, 1)
    *pieces, end = whole(cache)
    assert "".join(map(str, pieces)) == "one two"
    assert isinstance(end, GenerationEnd)
    assert whole(cache)[-1] == end
    assert (cache.hits, cache.misses) == (1, 2)


def test_a_model_that_goes_on_differently_is_not_patched_together(bench: Bench) -> None:
    cache = bench.cache(Step(("one ", "two")), "other")
    beginning(cache, 1)
    with pytest.raises(EngineFailed, match="differently"):
        whole(cache)


@pytest.mark.parametrize(
    "harm",
    [
        lambda path: path.write_text("{"),
        lambda path: path.write_text("[]"),
        lambda path: path.write_text('{"version": 1}'),
        lambda path: path.write_text('{"version": 1, "pieces": ["x"], "end": {"a": 1}, "seconds": 1}'),
        lambda path: path.write_text(path.read_text().replace('"version":1', '"version":99')),
        lambda path: path.write_bytes(b"\xff\x00"),
        lambda path: path.write_text("[" * 100_000),
    ],
)
def test_a_damaged_file_is_named_and_replaced(bench: Bench, harm: Callable[[Path], object]) -> None:
    whole(bench.cache("one"))
    (path,) = bench.folder.glob("*/*.json")
    harm(path)
    assert whole(bench.cache("two"))[0] == "two"
    assert bench.said == [f"The cached reply {path} is damaged and is not used."]
    assert whole(bench.cache())[0] == "two"


def test_what_failed_or_was_cancelled_is_not_kept(bench: Bench) -> None:
    cache = bench.cache(Step(("on",), then=Ending.ERROR), "one")
    with pytest.raises(EngineFailed):
        whole(cache)
    assert whole(cache)[0] == "one"
    assert cache.misses == 1
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        cache.complete(ASKED, token)


def test_the_context_is_known_without_the_model_the_second_time(bench: Bench) -> None:
    assert bench.cache().context_tokens == 2048
    again = bench.cache()
    assert again.context_tokens == 2048
    assert bench.loads == 1
    assert again.ready is None


def test_a_model_that_can_not_be_loaded_is_remembered_as_that(tmp_path: Path) -> None:
    def load() -> int:
        raise EngineFailed("No such engine.")

    cache = CachedLanguageModel(ScriptedLanguageModel([]), tmp_path, "model", load)
    with pytest.raises(EngineFailed):
        whole(cache)
    assert cache.ready is False


def test_half_pairs_of_surrogates_do_no_harm(bench: Bench) -> None:
    odd = replace(ASKED, messages=(Message(Role.USER, "\ud800"),))
    cache = bench.cache("one")
    assert whole(cache, odd) == whole(cache, odd)
