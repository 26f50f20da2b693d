"""Which relation of frames to read out: three frames of the scene."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QFormLayout, QWidget

from framescope.ui.panels.relation.relation_block import RelationKey
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.choice_box import ChoiceBox

_WIDTH = 320


class RelationDialog(QDialog):
    """
    Three frames to choose.

    Signals
    -------
    chosen(object)
        The `RelationKey`.
    """

    chosen = Signal(object)

    def __init__(self, names: Sequence[str], key: RelationKey, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("role", "panel")
        self.setWindowTitle("Add read-outs")
        self.setFixedWidth(_WIDTH)
        self.of, self.relative_to, self.resolved_in = (ChoiceBox() for _ in range(3))
        form = QFormLayout()
        form.setSpacing(METRICS.gap)
        for text, combo, current in (
            ("of", self.of, key.of),
            ("relative to", self.relative_to, key.relative_to),
            ("resolved in", self.resolved_in, key.resolved_in),
        ):
            combo.addItems(list(names))
            combo.setCurrentText(current)
            combo.setAccessibleName(text)
            label = layouts.label(text, "quiet")
            form.addRow(label, combo)
        self.add = push_button("Add", kind="main")
        self.add.setDefault(True)
        cancel = push_button("Cancel")
        cancel.setAutoDefault(False)
        self.add.clicked.connect(self._choose)
        cancel.clicked.connect(self.reject)
        buttons = layouts.row(layouts.STRETCH, cancel, self.add)
        layouts.column(form, buttons, on=self, margins=METRICS.padding, spacing=METRICS.padding)

    def _choose(self) -> None:
        combos = (self.of, self.relative_to, self.resolved_in)
        self.chosen.emit(RelationKey(*(combo.currentText() for combo in combos)))
        self.accept()
