"""Between the assistant and the widgets: events change the state, the state is shown, wishes become requests.

All on the Qt main thread. What to show is computed in `state/`; this file only says which part of the window
shows which part of the state.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence

from PySide6.QtCore import QObject

from aria_desktop.core import events, listings, requests
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.gui.announce import announce
from aria_desktop.gui.approvals import ApprovalDesk
from aria_desktop.gui.audit_page import AuditPage
from aria_desktop.gui.bridge import Bridge
from aria_desktop.gui.desktop_control import DesktopControl
from aria_desktop.gui.file_control import FileControl
from aria_desktop.gui.folder_control import FolderControl
from aria_desktop.gui.guide_control import GuideControl
from aria_desktop.gui.kept_control import KeptControl
from aria_desktop.gui.look import Look
from aria_desktop.gui.main_window import MainWindow
from aria_desktop.gui.options import WindowOptions
from aria_desktop.gui.page_control import PageControl
from aria_desktop.gui.state import banners, figures
from aria_desktop.gui.state.banners import Banner, Banners, Do
from aria_desktop.gui.state.conversation import Conversation, KeptText
from aria_desktop.gui.state.engine_board import EngineBoard
from aria_desktop.gui.state.levels import Levels
from aria_desktop.gui.state.pages import Page
from aria_desktop.gui.state.replay import Replay
from aria_desktop.gui.state.settings_page import Category
from aria_desktop.gui.state.shown import one_line
from aria_desktop.gui.state.story import Moment
from aria_desktop.gui.state.translation import grouped, tr
from aria_desktop.gui.state.turn import Tone
from aria_desktop.gui.state.typed import LONGEST
from aria_desktop.gui.talk_control import TalkControl
from aria_desktop.gui.turn_keys import TurnKeys

PASTED = "text that was pasted"
FROM_SOUND_FILE = "what is said in a sound file"
"""Words that are carried out and may be somebody else's."""


