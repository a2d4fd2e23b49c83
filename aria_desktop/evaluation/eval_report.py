"""report.html: the figures side by side, and for each failed case all that is needed to see why.

One file that needs nothing else: no network, no script library. What models, files and cases say is text and is never
taken for markup; characters that hide or reorder text are spelled out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from aria_desktop import __version__
from aria_desktop.core.errors import AriaError
from aria_desktop.core.visible import spelled_out
from aria_desktop.evaluation.charts import Group, Share, bars
from aria_desktop.evaluation.eval_summary import KindFigures, ModelFigures
from aria_desktop.evaluation.eval_tables import rows
from aria_desktop.evaluation.results import CaseResult, RecordedReply
from aria_desktop.storage.files import replace_file


@dataclass(frozen=True, slots=True)
class Look:
    style: str
    script: str


def read_look(resources: Path) -> Look:
    """Raises AriaError when the program is not whole."""
    own = resources / "evaluation"
    try:
        return Look((own / "report.css").read_text("utf-8"), (own / "report.js").read_text("utf-8"))
    except OSError as error:
        raise AriaError(
            f"The look of the report in {own} can't be read: {error.strerror}.", "Install ARIA again."
        ) from error


def write_report(
    folder: Path, models: Sequence[ModelFigures], results: Sequence[CaseResult], facts: Mapping[str, str], look: Look
) -> None:
    """`facts`: what the run was, by name: the case file, the machine, the parts left out."""
    replace_file(folder / "report.html", page(models, results, facts, look).encode("utf-8"))


def page(models: Sequence[ModelFigures], results: Sequence[CaseResult], facts: Mapping[str, str], look: Look) -> str:
    failed = [result for result in results if not result.passed]
    names = [model.model for model in models]
    withheld = sum(len(result.withheld) for result in results)
    return "".join(
        (
            '<!doctype html><html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>ARIA Desktop: evaluation</title><style>{look.style}</style></head><body><main>",
            f"<h1>Evaluation</h1><p>ARIA Desktop {escape(__version__)}. {_facts(facts)}</p>",
            _figures_table(models),
            "<h2>Passed in full, by kind</h2>",
            _legend(names),
            bars("Share of cases passed in full, by kind", _groups(models), names),
            "<p>Lines are Wilson intervals at 95 %.</p>",
            f"<h2>Withheld calls ({withheld})</h2>{''.join(_withheld_rows(results)) or '<p>None.</p>'}",
            f"<h2>Failed cases ({len(failed)} of {len(results)})</h2>",
            _filters(failed),
            *(_case(result) for result in failed),
            f"</main><script>{look.script}</script></body></html>\n",
        )
    )


def _facts(facts: Mapping[str, str]) -> str:
    return " ".join(f"{_text(name)}: {_text(value)}." for name, value in facts.items())


def _figures_table(models: Sequence[ModelFigures]) -> str:
    head = "".join(f"<th scope=col>{_text(model.model)}" for model in models)
    body = "".join(
        f"<tr><th scope=row>{name}" + "".join(f"<td>{escape(cell)}" for cell in cells) for name, *cells in rows(models)
    )
    return f'<div class="wide"><table><thead><tr><th scope=col>Figure{head}</thead><tbody>{body}</tbody></table></div>'


def _legend(models: Sequence[str]) -> str:
    items = (f'<li><span class="mark s{index % 6}"></span>{_text(name)}' for index, name in enumerate(models))
    return f'<ul class="legend">{"".join(items)}</ul>'


def _groups(models: Sequence[ModelFigures]) -> list[Group]:
    kinds = dict.fromkeys(kind for model in models for kind in model.by_kind)
    whole = Group("all", tuple(Share(model.passed, model.cases) for model in models))
    return [whole, *(Group(kind, tuple(_share(model.by_kind.get(kind)) for model in models)) for kind in kinds)]


def _share(found: KindFigures | None) -> Share | None:
    return Share(found.passed, found.cases) if found else None


def _withheld_rows(results: Sequence[CaseResult]) -> Iterator[str]:
    for result in results:
        for call in result.withheld:
            said = f"{_text(result.case)} ({_text(result.model)}): {_code(call.tool, call.arguments)}"
            yield f'<p class="withheld">{said} {_text(call.reason)}</p>'


def _filters(failed: Sequence[CaseResult]) -> str:
    def choice(name: str, values: Sequence[str]) -> str:
        options = "".join(f"<option>{_text(value)}" for value in dict.fromkeys(values))
        return f'<label>{name.capitalize()} <select data-filter="{name}"><option value="">all{options}</select></label>'

    return (
        '<form class="filters">'
        + choice("model", [result.model for result in failed])
        + choice("kind", [result.kind for result in failed])
        + choice("check", ["tools", "state", "answer"])
        + '<label>Words <input type="search" data-filter="words"></label> <output></output></form>'
    )


def _case(result: CaseResult) -> str:
    failed = " ".join(
        name
        for name, ok in (("tools", result.tools_ok), ("state", result.state_ok), ("answer", result.answer_ok))
        if ok is False
    )
    repeat = f", repeat {result.repeat}" if result.repeat > 1 else ""
    return (
        f'<details class="case" data-model="{_text(result.model)}" data-kind="{_text(result.kind)}" '
        f'data-check="{failed}"><summary><b>{_text(result.case)}</b> <span class="kind">{_text(result.kind)}</span> '
        f'{_text(result.say)} <span class="model">{_text(result.model)}{repeat}</span></summary>'
        f'<ul class="reasons">{"".join(f"<li>{_text(reason)}" for reason in result.reasons)}</ul>'
        f"<dl>{''.join(_told(result))}</dl></details>"
    )


def _told(result: CaseResult) -> Iterator[str]:
    yield _entry("Said and heard", f"<q>{_text(result.say)}</q>")
    if result.start:
        yield _entry("Starts from", _json(result.start))
    yield _entry("Called", "<br>".join(_calls(result)) or "nothing")
    if result.withheld:
        yield _entry("Withheld", "<br>".join(_code(call.tool, call.arguments) for call in result.withheld))
    if result.asked:
        yield _entry("Asked", _text("; ".join(result.asked)))
    yield _entry("Answered", f"<q>{_text(result.answer)}</q>" if result.answer else "nothing")
    yield _entry("Expected", _json(result.expect))
    yield _entry("Files afterwards", _json(result.files) if result.files else "none")
    if result.error:
        yield _entry("Error", _text(result.error))
    yield _entry("Model wrote", "".join(map(_reply, result.replies)) or "nothing")
    yield _entry("Took", f"{result.seconds:.2f} s, {_tokens(result)}")


def _tokens(result: CaseResult) -> str:
    return f"{result.tokens_evaluated:,} tokens evaluated, {result.tokens_generated:,} generated"


def _calls(result: CaseResult) -> Iterator[str]:
    for call in result.calls:
        forbidden = ' <b class="bad">forbidden</b>' if call.tool in result.forbidden else ""
        yield f"{_code(call.tool, call.arguments)} {call.outcome.value}{forbidden}: {_text(call.text)}"


def _reply(reply: RecordedReply) -> str:
    notes = [] if reply.legal or not reply.reply else ["not legal"]
    notes += [] if reply.complete else ["cut off"]
    notes += [_choice(choice) for choice in reply.tool_choices]
    return f"<pre>{_text(reply.text)}</pre>" + (f'<p class="note">{_text("; ".join(notes))}</p>' if notes else "")


def _choice(choice: Mapping[str, object]) -> str:
    first, second = (f"{float(str(choice[name])):.2f}" for name in ("probability", "runner_up_probability"))
    runner_up = f", then {choice['runner_up']} {second}" if choice["runner_up"] else ""
    return f"{choice['name']} {first}{runner_up}"


def _entry(name: str, content: str) -> str:
    return f"<dt>{name}<dd>{content}"


def _code(tool: str, arguments: Mapping[str, object]) -> str:
    shown = ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in arguments.items())
    return f"<code>{_text(tool)}({_text(shown)})</code>"


def _json(value: Mapping[str, object] | Mapping[str, str]) -> str:
    lines = (f"{name}: {json.dumps(content, ensure_ascii=False)}" for name, content in value.items())
    return f"<pre>{_text(chr(10).join(lines))}</pre>"


def _text(text: str) -> str:
    return escape(spelled_out(text), quote=True)
