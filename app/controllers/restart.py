"""Restart of the program that goes on where this window stands: another size of everything needs one.

Qt has no scale factor that changes while a program runs. So the window writes down what it shows, the scene with its
unsaved edits in the folder for recovery and all else in a note, and starts the program anew. That one opens on it, in
the same place on the screen, and takes the note away once it has drawn its first picture; then the old window goes.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, cast

from PySide6.QtCore import QProcess, QProcessEnvironment, QRect, Qt

from framescope.app.background.child_processes import child_command
from framescope.app.session.document import Document
from framescope.app.session.recovery import Recovery, restore, take_recovery
from framescope.app.session.session import Session
from framescope.app.storage.app_directories import data_folder
from framescope.core.errors import SceneError
from framescope.core.scene.files.saving import write_atomically
from framescope.ui.scene_view.camera.camera import CameraState
from framescope.ui.window.main_window import MainWindow

VARIABLE = "FRAMESCOPE_GOES_ON_FROM"
"""Names the note to the new process."""

LABEL = "Carried over to another size"
PATIENCE_S = 30.0
POLL_S = 0.02


@dataclass(frozen=True)
class RestartState:
    """State of a window besides the scene's own contents.

    Attributes
    ----------
    path
        The scene's file; empty for a new scene.
    unsaved
        The folder with its unsaved edits; empty where there are none.
    allowed
        Files outside the scene's folder that the person has consented to.
    t, is_playing, speed, is_looping
        The clock.
    selection
        The selected item.
    camera
        Where the scene is seen from, as `CameraState` has it; None where the scene says so itself.
    rectangle
        Left, top, width and height of the window, device pixels.
    is_maximized, is_presenting
        Whether it fills the screen, with its frame or without.
    """

    path: str
    unsaved: str
    allowed: tuple[str, ...]
    t: float
    is_playing: bool
    speed: float
    is_looping: bool
    selection: tuple[str, str]
    camera: Mapping[str, Any] | None
    rectangle: tuple[int, int, int, int]
    is_maximized: bool
    is_presenting: bool


def state_of(session: Session, window: MainWindow, unsaved: Path | None, *, is_presenting: bool) -> RestartState:
    """Return what a window shows; `unsaved` is the folder with the edits of its scene that are not saved."""
    document, playback, chosen = session.document, session.playback, window.scene_view.renderer.chosen_camera
    rect, ratio = window.normalGeometry() if window.isMaximized() else window.geometry(), window.devicePixelRatioF()
    left, top, width, height = (round(side * ratio) for side in cast("tuple[int, ...]", rect.getRect()))
    return RestartState(
        path="" if document.path is None else str(document.path.resolve()),
        unsaved="" if unsaved is None else str(unsaved),
        allowed=tuple(sorted(document.access.allowed)),
        t=playback.t,
        is_playing=playback.is_playing,
        speed=playback.speed,
        is_looping=playback.is_looping,
        selection=session.selection,
        camera=None if chosen is None else asdict(chosen),
        rectangle=(left, top, width, height),
        is_maximized=window.isMaximized(),
        is_presenting=is_presenting,
    )


class Note:
    """A file that says how a window stands, for the process that is to go on from there."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def write(cls, standing: RestartState) -> Note:
        """Write one; raise `OSError` when that fails."""
        folder = data_folder()
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"new-start-{os.getpid()}.json"
        write_atomically(path, json.dumps(asdict(standing)))
        return cls(path)

    @classmethod
    def given(cls) -> Note | None:
        """Return the one that this process was started with."""
        named = os.environ.pop(VARIABLE, "")  # the processes of this one are no new starts
        return cls(Path(named)) if named else None

    def read(self) -> RestartState | None:
        """Return what it says; None where it cannot be read."""
        try:
            message = cast("dict[str, Any]", json.loads(self.path.read_text(encoding="utf-8")))
            message |= {key: tuple(message[key]) for key in ("allowed", "selection", "rectangle")}
            return RestartState(**message)
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def is_read(self) -> bool:
        """Wait until the new process has taken it away, and return whether it has."""
        end = time.monotonic() + PATIENCE_S
        while self.path.exists():
            if time.monotonic() > end:
                return False
            time.sleep(POLL_S)
        return True

    def remove(self) -> None:
        """Take it away: the window stands."""
        self.path.unlink(missing_ok=True)


def start_anew(note: Note) -> None:
    """Start the program beside this process, to go on from a note."""
    # The size is that of the settings, not what this process was given.
    environment = {key: value for key, value in os.environ.items() if key != "QT_SCALE_FACTOR"}
    start_process(child_command("framescope.app"), environment | {VARIABLE: str(note.path)})


def start_process(command: Sequence[str], environment: Mapping[str, str]) -> None:
    """Start a process that goes on when this one ends."""
    process = QProcess()
    process.setProgram(command[0])
    process.setArguments(list(command[1:]))
    wanted = QProcessEnvironment()
    for key, value in environment.items():
        wanted.insert(key, value)
    process.setProcessEnvironment(wanted)
    process.startDetached()


def document_of(standing: RestartState) -> tuple[Document, Recovery | None]:
    """Return the document that stood in the old window, and its unsaved edits, to be discarded once they are kept.

    Raises
    ------
    SceneError
        When it cannot be read any more.
    """
    recovery = take_recovery(Path(standing.unsaved)) if standing.unsaved else None
    if recovery is not None:
        document = restore(recovery, LABEL)
    elif standing.path:
        document = Document.open(Path(standing.path))
    elif standing.unsaved:
        raise SceneError(standing.unsaved, ())
    else:
        document = Document.new()
    document.allow(standing.allowed)
    return document, recovery


def place(standing: RestartState, session: Session, window: MainWindow) -> None:
    """Put a window that is not shown yet where the old one stands, at the same time, with the same selection."""
    ratio = window.devicePixelRatioF()
    rect = QRect(*(round(side / ratio) for side in standing.rectangle))
    window.setGeometry(rect)
    if standing.is_maximized:
        window.setWindowState(window.windowState() | Qt.WindowState.WindowMaximized)
    session.playback = replace(session.playback, speed=standing.speed, is_looping=standing.is_looping)
    session.scrub(standing.t)
    session.select(standing.selection if session.exists(standing.selection) else session.selection)
    view = window.scene_view
    view.set_selection(session.selected_frame() or None)
    set_camera(standing, window)
    view.show_snapshot(session.snapshot, {})


def set_camera(standing: RestartState, window: MainWindow) -> None:
    """See the scene from where it was seen."""
    if standing.camera is not None:
        message = dict(standing.camera)
        for key in ("position", "focal_point", "up"):
            message[key] = tuple(message[key])
        window.scene_view.camera.set_state(CameraState(**message))
