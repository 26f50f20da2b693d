"""Restart of the program in another interface size, with the same scene and window state.

Qt cannot change its scale factor while a program runs. The window writes its unsaved edits to the recovery folder and
its other state, with the undo history, to a note, and starts a new process. The new process opens the same scene in the
same place on the screen, and deletes the note after its first picture. Then the old window closes.
"""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, cast

from PySide6.QtCore import QProcess, QProcessEnvironment, QRect, Qt

from framescope.app.background.child_processes import child_command
from framescope.app.session.document import Document, Selected
from framescope.app.session.document_record import read_record, write_record
from framescope.app.session.recovery import Recovery, restore, take_recovery
from framescope.app.session.session import Session
from framescope.app.storage.app_directories import data_folder
from framescope.core.errors import SceneError
from framescope.core.scene.files.saving import write_atomically
from framescope.core.scene.schema.model import ItemKey
from framescope.ui.scene_view.camera.camera import CameraState
from framescope.ui.window.main_window import MainWindow

log = logging.getLogger(__name__)

VARIABLE = "FRAMESCOPE_GOES_ON_FROM"
"""Environment variable with the path of the note for the new process."""

LABEL = "Carried over to another size"
"""Label of the step with the unsaved edits when the note has no history that can be read."""

MAX_NOTE_BYTES = 100_000_000
PATIENCE_S = 30.0
POLL_S = 0.02


@dataclass(frozen=True)
class Cover:
    """Display of a feature in place of the user's document, such as a lesson, which the new process shows again.

    Attributes
    ----------
    document
        Function that returns the user's document; None while the feature shows nothing.
    may_leave
        Function that asks the user about unsaved changes of the feature. It returns False if the user cancels.
    state
        Function that returns plain data for `restore`.
    restore
        Function that shows the feature again. Its argument is not trusted.
    """

    document: Callable[[], Document | None]
    may_leave: Callable[[], bool]
    state: Callable[[], Any]
    restore: Callable[[Any], None]


@dataclass(frozen=True)
class RestartState:
    """State of a window.

    Attributes
    ----------
    document
        Record of the document with its history, see `document_record`.
    path
        The scene's file; empty for a new scene.
    unsaved
        The folder with its unsaved edits; empty if there are none.
    allowed
        Files outside the scene's folder to which the user has consented.
    allow_outside
        Whether all files outside the folder may be read.
    t, is_playing, speed, is_looping
        The clock.
    selection, also_selected
        The selected item that panels show first, and the others.
    camera
        Fields of a `CameraState` that the user has chosen; None for the scene's own camera.
    rectangle
        Left, top, width and height of the window, device pixels.
    is_maximized, is_presenting
        Whether the window is maximized, or in full-screen presentation.
    covers
        States of the features that cover the document, see `Cover`.
    setting
        Setting with the focus in the open dialog of the settings, empty for none; None if the dialog is closed.
    """

    document: Mapping[str, Any]
    path: str
    unsaved: str
    allowed: tuple[str, ...]
    allow_outside: bool
    t: float
    is_playing: bool
    speed: float
    is_looping: bool
    selection: ItemKey
    also_selected: Selected
    camera: Mapping[str, Any] | None
    rectangle: tuple[int, int, int, int]
    is_maximized: bool
    is_presenting: bool
    covers: Mapping[str, Any]
    setting: str | None


def covered_document(covers: Mapping[str, Cover]) -> Document | None:
    """Return the user's document that a feature covers, such as a lesson; None if nothing covers it."""
    return next((document for cover in covers.values() if (document := cover.document())), None)


def state_of(
    session: Session,
    window: MainWindow,
    unsaved: Path | None,
    covers: Mapping[str, Cover],
    *,
    is_presenting: bool,
    setting: str | None,
) -> RestartState:
    """Return the state of a window.

    `unsaved` is the folder with the unsaved edits of its scene, `covers` what its features show in place of it.
    """
    document = covered_document(covers) or session.document
    playback, chosen = session.playback, window.scene_view.renderer.chosen_camera
    rect, ratio = window.normalGeometry() if window.isMaximized() else window.geometry(), window.devicePixelRatioF()
    left, top, width, height = (round(side * ratio) for side in cast("tuple[int, ...]", rect.getRect()))
    return RestartState(
        document=write_record(document),
        path="" if document.path is None else str(document.path.resolve()),
        unsaved="" if unsaved is None else str(unsaved),
        allowed=tuple(sorted(document.access.allowed)),
        allow_outside=document.access.allow_all,
        t=playback.t,
        is_playing=playback.is_playing,
        speed=playback.speed,
        is_looping=playback.is_looping,
        selection=session.selection,
        also_selected=session.also_selected,
        camera=None if chosen is None else asdict(chosen),
        rectangle=(left, top, width, height),
        is_maximized=window.isMaximized(),
        is_presenting=is_presenting,
        covers={name: cover.state() for name, cover in covers.items() if cover.document() is not None},
        setting=setting,
    )


