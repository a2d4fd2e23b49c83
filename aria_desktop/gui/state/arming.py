"""When the Allow button may be pressed: never by a press that was on its way before the question could be read.

Fed with what the dialog observes, asked with the time; pure, so every order of events can be tested.
"""

from __future__ import annotations

DELAY = 0.7
"""Seconds the question is in front of the user before it can be allowed."""


class Arming:
    """Counts from the moment at which the dialog is shown, active and read to its end, all at once.

    Losing any of them, or a change of what is shown, starts it again. Times are seconds of one steady clock.
    """

    def __init__(self) -> None:
        self._shown = False
        self._active = False
        self._end_seen = False
        self._since: float | None = None

    def shown(self, value: bool, now: float) -> None:
        self._shown = value
        self._recount(now)

    def active(self, value: bool, now: float) -> None:
        """The dialog's window has the keyboard."""
        self._active = value
        self._recount(now)

    def end_seen(self, now: float) -> None:
        """The last line was on the screen; that stays so until `changed`."""
        self._end_seen = True
        self._recount(now)

    def changed(self, now: float) -> None:
        """Something else is asked now: what was seen before does not count."""
        self._end_seen = False
        self._recount(now)

    def again(self, now: float) -> None:
        """Another answer was chosen: what was shown stays read, and the time runs anew."""
        self._since = None
        self._recount(now)

    @property
    def read_to_end(self) -> bool:
        return self._end_seen

    @property
    def counting(self) -> bool:
        return self._since is not None

    def progress(self, now: float) -> float:
        """0 to 1, for the line in the button; 1 means armed."""
        if self._since is None:
            return 0.0
        return min(1.0, max(0.0, (now - self._since) / DELAY))

    def armed(self, now: float) -> bool:
        return self.progress(now) >= 1.0

    def _recount(self, now: float) -> None:
        ready = self._shown and self._active and self._end_seen
        if not ready:
            self._since = None
        elif self._since is None:
            self._since = now
