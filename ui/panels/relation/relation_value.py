"""Quantity of a relation: heading with unit, caption with its frames, and numbers, to plot and copy."""

from __future__ import annotations

from html import escape

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QMenu, QWidget

from framescope.core.orientation import QuaternionOrder
from framescope.core.scene.schema.view import Plot
from framescope.ui.formatting.item_names import unit_text
from framescope.ui.panels.relation import relation_quantities
from framescope.ui.panels.relation.relation_block import RelationKey
from framescope.ui.panels.relation.relation_drag import SignalDrags
from framescope.ui.widgets import layouts
from framescope.ui.widgets.elided_label import ElidedLabel
from framescope.ui.widgets.headings import SectionHeader
from framescope.ui.widgets.value_row import ValueRow


class RelationValue(QWidget):
    """Block of the relation panel.

    Parameters
    ----------
    quantity
        Quantity to show.

    Signals
    -------
    plot_requested(object)
        The plot of the quantity.
    """

    plot_requested = Signal(object)

    def __init__(self, quantity: relation_quantities.RelationQuantity, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.quantity = quantity
        self._key = RelationKey("", "", "")
        self._unit = "deg"
        self._order: QuaternionOrder = "xyzw"
        self.heading = SectionHeader(quantity.title)
        self.caption = ElidedLabel("", role="quiet")
        self.row = ValueRow(quantity.letters())
        # the menu of the block includes the row's entry
        self.row.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        layouts.column(self.heading, self.caption, self.row, on=self, margins=0, spacing=0)
        drags = SignalDrags(self, self.plot_of)
        for widget in (self, self.row):
            widget.installEventFilter(drags)
        self.setCursor(Qt.CursorShape.OpenHandCursor)

    @property
    def plot(self) -> Plot:
        """Plot of the quantity."""
        return relation_quantities.plot_of(self.quantity, self._key, self._unit)

    def set_relation(self, key: RelationKey, angle_unit: str, order: QuaternionOrder = "xyzw") -> None:
        """Set the relation, the unit of angles, "deg" or "rad", and the order of a quaternion."""
        self._key, self._unit, self._order = key, angle_unit, order
        unit = unit_text(relation_quantities.unit_of(self.quantity, angle_unit))
        caption = relation_quantities.caption_of(self.quantity, key, order)
        self.heading.set_note(unit)
        self.caption.setText(caption)
        self.row.set_letters(self.quantity.letters(order))
        self.row.set_decimals(relation_quantities.decimals_of(self.quantity, angle_unit))
        self.row.setAccessibleName(", ".join(part for part in (self.quantity.title, caption, unit) if part))
        what, formula = relation_quantities.explanation_of(self.quantity, key, angle_unit, order)
        self.setToolTip(f"<qt>{escape(what)}<br><code>{escape(formula)}</code></qt>")
        self.row.setAccessibleDescription(f"{what}. {formula}")

    def show_relation(self, moment: relation_quantities.RelationMoment | None) -> None:
        """Show the numbers of a moment; dashes if there is no relation."""
        n = len(self.quantity.letters())
        values = (
            np.full(n, np.nan)
            if moment is None
            else relation_quantities.shown_values(self.quantity, moment, self._unit, self._order)
        )
        self.row.set_values(values)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Copy at full precision", self.row.copy)
        menu.addAction("Plot", self.ask_plot)
        menu.popup(event.globalPos())

    def ask_plot(self) -> None:
        """Request a plot of the quantity."""
        self.plot_requested.emit(self.plot)

    def plot_of(self, _watched: QObject) -> Plot | None:
        """Return the signal of the numbers; None without a frame."""
        return self.plot if self._key.of else None
