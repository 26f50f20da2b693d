"""What importers find in a file: items, recordings and problems."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from framescope.core.errors import Problem
from framescope.core.recordings.tables.mixed import MixedTable
from framescope.core.scene.files.loading import LoadedScene


@dataclass(frozen=True)
class Stream:
    """A recording: the table that a file is, or one of several in it. It is read when it is chosen."""

    name: str
    read: Callable[[], MixedTable]


@dataclass(frozen=True)
class Contents:
    """What is in a file.

    Attributes
    ----------
    scene
        Its items, with files by names relative to its folder. Without a text the file is no scene file: it can be
        opened as a new scene, which is saved elsewhere.
    recordings
        Tables, whose columns a person chooses.
    problems
        What could not be taken over.
    """

    scene: LoadedScene | None = None
    recordings: tuple[Stream, ...] = ()
    problems: tuple[Problem, ...] = ()
