"""Card of an example scene in the gallery and in the palette. Imports no Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class ExampleCard:
    """An example scene.

    Attributes
    ----------
    name
        What it is opened by.
    title, teaches
        Its title, and one sentence on what it teaches.
    pictures
        Its thumbnail by the name of the theme.
    """

    name: str
    title: str
    teaches: str
    pictures: Mapping[str, Path] = field(default_factory=dict[str, Path])
