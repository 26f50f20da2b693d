"""View of the terms of a shift: inputs, terms, sum, error of the small-angle model, and check."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtWidgets import QWidget

from framescope.core.analysis.shifts import Check, Shift, ShiftKey
from framescope.features.shift.ui.shift_look import MOMENT, ROLES, TOTAL_ROLE, TOTALS, UNITS, symbols_of
from framescope.features.shift.ui.term_row import TermRow
from framescope.ui.formatting import number_text
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.angle_unit import DEG, AngleUnit
from framescope.ui.widgets.headings import SectionHeader, separator
from framescope.ui.widgets.value_row import ValueRow

Array = NDArray[np.float64]

MOST = 5
"""Largest number of terms of a sum."""

_LABEL = 56


class TermsView(QWidget):
    """View of the numbers of a shift. `set_key` sets the names of the terms, `show_shift` their values."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._key = ShiftKey("")
        self._angles = DEG
        self.inputs = {symbol: ValueRow(("", "", ""), label=symbol, label_width=_LABEL) for symbol in ("r", "ω", "b")}
        self.formula = SectionHeader("")
        self.terms = tuple(TermRow() for _ in range(MOST))
        self.total = TermRow()
        self.model, self.left_out = TermRow(), TermRow()
        self.model_heading = SectionHeader("Small-angle model")
        self._lines = separator(), separator()
        self.check = SectionHeader("", is_quiet=True)
        column = layouts.column(
            self.formula,
            *self.terms,
            self._lines[0],
            self.total,
            self.check,
            self._lines[1],
            self.model_heading,
            self.model,
            self.left_out,
            separator(),
            on=self,
            margins=0,
            spacing=METRICS.inner,
        )
        input_rows = layouts.column(spacing=0)
        for row in self.inputs.values():
            input_rows.addWidget(row)
        column.addLayout(input_rows)

    def set_key(self, key: ShiftKey, angles: AngleUnit) -> None:
        """Set the names and units of the terms, with rates in a unit of angles."""
        self._key, self._angles = key, angles
        is_force, unit = key.quantity == "force", UNITS[key.quantity]
        symbols = symbols_of(key)
        for i, row in enumerate(self.terms):
            row.setVisible(i < len(symbols))
            if i < len(symbols):
                term_unit = MOMENT if symbols[i] == "r×f" else unit
                row.set_term(symbols[i], words_of(symbols[i], key), term_unit, ROLES[symbols[i]])
        self.total.set_term(TOTALS[key.quantity], "the sum", unit, TOTAL_ROLE, is_sum=True)
        for widget in (self._lines[0], self.total):
            widget.setVisible(not is_force)
        self.formula.set_title(formula_of(key))
        total_unit = MOMENT if is_force else unit
        self.model.set_term(TOTALS[key.quantity], model_words_of(key), total_unit, "quiet")
        self.left_out.set_term("−", "left out by it", total_unit, "quiet")
        self.inputs["r"].set_label("r  m")
        self.inputs["ω"].set_label(f"ω  {self._rate('rad/s')[0]}")
        self.inputs["b"].set_label(f"b  {self._rate('rad/s²')[0]}")
        for symbol in "ωb":
            self.inputs[symbol].set_decimals(self._angles.decimals)
        self.inputs["ω"].setVisible(not is_force)
        self.inputs["b"].setVisible(key.quantity == "acceleration")
        for symbol, name in (("r", "lever"), ("ω", "angular velocity"), ("b", "angular acceleration")):
            self.inputs[symbol].setAccessibleName(f"{name} of {key.frame}, {symbol}")

    def set_resolved_in(self, name: str) -> None:
        """Set the frame in which the components are resolved, also for screen readers."""
        for row in (*self.terms, self.total, self.model, self.left_out):
            row.set_resolved_in(name)

    def show_shift(self, shift: Shift | None, R_CW: Array) -> None:
        """Show the numbers of a shift, resolved from world by `R_CW` (3, 3)."""
        rate, rate2 = self._rate("rad/s")[1], self._rate("rad/s²")[1]
        nothing = np.full(3, np.nan)
        inputs = (nothing,) * 3 if shift is None else (shift.r_W, rate * shift.w_W, rate2 * shift.b_W)
        for row, vector in zip(self.inputs.values(), inputs, strict=True):
            row.set_values(R_CW @ vector)
        for i, row in enumerate(self.terms):
            is_there = shift is not None and i < len(shift.terms)
            row.set_vector(R_CW @ shift.terms[i].vector if is_there and shift is not None else None)
        self.total.set_vector(None if shift is None else R_CW @ shift.total)
        model = None if shift is None else shift.model
        for widget in (self._lines[1], self.model_heading, self.model, self.left_out):
            widget.setVisible(model is not None)
        if shift is not None and model is not None:
            self.model.set_vector(R_CW @ model)
            self.left_out.set_vector(R_CW @ (shift.total - model))

    def show_check(self, check: Check | None, unit: str) -> None:
        """Show the difference of the sum from an independent computation; None hides the row."""
        self.check.setVisible(check is not None)
        if check is not None:
            self.check.set_title(f"differs from {check.words} by")
            self.check.set_note(f"{number_text.scientific(check.residue)} {unit}")

    def as_text(self, shift: Shift, R_CW: Array, resolved_in: str, t: float) -> str:
        """Return the terms as lines of text: symbol, components at full precision, unit."""
        key = self._key
        head = f"{key.quantity} shifted on {key.frame} at t = {number_text.full(t)} s, in axes of {resolved_in}"
        rows = [(term.symbol, term.vector, term.unit) for term in shift.terms]
        rows = [("r", shift.r_W, "m"), *rows]
        if key.quantity != "force":
            rows.append((TOTALS[key.quantity], shift.total, shift.unit))
        lines = ["\t".join((symbol, *map(number_text.full, (R_CW @ v).tolist()), unit)) for symbol, v, unit in rows]
        return "\n".join((head, *lines))

    def _rate(self, unit: str) -> tuple[str, float]:
        return self._angles.shown(unit)


