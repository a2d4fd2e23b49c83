"""The settings file: TOML in, one typed value out, and single settings written back.

A file is judged as a whole: every problem is found and reported in one SettingsError, with its line, what is
allowed and the nearest right name. A name that is close to a known one is a misspelling and a problem; one that
is like none belongs to another version or another program, is no problem, and is never lost on writing.
Writing keeps comments, order and everything else of the file, and happens all at once or not at all.
"""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aria_desktop.core.errors import SettingsError
from aria_desktop.storage.declarations import Settings, declared, names, sections
from aria_desktop.storage.files import replace_file, storage_error
from aria_desktop.storage.rules import Number, Rule, rule_of
from aria_desktop.storage.toml_text import TomlTrouble, line_of, parsed, with_value

__all__ = ["Reading", "Settings", "load_settings", "parse_setting", "read_settings", "save_setting"]

_NEAR = 0.75
"""Likeness (difflib) from which on a name counts as a misspelling of a known one."""
_LARGEST = 262_144
"""Bytes; no settings file is longer."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a settings file says."""

    settings: Settings
    """Defaults stand in for what is missing or wrong."""
    problems: tuple[str, ...]
    """One sentence each, in the order of the file."""
    unknown: tuple[str, ...]
    """Names that mean nothing here and are kept."""


def load_settings(path: Path) -> Settings:
    """The settings of a file; all defaults when there is none. Raises SettingsError listing every problem."""
    reading = read_settings(path)
    if not reading.problems:
        return reading.settings
    count = "a problem" if len(reading.problems) == 1 else f"{len(reading.problems)} problems"
    listed = "\n".join(f"  {problem}" for problem in reading.problems)
    raise SettingsError(f"{path} has {count}:\n{listed}", "Correct the file, or delete a line to get its default.")


def read_settings(path: Path) -> Reading:
    """Like `load_settings`, with the problems as data. Raises SettingsError when the file can't be read at all."""
    text = _text_of(path)
    try:
        return _judge(text, parsed(text))
    except TomlTrouble as trouble:
        return Reading(Settings(), (str(trouble),), ())


def parse_setting(name: str, text: str) -> object:
    """The value of setting `name` ("section.name") that `text` from a command line means. Raises SettingsError."""
    rule = _rule_for(name)
    value = rule.parse(text)
    _check(name, rule, value)
    return value


def save_setting(path: Path, name: str, value: object) -> None:
    """Write one setting ("section.name") and leave all else in the file as it is.

    Raises SettingsError when there is no such setting, the value does not fit, or the file is no TOML;
    StorageError when it can't be written.
    """
    rule = _rule_for(name)
    _check(name, rule, value)
    section, key = name.split(".")
    try:
        changed = with_value(_text_of(path), section, key, value)
    except TomlTrouble as trouble:
        raise SettingsError(f"{path}: {trouble}", "Correct the file by hand.") from trouble
    if against := contradictions(_judge(changed, parsed(changed)).settings):
        raise SettingsError(" ".join(against), "Change the other setting first.")
    replace_file(path, changed.encode("utf-8"))


def contradictions(settings: Settings) -> tuple[str, ...]:
    """Settings that are right on their own and can't hold together."""
    model = settings.language_model
    lengths = {"max_tokens": model.max_tokens, "code_tokens": model.code_tokens}
    return tuple(
        f"language_model.{name} is {tokens}, which leaves no room in context_tokens ({model.context_tokens})."
        for name, tokens in lengths.items()
        if tokens >= model.context_tokens
    )


def _text_of(path: Path) -> str:
    try:
        if not path.exists():
            return ""
        if not path.is_file() or path.stat().st_size > _LARGEST:
            raise SettingsError(f"{path} is no settings file.", "Move it away; then the defaults hold.")
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise SettingsError(storage_error("read", path, error).text, "Check who may read it.") from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise SettingsError(f"{path}, line {line}: this is not UTF-8 text.", "Save the file as UTF-8.") from error


def _judge(text: str, data: dict[str, Any]) -> Reading:
    problems: list[str] = []
    unknown: list[str] = []
    values: dict[str, dict[str, Any]] = {}
    known = sections()
    for name, content in data.items():
        if name not in known:
            _sort_unknown(text, name, list(known), problems, unknown)
        elif not isinstance(content, dict):
            problems.append(f"{_line(text, name)}{name} is a section: write [{name}] and its settings below it.")
        else:
            values[name] = _judge_section(text, name, content, problems, unknown)
    settings = Settings(**{name: section(**values.get(name, {})) for name, section in known.items()})
    problems.extend(contradictions(settings))
    return Reading(settings, tuple(problems), tuple(unknown))


def _judge_section(
    text: str, section: str, content: dict[str, Any], problems: list[str], unknown: list[str]
) -> dict[str, Any]:
    """The values that fit; what does not is added to `problems` or `unknown`."""
    known = declared(sections()[section])
    values: dict[str, Any] = {}
    for key, value in content.items():
        name = f"{section}.{key}"
        if key not in known:
            _sort_unknown(text, name, [f"{section}.{other}" for other in known], problems, unknown)
        elif not rule_of(known[key]).fits(value):
            problems.append(f"{_line(text, name)}{_misfit(name, rule_of(known[key]), value)}")
        else:
            values[key] = float(value) if isinstance(rule_of(known[key]), Number) else value
    return values


def _sort_unknown(text: str, name: str, known: list[str], problems: list[str], unknown: list[str]) -> None:
    near = _nearest(name, known)
    astray = [full for full in names() if full.endswith(f".{name}")]
    if near:
        problems.append(f"{_line(text, name)}there is no {name}. {near} is the nearest.")
    elif astray:
        problems.append(f"{_line(text, name)}{name} is in no section. It belongs in [{astray[0].split('.')[0]}].")
    else:
        unknown.append(name)


def _nearest(name: str, known: list[str]) -> str:
    """Compared without the section they share, which would make everything alike."""
    short = {full.rpartition(".")[2]: full for full in known}
    found = difflib.get_close_matches(name.rpartition(".")[2].lower(), list(short), n=1, cutoff=_NEAR)
    return short[found[0]] if found else ""


def _rule_for(name: str) -> Rule:
    known = list(names())
    if name in known:
        section, key = name.split(".")
        return rule_of(declared(sections()[section])[key])
    near = [full for full in known if full.endswith(f".{name}")]
    near += difflib.get_close_matches(name.lower(), known, n=1, cutoff=_NEAR)
    hint = f"{near[0]} is the nearest." if near else "`aria settings show` lists them all."
    raise SettingsError(f"There is no setting {name}.", hint)


def _check(name: str, rule: Rule, value: object) -> None:
    if not rule.fits(value):
        raise SettingsError(_misfit(name, rule, value))


def _misfit(name: str, rule: Rule, value: object) -> str:
    shown = json.dumps(value, ensure_ascii=False, default=str)
    return f"{name} is {shown if len(shown) <= 60 else shown[:57] + '...'}, and must be {rule.allowed}."


def _line(text: str, name: str) -> str:
    number = line_of(text, name)
    return f"line {number}: " if number else ""
