"""What was heard at once, as one segment a sentence: lines of subtitles, and places to go back to. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from aria_desktop.core.transcript import Segment, Word

_ENDS = (".", "!", "?", "…", "。", "！", "？")
_PAUSE_S = 0.1
"""Between two sentences; "Dr. Smith" and "example.com" have none."""


def by_sentence(heard: Segment) -> tuple[Segment, ...]:
    """`heard` where its words, with blanks between them, are not its text: then nothing may be lost by a cut."""
    if " ".join(word.text for word in heard.words) != heard.text:
        return (heard,)
    groups = list(_groups(heard.words))
    starts = [heard.start, *(group[0].start for group in groups[1:])]
    ends = [*(group[-1].end for group in groups[:-1]), heard.end]
    return tuple(
        Segment(" ".join(word.text for word in group), start, end, group)
        for group, start, end in zip(groups, starts, ends, strict=True)
    )


def _groups(words: tuple[Word, ...]) -> Iterator[tuple[Word, ...]]:
    begun = 0
    for number in range(1, len(words)):
        before, after = words[number - 1], words[number]
        if before.text.endswith(_ENDS) and after.start - before.end >= _PAUSE_S:
            yield words[begun:number]
            begun = number
    yield words[begun:]
