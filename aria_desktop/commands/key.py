"""The talk key: which ways of hearing it work here, and a page to try it on. An open window of ARIA has the
key: close it first."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aria_desktop.hotkey.lines import Ended, Ready
    from aria_desktop.hotkey.moves import Move
    from aria_desktop.storage.declarations import TalkKeySettings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    actions.add_parser("ways", help="every way, and why those that don't work here don't")
    test = actions.add_parser("test", help="shows each press and release of the key, until Ctrl+C or --seconds")
    test.add_argument("--key", default="", metavar="KEY", help='instead of the one that is set, e.g. "f9"')
    test.add_argument("--way", default="", choices=("portal", "x11", "evdev", "pynput"), help="only this one")
    test.add_argument("--seconds", type=float, default=0.0, metavar="N", help="end by itself")


def run(arguments: argparse.Namespace) -> int:
    from dataclasses import replace

    from aria_desktop.core.errors import UsageError
    from aria_desktop.core.keys import combination
    from aria_desktop.storage.paths import find_paths
    from aria_desktop.storage.settings import load_settings

    settings = load_settings(find_paths().settings_file).talk_key
    if arguments.action == "ways":
        return _ways(settings)
    try:
        key = str(combination(arguments.key)) if arguments.key else settings.key
    except ValueError as error:
        raise UsageError(f"{error}.", "Keys are named in docs/guide/talking.md.") from error
    return _test(replace(settings, key=key, way=arguments.way or settings.way), arguments.seconds)


def _ways(settings: TalkKeySettings) -> int:
    from aria_desktop.app_audio import wanted_keys
    from aria_desktop.hotkey.ways import WORDS, look_at, order

    found = look_at(wanted_keys(settings), order())
    for one in found:
        words = "works" if not one.reason else f"does not: {one.reason}"
        print(f"{one.way.ljust(8)} {words}  ({WORDS[one.way]})")
        if one.hint:
            print(" " * 9 + one.hint)
    print("command  works  (aria talk start|stop|toggle|cancel, bound to any key in the desktop's settings)")
    return 0 if any(not one.reason for one in found) else 1


def _test(settings: TalkKeySettings, seconds: float) -> int:
    """Ends with 0 when the key was pressed, with 1 when it was not or can't be heard."""
    import queue
    import time

    from aria_desktop.app_audio import TalkKeyListening
    from aria_desktop.hotkey.lines import Ready
    from aria_desktop.hotkey.moves import Move, What

    told: queue.SimpleQueue[Ready | Ended | Move] = queue.SimpleQueue()
    helper = TalkKeyListening.helper(settings, told.put, told.put)
    helper.start()
    presses, until = 0, time.monotonic() + seconds
    try:
        while True:
            left = max(0.0, until - time.monotonic()) if seconds else None
            try:
                one = told.get(timeout=left)
            except queue.Empty:
                break
            print(_words(settings.key, one), flush=True)
            if not isinstance(one, Move) and not (isinstance(one, Ready) and one.way):
                break
            presses += isinstance(one, Move) and one.what is What.PRESS
    except KeyboardInterrupt:
        print()
    finally:
        helper.close()
    return 0 if presses else 1


def _words(key: str, told: Ready | Ended | Move) -> str:
    from aria_desktop.app_audio import changed
    from aria_desktop.hotkey.moves import Move, What

    if not isinstance(told, Move):
        state = changed(key, told)
        if state.way:
            return f"Hold {key}, and let it go. It is heard by {state.way}.\n{state.detail}".rstrip()
        return f"{key} can't be heard. {state.detail}"
    match told.what:
        case What.PRESS:
            return "[#] down"
        case What.RELEASE:
            return f"[ ] up after {told.held_s:.2f} s"
        case What.CANCEL:
            return "    cancel"
