"""Tool docks: instruments that are filled when they are first looked at, each with its controller."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from framescope.app.session.session import Session
from framescope.ui.help.manual_index import TOPICS
from framescope.ui.widgets.angle_unit import AngleUnit
from framescope.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from framescope.features.laboratory.ui import GimbalPanel
    from framescope.features.quaternions.ui.quaternion_panel import QuaternionPanel

TURN_MS = 60
"""How long the window is left to itself before an instrument is made: it is laid out and drawn first."""


class _Closable(Protocol):
    """A controller that has something to end when the window closes."""

    def close(self) -> None:
        """Wait for what is under way, and do nothing more."""
        ...


class ToolDocks(QObject):
    """Makes each instrument when its dock comes into sight for the first time.

    Imports stand in the functions: a window opens without what is not looked at.

    Signals
    -------
    item_made(object)
        The edit that puts something into the scene, which is to be selected.
    joint_recording_requested()
        A recording is to move the joints.
    """

    item_made = Signal(object)
    joint_recording_requested = Signal()

    def __init__(self, session: Session, window: MainWindow) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self._followers: list[Callable[[AngleUnit], None]] = []
        self._closing: list[_Closable] = []
        self._waiting: deque[str] = deque()
        self._turn = QTimer(self, interval=TURN_MS, singleShot=True)
        # What has come meanwhile is dealt with first: a picture may take longer than the turn.
        self._after_all = QTimer(self, interval=0, singleShot=True)
        self._turn.timeout.connect(self._after_all.start)
        self._after_all.timeout.connect(self._make_next)
        self._gimbal: GimbalPanel | None = None
        self._quaternion: QuaternionPanel | None = None
        self._makers: dict[str, Callable[[], None]] = {
            "relation": self._make_relation,
            "shift": self._make_shift,
            "gimbal": self._make_gimbal,
            "quaternion": self._make_quaternion,
            "detective": self._make_detective,
            "drift": self._make_drift,
            "recording": self._make_recording,
            "joints": self._make_joints,
        }
        for name in filter(window.is_instrument_seen, self._makers):  # those of the remembered layout
            self._on_seen(name)
        window.instrument_seen.connect(self._on_seen)
        window.preset_changed.connect(self._on_preset)
        window.scene_view.angle_unit_changed.connect(self._on_angle_unit)

    def close(self) -> None:
        """End what goes on by itself, and begin nothing more."""
        self._makers.clear()
        self._waiting.clear()
        for controller in self._closing:
            controller.close()

    def stop_previews(self) -> None:
        """Take back what an instrument shows in the scene for a moment."""
        for panel in (self._gimbal, self._quaternion):
            if panel is not None:
                panel.stop_preview()

    def _on_seen(self, name: str) -> None:
        if name in self._makers and name not in self._waiting:
            self._waiting.append(name)
            self._wait_for_turn()

    def _on_preset(self) -> None:
        if self._waiting:
            self._wait_for_turn()

    def _wait_for_turn(self) -> None:
        # Not before what is going on now, the change of a layout and its picture, is over: hence in two steps.
        self._turn.stop()
        self._after_all.stop()
        QTimer.singleShot(0, self._turn, self._turn.start)

    def _make_next(self) -> None:
        """Make one instrument, and the others in turns of their own: a layout may show several at once.

        What has gone out of sight by now is left until it is seen again.
        """
        name = self._waiting.popleft() if self._waiting else None
        if name is not None and self._window.is_instrument_seen(name):
            self._makers.pop(name)()
        if self._waiting:
            self._wait_for_turn()

    def _on_angle_unit(self) -> None:
        for follow in self._followers:
            follow(self._window.scene_view.angle_unit)

    def _follow_unit(self, set_unit: Callable[[str], None]) -> None:
        """Tell a panel the unit of angles, now and whenever it changes."""
        self._followers.append(lambda unit: set_unit(unit.key))
        set_unit(self._window.scene_view.angle_unit.key)

    def _put(self, name: str, panel: QWidget, buttons: Iterable[QWidget] = ()) -> None:
        """Put a panel into its dock, where F1 finds its page."""
        panel.setProperty("helpTopic", TOPICS[name])
        self._window.fill_dock(name, panel, buttons)

    def _make_relation(self) -> None:
        from framescope.app.controllers.instruments.relation_controller import RelationController
        from framescope.ui.panels.relation.relation_panel import RelationPanel

        panel = RelationPanel(self._window.ground("relation"))
        self._put("relation", panel, panel.header_widgets())
        self._follow_unit(panel.set_angle_unit)
        RelationController(self._session, panel)

    def _make_shift(self) -> None:
        from framescope.features.shift.app.shift_controller import ShiftController
        from framescope.features.shift.ui.shift_panel import ShiftPanel

        panel = ShiftPanel(self._window.ground("shift"))
        self._put("shift", panel, panel.header_widgets())
        self._closing.append(ShiftController(self._session, self._window, panel))

    def _make_gimbal(self) -> None:
        from framescope.features.laboratory.app.laboratory_controller import GimbalController
        from framescope.features.laboratory.ui import GimbalPanel

        panel = GimbalPanel(self._window.ground("gimbal"))
        self._put("gimbal", panel)
        self._follow_unit(panel.set_angle_unit)
        GimbalController(self._session, panel)
        self._gimbal = panel

    def _make_quaternion(self) -> None:
        from framescope.features.laboratory.app.laboratory_controller import TriedController
        from framescope.features.quaternions.ui.quaternion_panel import QuaternionPanel

        panel = QuaternionPanel(self._window.ground("quaternion"))
        self._put("quaternion", panel)
        self._follow_unit(panel.set_angle_unit)
        TriedController(self._session, panel)
        self._quaternion = panel

    def _make_detective(self) -> None:
        from framescope.features.detective.app.detective_controller import DetectiveController
        from framescope.features.detective.ui.detective_panel import DetectivePanel
        from framescope.ui.scene_view.base.ghost_pose import CANDIDATES

        panel = DetectivePanel(self._window.ground("detective"))
        self._put("detective", panel, panel.header_widgets())
        panel.titled.connect(partial(self._window.set_dock_title, "detective"))
        detecting = DetectiveController(self._session, panel)
        detecting.candidates_shown.connect(partial(self._window.scene_view.set_option, CANDIDATES))
        self._closing.append(detecting)

    def _make_drift(self) -> None:
        from framescope.features.laboratory.app.laboratory_controller import DriftController
        from framescope.features.laboratory.ui import DriftPanel

        panel = DriftPanel(self._window.ground("drift"))
        self._put("drift", panel, panel.header_widgets())
        self._follow_unit(panel.set_angle_unit)
        panel.edits.items_committed.connect(self.item_made)
        panel.status.connect(self._window.status.show_message)
        self._closing.append(DriftController(self._session, panel))

    def _make_joints(self) -> None:
        from framescope.features.robots.app.joints_controller import JointsController
        from framescope.features.robots.ui.joints_panel import JointsPanel

        panel = JointsPanel(self._window.ground("joints"))
        self._put("joints", panel, panel.header_widgets())
        self._follow_unit(panel.set_angle_unit)
        panel.play_requested.connect(self.joint_recording_requested)
        JointsController(self._session, self._window, panel)

    def _make_recording(self) -> None:
        from framescope.features.bags.app.recording_controller import RecordingController
        from framescope.features.bags.ui.recording_panel import RecordingPanel

        panel = RecordingPanel(self._window.ground("recording"))
        self._put("recording", panel)
        RecordingController(self._session, self._window, panel)
