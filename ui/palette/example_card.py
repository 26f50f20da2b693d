"""Card of an example scene in the gallery and in the palette. Imports no Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class ExampleCard:
    """Card of an example scene.

    Attributes
    ----------
    name
        Name to open the example by.
    title, teaches
        Title, and one sentence on the topic.
    pictures
        Thumbnail by the name of the theme.
    """

    name: str
    title: str
    teaches: str
    pictures: Mapping[str, Path] = field(default_factory=dict[str, Path])
