"""Controller of the comparison: compares in the worker process, and connects panel, clipboard and scene."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from framescope.app.background.latest_task import LatestTask
from framescope.app.session.session import Session
from framescope.core.conventions import roll_pitch_yaw_from_T
from framescope.core.errors import RefusedError
from framescope.core.readings import holds_one_pose
from framescope.core.scene.schema.model import WORLD
from framescope.features.compare.app.compare_task import compare_in_worker
from framescope.features.compare.core.added_frames import add_frames
from framescope.features.compare.core.comparison import Row
from framescope.features.compare.ui.compare_panel import ComparePanel
from framescope.ui.scene_view.base.ghost_pose import CANDIDATES

if TYPE_CHECKING:
    from framescope.app.controllers.wiring import Wiring


class CompareController(QObject):
    """Controller that compares the texts of the panel.

    Signals
    -------
    candidates_shown(object)
        Orientations for the scene to draw.
    """

    candidates_shown = Signal(object)

    def __init__(self, session: Session, panel: ComparePanel, parent: QObject | None = None) -> None:
        super().__init__(parent or panel)
        self._session, self._panel = session, panel
        self._worker = LatestTask(self)
        self._worker.found.connect(panel.show_comparison)
        self._worker.failed.connect(panel.show_failure)
        panel.begun.connect(self.start)
        panel.requested.connect(self._compare)
        panel.frame_wanted.connect(self.take_frame)
        panel.added.connect(self._add)
        panel.copied.connect(partial(session.status.emit, "good"))
        panel.candidates_shown.connect(self.candidates_shown)
        self._compare(*panel.texts())  # starts the worker process

    def close(self) -> None:
        """Wait for the running comparison when the window closes."""
        self._worker.close()

    def take_frame(self, side: int) -> None:
        """Put the pose of the selected frame in its parent on a side."""
        frame = self._session.selected_frame()
        if not frame or frame == WORLD:
            self._session.status.emit("amber", "Select a frame first: its pose in its parent is then compared")
            return
        self._panel.set_text(side, pose_text(self._session, frame))

    def start(self) -> None:
        """Begin with the selected frame and the clipboard, where a side is empty, and give the keyboard to a side."""
        texts = self._panel.texts()
        frame, pasted = self._session.selected_frame(), QGuiApplication.clipboard().text()
        if not any(text.strip() for text in texts) and frame and frame != WORLD:
            self.take_frame(0)
        texts = self._panel.texts()
        empty = [i for i, text in enumerate(texts) if not text.strip()]
        if empty and any(char.isdigit() for char in pasted):
            self._panel.set_text(empty[0], pasted)
        self._panel.focus_empty_side()

    def _compare(self, first: str, second: str) -> None:
        self._worker.want(compare_in_worker, first, second)

    def _add(self, row: Row) -> None:
        try:
            edit = add_frames(self._session.plan.scene, row)
        except RefusedError as error:
            self._session.status.emit("amber", str(error))
        else:
            self._session.commit_items(edit)


def pose_text(session: Session, frame: str) -> str:
    """Return the present pose of a frame in its parent as an element of URDF."""
    plan, snapshot = session.plan, session.snapshot
    parent = plan.scene.frames[frame].parent if frame in plan.scene.frames else WORLD
    at, on = plan.index[frame], plan.index[parent]
    R_W, p_W = snapshot.R_WF, snapshot.p_WF
    R = R_W[on].T @ R_W[at]
    p = R_W[on].T @ (p_W[at] - p_W[on])
    rpy = roll_pitch_yaw_from_T(R.T)
    xyz, angles = (" ".join(f"{part:.9g}" for part in np.round(each, 12) + 0.0) for each in (p, rpy))
    return f'<origin xyz="{xyz}" rpy="{angles}"/>'


def fill_compare(wiring: Wiring) -> None:
    """Fill the dock of the comparison."""
    window = wiring.window
    panel = ComparePanel(window.ground("compare"))
    window.fill_dock("compare", panel)
    controller = CompareController(wiring.session, panel)
    controller.candidates_shown.connect(partial(window.scene_view.set_option, CANDIDATES))
    wiring.instruments.close_with_window(controller)
    panel.more_wanted.connect(partial(_hand_on, wiring))


def connect_compare(wiring: Wiring) -> None:
    """Connect the action that compares the selected frame and the clipboard."""
    wiring.window.commands.of_features["compare_texts"].triggered.connect(partial(_open, wiring))
    for takers in (wiring.files.text_takers, wiring.window.outline.text_takers):
        takers.append(partial(_take_text, wiring))


def _open(wiring: Wiring, _is_checked: bool = False) -> None:
    def begin() -> None:
        panel = wiring.window.findChild(ComparePanel)
        if panel is not None:
            panel.begun.emit()

    wiring.window.show_dock("compare")
    wiring.instruments.call_once_full("compare", begin)


def _take_text(wiring: Wiring, text: str) -> bool:
    """Put a text that was pasted or dropped on a side, if it has one pose; return whether it has."""
    if not holds_one_pose(text):
        return False

    def put() -> None:
        panel = wiring.window.findChild(ComparePanel)
        if panel is not None:
            panel.put_text(text)

    wiring.window.show_dock("compare")
    wiring.instruments.call_once_full("compare", put)
    return True


def _hand_on(wiring: Wiring, first: str, second: str) -> None:
    """Open the convention detective with both texts."""
    from framescope.features.detective.core.inputs import Side
    from framescope.features.detective.ui.detective_panel import DetectivePanel

    def hand_on() -> None:
        panel = wiring.window.findChild(DetectivePanel)
        if panel is None:
            return
        for form, text in ((panel.a, first), (panel.b, second)):
            form.set_side(Side("pasted", text))
        panel.a.text.setFocus()

    wiring.window.show_dock("detective")
    wiring.instruments.call_once_full("detective", hand_on)
