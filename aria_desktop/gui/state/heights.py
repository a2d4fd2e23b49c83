"""How high the items of a long list are: guessed until they are measured, summed in logarithmic time. Pure.

A Fenwick tree: adding to one item and summing up to one both touch as many numbers as the count has binary digits.
"""

from __future__ import annotations


class Heights:
    def __init__(self, guess: int) -> None:
        """`guess`: px of an item that nobody has measured, the space below it included."""
        self._guess = guess
        self._heights: list[int] = []
        self._sums: list[int] = [0]

    def __len__(self) -> int:
        return len(self._heights)

    def __getitem__(self, index: int) -> int:
        return self._heights[index]

    def fill(self, count: int) -> None:
        """Start again with `count` items that nobody has measured."""
        self._heights = [self._guess] * count
        self._sums = [0] + [self._guess * (place & -place) for place in range(1, count + 1)]

    def append(self) -> None:
        place = len(self._heights) + 1
        self._heights.append(self._guess)
        self._sums.append(self._guess + self.above(place - 1) - self.above(place - (place & -place)))

    def remove(self, index: int) -> None:
        """In linear time: items go one at a time, and seldom."""
        kept = self._heights[:index] + self._heights[index + 1 :]
        self.fill(len(kept))
        for place, height in enumerate(kept):
            self.measured(place, height)

    def measured(self, index: int, height: int) -> None:
        change, place = height - self._heights[index], index + 1
        self._heights[index] = height
        while change and place < len(self._sums):
            self._sums[place] += change
            place += place & -place

    def above(self, index: int) -> int:
        """px of all items before this one; of all items for their count."""
        total = 0
        while index:
            total += self._sums[index]
            index -= index & -index
        return total

    def at(self, y: int) -> int:
        """The item that a line of px lies in; the last one below all of them. At least one item must be there."""
        index, rest, step = 0, y, 1 << len(self._heights).bit_length()
        while step:
            if index + step < len(self._sums) and self._sums[index + step] <= rest:
                index += step
                rest -= self._sums[index]
            step >>= 1
        return min(index, len(self._heights) - 1)
