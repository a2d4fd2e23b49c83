"""Move the talk key of the window that is open: for a desktop's own shortcuts, a mouse button, a foot switch. Ends with
0 when the window took it, with 7 when no window is open."""

from __future__ import annotations

import argparse

MOVES = {
    "start": "listen, when the microphone is closed",
    "stop": "send what was said, when it is open",
    "toggle": "the one or the other",
    "cancel": "forget what is being said; when nothing is, stop the turn",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    moves = parser.add_subparsers(dest="move", metavar="MOVE", required=True)
    for name, words in MOVES.items():
        moves.add_parser(name, help=words)


def run(arguments: argparse.Namespace) -> int:
    from aria_desktop.app import running_assistant
    from aria_desktop.commands.answers import answer_to
    from aria_desktop.commands.turns import new_id
    from aria_desktop.core.errors import DatabaseBusy, ExitCode
    from aria_desktop.core.events import TalkAct, TalkKeyMoved
    from aria_desktop.core.requests import KeyMove, MoveTalkKey

    words = {
        TalkAct.LISTEN: "listening",
        TalkAct.SEND: "sent",
        TalkAct.DROP: "forgotten",
        TalkAct.HANDS_FREE: "listening, hands-free",
        TalkAct.HANDS_OFF: "hands-free is off",
        TalkAct.STOP_TURN: "stopped what was running, if anything was",
        TalkAct.NOTHING: "nothing to do",
    }
    with running_assistant() as assistant:
        if assistant is None:
            raise DatabaseBusy("No window of ARIA is open that could listen.", "Open it: aria window")
        moved = answer_to(assistant, MoveTalkKey(new_id(), KeyMove(arguments.move)), TalkKeyMoved)
    print(words[moved.act])
    return ExitCode.OK
