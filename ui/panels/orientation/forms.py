"""Editors of matrix, quaternion, axis and angle, rotation vector and Rodrigues parameters."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from framescope.core import conventions, frames
from framescope.core.evaluation.frame_traces import SIGN_RULE
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array
from framescope.core.orientation import QuaternionOrder
from framescope.core.scene.schema.kinds.orientations import ROLL_PITCH_YAW
from framescope.ui.panels.orientation import checks
from framescope.ui.widgets import layouts
from framescope.ui.widgets.angle_unit import DEG, AngleUnit
from framescope.ui.widgets.component_editor import ComponentEditor, VectorEditor
from framescope.ui.widgets.headings import SectionHeader
from framescope.ui.widgets.matrix_editor import MatrixEditor


class FormEditor(QWidget):
    """Editor of one orientation form, with its heading.

    Parameters
    ----------
    title, tip : str
        Name, and description of the numbers with the formula.
    notes : tuple of str
        Texts beside the title, for wide and narrow panels.
    editor : ComponentEditor
        Editor of the numbers.
    numbers, matrix : callable
        Functions from a matrix (3, 3), parent into frame, to the numbers, and back.

    Signals
    -------
    typed(object)
        The matrix (3, 3), parent into frame, of the typed numbers.
    """

    typed = Signal(object)

    def __init__(
        self,
        title: str,
        tip: str,
        notes: tuple[str, str],
        editor: ComponentEditor,
        numbers: Callable[[Array], Array],
        matrix: Callable[[Array], Array],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.title = title
        self.editor = editor
        self.values_of = numbers
        self._matrix_of = matrix
        self._notes = notes
        self.header = SectionHeader(title)
        self.header.setToolTip(tip)
        layouts.column(self.header, editor, on=self, margins=0, spacing=2)
        editor.committed.connect(self._on_committed)

    def show_matrix(self, T: Array | None) -> None:
        """Show an orientation, or none. Text that the user is typing stays."""
        self.editor.set_values(None if T is None else self.values_of(T))

    def set_narrow(self, is_narrow: bool) -> None:
        """Hide letters and shorten texts in a narrow panel."""
        self.header.set_note(self._notes[is_narrow])
        if isinstance(self.editor, VectorEditor):
            self.editor.show_letters(not is_narrow or len(self.editor.fields) < 4)
        else:
            self.editor.set_fix_text("Use nearest" if is_narrow else "Use nearest rotation")

    def _on_committed(self, values: Array) -> None:
        self.typed.emit(self._matrix_of(np.asarray(values).ravel()))


QUATERNION_NOTES: dict[QuaternionOrder, str] = {"xyzw": "x y z w, scalar last", "wxyz": "w x y z, scalar first"}
"""Note beside the heading of a quaternion, by its order."""


class QuaternionEditor(FormEditor):
    """Editor of the quaternion with the sign nearest to a given one. Its values are scalar last in any shown order."""

    def __init__(self) -> None:
        editor = VectorEditor("xyzw", "quaternion", checks.check_quaternion, "Normalise")
        self._vector = editor
        note = QUATERNION_NOTES["xyzw"]
        tip = f"Quaternion of the frame relative to its parent: v₁ = q v₂ q*\nIts {SIGN_RULE}"
        self._near: Array = np.array(linear_algebra.NO_TURN)
        super().__init__("Quaternion", tip, (note, note), editor, self._numbers, self._matrix)

    def set_order(self, order: QuaternionOrder) -> None:
        """Show the scalar last or first."""
        note = QUATERNION_NOTES[order]
        self._notes = note, note
        self.header.set_note(note)
        self._vector.set_order(["xyzw".index(letter) for letter in order])

    def set_near(self, Q: Array) -> None:
        """Set the quaternion (4,) that determines the sign of shown ones."""
        self._near = Q

    def _numbers(self, T: Array) -> Array:
        return linear_algebra.quaternion_from_matrix(T, self._near)

    def _matrix(self, values: Array) -> Array:
        return linear_algebra.matrix_from_quaternion(values)


class AxisAngleForm(FormEditor):
    """Editor of the axis, which is equal in both frames, and the angle."""

    def __init__(self) -> None:
        editor = VectorEditor(("x", "y", "z", "angle"), "rotation axis", checks.check_axis_angle, "Normalise")
        tip = "Unit vector that the frame is turned about from its parent, the same in both, and the angle"
        self._unit = DEG
        self._is_narrow = True
        super().__init__("Axis and angle", tip, ("", ""), editor, self._numbers, self._matrix)
        self.set_unit(DEG)

    def set_unit(self, unit: AngleUnit) -> None:
        """Change the unit of the angle."""
        self._unit = unit
        self._notes = ("the same in both frames", f"unit vector, {unit.key}")
        angle = self.editor.fields[3]
        angle.set_decimals(unit.decimals)
        angle.set_parse(unit.parse)
        angle.setAccessibleName(f"rotation angle, {unit.name}")
        self.set_narrow(self._is_narrow)

    def set_narrow(self, is_narrow: bool) -> None:
        super().set_narrow(is_narrow)
        self._is_narrow = is_narrow
        self.editor.fields[3].set_prefix("" if is_narrow else self._unit.key)

    def _numbers(self, T: Array) -> Array:
        axis, angle = conventions.axis_angle_from_quaternion(
            linear_algebra.quaternion_from_matrix(T, linear_algebra.NO_TURN)
        )
        return np.append(axis, self._unit.of_rad(float(angle)))

    def _matrix(self, values: Array) -> Array:
        angle = self._unit.to_rad(float(values[3]))
        return linear_algebra.matrix_from_quaternion(conventions.quaternion_from_axis_angle(values[:3], angle))


class RpyForm(FormEditor):
    """Editor of roll, pitch and yaw about the fixed axes of the parent, with pitch within a quarter turn."""

    def __init__(self) -> None:
        editor = VectorEditor(ROLL_PITCH_YAW, "angle")
        self._vector = editor
        about = "Turns about the fixed axes x, then y, then z of the parent, as in ROS and URDF"
        tip = f"{about}:\nR = Rz(yaw) Ry(pitch) Rx(roll)"
        self._unit = DEG
        self._is_narrow = True
        super().__init__("Roll, pitch, yaw", tip, ("", ""), editor, self._numbers, self._matrix)
        self.set_unit(DEG)

    def set_unit(self, unit: AngleUnit) -> None:
        """Change the unit of the angles."""
        self._unit = unit
        self._notes = (f"about fixed x, y, z, {unit.key}", f"fixed x y z, {unit.key}")
        for name, field in zip(ROLL_PITCH_YAW, self.editor.fields, strict=True):
            field.set_decimals(unit.decimals)
            field.set_parse(unit.parse)
            field.setAccessibleName(f"{name}, {unit.name}")
        self.set_narrow(self._is_narrow)

    def set_narrow(self, is_narrow: bool) -> None:
        super().set_narrow(is_narrow)
        self._is_narrow = is_narrow
        self._vector.show_letters(not is_narrow)  # the heading has them in order

    def _numbers(self, T: Array) -> Array:
        yaw, pitch, roll = frames.axes_rotations_angles(frames.Orientation(T, np.zeros(3)), "ZYX").tolist()
        return np.array([self._unit.of_rad(angle) for angle in (roll, pitch, yaw)])

    def _matrix(self, values: Array) -> Array:
        roll, pitch, yaw = (self._unit.to_rad(float(value)) for value in values)
        return frames.axes_rotations("ZYX", [yaw, pitch, roll]).T


def matrix_form() -> FormEditor:
    """Return the editor of the transformation matrix."""
    tip = "T of the frame relative to its parent: v₂ = T v₁\nIts rows are the axes of the frame, in axes of the parent"
    notes = ("v₂ = T v₁, parent into frame", "v₂ = T v₁")
    return FormEditor("Matrix T", tip, notes, MatrixEditor(checks.check_matrix), np.ravel, lambda v: v.reshape(3, 3))


def rotation_vector_form() -> FormEditor:
    """Return the editor of axis times angle, rad."""
    return FormEditor(
        "Rotation vector",
        "Axis times angle, rad",
        ("rad", "rad"),
        VectorEditor("xyz", "rotation vector"),
        conventions.rotation_vector_from_T,
        conventions.T_from_rotation_vector,
    )


def rodrigues_form() -> FormEditor:
    """Return the editor of axis times the tangent of half the angle, which a half turn does not have."""

    def numbers(T: Array) -> Array:
        with np.errstate(all="ignore"):
            return conventions.rodrigues_from_quaternion(
                linear_algebra.quaternion_from_matrix(T, linear_algebra.NO_TURN)
            )

    def matrix(values: Array) -> Array:
        return linear_algebra.matrix_from_quaternion(conventions.quaternion_from_rodrigues(values))

    return FormEditor(
        "Rodrigues parameters",
        "Axis times tan of half the angle; a half turn has none",
        ("axis times tan of half the angle", "axis · tan ½ angle"),
        VectorEditor("xyz", "Rodrigues parameter"),
        numbers,
        matrix,
    )
