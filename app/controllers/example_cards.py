"""Cards of the examples: title, one sentence, thumbnail, and the words that find them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path, PurePosixPath

from framescope import assets
from framescope.app.session.examples import examples
from framescope.core.scene.schema.plain_scalars import plain_scalar
from framescope.core.system.features import Example, ExampleKind
from framescope.ui.palette.example_card import ExampleCard
from framescope.ui.theme.tokens import THEMES

_HEAD_BYTES = 8000

_WORDS: dict[ExampleKind, str] = {
    "scene": "scene",
    "lesson": "lesson learn teach tutorial course exercise",
    "faulty": "faulty fault error problem wrong broken debug fix puzzle exercise",
    "bag": "bag faulty fault error problem wrong debug fix",
    "robot": "robot model",
    "table": "table import data file",
}
"""Words by which a search finds all examples of a kind."""


@cache
def example_cards() -> tuple[ExampleCard, ...]:
    """Return the cards of all examples, by use."""
    return tuple(_card(example) for example in examples())


def picture_path(example: Example, theme: str) -> Path:
    """Return the path of an example's thumbnail."""
    stem, _, _ = PurePosixPath(example.file).name.partition(".")
    return assets.path("gallery") / f"{stem}-{theme}.png"


def _card(example: Example) -> ExampleCard:
    pictures = {theme: picture_path(example, theme) for theme in THEMES}
    tag = "" if example.kind == "scene" else example.kind
    words = f"{example.name} {example.use} {example.words} {_WORDS[example.kind]}"
    return ExampleCard(example.name, _title(example), example.teaches, example.use, tag, words, pictures)


def _title(example: Example) -> str:
    if example.title:
        return example.title
    with assets.path(example.file).open(encoding="utf-8") as file:
        head = file.read(_HEAD_BYTES)
    return (heading_of(head) if example.kind == "lesson" else title_of(head)) or example.name


def heading_of(text: str) -> str:
    r"""Return the first heading in the text of a lesson. It is empty when there is none.

    >>> heading_of("# Gimbal lock\n\nThree rings.\n")
    'Gimbal lock'
    """
    match = re.search(r"^#[ \t]+(.+?)[ \t]*$", text, re.MULTILINE)
    return "" if match is None else match.group(1)


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
