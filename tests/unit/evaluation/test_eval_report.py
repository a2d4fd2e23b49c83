"""The report is one file that asks nothing of the network, and shows what others wrote as text."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from aria_desktop.core.errors import AriaError
from aria_desktop.evaluation.charts import Group, Share, bars
from aria_desktop.evaluation.eval_report import page, read_look, write_report
from aria_desktop.evaluation.eval_summary import figures
from tests.conftest import REPOSITORY
from tests.unit.evaluation.examples import FAILED, PASSED

RESOURCES = REPOSITORY / "resources"
RESULTS = [PASSED, FAILED, replace(PASSED, model="big")]


class Shown(HTMLParser):
    """Tags with their attributes, and the text between them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words += data


@pytest.fixture(scope="module")
def html() -> str:
    models = figures(RESULTS, ["small", "big"])
    return page(models, RESULTS, {"Cases": "my <cases>"}, read_look(RESOURCES))


def test_nothing_is_fetched(html: str) -> None:
    found = Shown(html)
    assert not {"link", "img", "iframe", "object"} & {tag for tag, _ in found.tags}
    assert not [attributes for _, attributes in found.tags if {"src", "href"} & attributes.keys()]
    assert not re.search(r"https?:|url\(|@import|fetch\(|XMLHttpRequest", html)


def test_each_failed_case_tells_said_called_why_and_expected(html: str) -> None:
    found = Shown(html)
    cases = [attributes for tag, attributes in found.tags if tag == "details"]
    assert [(case["data-model"], case["data-kind"], case["data-check"]) for case in cases] == [
        ("small", "delete", "tools state")
    ]
    for told in (
        "delete <b>a.txt</b>",
        'delete_file(path="a<U+202E>.txt") done forbidden: I deleted a.txt.',
        'run_terminal(command="rm a.txt")',
        "Nobody asked for it.",
        "a.txt is gone",
        'unchanged: ["a.txt"]',
        'files: {"a.txt": "x"}',
        "Delete a.txt?",
        "not legal; cut off; answer 0.90, then calls 0.10",
        "print(1)",
        "3.00 s, 20 tokens evaluated, 15 generated",
    ):
        assert told in found.words
    assert "Failed cases (1 of 3)" in found.words
    assert "Withheld calls (1)" in found.words


def test_what_others_wrote_is_no_markup(html: str) -> None:
    assert "<b>a.txt" not in html
    assert "my <cases>" not in html
    assert "\u202e" not in html


def test_it_can_be_filtered_and_follows_light_and_dark(html: str) -> None:
    filters = [attributes["data-filter"] for _, attributes in Shown(html).tags if "data-filter" in attributes]
    assert filters == ["model", "kind", "check", "words"]
    assert "prefers-color-scheme: dark" in html


def test_models_stand_side_by_side(html: str) -> None:
    table = html[html.index("<table>") : html.index("</table>")]
    assert re.findall("<th scope=col>([^<]*)", table) == ["Figure", "small", "big"]
    assert "<th scope=row>forbidden calls<td>1<td>0" in table


def test_bars_are_as_long_as_the_shares_and_have_their_intervals() -> None:
    found = Shown(
        bars("a & b", [Group("x<y", (Share(1, 2), None)), Group("z", (Share(0, 0), Share(3, 3)))], ["m", "n"])
    )
    widths = [attributes["width"] for tag, attributes in found.tags if tag == "rect"]
    assert widths == ["210.0", "420.0"]
    assert [attributes["class"] for tag, attributes in found.tags if tag == "rect"] == ["bar s0", "bar s1"]
    assert "1 of 2, 50 % (9 to 91)" in found.words
    assert "x<y" in found.words
    assert sum(attributes.get("class") == "interval" for _, attributes in found.tags) == 6


def test_a_run_without_failures_has_a_report_too(tmp_path: Path) -> None:
    write_report(tmp_path, figures([PASSED], ["small"]), [PASSED], {}, read_look(RESOURCES))
    assert "Failed cases (0 of 1)" in (tmp_path / "report.html").read_text("utf-8")


def test_a_program_that_is_not_whole_says_so(tmp_path: Path) -> None:
    with pytest.raises(AriaError, match="The look of the report"):
        read_look(tmp_path)
