"""Joints panel: sliders and numbers for the values of all joints of a scene."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QWidget

from framescope.core.scene.edits.joints import set_joints
from framescope.core.scene.edits.roles import show_role
from framescope.features.robots.ui.jacobian_section import JacobianSection
from framescope.features.robots.ui.joint_row import JointInfo, JointRow
from framescope.features.robots.ui.shape_roles import ShapeRoles
from framescope.ui.qt_support.edit_sink import EditSink
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.angle_unit import ANGLE_UNITS, DEG
from framescope.ui.widgets.buttons import IconButton, push_button
from framescope.ui.widgets.empty_state import EmptyState
from framescope.ui.widgets.search_field import SearchField

MANY = 10
"""Number of joints from which a filter field is shown."""

NOT_A_POSE = 'The clipboard has no values of joints: expected text such as {"elbow": 0.5}, in rad and m.'


class JointsPanel(QWidget):
    """Row for each joint, and buttons for all joints: zero, random, copy, paste.

    Attributes
    ----------
    edits : EditSink
        Sink for the edits.

    Signals
    -------
    seen()
        The panel became visible. Its values are not updated before that.
    frame_picked(str)
        Name of the frame whose joint was clicked.
    play_requested(), free_requested()
        Request to let a recording move the joints, or to end that.
    message(str)
        Message about an action that failed.
    """

    seen = Signal()
    frame_picked = Signal(str)
    message = Signal(str)
    play_requested = Signal()
    free_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layouts.lay_ground(self)
        self.edits = EditSink(self)
        self._unit = DEG
        self.rows: dict[str, JointRow] = {}
        self.zero = push_button("Zero", kind="small")
        self.zero.setToolTip("All joints to zero, or as near to zero as their limits allow")
        self.random = push_button("Random", kind="small")
        self.random.setToolTip("All joints to random values within their limits")
        self.copy_button = IconButton("copy", "Copy the values, in rad and m")
        self.paste_button = IconButton("clipboard-paste", "Paste values, in rad and m")
        self.play_button = IconButton("video", "Play a recording on the joints: a table, or joint states of a bag…")
        self.free_button = IconButton("unlink", "End the recording of the joints, and keep their current values")
        self.field = SearchField("Filter joints…", "filter joints by name", METRICS.row_icon)
        self.field.setClearButtonEnabled(True)
        self.empty = EmptyState("rotate-3d", "No joints", "Open a robot in URDF, or give a frame the motion joint.")
        self.roles = ShapeRoles()
        self.roles.toggled.connect(lambda role, is_on: self.edits.commit(show_role(role, is_on)))
        content = layouts.panel()
        self._list = layouts.column(spacing=METRICS.gap)
        parts = self.roles, self.field, self._list, self.empty, layouts.STRETCH
        layouts.column(*parts, on=content, margins=METRICS.padding, spacing=METRICS.gap)
        self.jacobian = JacobianSection()
        below = layouts.column(self.jacobian, margins=METRICS.padding)
        layouts.column((layouts.scroll_area(content, "joints"), 1), below, on=self, margins=0, spacing=0)
        self.field.textChanged.connect(self._filter)
        self.zero.clicked.connect(self._on_zero)
        self.random.clicked.connect(self._on_random)
        self.copy_button.clicked.connect(self._on_copy)
        self.paste_button.clicked.connect(self._on_paste)
        self.play_button.clicked.connect(self.play_requested)
        self.free_button.clicked.connect(self.free_requested)
        self.roles.set_shown({})
        self.jacobian.show_jacobian(None)
        self._random = np.random.default_rng()
        self.set_joints(())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.seen.emit()

    def header_widgets(self) -> tuple[QWidget, ...]:
        """Return the buttons for the header of the panel: zero, random, copy, paste."""
        icons = self.play_button, self.free_button, self.copy_button, self.paste_button
        return self.zero, self.random, *icons

    def set_joints(self, joints: Sequence[JointInfo]) -> None:
        """Show these joints; if they are unchanged, keep the rows, even while the user edits one."""
        if [row.info for row in self.rows.values()] != list(joints):
            for row in self.rows.values():
                self._list.removeWidget(row)
                row.blockSignals(True)
                row.hide()
                row.deleteLater()
            self.rows = {info.frame: self._row(info) for info in joints}
            self._filter()
        self.empty.setVisible(not self.rows)
        self.field.setVisible(len(self.rows) >= MANY)
        for button in (self.zero, self.random, self.paste_button):
            button.setEnabled(any(not row.info.driver for row in self.rows.values()))
        for button in (self.copy_button, self.play_button):
            button.setEnabled(bool(self.rows))
        self.free_button.setVisible(any(row.info.is_recorded for row in self.rows.values()))

    def show_values(self, values: Mapping[str, float]) -> None:
        """Show the values of joints, rad or m, by their frames."""
        for name, row in self.rows.items():
            value = values.get(name, math.nan)
            if value != row.value:
                row.show_value(value)

    def set_angle_unit(self, unit: str) -> None:
        """Show angles in "deg" or "rad"."""
        self._unit = ANGLE_UNITS[unit]
        for row in self.rows.values():
            row.set_unit(self._unit)
        self.jacobian.set_angle_unit(self._unit)

    def _row(self, info: JointInfo) -> JointRow:
        row = JointRow(info)
        row.set_unit(self._unit)
        self._list.addWidget(row)
        label = f"Set joint {info.name}"
        row.previewed.connect(lambda value: self.edits.preview(set_joints({info.frame: value}, label)))
        row.committed.connect(lambda value: self.edits.commit(set_joints({info.frame: value}, label)))
        row.cancelled.connect(self.edits.cancel)
        row.chosen.connect(lambda: self.frame_picked.emit(info.frame))
        return row

    def _filter(self) -> None:
        text = self.field.text().strip().casefold() if len(self.rows) >= MANY else ""
        for row in self.rows.values():
            row.setVisible(text in row.info.name.casefold() or text in row.info.frame.casefold())

    def _free(self) -> list[JointInfo]:
        return [row.info for row in self.rows.values() if not row.info.driver]

    def _on_zero(self) -> None:
        values = {info.frame: min(max(0.0, info.lower), info.upper) for info in self._free()}
        self.edits.commit(set_joints(values, "Set all joints to zero"))

    def _on_random(self) -> None:
        values = {info.frame: float(self._random.uniform(*info.ends)) for info in self._free()}
        self.edits.commit(set_joints(values, "Set all joints at random"))

    def _on_copy(self) -> None:
        values = {row.info.name: row.value for row in self.rows.values() if math.isfinite(row.value)}
        QGuiApplication.clipboard().setText(json.dumps(values, indent=2, ensure_ascii=False))

    def _on_paste(self) -> None:
        try:
            pose = pose_in(QGuiApplication.clipboard().text())
        except ValueError:
            self.message.emit(NOT_A_POSE)
            return
        by_name = {key: info.frame for info in self._free() for key in (info.frame, info.name)}
        values = {by_name[name]: value for name, value in pose.items() if name in by_name}
        if not values:
            self.message.emit(f"There is no joint called {next(iter(pose), 'so')}.")
            return
        n, unknown = len(values), len(pose) - len(values)
        self.edits.commit(set_joints(values, f"Pasted {n} joint{'s' * (n != 1)}"))
        if unknown:
            self.message.emit(f"Pasted {n}; {unknown} of the names {'are' if unknown > 1 else 'is'} of no joint here.")


def pose_in(text: str) -> dict[str, float]:
    r"""Return the values in a text by the names of joints, rad or m; raise `ValueError` if it has none.

    >>> pose_in('{"elbow": 0.5}'), pose_in("elbow: 0.5\nwrist = -1")
    ({'elbow': 0.5}, {'elbow': 0.5, 'wrist': -1.0})
    """
    try:
        read = json.loads(text)
    except ValueError:
        read = dict[str, str]()
        for line in filter(str.strip, text.splitlines()):
            name, sign, value = line.replace("=", ":", 1).rpartition(":")
            if not sign:
                raise
            read[name.strip().strip("\"'")] = value.strip().rstrip(",")
    if not isinstance(read, dict) or not read:
        raise ValueError("no values by names")
    values = {str(name): float(value) for name, value in read.items()}
    if not all(map(math.isfinite, values.values())):
        raise ValueError("a value is none")
    return values
