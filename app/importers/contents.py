"""Contents of a file for importers: a scene, recordings and problems."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from framescope.core.errors import Problem
from framescope.core.recordings.tables.mixed import MixedTable
from framescope.core.scene.files.loading import LoadedScene


@dataclass(frozen=True)
class Stream:
    """A recording: the table in a file, or one of several. It is read when the user chooses it."""

    name: str
    read: Callable[[], MixedTable]


@dataclass(frozen=True)
class Contents:
    """Contents of a file.

    Attributes
    ----------
    scene
        Items of the file, with files by names relative to its folder. A scene with an empty text was not read from a
        scene file: it opens as a new scene, which is saved elsewhere.
    recordings
        Tables whose columns the user chooses.
    problems
        Problems of converting the file.
    title
        Name of such files, in the plural, where the reader knows it better than the importer.
    describe
        Returns lines on the content, for a terminal.
    """

    scene: LoadedScene | None = None
    recordings: tuple[Stream, ...] = ()
    problems: tuple[Problem, ...] = ()
    title: str = ""
    describe: Callable[[], tuple[str, ...]] = tuple
