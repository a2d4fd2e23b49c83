"""`aria bench voice`: from the first clause of a reply to its first sample, and gaps between its clauses.

Each reply is written word by word at the pace of a language model and spoken two ways by the same model: as the program
does it, and the plain way, a sentence at a time, each made whole before any of it is heard. Each way has a process of
its own; the two take turns, in an order that alternates. Nothing is played: the sink keeps the clock of a loudspeaker
that holds as much as the real one, so that a clause that comes too late is a gap, and one that comes early waits.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from aria_desktop.assistant.narrator import Narrator
from aria_desktop.assistant.sentences import Clauses
from aria_desktop.assistant.speakable import speakable
from aria_desktop.audio.speaker import LEAD_S
from aria_desktop.core.audio import AudioChunk
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.events import Event
from aria_desktop.core.interfaces import TextToSpeech
from aria_desktop.evaluation.intervals import Interval, ratio
from aria_desktop.evaluation.report import Figure, Report, machine_line

FIRST_S = 0.12
ROUNDS = 4
"""Fresh processes of the voice."""
WORDS_PER_S = 24.0
"""The pace at which the starter model writes on two cores."""

OpenVoice = Callable[[bool], AbstractContextManager[TextToSpeech]]
"""Given whether it makes sentences whole."""
Show = Callable[[int, int], None]


@dataclass
class ClockedSink:
    """A loudspeaker without sound: `LEAD_S` of room, and a clock that runs from its first sample on."""

    began: float = 0.0
    seconds: float = 0.0
    gaps: list[float] = field(default_factory=list)
    """Seconds of silence within the reply."""

    name = "a clock"

    def play(self, chunk: AudioChunk) -> None:
        now = time.monotonic()
        if not self.began:
            self.began = now
        late = now - (self.began + self.seconds)
        if self.seconds and late > 0:
            self.gaps.append(late)
            self.began += late
        self.seconds += chunk.seconds
        ahead = self.began + self.seconds - time.monotonic()
        if ahead > LEAD_S:
            time.sleep(ahead - LEAD_S)

    def finish(self) -> float:
        return self.seconds

    def stop_now(self) -> float:
        return self.seconds


def run(open_voice: OpenVoice, replies: Sequence[str], show: Show, rounds: int = ROUNDS) -> Report:
    items: list[Mapping[str, object]] = []
    for number in range(rounds):
        with open_voice(False) as ours, open_voice(True) as plain:
            for voice in (ours, plain):
                list(voice.synthesize("This is said once so that the voice is warm.", CancelToken()))
            for reply in replies[number::rounds]:
                both = _both(ours, plain, reply, plain_first=len(items) % 2 == 1)
                items.append({"round": number, "reply": reply, **both})
                show(len(items), len(replies))
    return report(items)


def _both(ours: TextToSpeech, plain: TextToSpeech, reply: str, *, plain_first: bool) -> Mapping[str, object]:
    ways: dict[str, Callable[[], Mapping[str, object]]] = {
        "ours": lambda: spoken(ours, reply),
        "plain": lambda: spoken_plainly(plain, reply),
    }
    return {name: ways[name]() for name in (reversed(ways) if plain_first else ways)}


def spoken(voice: TextToSpeech, reply: str) -> Mapping[str, object]:
    sink, clauses, events = ClockedSink(), Clauses("en"), list[Event]()
    narrator = Narrator("bench", voice, lambda: sink, events.append)
    began, first = time.monotonic(), 0.0

    def say(made: Sequence[str]) -> None:
        nonlocal first
        first = first or (time.monotonic() if made else 0.0)
        for clause in made:
            narrator.say(clause)

    for piece in written(reply):
        say([clause.said for clause in clauses.feed(piece)])
    say([clause.said for clause in clauses.end(reply)])
    narrator.finish()
    return {"from_clause": sink.began - first, "from_start": sink.began - began, **_of(sink)}


def spoken_plainly(voice: TextToSpeech, reply: str) -> Mapping[str, object]:
    """Whole sentences, as a program speaks that cuts at full stops. Only its beginning is measured."""
    began, text = time.monotonic(), ""
    for piece in written(reply):
        text += piece
        if text.rstrip().endswith((".", "!", "?")):
            break
    whole = time.monotonic()
    next(voice.synthesize(speakable(text, "en"), CancelToken()))
    now = time.monotonic()
    return {"from_sentence": now - whole, "from_start": now - began}


def written(reply: str) -> Iterator[str]:
    """Word by word; the time that a word takes passes before it is there."""
    for word in reply.split(" "):
        time.sleep(1 / WORDS_PER_S)
        yield f"{word} "


def _of(sink: ClockedSink) -> Mapping[str, object]:
    return {"seconds": round(sink.seconds, 3), "gaps": [round(gap, 4) for gap in sink.gaps]}


def report(items: Sequence[Mapping[str, object]]) -> Report:
    first = [_number(item, "ours", "from_clause") for item in items]
    times, interval = _paired(items, "from_start", "from_start")
    made, made_interval = _paired(items, "from_clause", "from_sentence")
    gaps = [gap for item in items for gap in _part(item, "ours")["gaps"]]  # type: ignore[attr-defined]
    return Report(
        "voice",
        machine_line(),
        (
            Figure("first clause to first sample, median", statistics.median(first), "s", FIRST_S),
            Figure("first clause to first sample, slowest", max(first), "s"),
            Figure("replies", len(items), ""),
            Figure("gaps between clauses", len(gaps), "", 0),
            Figure("longest gap", max(gaps, default=0.0), "s"),
            Figure("first word written to first sample, the plain way over ours", times, "x", interval=interval),
            Figure("text that is there to first sample, the plain way over ours", made, "x", interval=made_interval),
        ),
        tuple(items),
    )


def _paired(items: Sequence[Mapping[str, object]], ours: str, plain: str) -> tuple[float, Interval]:
    by_round: dict[object, list[tuple[float, float]]] = {}
    for item in items:
        by_round.setdefault(item["round"], []).append((_number(item, "ours", ours), _number(item, "plain", plain)))
    return ratio(list(by_round.values()))


def _part(item: Mapping[str, object], name: str) -> Mapping[str, object]:
    part = item[name]
    assert isinstance(part, Mapping)
    return part


def _number(item: Mapping[str, object], name: str, figure: str) -> float:
    return float(str(_part(item, name)[figure]))
