"""The open document: a scene with its history, its file, and whether it is saved."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from framescope import assets
from framescope.app.history import History
from framescope.core.errors import KeyPath, Problem
from framescope.core.scene.edits import Edit
from framescope.core.scene.files import files_to_copy
from framescope.core.scene.loading import load_scene, locate, parse_scene
from framescope.core.scene.model import Scene
from framescope.core.scene.saving import scene_text, write_atomically


class Document:
    """A scene being worked on.

    `path` is where its relative files are and where it is saved; None for a new scene. An example that
    ships with the program is opened from its folder but never written there (`is_example`).
    """

    def __init__(self, scene: Scene, path: Path | None = None, text: str | None = None) -> None:
        self.path = path
        self._text = text
        self._lines: Mapping[KeyPath, int] = {} if text is None else parse_scene(text)[1]
        self._history = History.of(scene)
        self._saved = scene

    @classmethod
    def open(cls, path: Path) -> Document:
        """Read a scene file; raise `SceneError` when it is none."""
        loaded = load_scene(path)
        return cls(loaded.scene, path, loaded.text)

    @property
    def scene(self) -> Scene:
        """The present scene."""
        return self._history.scene

    @property
    def history(self) -> History:
        """Undo and redo."""
        return self._history

    @property
    def folder(self) -> Path | None:
        """Where the files are that the scene names."""
        return None if self.path is None else self.path.resolve().parent

    @property
    def name(self) -> str:
        """The file name to show."""
        return "untitled.yaml" if self.path is None else self.path.name

    @property
    def is_dirty(self) -> bool:
        """Whether the present scene differs from the saved one."""
        return self.scene is not self._saved and self.scene != self._saved

    @property
    def is_example(self) -> bool:
        """Whether the scene ships with the program, so that it is saved elsewhere."""
        return self.folder is not None and self.folder.is_relative_to(assets.path("scenes").resolve())

    def commit(self, edit: Edit) -> None:
        """Apply an edit as one step of the history."""
        self._history.commit(edit.apply(self.scene), edit.label)

    def locate(self, problem: Problem) -> Problem:
        """Return the problem with its line in the file as it was last read or written."""
        return locate(problem, self._lines)

    def save(self, path: Path) -> None:
        """Write the scene, atomically; in a new folder the files it names are copied along.

        Raises
        ------
        OSError
            When the file or a copy cannot be written; the document stays as it was.
        """
        text = scene_text(self.scene, self._text)
        if self.folder is not None:
            for source, target in files_to_copy(self.scene, self.folder, path.resolve().parent):
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)
        write_atomically(path, text)
        self.path, self._text, self._saved = path, text, self.scene
        self._lines = parse_scene(text)[1]
