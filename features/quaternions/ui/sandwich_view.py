"""View of the sandwich product q v q*: product by product, and term by term."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QWidget

from framescope.core.kernels.validation import Array
from framescope.features.quaternions.core.sandwich import sandwich
from framescope.features.quaternions.ui.cover_view import DECIMALS, Q_LETTERS
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.spin_field import StepField
from framescope.ui.widgets.value_row import QuaternionRow, ValueRow

LABEL, NARROW = 84, 52


class SandwichView(QWidget):
    """View of a vector that is fixed to the frame, and of its components in the parent."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._q = np.array([0.0, 0.0, 0.0, 1.0])
        self._v = np.array([1.0, 0.0, 0.0])
        self.fields = tuple(StepField(step=0.1, decimals=3, axis=i) for i in range(3))
        for i, field in enumerate(self.fields):
            field.setMinimumWidth(56)
            field.setAccessibleName(f"{Q_LETTERS[i]} of the vector")
            field.set_value(float(self._v[i]))
            field.previewed.connect(lambda value, i=i: self._set(i, value))
            field.committed.connect(lambda value, i=i: self._set(i, value))
        self.q = QuaternionRow(label="q", label_width=NARROW, decimals=DECIMALS)
        self.half = QuaternionRow(label="q v", label_width=NARROW, decimals=DECIMALS)
        self.whole = QuaternionRow(label="q v q*", label_width=NARROW, decimals=DECIMALS, is_strong=True)
        names = "(w² − u·u) v", "2 (u·v) u", "2 w (u × v)"
        self.terms = tuple(ValueRow(label=name, label_width=LABEL) for name in names)
        self.sum = ValueRow(label="sum", label_width=LABEL, is_strong=True)
        self.words = layouts.plain_label("", "quiet", wordWrap=True)
        v = layouts.row(layouts.plain_label("v", "quiet"), *self.fields, spacing=METRICS.inner)
        above = "v is fixed to the frame. Product by product: it goes in with the scalar part 0, and comes out with 0."
        below = "Term by term, with q = (u, w): what is kept, what lies along the axis, what goes across."
        parts = (
            v,
            layouts.plain_label(above, "quiet", wordWrap=True),
            *(self.q, self.half, self.whole),
            layouts.plain_label(below, "quiet", wordWrap=True),
            *(*self.terms, self.sum, self.words),
        )
        layouts.column(*parts, on=self, margins=0, spacing=METRICS.inner)
        self._show()

    def show_quaternion(self, q: Array) -> None:
        """Show the product with a quaternion (4,), scalar last."""
        self._q = q
        self._show()

    def _set(self, i: int, value: float) -> None:
        self._v[i] = value
        self._show()

    def _show(self) -> None:
        product = sandwich(self._q, self._v)
        terms = product.along_v, product.along_u, product.across
        self.q.set_values(self._q)
        self.half.set_values(product.half)
        self.whole.set_values(product.whole + 0.0)
        for row, term in zip(self.terms, terms, strict=True):
            row.set_values(term + 0.0)
        self.sum.set_values(sum(terms) + 0.0)
        scalar = float(product.half[3])
        self.words.setText(
            f"After the first product the scalar part is −u·v = {scalar + 0.0:.4f}: no vector yet. q* takes it out,"
            " and turns by the other half. With −q in place of q the two signs make one again: the same vector."
        )
