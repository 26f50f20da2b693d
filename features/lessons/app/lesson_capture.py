"""Capture of what a window shows as the moment of a lesson: scene, time, camera, and what was changed of the scene."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from framescope.app.session.document import Document
from framescope.core.analysis.staged_rotation import StagedRotation
from framescope.core.errors import FramescopeError
from framescope.core.scene.files.loading import load_scene
from framescope.core.scene.schema.model import Frame, Scene
from framescope.core.scene.schema.view import Hidden
from framescope.features.lessons.core.staging import ANSWER
from framescope.ui.scene_view.camera.camera import CameraState

DECIMALS = 4


class CaptureError(FramescopeError):
    """What is shown can be no moment of a lesson; the message says why and what would do."""


def shown_scene(document: Document, folder: Path) -> tuple[str, Scene]:
    """Return how a lesson in a folder names the scene of a document, and that scene as its file has it.

    Raises
    ------
    CaptureError
        When it is no example, and not saved in that folder.
    SceneError
        When the file cannot be read.
    """
    if document.path is not None and document.is_example:
        return document.path.stem, load_scene(document.path).scene
    if document.path is None:
        raise CaptureError("the scene has no file yet: save it beside the lesson first.")
    path = document.path.resolve()
    if not path.is_relative_to(folder.resolve()):
        raise CaptureError(f"{path.name} is not in the folder of the lesson: save it there, in {folder}.")
    return path.relative_to(folder.resolve()).as_posix(), load_scene(path).scene


@dataclass(frozen=True)
class Shown:
    """What a window shows of a scene.

    Attributes
    ----------
    scene
        As it was left by hand; what is tried for a moment is no part of it.
    t
        The time, s.
    camera
        Where one looks from.
    select
        The frame that is chosen; empty for none.
    plots
        Titles of the plots that are seen.
    staged
        The rotation that is shown turn by turn, as far as it has come; None where none is.
    """

    scene: Scene
    t: float
    camera: CameraState
    select: str
    plots: tuple[str, ...]
    staged: StagedRotation | None = None


def captured(name: str, base: Scene, shown: Shown) -> dict[str, Any]:
    """Return the block of a step that shows what is shown now; `base` is the scene as its file has it."""
    scene, camera = shown.scene, shown.camera
    x, y, z = (round(value, DECIMALS) + 0.0 for value in camera.position)
    u, v, w = (round(value, DECIMALS) + 0.0 for value in camera.focal_point)
    a, b, c = (round(value, DECIMALS) + 0.0 for value in camera.up)
    found: dict[str, Any] = {
        "scene": name,
        "time": f"{round(shown.t, 6):g} s",
        "camera": {"position": [x, y, z], "focal_point": [u, v, w], "up": [a, b, c], "unit": "m"},
    }
    if shown.plots:
        found["plots"] = list(shown.plots)
    if shown.select and shown.select != ANSWER:
        found["select"] = shown.select
    if shown.staged is not None:
        found["staged"] = {"frame": shown.staged.frame, "turns": round(shown.staged.progress, DECIMALS)}
        if shown.staged.turn_axes != "moving":
            found["staged"]["axes"] = shown.staged.turn_axes
    if hidden := _hidden(scene, base):
        found["hide"] = hidden
    parameters = {key: value for key, value in scene.parameters.items() if base.parameters.get(key) != value}
    if parameters:
        found["parameters"] = parameters
    changed = {
        key: (frame, base.frames[key])
        for key, frame in scene.frames.items()
        if key != ANSWER and frame != base.frames.get(key, frame)
    }
    turned = {
        key: frame.orientation
        for key, (frame, before) in changed.items()
        if frame.orientation is not None and frame.motion is None and _is_turned_alone(frame, before)
    }
    for word, items in (
        ("orientations", turned),
        ("frames", {key: frame for key, (frame, _) in changed.items() if key not in turned}),
    ):
        if items:
            found[word] = {key: item.model_dump(mode="json", exclude_unset=True) for key, item in items.items()}
    return found


def _hidden(scene: Scene, base: Scene) -> list[str]:
    """Return the names of items that are hidden, and are not in the file."""
    return [
        name
        for kind in Hidden.model_fields
        for name in getattr(scene.view.hidden, kind)
        if name not in getattr(base.view.hidden, kind)
    ]


def _is_turned_alone(frame: Frame, before: Frame) -> bool:
    """Return whether a frame has another orientation, and all else as in its file."""
    return frame.model_copy(update={"orientation": before.orientation}) == before
