"""Read-outs of one relation: a frame relative to another, resolved in a third."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape

import numpy as np
from PySide6.QtCore import QObject, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from framescope.core import angle_branches
from framescope.core.evaluation import relative_motion
from framescope.core.evaluation.delayed_frames import NOW, Delay
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.smoothing_notes import smoothing_note
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import USUAL_SEQUENCE, Array
from framescope.core.orientation import Orientation
from framescope.core.scene.schema.model import WORLD
from framescope.core.scene.schema.signal_kinds import signal_named
from framescope.core.scene.schema.view import Plot, PlottedSignal
from framescope.core.snapshot import Snapshot
from framescope.ui.formatting import number_text
from framescope.ui.formatting.item_names import BRANCH_TEXTS, frame_icon
from framescope.ui.panels.relation.relation_drag import SignalDrags
from framescope.ui.theme import icons
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import IconButton
from framescope.ui.widgets.elided_label import ElidedLabel
from framescope.ui.widgets.headings import WHOLE_TITLE, SectionHeader, separator
from framescope.ui.widgets.matrix_view import MatrixView
from framescope.ui.widgets.readout import ReadOut
from framescope.ui.widgets.value_row import ValueRow

LABEL_WIDTH = 64

_DECIMALS = {"angle": {"deg": 2, "rad": 3}, "rate": {"deg": 2, "rad": 4}}
"""Angles share a narrow row with their label."""

_UNIT_TEXTS = {"angle": {"deg": "deg", "rad": "rad"}, "rate": {"deg": "°/s", "rad": "rad/s"}}

_Words = tuple[SectionHeader | None, ReadOut, str, str, str, dict[str, str]]
"""Texts of a row: its heading, the row, text of the heading, full description, formula, and keys of its plot."""


@dataclass(frozen=True)
class RelationKey:
    """Key of a relation: a frame, perhaps with a delay, relative to another, resolved in a third."""

    of: str
    relative_to: str
    resolved_in: str
    delay: Delay | None = None

    @property
    def of_when(self) -> str:
        """Name of the frame, with its delay if any."""
        return self.of if self.delay is None else f"{self.of} {self.delay.before}"

    @property
    def relative_to_when(self) -> str:
        """Name of the reference frame, with a note that it is the present one if the first is delayed."""
        return self.relative_to if self.delay is None else self.relative_to + NOW

    @property
    def resolved_in_when(self) -> str:
        """Name of the frame for resolving, with a note that it is the present one if the first is delayed."""
        return self.resolved_in if self.delay is None else self.resolved_in + NOW


def is_relation(_plan: Plan, question: PlottedSignal) -> bool:
    """Return whether a question asks about two frames."""
    return question.of is not None and question.relative_to is not None


def key_of(question: PlottedSignal) -> RelationKey:
    """Return the relation of the frames of a question."""
    relative_to = question.relative_to or WORLD
    return RelationKey(question.of or WORLD, relative_to, question.resolved_in or relative_to)


class _Moment:
    """Relation of frames at the time of a snapshot. Numbers are computed on access."""

    def __init__(self, plan: Plan, snapshot: Snapshot, key: RelationKey, sequence: str) -> None:
        self._plan, self._snapshot, self._key, self._sequence = plan, snapshot, key, sequence

    @property
    def p(self) -> Array:
        """Position (3,), m."""
        return relative_motion.relative_position(
            self._snapshot, self._key.of, self._key.relative_to, self._key.resolved_in
        )

    @cached_property
    def V(self) -> Array:
        """Angular and linear velocity (6,), rad/s and m/s."""
        return relative_motion.relative_velocity(
            self._snapshot, self._key.of, self._key.relative_to, self._key.resolved_in
        )

    @property
    def w(self) -> Array:
        """Angular velocity (3,) resolved in the frame itself, rad/s."""
        of = self._key.of
        return relative_motion.relative_velocity(self._snapshot, of, self._key.relative_to, of)[:3]

    @cached_property
    def T(self) -> Array:
        """Transformation matrix (3, 3)."""
        return self._plan.traces.matrices(self._snapshot, self._key.of, self._key.relative_to)

    @cached_property
    def angles(self) -> tuple[Array, Array, Array]:
        """Angles (3,) of both branches, and the continuous ones, rad."""
        of, relative_to = self._key.of, self._key.relative_to
        rotation = Orientation(self._plan.traces.rotations(self._snapshot, of, relative_to), np.zeros(3))
        branches = angle_branches.axes_rotations_angles_branches(rotation, self._sequence)
        return *branches, self._plan.traces.angles(self._snapshot, of, relative_to, self._sequence)

    @property
    def residue(self) -> Array:
        """Largest of six residues (1,)."""
        residues = linear_algebra.orientation_residues(self.T)
        return residues[[np.argmax(np.abs(residues))]]


@dataclass(frozen=True, eq=False)
class _Row:
    """Row of numbers.

    Attributes
    ----------
    group
        Group of rows that stay together.
    heading, widget
        Heading above the row, or None, and the row.
    numbers
        Function that returns the numbers, SI units.
    unit
        ``angle`` or ``rate`` for numbers that follow the unit of angles.
    """

    group: str
    heading: SectionHeader | None
    widget: MatrixView | ValueRow
    numbers: Callable[[_Moment], Array]
    unit: str = ""

    def show(self, values: Array) -> None:
        """Show numbers in display units."""
        if isinstance(self.widget, MatrixView):
            self.widget.set_matrix(values)
        else:
            self.widget.set_values(values)


_MOTION = "motion"


class RelationBlock(QWidget):
    """Numbers of one relation.

    Parameters
    ----------
    has_orientation, has_motion : bool
        Whether to show matrix, angles, rate and residue; position, velocity and rate.
    is_held : bool
        Whether there is a button that removes the block, `remove`.
    """

    def __init__(
        self,
        *,
        has_orientation: bool = True,
        has_motion: bool = True,
        is_held: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.key = RelationKey("", "", "")
        """Current relation."""
        self._plan: Plan | None = None
        self._unit = "deg"
        self._default_sequence = USUAL_SEQUENCE
        self._is_known = False
        self._plots: dict[QObject, Plot] = {}
        self._topic: tuple[object, ...] = ()
        self._drags = SignalDrags(self, self.plot_of)

        self._icon = _Icon()
        self.title = ElidedLabel(role="section", least=WHOLE_TITLE)
        self.note = ElidedLabel("", role="quiet")
        self.remove = IconButton("x", "Remove these read-outs", size=_SMALL, icon_size=METRICS.row_icon)
        self.remove.setVisible(is_held)
        self._matrix_title = SectionHeader("", is_quiet=True)
        self.matrix = MatrixView()
        self.copy_matrix = IconButton(
            "copy", "copy the matrix at full precision", size=_SMALL, icon_size=METRICS.row_icon
        )
        self.copy_matrix.clicked.connect(self.matrix.copy)
        self._matrix_title.add_widget(self.copy_matrix)
        self._angles_title = SectionHeader("", is_quiet=True)
        self.branches = tuple(
            ValueRow(("", "", ""), label=label, label_width=LABEL_WIDTH, decimals=2)
            for label in ("branch 1", "branch 2", "continuous")
        )
        self._w_title = SectionHeader("", is_quiet=True)
        self.w = ValueRow(decimals=2)
        self.residue = ValueRow(("",), label="largest of six residues", decimals=1, formatter=number_text.scientific)
        self._r_title = SectionHeader("", "m", is_quiet=True)
        self.r = ValueRow()
        self._v_title = SectionHeader("", "m/s", is_quiet=True)
        self.v = ValueRow()
        self._w_resolved_title = SectionHeader("", is_quiet=True)
        self.w_resolved = ValueRow(decimals=2)
        first, *others = (
            _Row("angles", None, row, lambda at, i=i: at.angles[i], "angle") for i, row in enumerate(self.branches)
        )
        table = (  # from top to bottom; `_words` has the texts
            _Row("matrix", self._matrix_title, self.matrix, lambda at: at.T),
            replace(first, heading=self._angles_title),
            *others,
            _Row("rate", self._w_title, self.w, lambda at: at.w, "rate"),
            _Row("rate", None, self.residue, lambda at: at.residue),
            _Row(_MOTION, self._r_title, self.r, lambda at: at.p),
            _Row(_MOTION, self._v_title, self.v, lambda at: at.V[3:]),
            _Row(_MOTION, self._w_resolved_title, self.w_resolved, lambda at: at.V[:3], "rate"),
        )
        self._table = tuple(row for row in table if (has_motion if row.group == _MOTION else has_orientation))
        for row in table:
            if row not in self._table:
                for widget in filter(None, (row.heading, row.widget)):
                    widget.setParent(self)
                    widget.hide()
        self._lay_out()
        self.set_angle_unit("deg")

    @property
    def rows(self) -> tuple[ReadOut, ...]:
        """Rows of numbers, from top to bottom."""
        return tuple(row.widget for row in self._table)

    def set_relation(self, plan: Plan, key: RelationKey) -> None:
        """Show a relation of frames of a plan."""
        self._plan, self.key = plan, key
        self._is_known = all(name in plan.index for name in (key.of, key.relative_to, key.resolved_in))
        self._show_titles()
        if not self._is_known:
            self._show_nothing()

    def set_default_sequence(self, sequence: str) -> None:
        """Change the sequence of angles of a frame without a sequence of its own."""
        self._default_sequence = sequence
        if self._plan is not None:
            self._show_titles()

    def set_angle_unit(self, unit: str) -> None:
        """Show angles in "deg" or "rad"."""
        self._unit = unit
        for row in self._table:
            if row.unit and isinstance(row.widget, ValueRow):
                row.widget.set_decimals(_DECIMALS[row.unit][unit])
            if row.unit and row.heading is not None:
                row.heading.set_note(_UNIT_TEXTS[row.unit][unit])
        if self._plan is not None:
            self._show_titles()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the relation at the snapshot's time."""
        if not self._is_known or self._plan is None:
            return
        of, relative_to, resolved_in = self.key.of, self.key.relative_to, self.key.resolved_in
        if not relative_motion.are_known(snapshot, of, relative_to, resolved_in).all():
            self._show_nothing()
            return
        at = _Moment(self._plan, snapshot, self.key, self._sequence())
        for row in self._table:
            numbers = row.numbers(at)
            row.show(np.degrees(numbers) if row.unit and self._unit == "deg" else numbers)

    def _show_nothing(self) -> None:
        for row in self._table:
            is_matrix = isinstance(row.widget, MatrixView)
            row.show(np.full((3, 3) if is_matrix else 1 if row.widget is self.residue else 3, np.nan))

    def _sequence(self) -> str:
        plan, of = self._plan, self.key.of
        if plan is None or of not in plan.index or not self._is_of_parent():
            return self._default_sequence
        return plan.sequence(of) or self._default_sequence

    def _is_of_parent(self) -> bool:
        frame = self._plan and self._plan.scene.frames.get(self.key.of)
        return bool(frame) and frame.parent == self.key.relative_to

    def _is_by_axes(self) -> bool:
        """Return whether the frame is authored by an axis sequence relative to the reference frame."""
        return self._is_of_parent() and self._plan is not None and self._plan.sequence(self.key.of) is not None

    # --- texts

    def _show_titles(self) -> None:
        of, relative_to = self.key.of, self.key.relative_to
        frame = self._plan and self._plan.scene.frames.get(of)
        self._icon.set_name(frame_icon(frame) if frame else "globe")
        frames = (of, relative_to, self.key.resolved_in)
        smoothing = "" if self._plan is None else smoothing_note(self._plan, frames)
        sequence = self._sequence()
        # The texts depend on these values, which gestures seldom change.
        topic = (self.key, self._is_known, self._unit, smoothing, sequence, self._is_of_parent(), self._is_by_axes())
        if topic == self._topic:
            return
        self._topic = topic
        self.title.setText(of)
        missing = "" if self._is_known else ", which no longer exists"
        self.note.setText(f"relative to {relative_to}{missing}")
        self._angles_title.set_title(f"angles α β γ, {sequence}, both branches")
        self._plots = {}
        for heading, row, title, description, formula, plot in self._words(sequence):
            has_rate = bool(plot) and signal_named(plot["signal"]).has_rate
            text = f"{description}; {smoothing}" if smoothing and has_rate else description
            if heading is not None:
                heading.set_title(title)
                row.setAccessibleName(title)
            row.setToolTip(f"<qt>{escape(text)}<br><code>{escape(formula)}</code></qt>")
            row.setAccessibleDescription(f"{text}. {formula}")
            if plot:
                self._plots[row] = Plot.model_validate(plot)

    def _words(self, sequence: str) -> Iterator[_Words]:
        """Yield the texts of each row, and the signal to plot when it is dragged onto a plot."""
        of, relative_to, resolved_in = self.key.of, self.key.relative_to, self.key.resolved_in
        angle, rate = (_UNIT_TEXTS[unit][self._unit] for unit in ("angle", "rate"))
        pair = {"of": of, "relative_to": relative_to}
        turning = {"signal": "angular velocity", **pair, "unit": f"{self._unit}/s"}
        angles = {"signal": "angles", **pair, "sequence": sequence, "unit": self._unit}
        yield (
            self._matrix_title,
            self.matrix,
            f"T, {relative_to} into {of}",
            f"T takes components in {relative_to} into components in {of}",
            "v₂ = T v₁",
            {"signal": "quaternion", **pair},
        )
        yield (
            self._w_title,
            self.w,
            f"ω, in axes of {of}",
            f"ω of {of}, relative to {relative_to}, in axes of {of}, {rate}",
            "ω = e₃γ̇ + T₃(e₂β̇ + T₂e₁α̇)" if self._is_by_axes() else "skew(ω) = T d(transpose T)/dt",
            {**turning, "resolved_in": of},
        )
        of_residue = f"how far T of {of} is from a rotation; zero for a rotation"
        residues = {"signal": "residues", "of": of} if self._is_of_parent() else {}
        yield None, self.residue, "", of_residue, "transpose(T) T − 1", residues
        for heading, row, symbol, signal, text, formula in (
            (self._r_title, self.r, "r", "position", f"from the origin of {relative_to}", "r₂ − r₁"),
            (self._v_title, self.v, "v", "velocity", f"as seen from {relative_to}", "dr/dt"),
        ):
            unit = signal_named(signal).unit
            plot = {"signal": signal, **pair, "resolved_in": resolved_in, "unit": unit}
            title, full_text = (
                f"{symbol}, in axes of {resolved_in}",
                f"{symbol} of {of}, {text}, in axes of {resolved_in}",
            )
            yield heading, row, title, f"{full_text}, {unit}", formula, plot
        yield (
            self._w_resolved_title,
            self.w_resolved,
            f"ω, in axes of {resolved_in}",
            f"ω of {of}, relative to {relative_to}, in axes of {resolved_in}, {rate}",
            f"ω in {resolved_in} = T(of → {resolved_in}) ω",
            {**turning, "resolved_in": resolved_in},
        )
        full_text = f"angles of {of}, relative to {relative_to}, {sequence} about moving axes, {angle}"
        for row, text in zip(self.branches, BRANCH_TEXTS, strict=True):
            yield None, row, "", f"{full_text}: {text}", "T = T₃(γ) T₂(β) T₁(α)", angles

    def plot_of(self, row: QObject) -> Plot | None:
        """Return the signal that a row shows; None while it has no numbers."""
        return self._plots.get(row) if self._is_known else None

    def _lay_out(self) -> None:
        top = layouts.row(self._icon, self.title, (self.note, 1), self.remove, spacing=METRICS.gap)
        column = layouts.column(top, on=self, margins=0, spacing=2)
        group = self._table[0].group if self._table else ""
        for row in self._table:
            if row.group != group:
                group = row.group
                column.addSpacing(METRICS.inner)
                column.addWidget(separator())
                column.addSpacing(METRICS.inner)
            for widget in filter(None, (row.heading, row.widget)):
                column.addWidget(widget)
            row.widget.installEventFilter(self._drags)


_SMALL = 20


class _Icon(QWidget):
    """Painted icon that follows the theme."""

    def __init__(self) -> None:
        super().__init__()
        self._name = "axis-3d"
        self.setFixedSize(QSize(METRICS.row_icon, METRICS.readout_row))

    def set_name(self, name: str) -> None:
        """Show another icon."""
        if name != self._name:
            self._name = name
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        picture = icons.pixmap(self._name, "accent_text", METRICS.row_icon)
        QPainter(self).drawPixmap(0, (self.height() - METRICS.row_icon) // 2, picture)


def usual_keys(plan: Plan, name: str) -> tuple[RelationKey, RelationKey]:
    """Return the default relations of a selected frame: in its parent, and its motion in world."""
    parent = plan.scene.frames[name].parent
    return RelationKey(name, parent, name), RelationKey(name, WORLD, WORLD)
