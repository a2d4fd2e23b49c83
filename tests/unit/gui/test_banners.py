from __future__ import annotations

from aria_desktop.core import events
from aria_desktop.core.events import Problem
from aria_desktop.core.safe_mode import SafeMode
from aria_desktop.gui.state.banners import Banner, Banners, Do, of_engine, of_problem, of_safe_mode, of_talk_key
from aria_desktop.gui.state.turn import Tone


def _banner(key: str, text: str = "") -> Banner:
    return Banner(key, Tone.DOUBT, text or key, "")


def test_a_talk_key_that_nobody_hears_is_told_with_the_ways_out() -> None:
    assert of_talk_key(events.TalkKeyChanged("f9", "the X server")) is None
    banner = of_talk_key(events.TalkKeyChanged("f9", "", "the X server: another program has the key f9."))
    assert banner is not None
    assert "f9" in banner.text
    assert "another program has the key" in banner.hint
    assert "aria talk toggle" in banner.hint


def test_the_newest_two_are_shown_and_the_rest_counted() -> None:
    banners = Banners()
    for key in ("a", "b", "c", "d"):
        banners.show(_banner(key))
    assert [banner.key for banner in banners.shown()] == ["d", "c"]
    assert banners.more == 2
    banners.close("d")
    assert [banner.key for banner in banners.shown()] == ["c", "b"]
    assert banners.more == 1


def test_the_same_key_takes_its_place_and_comes_to_the_front() -> None:
    banners = Banners()
    for banner in (_banner("a", "first"), _banner("b"), _banner("a", "second")):
        banners.show(banner)
    assert [banner.text for banner in banners.shown()] == ["second", "b"]
    assert banners.more == 0


def test_closing_what_is_not_there_is_nothing() -> None:
    banners = Banners()
    banners.close("a")
    assert banners.shown() == ()


def test_yours_to_do_is_amber_and_failed_is_red() -> None:
    yours = of_problem(Problem("", "microphone_missing", "No microphone.", "Plug one in."))
    failed = of_problem(Problem("", "disk_full", "The disk is full.", "Free some space."))
    assert (yours.tone, failed.tone) == (Tone.DOUBT, Tone.LOSS)
    assert (failed.text, failed.hint) == ("The disk is full.", "Free some space.")


def test_a_dead_part_offers_where_it_is_put_right() -> None:
    offered = {
        error: of_problem(Problem("", error, "It is gone.", "")).do
        for error in ("disk_full", "microphone_missing", "speaker_missing", "model_missing", "usage")
    }
    assert offered == {
        "disk_full": Do.ROOM,
        "microphone_missing": Do.MICROPHONE,
        "speaker_missing": Do.LOUDSPEAKER,
        "model_missing": Do.MODELS,
        "usage": None,
    }
    failed = of_engine(
        events.EngineChanged(events.EngineRole.VOICE, events.EngineState.FAILED, "joe", "It is damaged.")
    )
    assert failed is not None
    assert failed.do is Do.MODELS


def test_safe_mode_says_why_and_has_a_button_only_where_it_works() -> None:
    here = of_safe_mode(SafeMode(3, lambda: None))
    assert here.do is Do.USUAL_START
    assert "3 times in a row" in here.hint
    alone = of_safe_mode(SafeMode(2, None))
    assert alone.do is None
    assert alone.hint.endswith("start it again to leave it.")
