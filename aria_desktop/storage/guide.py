"""The guide to the settings, written from their declarations. docs/guide/settings.md is its output, and a test
keeps it so."""

from __future__ import annotations

from dataclasses import Field
from typing import Any

from aria_desktop.storage.declarations import declared, sections
from aria_desktop.storage.rules import as_toml, default_of, rule_of

_HEAD = """\
# Settings

<!-- Written by `aria settings guide`; change aria_desktop/storage/declarations.py instead. -->

`aria settings path` prints where the file is. It is TOML, and only has to hold what differs from the default:

```toml
[voice]
speed = 1.2
```

`aria settings set voice.speed 1.2` writes the same and leaves comments and everything else as they are.
`aria settings show` prints every value, and `aria settings check` lists all problems of the file at once, with their
lines. While the file has a problem, ARIA does not start; a line that is deleted gets its default. A name that this
version does not know is kept and has no effect, unless it looks like a misspelling of one that it knows.
"""

_PLACES = """
## Where things are

| variable | |
|---|---|
| `ARIA_HOME` | a folder for settings, database, logs and the local socket, instead of the system's places |
| `ARIA_MODELS` | the folder of the models |
| `ARIA_OUTPUT` | the folder that ARIA works in when none is named |

An empty variable counts as unset. Without them, a checkout uses its own `models/` and `output/`; an installed program
uses the system's data folder and `Documents/ARIA`. When a file named `aria-portable` lies beside the program (in a
checkout: at its top), all of it is kept in `aria-data` there; a checkout's `models/` and `output/` stay where they are.
"""


def settings_guide() -> str:
    tables = (_table(name, kind) for name, kind in sections().items())
    return _HEAD + "".join(tables) + _PLACES


def _table(section: str, kind: type[Any]) -> str:
    title = f"\n## `[{section}]`\n\n{kind.__doc__}\n\n| setting | default | may be | |\n|---|---|---|---|\n"
    return title + "".join(_row(name, entry) for name, entry in declared(kind).items())


def _row(name: str, entry: Field[Any]) -> str:
    rule = rule_of(entry)
    return f"| `{name}` | `{as_toml(default_of(entry))}` | {rule.allowed} | {entry.metadata['words']} |\n"