QUANTITIES = ("velocity", "acceleration", "force")


def words_of(symbol: str, key: ShiftKey) -> str:
    """Return a short description of a term.

    >>> words_of("v₀", ShiftKey("wheel")), words_of("v_rel", ShiftKey("wheel", other="bug"))
    ('of its origin', 'of bug, seen from wheel')
    """
    match symbol:
        case "v₀" | "a₀":
            return f"of the origin of {key.frame}" if key.other else "of its origin"
        case "ω×r":
            return "by turning"
        case "b×r":
            return "by turning faster"
        case "ω×(ω×r)":
            return "to the axis"
        case "2ω×v_rel":
            return "Coriolis"
        case "v_rel" | "a_rel":
            return f"of {key.other}, seen from {key.frame}"
        case "f":
            return "the same at both places"
        case "r×f":
            return f"about the origin of {key.about}" if key.about else "about its origin"
        case _:
            return ""


def formula_of(key: ShiftKey) -> str:
    """Return the formula of the sum.

    >>> formula_of(ShiftKey("wheel")), formula_of(ShiftKey("wheel", "force"))
    ('v = v₀ + ω×r', 'M = r×f')
    """
    match key.quantity:
        case "velocity":
            return "v = v₀ + ω×r" + (" + v_rel" if key.other else "")
        case "acceleration":
            return "a = a₀ + b×r + ω×(ω×r)" + (" + 2ω×v_rel + a_rel" if key.other else "")
        case _:
            return "M = r×f"


def model_words_of(key: ShiftKey) -> str:
    """Return the sum of the small-angle model, in words."""
    match key.quantity:
        case "velocity":
            return "v₀ + θ′×r, the lever does not turn"
        case "acceleration":
            return "a₀ + θ″×r, nothing to the axis"
        case _:
            return "r×f, the lever does not turn"
