"""Form of the choices of an import, each with the reason of its guess."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QLabel, QWidget

from framescope.core.errors import Problem
from framescope.core.kernels.validation import EXTRINSIC_SEQUENCES, SEQUENCES
from framescope.core.recordings.columns.reasons import Reason
from framescope.core.recordings.tables.mixed import MixedTable
from framescope.core.scene.schema.quantities import UNITS
from framescope.features.table_import.core.answers import CHOICES, with_answer
from framescope.features.table_import.core.choices import Choices, with_form, with_role
from framescope.features.table_import.core.decisions import CERTAINTIES, Decision, decisions
from framescope.features.table_import.core.row_checks import unread_times
from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.theme import icons
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.choice_box import ChoiceBox
from framescope.ui.widgets.elided_label import ElidedLabel
from framescope.ui.widgets.number_field import NumberField

_RATE = "none: a constant rate"
_FORMATS = {
    "tum": "TUM trajectory",
    "kitti": "KITTI poses",
    "euroc": "EuRoC ground truth",
    "table": "Table, columns named",
}
_FORMS = {
    "quaternion": "Quaternion",
    "matrix": "Rotation matrix",
    "axes": "Three angles",
    "rotation vector": "Rotation vector",
    "heading": "Heading alone",
    "none": "None",
}
_ORDERS = {"xyzw": "x y z w, scalar last", "wxyz": "w x y z, scalar first"}
_MAPS = {"frame to parent": "frame into parent", "parent to frame": "parent into frame"}
_POSES = {"frame in parent": "frame in parent", "parent in frame": "parent in frame"}
_COUNTS = {
    "counterclockwise": "counterclockwise from x",
    "clockwise": "clockwise from x",
    "compass": "as a compass, from y",
}
_MAJORS = {"row": "row by row", "column": "column by column"}
_TIME_UNITS = {unit: unit for unit in UNITS["recorded time"]}
_LENGTH_UNITS = {unit: unit for unit in UNITS["length"]}
_ANGLE_UNITS = {unit: unit for unit in UNITS["angle"]}
_SEQUENCES = {name: f"{name}, moving axes" for name in SEQUENCES} | {
    name: f"{name}, fixed axes" for name in EXTRINSIC_SEQUENCES
}
_DECISIONS = {field: name for name, (field, _) in CHOICES.items()}
MOST_LEFT_OUT = 10_000
"""Largest stride of the rows."""

LONG = 100_000
"""Number of rows above which the form offers a stride."""

_ROLES = {"time": "time", "names": "frame name"}
"""Role of the column that a field chooses."""

_OF_VECTORS = ("time", "form", "start_s")
FIRST_SAMPLE = Reason("scene time of the first sample")
_NO_REASON = Reason("")
_AS_BANDWIDTH = Reason("as the bandwidth")
_LABEL_WIDTH = 136
_UNIT_WIDTH = 72
_KEPT = ("pose", "bandwidth_hz", "orientation_bandwidth_hz", "every", "start_s", "mends")
"""Choices that a change of format keeps."""
_HELP = {
    "pose": "Frame in parent: the columns say where the frame is, seen from its parent. "
    "Parent in frame: the other way round, as extrinsics and world-to-camera matrices have it.",
    "maps": "Whose vectors the rotation takes, and into what.",
    "bandwidth_hz": "Rates are of a smoothed motion: where its amplitude falls to 1/√2. Poses are the samples.",
    "orientation_bandwidth_hz": "The bandwidth of the orientation, where it is another.",
    "counts": "Angles of mathematics count counterclockwise from x, those of a compass clockwise from north.",
    "major": "Whether the numbers of a matrix stand in the file row by row, or column by column.",
    "every": "Of so many rows of a frame one is taken; the bandwidth has to be less than half the rate that is left.",
    "start_s": "Scene time of the first sample; of several frames, of the earliest. The others keep their clock.",
}


@dataclass(frozen=True)
class _Row:
    """Row of the form: label, fields, and the reason with its icon below."""

    key: str
    label: QLabel
    fields: QWidget
    icon: QLabel
    reason: ElidedLabel

    def set_visible(self, is_visible: bool) -> None:
        for widget in (self.label, self.fields, self.reason):
            widget.setVisible(is_visible)
        self.icon.setVisible(is_visible and not self.icon.pixmap().isNull())


class ChoicesForm(QWidget):
    """Form of all choices except the columns.

    Signals
    -------
    changed(Choices)
        The user changed a choice.
    """

    changed = Signal(object)

    def __init__(
        self, table: MixedTable, choices: Choices, reasons: Mapping[str, Reason], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self._choices = choices
        self._reasons = {"names": Reason("no column holds names"), "start_s": FIRST_SAMPLE}
        self._reasons |= reasons
        self._guessed = choices
        self._table = table
        self._is_measured = False
        self._decisions: dict[str, Decision] = {}
        numbers = {column: column for column in table.order if column in table.numbers}
        names = {column: column for column in table.order if column in table.names or column in table.numbers}
        formats = {key: _FORMATS[key] for key in dict.fromkeys((choices.format, "table"))}

        options: dict[str, tuple[str, Mapping[str, str]]] = {
            "format": ("format", formats),
            "time": ("time column", {"": _RATE, **numbers}),
            "time_unit": ("unit of time", _TIME_UNITS),
            "names": ("column with names of frames", {"": "one frame in all rows", **names}),
            "position_unit": ("unit of position", _LENGTH_UNITS),
            "form": ("form of the orientation", _FORMS),
            "order": ("order of the quaternion", _ORDERS),
            "sequence": ("axis sequence", _SEQUENCES),
            "counts": ("way the heading counts", _COUNTS),
            "major": ("order of the matrix", _MAJORS),
            "angle_unit": ("unit of angles", _ANGLE_UNITS),
            "maps": ("direction of the rotation", _MAPS),
            "pose": ("direction of the pose", _POSES),
        }
        self.boxes = {key: self._combo(key, *of) for key, of in options.items()}
        """Boxes for words, by field of `Choices`."""
        self.numbers = {
            "rate_hz": self._number("rate_hz", "rate", "Hz"),
            "start_s": self._number("start_s", "start", "s"),
            "bandwidth_hz": self._number("bandwidth_hz", "bandwidth", "Hz"),
            "orientation_bandwidth_hz": self._number("orientation_bandwidth_hz", "orientation bandwidth", "Hz"),
            "every": self._number("every", "rows of which one is taken", "rows", 0),
        }
        self.numbers["rate_hz"].setPlaceholderText("Hz")
        self.numbers["bandwidth_hz"].setPlaceholderText("by the noise")

        self._grid = layouts.grid(on=self, margins=(METRICS.padding, METRICS.gap), spacing=(METRICS.gap, 0))
        self._grid.setColumnStretch(1, 1)
        self._rows = [
            self._row("format", "Format"),
            self._row("time", "Time", self.boxes["time_unit"], self.numbers["rate_hz"]),
            self._row("start_s", "Starts at"),
            self._row("names", "Frames"),
            self._row("position_unit", "Position in"),
            self._row("form", "Orientation"),
            self._row("order", "Order"),
            self._row("sequence", "Sequence"),
            self._row("counts", "Counts"),
            self._row("major", "Matrix"),
            self._row("angle_unit", "Angles in"),
            self._row("maps", "Rotation takes"),
            self._row("pose", "Pose of"),
            self._row("bandwidth_hz", "Bandwidth"),
            self._row("orientation_bandwidth_hz", "Orientation bandwidth"),
            self._row("every", "Takes one of"),
        ]
        self._grid.setRowStretch(self._grid.rowCount(), 1)
        self.show_choices(choices, ())

    def show_choices(self, choices: Choices, problems: Sequence[Problem]) -> None:
        """Show choices with their reasons, and mark those that problems cast doubt on."""
        self._choices = choices
        for key, box in self.boxes.items():
            box.setCurrentIndex(max(box.findData(getattr(choices, key) or ""), 0))
        for key, field in self.numbers.items():
            field.set_value(getattr(choices, key))
        of_position = "by the noise" if choices.bandwidth_hz is None else "as bandwidth"
        self.numbers["orientation_bandwidth_hz"].setPlaceholderText(of_position)
        if unread_times(self._table, choices):
            self.numbers["rate_hz"].set_value(None)
        self._show_fitting(choices)
        rows = decisions(self._table, choices, self._reasons)
        self._decisions = {decision.field: decision for decision in rows if decision.field}
        open_problems = (
            problem for problem in reversed(problems) if problem.fix is None or problem.fix.change not in choices.mends
        )
        doubts = {problem.where: problem for problem in open_problems if problem.key_path}
        for row in self._rows:
            self._show_reason(row, doubts)

    def set_start(self, start_s: float, reason: Reason | None) -> None:
        """Set the guessed scene time of the first sample, s, and its reason."""
        self._guessed = replace(self._guessed, start_s=start_s)
        self._reasons["start_s"] = reason or FIRST_SAMPLE

    def set_measured(self, is_measured: bool) -> None:
        """Choose the rows for measured vectors or for poses; call `show_choices` afterwards."""
        self._is_measured = is_measured

    def reason_of(self, key: str) -> str:
        """Return the text below a choice."""
        return next(row.reason.text() for row in self._rows if row.key == key)

    def is_marked(self, key: str) -> bool:
        """Return whether a choice has a warning icon."""
        return next(not row.icon.pixmap().isNull() for row in self._rows if row.key == key)

    # --- Display

    def _show_fitting(self, choices: Choices) -> None:
        has_position = any(group.has_position for group in choices.groups)
        is_table = choices.format == "table"
        visibility = {
            "names": is_table and self.boxes["names"].count() > 1,
            "position_unit": has_position,
            "order": choices.form == "quaternion",
            "sequence": choices.form == "axes",
            "counts": choices.form == "heading" or (choices.form == "axes" and choices.sequence == "ZYX"),
            "major": choices.form == "matrix",
            "angle_unit": choices.form in ("axes", "heading", "rotation vector"),
            "maps": choices.form in ("quaternion", "matrix", "rotation vector"),
            "orientation_bandwidth_hz": any(group.orientation for group in choices.groups),
            "every": self._guessed.every > 1 or choices.every > 1 or self._table.n_rows > LONG,
        }
        for row in self._rows:
            row.set_visible(visibility.get(row.key, True) and (row.key in _OF_VECTORS or not self._is_measured))
        self.numbers["rate_hz"].setVisible(choices.time is None)
        self.boxes["time_unit"].setVisible(choices.time is not None and choices.time not in self._table.stamps)

    def _show_reason(self, row: _Row, doubts: Mapping[str, Problem]) -> None:
        is_guessed = all(
            getattr(self._choices, key) == getattr(self._guessed, key)
            for key in ((row.key, "time_unit", "rate_hz", "is_rate_chosen") if row.key == "time" else (row.key,))
        )
        decision = self._decision(row.key)
        reason = self._reasons.get(row.key, _NO_REASON)
        if row.key == "time" and self._choices.time is not None:
            reason = self._reasons.get("time_unit", reason)
        if row.key == "orientation_bandwidth_hz" and self._choices.bandwidth_hz is not None:
            reason = _AS_BANDWIDTH
        text = reason.text
        if decision is not None and not (row.key == "time" and decision.is_settled):
            text = decision.reason
        text = text if is_guessed else "chosen by you"
        name, kind, tip = "triangle-alert", "", text
        doubt = doubts.get(row.key)
        if doubt is not None:
            kind, tip, text = "red" if doubt.severity == "red" else "amber", doubt.message, doubt.message
            name = "octagon-x" if kind == "red" else name
        elif is_guessed and decision is not None and not decision.is_settled:
            kind, tip = (
                "amber",
                f"{text}. {'Open' if decision.certainty == 'open' else 'Assumed'}: {decision.settled_by}.",
            )
            name = name if decision.certainty == "open" else "circle-help"
        elif is_guessed and decision is None and reason.is_doubtful and not self._is_measured:
            kind, tip = "amber", f"{text}. Please check."
        row.reason.setText(text)
        row.icon.setToolTip(literal_text(tip))
        if kind:
            row.icon.setPixmap(icons.pixmap(name, kind, METRICS.row_icon))
        else:
            row.icon.clear()
        row.icon.setVisible(bool(kind) and row.fields.isVisibleTo(self))
        row.fields.setAccessibleDescription(tip)

    def is_doubtful(self, key: str) -> bool:
        """Return whether a choice is a guess that nothing in the file settles."""
        decision = self._decisions.get(key)
        is_guessed = getattr(self._choices, key) == getattr(self._guessed, key)
        return is_guessed and decision is not None and not decision.is_settled

    def _decision(self, key: str) -> Decision | None:
        """Return the decision of a row; of several the least settled one."""
        keys = {"time": ("time_unit", "time", "rate_hz"), "position_unit": ("position_unit", "position")}.get(
            key, (key,)
        )
        rows = [self._decisions[field] for field in keys if field in self._decisions]
        return max(rows, key=lambda decision: CERTAINTIES.index(decision.certainty), default=None)

    # --- Building

    def _combo(self, key: str, name: str, choices: Mapping[str, str]) -> QComboBox:
        box = ChoiceBox()
        for value, text in choices.items():
            box.addItem(text, value)
        box.setAccessibleName(name)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(4)
        box.activated.connect(lambda _: self.changed.emit(self._choose(key, box.currentData())))
        return box

    def _number(self, key: str, name: str, unit: str, decimals: int = 3) -> NumberField:
        field = NumberField(decimals=decimals, unit=unit)
        field.setAccessibleName(name)
        field.committed.connect(lambda value: self._on_number(field, key, value))
        return field

    def _row(self, key: str, text: str, *others: QWidget) -> _Row:
        fields = (self.boxes[key] if key in self.boxes else self.numbers[key], *others)
        label = QLabel(text, self)
        label.setFixedWidth(_LABEL_WIDTH)
        label.setToolTip(_HELP.get(key, ""))
        label.setBuddy(fields[0])
        holder = QWidget(self)
        row = layouts.row(on=holder, margins=0, spacing=METRICS.inner)
        for i, field in enumerate(fields):
            row.addWidget(field, 1 if i == 0 else 0)
            field.setToolTip(_HELP.get(key, ""))
            if i > 0:
                field.setFixedWidth(_UNIT_WIDTH)
        icon = QLabel(self)
        reason = ElidedLabel("", role="caption", parent=self)
        reason.setFixedHeight(METRICS.readout_row)
        reason.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        at = self._grid.rowCount()
        below = layouts.row((icon, 0, Qt.AlignmentFlag.AlignVCenter), (reason, 1), spacing=METRICS.inner)
        self._grid.addWidget(label, at, 0)
        self._grid.addWidget(holder, at, 1)
        self._grid.addLayout(below, at + 1, 0, 1, 2)
        return _Row(key, label, holder, icon, reason)

    def _on_number(self, field: NumberField, key: str, value: float) -> None:
        if key != "start_s" and not value > 0.0:
            field.mark("Use a number larger than 0.")
            return
        if key == "every" and not (value.is_integer() and value <= MOST_LEFT_OUT):
            field.mark(f"Use a whole number from 1 to {MOST_LEFT_OUT}.")
            return
        field.mark("")
        value = int(value) if key == "every" else value
        changes: dict[str, Any] = {key: value} | ({"is_rate_chosen": True} if key == "rate_hz" else {})
        self.changed.emit(replace(self._choices, **changes))

    def _choose(self, key: str, value: str) -> Choices:
        """Return the choices with one changed; a change of a field that the format fixes sets ``"table"``."""
        choices = self._choices
        if key == "form":
            return with_form(choices, value)
        if key in _ROLES:
            return (
                with_role(choices, value, _ROLES[key]) if value else replace(choices, **{"format": "table", key: None})
            )
        if key == "format" and value != "table":
            unchanged = {name: getattr(choices, name) for name in _KEPT}
            return replace(self._guessed, **unchanged)
        return with_answer(choices, _DECISIONS.get(key, key), value)
