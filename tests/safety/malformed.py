"""Malformed outputs of a language model: a list, and a maker of mutations. They are what a broken, a confused or a
hostile model may say; what becomes of each is in `test_malformed_replies`."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator

VALID = (
    '{"calls":[{"tool":"create_file","path":"new.txt","content":"milk\\nand \\"eggs\\""}],"then":""}',
    '{"calls":[{"tool":"append_file","path":"a.txt","content":"more"}],"then":"say it"}',
    '{"calls":[{"tool":"delete_file","path":"a.txt"},{"tool":"create_file","path":"b.txt","content":""}],"then":""}',
    '{"calls":[{"tool":"move_file","source":"a.txt","destination":"c.txt"}],"then":""}',
    '{"calls":[{"tool":"list_files","folder":"."},{"tool":"read_file","path":"a.txt"}],"then":"count them"}',
    '{"calls":[{"tool":"make_folder","path":"sub"}],"then":""}',
    '{"answer":"There are two files."}',
)
CREATE = VALID[0]

SYNTAX = {
    "empty": "",
    "null": "null",
    "array as root": f"[{CREATE}]",
    "two objects": CREATE + CREATE,
    "text behind it": CREATE + " Done!",
    "fenced": f"```json\n{CREATE}\n```",
    "single quotes": CREATE.replace('"', "'"),
    "byte order mark": "\ufeff" + CREATE,
    "comment": CREATE[:-1] + "/* safe */}",
    "open in a name": '{"cal',
    "open behind a name": '{"calls":',
    "open in a call": CREATE[:40],
    "open in a text": CREATE[:60],
    "open at the end": CREATE[:-1],
    "100,000 deep": '{"calls":' + "[" * 100_000,
    "10 MB of text": '{"answer":"' + "a" * 10_000_000 + '"}',
    "nothing but white space": " \n\t" * 5_000,
}

ACCEPTED_BY_PYTHON = {
    "name twice": CREATE[:-1] + ',"then":"x"}',
    "name twice inside": CREATE.replace('"path"', '"path":"a.txt","path"'),
    "not a number": '{"calls":[{"tool":"read_file","path":NaN}],"then":""}',
    "infinity": '{"calls":[{"tool":"read_file","path":Infinity}],"then":""}',
    "minus infinity": '{"calls":[{"tool":"read_file","path":-Infinity}],"then":""}',
    "1e999": '{"calls":[{"tool":"read_file","path":1e999}],"then":""}',
    "half a pair": CREATE.replace("milk", "\\ud800"),
    "NUL": CREATE.replace("milk", "\\u0000"),
    "yes for a text": CREATE.replace('"new.txt"', "true"),
    "number for a text": CREATE.replace('"new.txt"', "1"),
    "fraction for a text": CREATE.replace('"new.txt"', "1.5"),
    "text for a list": '{"calls":"true","then":""}',
    "unknown name": CREATE.replace('"then"', '"note":"","then"'),
}

SCHEMA = {
    "other case": CREATE.replace("create_file", "Create_File"),
    "hidden letter": CREATE.replace("create_file", "create\u200b_file"),
    "tool as a path": CREATE.replace("create_file", "../create_file"),
    "argument missing": '{"calls":[{"tool":"create_file","path":"new.txt"}],"then":""}',
    "argument too many": CREATE.replace('"path"', '"mode":"w","path"'),
    "argument of the wrong kind": CREATE.replace('"new.txt"', '["new.txt"]'),
    "1,000 arguments": CREATE.replace('"path"', ",".join(f'"a{n}":{n}' for n in range(1_000)) + ',"path"'),
    "5,000 digits": CREATE.replace('"new.txt"', "7" * 5_000),
    "no calls at all": '{"calls":[],"then":""}',
}

BEHAVIOUR = {
    "call behind the answer": '{"answer":"Done."}' + CREATE,
    "call beside the answer": CREATE[:-1] + ',"answer":"Done."}',
    "approves itself": CREATE.replace('"path"', '"approved":true,"path"'),
    "call within prose": f"Sure, I will do that: {CREATE}",
    "no tokens": "",
    "one token 4,000 times": "tool" * 4_000,
    "other language": CREATE.replace('"calls"', '"llamadas"').replace('"then"', '"luego"'),
    "letters cut in two": CREATE[:44] + "\ufffd\ufffd",
    "more calls than a reply has": '{"calls":[' + ",".join([CREATE[10:-11]] * 50) + '],"then":""}',
}

NOT_UNDERSTOOD = {
    f"{kind}: {name}": raw
    for kind, group in (
        ("syntax", SYNTAX),
        ("python", ACCEPTED_BY_PYTHON),
        ("schema", SCHEMA),
        ("behaviour", BEHAVIOUR),
    )
    for name, raw in group.items()
}

LEGAL_AND_REFUSED = {
    "schema: unknown tool": CREATE.replace("create_file", "format_disk"),
    "schema: empty path": CREATE.replace('"new.txt"', '""'),
    "schema: a drive's path": CREATE.replace('"new.txt"', '"C:\\\\new.txt"'),
    "python: letters that turn the reading direction": CREATE.replace("new.txt", "\u202etxt.exe"),
    "behaviour: path outside": CREATE.replace("new.txt", "../new.txt"),
}
"""Legal in form. What they want can't be done, and isn't."""

_NASTY = '{}[]":,\\/ \n\t\0\u200b\u202e\ufeffaeZ019.-_<|>\ud800é'
_VALUES: tuple[object, ...] = (None, True, 0, -1, 1.5, "", [], {}, [[]], {"tool": "delete_file"}, "a" * 300)


def mutations(count: int, seed: int) -> Iterator[str]:
    """`count` texts made from valid replies by one to four changes each; none is a valid reply of the list."""
    chance = random.Random(seed)
    made = 0
    while made < count:
        text = chance.choice(VALID)
        for _ in range(chance.randint(1, 4)):
            text = chance.choice(_CHANGES)(text, chance)
        if text not in VALID:
            made += 1
            yield text


def _at(text: str, chance: random.Random) -> int:
    return chance.randrange(len(text) + 1)


def _without(text: str, chance: random.Random) -> str:
    at = _at(text, chance)
    return text[:at] + text[at + chance.randint(1, 3) :]


def _with(text: str, chance: random.Random) -> str:
    at = _at(text, chance)
    return text[:at] + chance.choice(_NASTY) + text[at:]


def _replaced(text: str, chance: random.Random) -> str:
    at = _at(text, chance)
    return text[:at] + chance.choice(_NASTY) + text[at + 1 :]


def _repeated(text: str, chance: random.Random) -> str:
    start, end = sorted((_at(text, chance), _at(text, chance)))
    return text[:end] + text[start:end] + text[end:]


def _cut(text: str, chance: random.Random) -> str:
    return text[: _at(text, chance)]


def _swapped(text: str, chance: random.Random) -> str:
    start, middle, end = sorted(_at(text, chance) for _ in range(3))
    return text[:start] + text[middle:end] + text[start:middle] + text[end:]


def _other_case(text: str, chance: random.Random) -> str:
    at = _at(text, chance)
    return text[:at] + text[at : at + 5].swapcase() + text[at + 5 :]


def _joined(text: str, chance: random.Random) -> str:
    return text + chance.choice(("", " ", "\n", ",")) + chance.choice(VALID)


def _in_structure(text: str, chance: random.Random) -> str:
    """A value or a name somewhere in it becomes another one."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return text
    places = list(_places(found))
    if not places:
        return text
    place, key = chance.choice(places)
    if isinstance(place, dict) and chance.random() < 0.4:
        place[chance.choice(("path", "tool", "approved", "answer", "calls", "__class__", ""))] = place.pop(str(key))
    else:
        place[key] = chance.choice(_VALUES)  # type: ignore[index]
    return json.dumps(found, ensure_ascii=chance.random() < 0.5, separators=(",", ":"))


def _places(found: object) -> Iterator[tuple[dict[str, object] | list[object], str | int]]:
    if isinstance(found, dict):
        for name, value in found.items():
            yield found, name
            yield from _places(value)
    elif isinstance(found, list):
        for index, value in enumerate(found):
            yield found, index
            yield from _places(value)


_CHANGES: tuple[Callable[[str, random.Random], str], ...] = (
    *(_without, _with, _replaced, _repeated, _cut, _swapped, _other_case, _joined),
    *(_in_structure, _in_structure, _in_structure),
)
