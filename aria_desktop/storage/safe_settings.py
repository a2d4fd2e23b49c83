"""The settings of a window in safe mode: defaults, but for what must not change without the user.

What is kept and for how long stays as it was set: defaults would delete. So does what has ARIA ask before it acts, and
keep quiet; and how the window's words can be read.
"""

from __future__ import annotations

from dataclasses import replace

from aria_desktop.storage.declarations import Settings


def safe_settings(settings: Settings) -> Settings:
    usual = Settings()
    return replace(
        usual,
        history=settings.history,
        undo=settings.undo,
        microphone=replace(usual.microphone, confirm_words=settings.microphone.confirm_words),
        talk_key=replace(usual.talk_key, way="off"),
        voice=replace(usual.voice, speak_replies=settings.voice.speak_replies, earcons=settings.voice.earcons),
        window=replace(settings.window, overlay=False, tray=False),
    )