class Conductor(QObject):
    def __init__(self, look: Look, window: MainWindow, bridge: Bridge, options: WindowOptions, levels: Levels) -> None:
        super().__init__(window)
        self._look = look
        self._window = window
        self._bridge = bridge
        self._options = options
        self._conversation = Conversation()
        self._engines = EngineBoard()
        self._banners = Banners()
        self._desk = ApprovalDesk(look, window)
        self._talk = TalkControl(window, levels, bridge.submit, self._listening)
        self._files = FileControl(window, bridge.submit)
        self._folder = FolderControl(window, options)
        self._pages = PageControl(look, window, bridge.submit, options, lambda: self._folder.folder)
        self._guide = GuideControl(look, window, levels, options.badge, bridge.submit)
        self._outside = DesktopControl(look, window, levels, options, lambda: window.pages.open(Page.SETTINGS))
        self._numbers = itertools.count(1)
        self._kept = KeptControl(window.side.kept, lambda: self._folder.folder, bridge.submit, self._id)
        self._unanswered: dict[str, str] = {}
        """Typed texts by request, until their turn starts."""
        self._audit_wanted = ""
        """The last request for the audit."""
        TurnKeys(window, self._send, self._complain)
        self._connect()
        self._show_engines()
        self._show_all()
        if options.first_start:
            self._show_banner(banners.of_first_start())
        if options.safe_mode is not None:
            self._show_banner(banners.of_safe_mode(options.safe_mode))
        if options.open_session:
            bridge.submit(requests.OpenSession(self._id(), options.open_session))

    def apply(self, batch: Sequence[events.Event]) -> None:
        """Take in events, then show once what changed. A fault with one event must not lose the next: it may be a
        question that somebody waits for."""
        at = Moment(time.monotonic(), time.time())
        changed: dict[str, None] = {}
        faults: list[Exception] = []
        for event in batch:
            try:
                changed |= dict.fromkeys(self._take(event, at))
            except Exception as fault:
                faults.append(fault)
        for key in changed:
            self._window.conversation.show_item(key, self._conversation.item(key))
        if changed:
            self._show_title()
        if faults:
            raise faults[0]

    def show_trouble(self, text: str, hint: str) -> None:
        """A fault of the window itself."""
        self._show_banner(Banner("window", Tone.LOSS, text, hint))

    def _take(self, event: events.Event, at: Moment) -> tuple[str, ...]:
        """Returns the keys of the items that changed."""
        self._talk.apply(event)
        self._outside.apply(event)
        if self._guide.apply(event) or self._files.apply(event) or self._pages.apply(event):
            return ()
        changed = self._conversation.apply(event, at)
        self._react(event)
        return changed

    def _react(self, event: events.Event) -> None:
        match event:
            case events.EngineChanged():
                self._engine_changed(event)
            case events.TurnStarted():
                self._unanswered.pop(event.request_id, None)
            case events.TurnEnded(turn_id="", outcome=TurnOutcome.FAILED):
                self._problem(events.Problem(event.request_id, event.error, event.text, event.hint))
            case events.TurnEnded():
                self._kept.look_again()
                self._unanswered.pop(event.request_id, None)
                self._desk.turn_ended(event.turn_id)
                announce(self._window, event.answer or event.text)
            case events.ApprovalRequested(granted=""):
                self._desk.ask(event.request)
                announce(self._window, one_line(event.request.question), urgent=True)
            case events.ApprovalDecided():
                self._desk.settled(event.request_id)
            case listings.SessionShown() if event.current:
                self._conversation.show(event)
                self._show_all()
            case listings.FilesListed() | listings.FileShown() | listings.SessionsListed():
                self._kept.apply(event)
            case listings.RunShown():
                self._window.conversation.start_replay(event.run.turn.turn_id, Replay(event.run))
            case listings.AuditListed() if event.request_id == self._audit_wanted:
                AuditPage(self._look, event.records, self._window).open()
            case events.Problem() if self._kept.refused(event):
                pass
            case events.Problem():
                self._problem(event)
            case events.ListeningDoubted():
                self._show_banner(
                    Banner(
                        "microphone",
                        Tone.DOUBT,
                        event.reason,
                        tr("Look at its plug and its switch."),
                        Do.MICROPHONE,
                    )
                )
            case events.ListeningStarted():
                self._close_banner("microphone")
            case events.TalkKeyChanged():
                self._show_or_close("talk-key", banners.of_talk_key(event))
            case events.WindowWanted():
                self._window.come_to_front()
            case _:
                pass

    def _engine_changed(self, event: events.EngineChanged) -> None:
        self._engines.apply(event)
        self._show_engines()
        self._show_or_close(f"engine-{event.role}", banners.of_engine(event))

    def _show_or_close(self, key: str, banner: Banner | None) -> None:
        if banner is not None:
            self._show_banner(banner)
        else:
            self._close_banner(key)

    def _problem(self, event: events.Problem) -> None:
        words = self._unanswered.pop(event.request_id, "")
        field = self._window.panel.entry.field
        if words and not field.toPlainText():
            self._window.panel.entry.put(words)
        self._show_banner(banners.of_problem(event))

    def _send_typed(self, words: str) -> None:
        self._send(words, PASTED if self._window.panel.entry.pasted else "")

    def _send(self, words: str, foreign: str = "") -> None:
        """`foreign`: where the words come from when they are not the user's own."""
        speak = self._window.panel.speak.isChecked()
        request = requests.SubmitText(self._id(), words, workspace=self._folder.folder, speak=speak, foreign=foreign)
        self._unanswered[request.request_id] = words
        self._window.listening.hide()
        if self._conversation.running:
            key = self._conversation.wait_for_turn(request.request_id, words)
            self._window.conversation.show_item(key, self._conversation.item(key))
        self._window.conversation.follow_end()
        self._bridge.submit(request)

    def _listening(self, mode: requests.ListenMode) -> requests.Request:
        speak = self._window.panel.speak.isChecked()
        return requests.StartListening(self._id(), mode, workspace=self._folder.folder, speak=speak)

    def _keep(self, kept: KeptText) -> None:
        self._conversation.keep(kept)
        self._window.conversation.show_item(kept.key, kept)
        self._show_title()

    def _new_conversation(self) -> None:
        if not self._conversation.running:
            self._bridge.submit(requests.NewSession(self._id()))
            self._conversation.clear()
            self._show_all()

    def _open_conversation(self, session_id: str) -> None:
        if not self._conversation.running:
            self._bridge.submit(requests.OpenSession(self._id(), session_id))

    def _replay(self, turn_id: str) -> None:
        self._bridge.submit(requests.ShowRun(self._id(), turn_id))

    def _ask_for_audit(self) -> None:
        self._audit_wanted = self._id()
        self._bridge.submit(requests.ListAudit(self._audit_wanted))

    def _explain(self) -> None:
        hint = self._engines.detail(events.EngineRole.SPEECH) or tr("The hearing model did not start.")
        self._show_banner(Banner("engine-speech", Tone.LOSS, tr("Hearing does not work"), hint, Do.MODELS))

    def _too_long(self, characters: int) -> None:
        text = tr("The text is too long: {count}", count=figures.counted(characters, "character", "characters"))
        self._show_banner(
            Banner(
                "paste",
                Tone.DOUBT,
                text,
                tr("The text box takes {count}. Put long texts in a file.", count=grouped(LONGEST)),
            )
        )

    def _change_font_size(self, step: int) -> None:
        self._look.set_percent(self._look.percent + step if step else self._look.usual_percent)

    def _act(self, do: Do) -> None:
        match do:
            case Do.USUAL_START:
                safe = self._options.safe_mode
                if safe is not None and safe.leave is not None:
                    safe.leave()
                    self._window.close()
            case Do.MODELS:
                self._window.pages.open(Page.MODELS)
            case Do.MICROPHONE:
                self._pages.open_settings(Category.HEARING)
            case Do.LOUDSPEAKER:
                self._pages.open_settings(Category.VOICE)
            case Do.ROOM:
                self._pages.open_settings(Category.KEEPING)
            case Do.GUIDE:
                self._close_banner("guide")
                self._guide.open()
            case Do.LOG:
                self._pages.open_settings(Category.TROUBLE)

    def _complain(self, text: str, hint: str) -> None:
        self._show_banner(Banner("key", Tone.DOUBT, text, hint))

    def _show_banner(self, banner: Banner) -> None:
        self._banners.show(banner)
        self._window.banners.show_banners(self._banners)
        announce(self._window, f"{banner.text} {banner.hint}", urgent=True)

    def _close_banner(self, key: str) -> None:
        self._banners.close(key)
        self._window.banners.show_banners(self._banners)

    def _show_engines(self) -> None:
        self._window.panel.show_engines(self._engines.line())

    def _show_all(self) -> None:
        self._window.conversation.show_all(self._conversation.keys(), self._conversation.item)
        self._show_title()

    def _show_title(self) -> None:
        started = self._conversation.started
        when = figures.day_and_clock(started, time.time()) if started is not None else ""
        self._window.title_bar.show_title(one_line(self._conversation.title), when)
        self._window.title_bar.new_button.setEnabled(not self._conversation.running)

    def _id(self) -> str:
        return f"window-{next(self._numbers)}"

    def _connect(self) -> None:
        window = self._window
        self._bridge.events.connect(self.apply)
        self._desk.answered.connect(self._bridge.submit)
        self._talk.question_wanted.connect(self._desk.show_next)
        self._talk.explanation_wanted.connect(self._explain)
        self._files.carry_out.connect(lambda words: self._send(words, FROM_SOUND_FILE))
        self._files.kept.connect(self._keep)
        self._files.complaint.connect(self._show_banner)
        self._folder.complaint.connect(self._show_banner)
        self._guide.folder_wanted.connect(self._pages.add_models)
        self._guide.models_wanted.connect(lambda: window.pages.open(Page.MODELS))
        self._pages.guide_wanted.connect(self._guide.open)
        self._outside.complaint.connect(self._show_banner)
        window.panel.entry.sent.connect(self._send_typed)
        window.panel.entry.too_long.connect(self._too_long)
        window.conversation.example.connect(window.panel.entry.put)
        window.conversation.correction_wanted.connect(window.panel.entry.put)
        window.conversation.undo_wanted.connect(lambda words: self._send(words))
        window.side.kept.open_wanted.connect(self._folder.open_file)
        window.side.kept.folder_wanted.connect(self._folder.open_folder)
        self._folder.moved.connect(self._kept.moved)
        window.side.kept.conversation_wanted.connect(self._open_conversation)
        window.seen.connect(self._kept.look_again)
        window.conversation.replay_wanted.connect(self._replay)
        window.conversation.open_wanted.connect(self._folder.open_file)
        window.conversation.folder_wanted.connect(self._folder.open_folder_of)
        window.banners.acted.connect(self._act)
        window.banners.closed.connect(self._close_banner)
        window.new_conversation.connect(self._new_conversation)
        window.title_bar.audit_button.clicked.connect(self._ask_for_audit)
        window.font_size.connect(self._change_font_size)
        window.seen.connect(self._desk.show_next)
        window.closing.connect(self._desk.refuse_all)
