"""Capture of the window as the moment of a lesson: scene, time, camera, and changes of the scene."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from framescope.app.session.document import Document
from framescope.app.session.examples import example_at
from framescope.core.analysis.staged_rotation import StagedRotation
from framescope.core.errors import FramescopeError
from framescope.core.scene.files.loading import load_scene
from framescope.core.scene.schema.model import WORLD, Frame, Scene
from framescope.core.scene.schema.view import Hidden
from framescope.features.lessons.core.staging import ANSWER
from framescope.ui.scene_view.camera.camera import CameraState

DECIMALS = 4
"""Decimals of captured lengths, m, and turns."""


class CaptureError(FramescopeError):
    """The scene of the window cannot be captured for a lesson. The message gives the reason and the remedy."""


def captured_scene(document: Document, folder: Path) -> tuple[str, Scene]:
    """Return the name of a document's scene in lessons of a folder, and the scene of its file.

    Raises
    ------
    CaptureError
        When the scene is neither an example nor saved in that folder.
    SceneError
        When the file cannot be read.
    """
    example = None if document.path is None else example_at(document.path)
    if document.path is not None and example is not None:
        return example.name, load_scene(document.path).scene
    if document.path is None:
        raise CaptureError("the scene has no file yet: save it beside the lesson first.")
    path = document.path.resolve()
    if not path.is_relative_to(folder.resolve()):
        raise CaptureError(f"{path.name} is not in the folder of the lesson: save it there, in {folder}.")
    return path.relative_to(folder.resolve()).as_posix(), load_scene(path).scene


@dataclass(frozen=True)
class WindowState:
    """State of the window.

    Attributes
    ----------
    scene
        Scene with all committed edits, without previews.
    t
        Time, s.
    camera
        Camera of the scene view.
    select
        Selected frame; empty for none.
    plots
        Titles of the visible plots.
    staged
        Rotation shown turn by turn, with its progress; None if there is none.
    """

    scene: Scene
    t: float
    camera: CameraState
    select: str
    plots: tuple[str, ...]
    staged: StagedRotation | None = None


def capture_moment(name: str, base: Scene, window: WindowState) -> dict[str, Any]:
    """Return the block of a step that shows the state of the window.

    `base` is the scene of the file. Items that it lacks are left out, as a lesson reads the file.
    """
    scene, camera = window.scene, window.camera
    block: dict[str, Any] = {
        "scene": name,
        "time": _time_text(window.t, base),
        "camera": camera_block(camera),
    }
    known_plots = [plot.called for plot in base.view.plots]
    if plots := [title for title in window.plots if title in known_plots]:
        block["plots"] = plots
    if window.select == WORLD or window.select in base.frames:
        block["select"] = window.select
    if window.staged is not None and window.staged.frame in base.frames:
        block["staged"] = {"frame": window.staged.frame, "turns": round(window.staged.progress, DECIMALS)}
        if window.staged.turn_axes != "moving":
            block["staged"]["axes"] = window.staged.turn_axes
    if hidden := _newly_hidden(scene, base):
        block["hide"] = hidden
    parameters = {key: value for key, value in scene.parameters.items() if base.parameters.get(key, value) != value}
    if parameters:
        block["parameters"] = parameters
    changed = {
        key: (frame, base.frames[key])
        for key, frame in scene.frames.items()
        if key != ANSWER and frame != base.frames.get(key, frame)
    }
    orientations = {
        key: frame.orientation
        for key, (frame, before) in changed.items()
        if frame.orientation is not None and frame.motion is None and _has_only_turned(frame, before)
    }
    for word, items in (
        ("orientations", orientations),
        ("frames", {key: frame for key, (frame, _) in changed.items() if key not in orientations}),
    ):
        if items:
            block[word] = {key: item.model_dump(mode="json", exclude_unset=True) for key, item in items.items()}
    return block


def camera_block(camera: CameraState) -> dict[str, Any]:
    """Return the camera of a step with the view of a camera."""
    directions = {"position": camera.position, "focal_point": camera.focal_point, "up": camera.up}
    return {key: [_short(part) for part in vector] for key, vector in directions.items()} | {"unit": "m"}


def _time_text(t: float, scene: Scene) -> str:
    """Return a time with three decimals that is within the time range of a scene.

    >>> _time_text(2.34567, Scene()), _time_text(9.9999, Scene())
    ('2.346 s', '10 s')
    """
    start, end = (limit.si("time", ("time",)) for limit in (scene.time.start, scene.time.end))
    rounded = _short(t, 3)
    return f"{rounded if start <= rounded <= end else t} s"


def _short(value: float, decimals: int = DECIMALS) -> int | float:
    """Return a rounded number, a whole one without decimals.

    >>> _short(0.123456), _short(-0.00001), _short(3.0)
    (0.1235, 0, 3)
    """
    rounded = round(value, decimals)
    return int(rounded) if rounded == int(rounded) else rounded


def _newly_hidden(scene: Scene, base: Scene) -> list[str]:
    """Return the names of items of a scene's file that are hidden in the scene and visible in the file."""
    return [
        name
        for kind in Hidden.model_fields
        for name in getattr(scene.view.hidden, kind)
        if name in getattr(base, kind) and name not in getattr(base.view.hidden, kind)
    ]


def _has_only_turned(frame: Frame, before: Frame) -> bool:
    """Return whether the orientation is the only change of a frame."""
    return frame.model_copy(update={"orientation": before.orientation}) == before
