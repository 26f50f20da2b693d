"""Example scenes as cards: title, one sentence on the topic, and thumbnail."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from framescope import assets
from framescope.app.session.scene_lookup import DEMO, example_names, example_path
from framescope.core.scene.schema.plain_scalars import plain_scalar
from framescope.ui.palette.example_card import ExampleCard
from framescope.ui.theme.tokens import THEMES

_HEAD_BYTES = 8000
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`]|[a-z]\b)")
_HEADING_WORDS = 5
_LONG_SENTENCE = 100
"""Length above which a sentence is cut at its first colon or semicolon, characters."""


@cache
def example_cards() -> tuple[ExampleCard, ...]:
    """Return the cards of all examples, the demo first."""
    names = sorted(example_names(), key=lambda name: (name != DEMO, name))
    return tuple(_card(name) for name in names)


def picture_path(name: str, theme: str) -> Path:
    """Return the path of an example's thumbnail."""
    return assets.path("gallery") / f"{name}-{theme}.png"


def _card(name: str) -> ExampleCard:
    with example_path(name).open(encoding="utf-8") as file:
        head_text = file.read(_HEAD_BYTES)
    title = title_of(head_text) or name
    return ExampleCard(name, title, teaches(head_text), {theme: picture_path(name, theme) for theme in THEMES})


def title_of(text: str) -> str:
    r"""Return the title in the text of a scene without parsing the whole text. It is empty when there is none.

    >>> title_of("# A comment\nframescope: 1\ntitle: 'Two: pendulums'\n")
    'Two: pendulums'
    """
    match = re.search(r"^title:[ \t]*(.+?)[ \t]*$", text, re.MULTILINE)
    if match is None:
        return ""
    scalar = match.group(1)
    if scalar[0] in "'\"" and scalar.endswith(scalar[0]) and len(scalar) > 1:
        return scalar[1:-1]
    return str(plain_scalar(scalar))


def teaches(text: str) -> str:
    r"""Return the first sentence of a scene's leading comment that is longer than a heading.

    >>> teaches("# Gimbal lock. Three rings turn about x, y and z.\n# Then they lock.\nframescope: 1\n")
    'Three rings turn about x, y and z.'
    """
    lines: list[str] = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        lines.append(line.lstrip("# ").strip())
    sentences = _SENTENCE.split(" ".join(lines))
    topic = next((sentence for sentence in sentences if len(sentence.split()) > _HEADING_WORDS), sentences[0])
    topic = topic.replace("`", "")
    return topic if len(topic) <= _LONG_SENTENCE else re.sub(r"[:;] .*", ".", topic)
