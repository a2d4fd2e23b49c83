"""What is said of a language model before it is used."""

from __future__ import annotations

import pytest

from aria_desktop.catalog.catalog import ChatTemplate
from aria_desktop.catalog.gguf import GgufFacts
from aria_desktop.catalog.suitability import family_in, remarks
from aria_desktop.engines.language.templates import FAMILIES, TEMPLATES
from tests.conftest import REPOSITORY

PUBLISHED = REPOSITORY / "tests" / "data" / "templates"
CHATML = "{% for m in messages %}<|im_start|>{{ m }}<|im_end|>{% endfor %}"
WITH_TOOLS = CHATML + "{{ tools }}"


def said(template: str, tokens: int = 8192, chosen: ChatTemplate | None = None) -> str:
    return "; ".join(remarks(GgufFacts("llama", tokens, template), chosen))


@pytest.mark.parametrize("path", sorted(PUBLISHED.glob("*.jinja")), ids=lambda path: path.stem)
def test_published_templates_are_of_their_family_and_know_tools(path) -> None:  # type: ignore[no-untyped-def]
    template = path.read_text("utf-8")
    family = family_in(template)
    assert family is not None
    assert path.name.startswith(family.value)
    assert bool(said(template)) is (family is ChatTemplate.GEMMA)


def test_the_catalogue_and_the_engine_know_the_same_families() -> None:
    assert {family.value for family in ChatTemplate} == set(FAMILIES)
    for name, template in TEMPLATES.items():
        family = family_in(" ".join(template.marks))
        assert family is not None, name
        assert family.value == template.family


def test_a_good_model_needs_no_words() -> None:
    assert said(WITH_TOOLS) == ""
    assert said(WITH_TOOLS, tokens=0) == ""


def test_no_known_chat_form() -> None:
    assert said("<|user|>{{ tools }}") == "trained for no known chat form; ARIA can't use it"
    assert "can't" not in said("<|user|>{{ tools }}", chosen=ChatTemplate.GEMMA)
    assert "names no chat form" in said("")
    assert said("", chosen=ChatTemplate.CHATML) == ""


def test_no_tools() -> None:
    assert said(CHATML) == "not trained to call tools; it may choose the wrong one more often"


def test_a_broken_template() -> None:
    assert said(WITH_TOOLS + "{% if") == "its chat template is broken; ARIA writes the chatml form itself"


@pytest.mark.parametrize(("tokens", "tiny"), [(512, True), (3071, True), (3072, False), (131_072, False)])
def test_a_tiny_context(tokens: int, tiny: bool) -> None:
    assert ("ARIA needs 3072" in said(WITH_TOOLS, tokens)) is tiny