class RestartNote:
    """File with the state of a window, for the process that continues from it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def write(cls, state: RestartState) -> RestartNote:
        """Write a note. Raise `OSError` on failure."""
        folder = data_folder()
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"new-start-{os.getpid()}.json"
        write_atomically(path, json.dumps(asdict(state)))
        return cls(path)

    @classmethod
    def from_environment(cls) -> RestartNote | None:
        """Return the note that this process was started with, or None."""
        path_text = os.environ.pop(VARIABLE, "")  # child processes of this one must not see it
        return cls(Path(path_text)) if path_text else None

    def read(self) -> RestartState | None:
        """Return the state in the note, or None if it cannot be read."""
        try:
            if self.path.stat().st_size > MAX_NOTE_BYTES:
                return None
            fields = cast("dict[str, Any]", json.loads(self.path.read_text(encoding="utf-8")))
            fields |= {key: tuple(fields[key]) for key in ("allowed", "selection", "rectangle")}
            fields["covers"] = dict(fields["covers"])
            fields["also_selected"] = tuple((str(kind), str(name)) for kind, name in fields["also_selected"])
            return RestartState(**fields)
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return None

    def is_read(self) -> bool:
        """Wait until the new process has deleted the note. Return False after `PATIENCE_S`."""
        end = time.monotonic() + PATIENCE_S
        while self.path.exists():
            if time.monotonic() > end:
                return False
            time.sleep(POLL_S)
        return True

    def remove(self) -> None:
        """Delete the note, because the window is complete."""
        self.path.unlink(missing_ok=True)


def restart_program(note: RestartNote) -> None:
    """Start the program in a new process that continues from a note."""
    # The new process takes its size from the settings, not from this process.
    environment = {key: value for key, value in os.environ.items() if key != "QT_SCALE_FACTOR"}
    start_process(child_command("framescope.app"), environment | {VARIABLE: str(note.path)})


def start_process(command: Sequence[str], environment: Mapping[str, str]) -> None:
    """Start a process that outlives this one."""
    process = QProcess()
    process.setProgram(command[0])
    process.setArguments(list(command[1:]))
    qt_environment = QProcessEnvironment()
    for key, value in environment.items():
        qt_environment.insert(key, value)
    process.setProcessEnvironment(qt_environment)
    process.startDetached()


def document_of(state: RestartState) -> tuple[Document, Recovery | None]:
    """Return the document of the old window, and its unsaved edits. The caller discards the latter later.

    Raises
    ------
    SceneError
        When the document cannot be read any more.
    """
    recovery = take_recovery(Path(state.unsaved)) if state.unsaved else None
    try:
        document = read_record(state.document, allow_outside=state.allow_outside)
    except SceneError:
        log.warning("the history of the other window cannot be read")
        document = _document_without_history(state, recovery)
    document.allow(state.allowed)
    return document, recovery


def _document_without_history(state: RestartState, recovery: Recovery | None) -> Document:
    """Return the document of the old window, whose unsaved edits are one step of undo."""
    if recovery is not None:
        return restore(recovery, LABEL)
    if state.path:
        return Document.open(Path(state.path), allow_outside=state.allow_outside)
    if state.unsaved:
        raise SceneError(state.unsaved, ())
    return Document.new()


def place(state: RestartState, session: Session, window: MainWindow) -> None:
    """Give a window that is not shown yet the place, time and selection of the old one."""
    ratio = window.devicePixelRatioF()
    rect = QRect(*(round(side / ratio) for side in state.rectangle))
    window.setGeometry(rect)
    if state.is_maximized:
        window.setWindowState(window.windowState() | Qt.WindowState.WindowMaximized)
    session.playback = replace(session.playback, speed=state.speed, is_looping=state.is_looping)
    session.scrub(state.t)
    session.select(state.selection if session.exists(state.selection) else session.selection)
    view = window.scene_view
    view.set_selection(session.selected_frame() or None)
    set_camera(state, window)
    view.show_snapshot(session.snapshot, {})


def select_again(state: RestartState, session: Session) -> None:
    """Select several items of the old window again, once the panels are there."""
    present = tuple(key for key in (state.selection, *state.also_selected) if session.exists(key))
    if len(present) > 1:
        session.also_selected = present[1:]
        session.selection_restored.emit(present)


def set_camera(state: RestartState, window: MainWindow) -> None:
    """Restore the camera of the old window."""
    if state.camera is not None:
        fields = dict(state.camera)
        for key in ("position", "focal_point", "up", "center"):  # JSON has lists for tuples
            fields[key] = tuple(fields[key])
        window.scene_view.camera.set_state(CameraState(**fields))
