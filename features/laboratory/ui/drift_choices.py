"""Controls of the drift laboratory: angular velocity and settings of the integration."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QLabel, QSizePolicy, QWidget

from framescope.core.kernels.integration_steps import Method
from framescope.features.laboratory.core.drift import ANGLES, QUATERNION, DriftSettings, methods_of
from framescope.features.laboratory.core.rate_presets import PRESETS, Choice, OfFrame, RatePreset, Steady
from framescope.features.laboratory.ui.labels import EQUATION_WORDS
from framescope.ui.formatting.item_names import METHODS
from framescope.ui.theme.tokens import AXIS_LETTERS, METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.angle_unit import DEG, AngleUnit
from framescope.ui.widgets.choice_box import ChoiceBox
from framescope.ui.widgets.elided_label import ElidedLabel
from framescope.ui.widgets.number_field import NumberField
from framescope.ui.widgets.scale_slider import ScaleSlider
from framescope.ui.widgets.spin_field import StepField

SHORTEST, LONGEST = 1e-4, 1.0
"""Steps at the ends of the slider, s."""

OF_FRAME, CONSTANT = "of the selected frame", "constant"
NEVER, EACH, EVERY = "never", "each step", "every few steps"

_LABEL = 80
_STEP_FIELD = 86
_EVERY_FIELD = 52
_START_W_DEG = (20.0, 10.0, 40.0)


class DriftChoices(QWidget):
    """Controls for rate, equation, method, step and re-normalisation.

    Signals
    -------
    changed()
        `choice` or `settings` have changed, also during a drag of a slider or a number.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._frame = ""
        self._unit = DEG
        self._w = tuple(math.radians(w) for w in _START_W_DEG)
        self._step = 0.02
        self.rate = _combo((*PRESETS, CONSTANT, OF_FRAME), "rate")
        self.frame_name = ElidedLabel(role="quiet")
        self.components = tuple(NumberField(decimals=2, prefix=letter, axis=i) for i, letter in enumerate(AXIS_LETTERS))
        self.equation = _combo((), "equation")
        for key, text in EQUATION_WORDS.items():
            self.equation.addItem(text, key)
        self.equation.setCurrentIndex(self.equation.findData(QUATERNION))
        self.method = _combo((), "method")
        self.step = StepField(step=1.0, decimals=2, unit="ms")
        self.step.set_usual_width(_STEP_FIELD)
        self.step.setAccessibleName("step in milliseconds")
        self.slider = ScaleSlider(_step_at, _share_of, "step", "The step of the run, from 0.1 ms to 1 s")
        self.renormalise = _combo((NEVER, EACH, EVERY), "re-normalise")
        self.every = StepField(step=1.0, decimals=0, parse=_parse_count)
        self.every.set_usual_width(_EVERY_FIELD)
        self.every.setAccessibleName("re-normalise after how many steps")
        self.every.set_value(10.0)
        self._lay_out()
        self._fill_methods("rk4")
        self._show_unit()
        self._show_step()
        self._show_kind()
        for combo in (self.rate, self.renormalise, self.method):
            combo.activated.connect(self._on_chosen)
        self.equation.activated.connect(self._on_equation)
        for i, field in enumerate(self.components):
            field.setAccessibleName(f"angular velocity about {AXIS_LETTERS[i]}")
            field.previewed.connect(lambda value, i=i: self._on_component(i, value))
            field.cancelled.connect(self._on_components_back)
        self.step.previewed.connect(lambda ms: self._set_step(ms * 1e-3))
        self.step.cancelled.connect(lambda: self._set_step((self.step.value or 0.0) * 1e-3))
        self.slider.previewed.connect(self._set_step)
        self.slider.cancelled.connect(lambda: self._set_step(self.slider.value))
        self.every.previewed.connect(lambda _: self.changed.emit())

    @property
    def choice(self) -> Choice:
        """Chosen angular velocity; `OfFrame` with an empty name where no frame is selected."""
        text = self.rate.currentText()
        if text == OF_FRAME:
            return OfFrame(self._frame)
        if text == CONSTANT:
            x, y, z = self._w
            return Steady((x, y, z))
        return RatePreset(text)

    @property
    def settings(self) -> DriftSettings:
        """Settings of the integration."""
        every = {NEVER: 0, EACH: 1}.get(self.renormalise.currentText(), max(1, round(self.every.value or 1.0)))
        equation = str(self.equation.currentData())
        method: Method = self.method.currentData()
        return DriftSettings(equation, method, self._step, 0 if equation in ANGLES else every)

    def set_frame(self, name: str) -> None:
        """Set the selected frame; empty for none."""
        if name == self._frame:
            return
        self._frame = name
        self._show_kind()
        if self.rate.currentText() == OF_FRAME:
            self.changed.emit()

    def set_angle_unit(self, unit: AngleUnit) -> None:
        """Set the unit of rates."""
        self._unit = unit
        self._show_unit()

    def set_step(self, step: float) -> None:
        """Set the step, s, such as from a click in a plot."""
        self._set_step(_round_step(min(max(step, SHORTEST), LONGEST)))

    # --- User input

    def _on_chosen(self, _index: int) -> None:
        self._show_kind()
        self.changed.emit()

    def _on_equation(self, _index: int) -> None:
        self._fill_methods(self.method.currentData())
        self._show_kind()
        self.changed.emit()

    def _on_component(self, i: int, value: float) -> None:
        w = list(self._w)
        w[i] = self._unit.to_rad(value)
        self._w = tuple(w)
        self.changed.emit()

    def _on_components_back(self) -> None:
        self._w = tuple(self._unit.to_rad(field.value or 0.0) for field in self.components)
        self.changed.emit()

    def _set_step(self, step: float) -> None:
        if step > 0.0 and step != self._step:
            self._step = step
            self._show_step()
            self.changed.emit()

    # --- Display

    def _show_step(self) -> None:
        self.step.set_decimals(2 if self._step >= SHORTEST else 6)
        self.step.set_value(round(self._step * 1e3, 9))
        self.slider.set_value(self._step)

    def _show_unit(self) -> None:
        for field, w in zip(self.components, self._w, strict=True):
            field.set_decimals(self._unit.decimals if self._unit is not DEG else 1)
            field.reset(round(self._unit.of_rad(w), 12))
            field.setToolTip(f"Angular velocity, in axes of the frame, {self._unit.rate}")
        self._w_label.setText(f"ω [{self._unit.rate}]")

    def _show_kind(self) -> None:
        text = self.rate.currentText()
        for field in (*self.components, self._w_label):
            field.setVisible(text == CONSTANT)
        self._frame_label.setVisible(text == OF_FRAME)
        self.frame_name.setVisible(text == OF_FRAME)
        self.frame_name.setText(self._frame or "none is selected")
        can_renormalise = self.equation.currentData() not in ANGLES
        self.renormalise.setEnabled(can_renormalise)
        self.renormalise.setToolTip(
            "When the nearest rotation is taken; a rotation vector is taken back within half a turn"
            if can_renormalise
            else "Any three angles are a rotation: there is nothing to re-normalise"
        )
        self.every.setVisible(can_renormalise and self.renormalise.currentText() == EVERY)

    def _fill_methods(self, wanted: Method) -> None:
        methods = methods_of(str(self.equation.currentData()))
        self.method.clear()
        for method in methods:
            self.method.addItem(METHODS[method], method)
        self.method.setCurrentIndex(self.method.findData(wanted if wanted in methods else "rk4"))
        self.method.setToolTip(
            "" if len(methods) > 2 else "The other methods turn by a rotation vector: they are for rotations"
        )

    def _lay_out(self) -> None:
        grid = layouts.grid(
            on=self, margins=(METRICS.padding, METRICS.gap, METRICS.gap, METRICS.inner), spacing=METRICS.inner
        )
        grid.setColumnMinimumWidth(0, _LABEL)
        grid.setColumnStretch(1, 1)
        self._w_label, self._frame_label = _label("ω"), _label("frame")
        row = layouts.row(spacing=METRICS.inner)
        for field in self.components:
            field.setMinimumWidth(40)
            field.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            row.addWidget(field, 1)
        step = layouts.row(self.step, (self.slider, 1), spacing=METRICS.inner)
        again = layouts.row((self.renormalise, 1), self.every, spacing=METRICS.inner)
        rows = (
            (_label("rate"), self.rate),
            (self._frame_label, self.frame_name),
            (self._w_label, row),
            (_label("equation"), self.equation),
            (_label("method"), self.method),
            (_label("step"), step),
            (_label("re-normalise"), again),
        )
        for i, (label, part) in enumerate(rows):
            grid.addWidget(label, i, 0)
            if isinstance(part, QWidget):
                grid.addWidget(part, i, 1)
            else:
                grid.addLayout(part, i, 1)
        grid.setRowStretch(len(rows), 1)
        # The tab order follows the layout.
        order = (self.rate, *self.components, self.equation, self.method, self.step, self.slider, self.renormalise)
        for before, after in zip(order, (*order[1:], self.every), strict=True):
            QWidget.setTabOrder(before, after)


def _combo(texts: tuple[str, ...], name: str) -> QComboBox:
    combo = ChoiceBox()
    combo.addItems(list(texts))
    combo.setProperty("kind", "field")
    combo.setAccessibleName(name)
    combo.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
    combo.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return combo


def _label(text: str) -> QLabel:
    return layouts.label(text, "quiet")


def _step_at(share: float) -> float:
    return _round_step(SHORTEST * (LONGEST / SHORTEST) ** share)


def _share_of(step: float) -> float:
    return math.log(max(step, 1e-12) / SHORTEST) / math.log(LONGEST / SHORTEST)


def _round_step(step: float) -> float:
    return float(f"{step:.2g}")


def _parse_count(text: str) -> float:
    try:
        count = int(text)
    except ValueError:
        raise ValueError("A whole number of steps. Try 10.") from None
    if not 1 <= count <= 1_000_000:
        raise ValueError("From 1 to 1 000 000 steps. Try 10.")
    return float(count)
