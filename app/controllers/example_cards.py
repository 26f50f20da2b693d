"""Example scenes as cards: title, what each teaches, and its thumbnail."""

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
_FEW_WORDS = 5
_MUCH = 100
"""Characters from which on a sentence is cut at its first colon or semicolon."""


@cache
def example_cards() -> tuple[ExampleCard, ...]:
    """Return a card for each example, the demo first."""
    names = sorted(example_names(), key=lambda name: (name != DEMO, name))
    return tuple(_card(name) for name in names)


def picture_path(name: str, theme: str) -> Path:
    """Return where the thumbnail of an example is."""
    return assets.path("gallery") / f"{name}-{theme}.png"


def _card(name: str) -> ExampleCard:
    with example_path(name).open(encoding="utf-8") as file:
        head = file.read(_HEAD_BYTES)
    title = title_of(head) or name
    return ExampleCard(name, title, teaches(head), {theme: picture_path(name, theme) for theme in THEMES})


def title_of(text: str) -> str:
    r"""Return the title in the text of a scene, without reading all of it; empty when it has none.

    >>> title_of("# A comment\nframescope: 1\ntitle: 'Two: pendulums'\n")
    'Two: pendulums'
    """
    match = re.search(r"^title:[ \t]*(.+?)[ \t]*$", text, re.MULTILINE)
    if match is None:
        return ""
    written = match.group(1)
    if written[0] in "'\"" and written.endswith(written[0]) and len(written) > 1:
        return written[1:-1]
    return str(plain_scalar(written))


def teaches(text: str) -> str:
    r"""Return one sentence on what a scene teaches: of its leading comment the first that is more than a heading.

    >>> teaches("# Gimbal lock. Three rings turn about x, y and z.\n# Then they lock.\nframescope: 1\n")
    'Three rings turn about x, y and z.'
    """
    lines: list[str] = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        lines.append(line.lstrip("# ").strip())
    sentences = _SENTENCE.split(" ".join(lines))
    found = next((sentence for sentence in sentences if len(sentence.split()) > _FEW_WORDS), sentences[0])
    found = found.replace("`", "")
    return found if len(found) <= _MUCH else re.sub(r"[:;] .*", ".", found)
