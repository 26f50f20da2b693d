"""Card of an example in the gallery and in the palette. Imports no Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from framescope.core.system.features import Use


@dataclass(frozen=True)
class ExampleCard:
    """Card of an example.

    Attributes
    ----------
    name
        Name to open the example by.
    title, teaches
        Title, and one sentence on what one learns or does.
    use
        Group of the gallery that holds the card.
    tag
        Kind of file, such as ``"lesson"``; empty for a scene.
    words
        Hidden search words.
    pictures
        Thumbnail by the name of the theme.
    """

    name: str
    title: str
    teaches: str
    use: Use
    tag: str = ""
    words: str = ""
    pictures: Mapping[str, Path] = field(default_factory=dict[str, Path])

    @property
    def full_title(self) -> str:
        """Title with the tag in front, such as ``"Lesson: Gimbal lock"``."""
        return f"{self.tag.capitalize()}: {self.title}" if self.tag else self.title
