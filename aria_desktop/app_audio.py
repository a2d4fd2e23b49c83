"""The composition root's part for devices: the microphone, the loudspeaker, the detector of speech and the talk key."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable

from aria_desktop.core.audio import AudioChunk
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.errors import EngineFailed
from aria_desktop.core.events import Event, ListeningEnded, ListeningStarted, TalkKeyChanged
from aria_desktop.core.interfaces import Assistant, AudioSink, AudioSource, VoiceActivityDetector
from aria_desktop.core.keys import combination
from aria_desktop.core.requests import KeyMove, MoveTalkKey
from aria_desktop.hotkey import ways
from aria_desktop.hotkey.lines import Ended, Ready
from aria_desktop.hotkey.moves import Move
from aria_desktop.hotkey.process import TalkKeyProcess
from aria_desktop.storage.declarations import MicrophoneSettings, TalkKeySettings
from aria_desktop.storage.program import own_command, own_environment

log = logging.getLogger(__name__)


def detector() -> VoiceActivityDetector:
    from aria_desktop.engines.vad.webrtc import WebRtcDetector

    return WebRtcDetector()


def strict_detector() -> VoiceActivityDetector:
    """Silero behind WebRTC's. Where the network is damaged, WebRTC's alone: worse against noise, but not deaf."""
    from aria_desktop.engines.vad.gated import GatedDetector
    from aria_desktop.engines.vad.silero import SileroDetector
    from aria_desktop.engines.vad.webrtc import WebRtcDetector

    try:
        return GatedDetector(WebRtcDetector(aggressiveness=0), SileroDetector())
    except EngineFailed as error:
        log.warning("%s", error)
        return WebRtcDetector()


def microphone(settings: MicrophoneSettings) -> AudioSource:
    from aria_desktop.audio.microphone import Microphone

    return Microphone(settings.device, settings.channel)


def microphone_names() -> tuple[str, ...]:
    from aria_desktop.audio.devices import microphones

    return tuple(dict.fromkeys(device.name for device in microphones()))


def speaker(name: str, volume: int) -> AudioSink:
    """`volume` in percent."""
    from aria_desktop.audio.gain import gain_of
    from aria_desktop.audio.speaker import Speaker

    return Speaker(name, gain_of(volume))


def read_audio(path: str, cancel: CancelToken) -> AudioChunk:
    from aria_desktop.audio import files

    return files.read_audio(path, cancel)


def wanted_keys(settings: TalkKeySettings) -> ways.Keys:
    return ways.Keys(combination(settings.key), combination(settings.cancel) if settings.cancel else None)


def wanted_ways(settings: TalkKeySettings) -> tuple[str, ...]:
    """In the order in which they are tried."""
    return {"auto": ways.order(), "off": ()}.get(settings.way, (settings.way,))


class TalkKeyListening:
    """The key's process and the assistant, put together: its moves in, the state of the microphone out."""

    def __init__(self, assistant: Assistant, publish: Callable[[Event], None], settings: TalkKeySettings) -> None:
        """`publish`: tells an event to all front ends."""
        self._assistant = assistant
        self._publish = publish
        self._settings = settings
        self._unsubscribe: Callable[[], None] | None = None
        self._helper = self.helper(settings, self._moved, self._changed)

    @staticmethod
    def helper(
        settings: TalkKeySettings, on_move: Callable[[Move], None], on_state: Callable[[Ready | Ended], None]
    ) -> TalkKeyProcess:
        names = ",".join(wanted_ways(settings))
        command = own_command("hotkey", "--key", settings.key, "--cancel", settings.cancel, "--ways", names)
        return TalkKeyProcess(command, own_environment(), on_move, on_state)

    def start(self) -> None:
        """Nothing happens when the key is off."""
        if self._settings.way != "off":
            self._unsubscribe = self._assistant.subscribe(self._heard)
            self._helper.start()

    def close(self) -> None:
        if self._unsubscribe is not None:
            self._unsubscribe()
        self._helper.close()

    def _moved(self, move: Move) -> None:
        request_id = f"key-{uuid.uuid4().hex[:8]}"
        self._assistant.submit(MoveTalkKey(request_id, KeyMove(move.what.value), move.held_s))

    def _heard(self, event: Event) -> None:
        if isinstance(event, ListeningStarted | ListeningEnded):
            self._helper.listening(isinstance(event, ListeningStarted))

    def _changed(self, state: Ready | Ended) -> None:
        self._publish(changed(self._settings.key, state))


def changed(key: str, state: Ready | Ended) -> TalkKeyChanged:
    """What front ends are told of it. Pure."""
    match state:
        case Ready(way, refused):
            detail = " ".join(f"{ways.WORDS[one.way]}: {one.reason}. {one.hint}".strip() for one in refused)
            return TalkKeyChanged(key, ways.WORDS.get(way, ""), detail)
        case Ended(reason):
            return TalkKeyChanged(key, "", f"{reason}.")
