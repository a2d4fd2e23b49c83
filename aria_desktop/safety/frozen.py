"""A call as it is decided about: nothing in it can change any more, and its hash tells it from every other.

What a person is shown is made from the frozen call, and the hash is compared again right before it acts.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import NoReturn

from aria_desktop.core.chat import ToolCall


def frozen(call: ToolCall) -> ToolCall:
    """The same call with its own copy of all its arguments, read-only to the innermost."""
    return ToolCall(call.id, call.tool, MappingProxyType({k: _fixed(v) for k, v in call.arguments.items()}))


def fingerprint(call: ToolCall) -> str:
    """SHA-256 over the tool and all arguments; two calls that differ in anything but their ids differ in it."""
    text = json.dumps([call.tool, _plain(call.arguments)], sort_keys=True, ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


class _FixedDict(dict[str, object]):
    """Takes no change, and is written as JSON like any other: a call of a tool that there is not may hold anything."""

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("a frozen call does not change")

    __setitem__ = __delitem__ = __ior__ = update = setdefault = pop = popitem = clear = _refuse


def _fixed(value: object) -> object:
    if isinstance(value, Mapping):
        return _FixedDict({name: _fixed(inner) for name, inner in value.items()})
    if isinstance(value, list | tuple):
        return tuple(_fixed(inner) for inner in value)
    return value


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value
