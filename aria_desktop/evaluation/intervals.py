"""How far a figure can be trusted: 95 % intervals for shares, for ratios of paired times and for paired differences.

Pure, and the same each time: the bootstrap draws from a generator of its own with a fixed seed.
"""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable, Sequence

Interval = tuple[float, float]
DRAWS = 2000
_Z = 1.959964
"""Standard deviations of 95 %."""


def wilson(successes: int, of: int) -> Interval:
    """Of a share, 0 to 1; right also for few cases and for all or none of them."""
    if of == 0:
        return 0.0, 1.0
    share, z2 = successes / of, _Z * _Z / of
    middle = (share + z2 / 2) / (1 + z2)
    reach = _Z * math.sqrt(share * (1 - share) / of + z2 / (4 * of)) / (1 + z2)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def difference(ours: Sequence[bool], theirs: Sequence[bool]) -> tuple[float, Interval]:
    """Share of successes of one contestant less that of another, both on the same cases in the same order."""
    pairs = [float(a) - float(b) for a, b in zip(ours, theirs, strict=True)]
    return statistics.fmean(pairs), _bootstrap([pairs], statistics.fmean)


def ratio(groups: Sequence[Sequence[tuple[float, float]]]) -> tuple[float, Interval]:
    """Median of theirs over ours for pairs (ours, theirs), both above zero.

    Args:
        groups: pairs measured in one process belong together: whole processes are drawn, then pairs in them.
    """
    logs = [[math.log(theirs / ours) for ours, theirs in group] for group in groups]
    low, high = _bootstrap(logs, statistics.median)
    return math.exp(statistics.median([x for group in logs for x in group])), (math.exp(low), math.exp(high))


def rate_difference(rows: Sequence[tuple[int, int, int]]) -> tuple[float, Interval]:
    """Errors per word of ours less those of theirs; `rows`: errors of ours, of theirs, and words of one recording each.

    Whole recordings are drawn: what goes wrong in one does so together.
    """

    def difference_of(chosen: Sequence[tuple[int, int, int]]) -> float:
        return sum(ours - theirs for ours, theirs, _ in chosen) / max(1, sum(words for _, _, words in chosen))

    draw = random.Random(20260323)
    found = sorted(difference_of(draw.choices(rows, k=len(rows))) for _ in range(DRAWS))
    return difference_of(rows), (found[round(DRAWS * 0.025)], found[round(DRAWS * 0.975) - 1])


def _bootstrap(groups: Sequence[Sequence[float]], statistic: Callable[[list[float]], float]) -> Interval:
    draw = random.Random(20260323)
    found = sorted(
        statistic([x for group in draw.choices(groups, k=len(groups)) for x in draw.choices(group, k=len(group))])
        for _ in range(DRAWS)
    )
    return found[round(DRAWS * 0.025)], found[round(DRAWS * 0.975) - 1]
