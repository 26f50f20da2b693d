"""Controller of the joints panel: shows the current values, and commits changes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from framescope.app.controllers.file_placing import place_beside_scene
from framescope.app.session.session import Session
from framescope.core.evaluation.evaluate import Plan, evaluate
from framescope.core.scene.edits.joints import free_joints, is_set_by_hand, joint_of, joint_title
from framescope.core.scene.edits.roles import visible_roles
from framescope.core.snapshot import Snapshot
from framescope.features.robots.app.joint_recording_controller import JointRecordingController
from framescope.features.robots.core.jacobian import jacobian
from framescope.features.robots.ui.jacobian_look import JACOBIAN
from framescope.features.robots.ui.joint_row import JointInfo
from framescope.features.robots.ui.joints_panel import JointsPanel
from framescope.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from framescope.app.controllers.wiring import Wiring


class JointsController(QObject):
    """Keeps a `JointsPanel` up to date with the plan and the time."""

    def __init__(self, session: Session, window: MainWindow, panel: JointsPanel) -> None:
        super().__init__(panel)
        self._session, self._window, self._panel = session, window, panel
        panel.edits.lead_to(session)
        panel.frame_picked.connect(self._pick)
        panel.message.connect(self._say)
        session.plan_changed.connect(self._on_plan)
        session.numbers_due.connect(self._on_numbers)
        session.selection_changed.connect(self._on_selection)
        panel.jacobian.shown.connect(self._draw)
        panel.seen.connect(self._on_seen)
        panel.free_requested.connect(self._free)
        self._on_plan(session.plan, False)
        self._on_seen()

    def _pick(self, name: str) -> None:
        self._session.select(("frames", name))

    def _free(self) -> None:
        plan, t = self._session.plan, self._session.playback.t
        values = joint_values(plan, t)
        recorded = {info.frame: values[info.frame] for info in joints_of(plan) if info.is_recorded}
        self._session.commit(free_joints(recorded))

    def _say(self, text: str) -> None:
        self._window.status.show_message("amber", text)

    def _on_plan(self, plan: Plan, _is_preview: bool) -> None:
        """Show the joints of a new plan; their values follow with its tick."""
        self._panel.set_joints(tuple(joints_of(plan)))
        self._panel.roles.set_shown(visible_roles(plan.scene))

    def _on_numbers(self, snapshot: Snapshot) -> None:
        if self._panel.isVisible():
            self._show(self._session.plan, float(snapshot.t))
            self._show_jacobian(snapshot)

    def _on_seen(self) -> None:
        snapshot = evaluate(self._session.plan, self._session.playback.t)  # the session's may belong to an old plan
        self._show(self._session.plan, float(snapshot.t))
        self._show_jacobian(snapshot)

    def _on_selection(self, _key: object) -> None:
        self._on_seen()
        self._draw(self._panel.jacobian.show_button.isChecked())

    def _draw(self, is_wanted: bool) -> None:
        """Draw the Jacobian of the selected frame in the scene, or none."""
        self._window.scene_view.set_option(JACOBIAN, self._session.selected_frame() if is_wanted else None)

    def _show(self, plan: Plan, t: float) -> None:
        self._panel.show_values(joint_values(plan, t))

    def _show_jacobian(self, snapshot: Snapshot) -> None:
        name, plan = self._session.selected_frame(), self._session.plan
        self._panel.jacobian.show_jacobian(jacobian(plan, snapshot, name) if name else None)


def joints_of(plan: Plan) -> Iterator[JointInfo]:
    """Yield all joints of a plan, in the order of the scene."""
    for name, frame in plan.scene.frames.items():
        joint = joint_of(frame)
        motion = plan.tree.motions.get(plan.index.get(name, -1))
        if joint is None or motion is None or motion.joint is None:
            continue
        made = motion.joint
        driver = "" if is_set_by_hand(plan.scene, joint) else f"= {joint.value}"
        if joint.recording is not None:
            driver = f"{joint.recording.column} in {joint.recording.file}"
        is_recorded, title = joint.recording is not None, joint_title(frame, name)
        yield JointInfo(name, title, made.lower, made.upper, made.is_revolute, driver, is_recorded)


def joint_values(plan: Plan, t: float) -> dict[str, float]:
    """Return the values of all joints at a time, s, in rad or m, by their frames."""
    made = ((plan.names[row], motion.joint) for row, motion in plan.tree.motions.items())
    return {name: joint.at(t) for name, joint in made if joint is not None}


def fill_joints(wiring: Wiring) -> None:
    """Fill the dock of the joints."""
    session, window = wiring.session, wiring.window
    panel = JointsPanel(window.ground("joints"))
    window.fill_dock("joints", panel, panel.header_widgets())
    wiring.instruments.follow_unit(panel.set_angle_unit)
    recordings = JointRecordingController(session, window, partial(place_beside_scene, session, window, wiring.files))
    panel.play_requested.connect(recordings.ask)
    JointsController(session, window, panel)
