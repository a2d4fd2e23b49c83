"""All that the middle of the window shows: turns in their order and texts that were kept, oldest first."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

from aria_desktop.core import events, listings, records
from aria_desktop.gui.state.story import Moment, TurnStory
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.state.turn import HeardWord, Mark, Step, TurnView

_TITLE_LENGTH = 48
"""Characters of the first words that make the conversation's title."""


@dataclass(frozen=True, slots=True)
class KeptText:
    """The text of a sound file that was kept without being carried out."""

    key: str
    name: str
    """Of the file."""
    text: str


Item = TurnView | KeptText


class Conversation:
    """Takes in events; says which item changed. Keys are turn ids, or those of kept texts."""

    def __init__(self) -> None:
        self._stories: dict[str, TurnStory] = {}
        self._items: dict[str, Item | records.TurnRecord] = {}
        """A turn that was stored is told only when somebody looks at it."""
        self._title = ""
        self._requests: dict[str, str] = {}
        """Keys of items by the request they come from."""
        self.started: float | None = None
        """Unix time of the first turn."""
        self.running: str = ""
        """The id of the turn that runs now; empty when none does."""

    def keys(self) -> tuple[str, ...]:
        """Of all items, in their order."""
        return tuple(self._items)

    def items(self) -> tuple[Item, ...]:
        return tuple(item for key in self._items if (item := self.item(key)) is not None)

    def item(self, key: str) -> Item | None:
        """None when it was taken away again."""
        self._story(key)
        item = self._items.get(key)
        return None if isinstance(item, records.TurnRecord) else item

    @property
    def title(self) -> str:
        """The stored one, else the first words."""
        words = (_first_words(item) for item in self._items.values())
        title = self._title or next(filter(None, words), tr("New conversation"))
        return textwrap.shorten(title, _TITLE_LENGTH, placeholder="…")

    def clear(self) -> None:
        self._stories.clear()
        self._items.clear()
        self._requests.clear()
        self._title = ""
        self.started = None
        self.running = ""

    def keep(self, kept: KeptText) -> None:
        self._items[kept.key] = kept

    def wait_for_turn(self, request_id: str, words: str) -> str:
        """Show words that were sent while another turn runs. Returns their key."""
        step = Step(Mark.QUEUED, tr("Waits for the turn before it"))
        self._items[request_id] = TurnView(request_id, records.Source.TEXT, (HeardWord(words),), steps=(step,))
        self._requests[request_id] = request_id
        return request_id

    def apply(self, event: events.Event, at: Moment) -> tuple[str, ...]:
        """Returns the keys of the items that changed; none when the event is about nothing shown here."""
        match event:
            case events.TurnStarted():
                waiting = self._forget(event.request_id) if event.request_id in self._items else ()
                return (*waiting, self._begin(event, at))
            case events.TurnEnded(turn_id=""):
                return self._forget(event.request_id)
            case events.Problem():
                return self._forget(event.request_id)
        key = turn_of(event)
        story = self._story(key)
        if story is None:
            return ()
        if isinstance(event, events.TurnEnded):
            self.running = "" if self.running == key else self.running
        story.apply(event, at)
        self._items[key] = story.view()
        return (key,)

    def show(self, shown: listings.SessionShown) -> None:
        """Replace everything by a stored session. Its unfinished turns go on with the next events about them."""
        self.clear()
        self._title = shown.session.title
        self.started = shown.turns[0].started if shown.turns else None
        for record in shown.turns:
            self._items[record.turn_id] = record

    def _story(self, key: str) -> TurnStory | None:
        record = self._items.get(key)
        if isinstance(record, records.TurnRecord):
            self._stories[key] = TurnStory.recorded(record)
            self._items[key] = self._stories[key].view()
        return self._stories.get(key)

    def _begin(self, event: events.TurnStarted, at: Moment) -> str:
        key = event.turn_id
        if self._story(key) is None:
            self._stories[key] = TurnStory(key, event.source, event.words, at.steady)
            self._items[key] = self._stories[key].view()
        self._requests[event.request_id] = key
        self.running = key
        if self.started is None:
            self.started = at.wall
        return key

    def _forget(self, request_id: str) -> tuple[str, ...]:
        """Take away what a request has shown that made no turn: waiting words, or a turn without words.

        Other front ends choose their own request ids, so a turn that is over is never meant.
        """
        key = self._requests.get(request_id, "") if request_id else ""
        if key not in (request_id, self.running) or not key:
            return ()
        del self._requests[request_id]
        self._stories.pop(key, None)
        self._items.pop(key, None)
        self.running = "" if self.running == key else self.running
        return (key,)


def _first_words(item: Item | records.TurnRecord) -> str:
    match item:
        case KeptText():
            return item.name
        case TurnView():
            return item.text
        case records.TurnRecord():
            return item.words


def turn_of(event: events.Event) -> str:
    """The id of the turn that an event belongs to; empty for those that belong to none."""
    if isinstance(event, events.ApprovalRequested):
        return event.request.turn_id
    if isinstance(event, events.RecognitionProgress):
        return event.job_id
    return getattr(event, "turn_id", "")
