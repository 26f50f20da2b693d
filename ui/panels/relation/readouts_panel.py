"""Read-outs panel: numbers of relations between frames, each with of, relative to, and resolved in.

The selected frame's are at the top. Held or added ones are below and stay when the selection changes.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QFrame, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from framescope.core.evaluation.evaluate import Plan
from framescope.core.kernels.validation import USUAL_SEQUENCE
from framescope.core.scene.schema.model import WORLD
from framescope.core.snapshot import Snapshot
from framescope.ui.panels.relation.frame_combo import FrameFields, FrameNames
from framescope.ui.panels.relation.relation_block import RelationBlock, RelationKey, usual_keys
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import IconButton, push_button
from framescope.ui.widgets.empty_state import EmptyState
from framescope.ui.widgets.headings import separator
from framescope.ui.widgets.inline_message import InlineMessage


class ReadOuts(QStackedWidget):
    """Panel of read-out blocks.

    `hold_button` and `add_button` belong in the title bar of its dock.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layouts.lay_ground(self)
        self.plan: Plan | None = None
        self._snapshot: Snapshot | None = None
        self._name = ""
        self._is_late = False
        self._unit = "deg"
        self._sequence = USUAL_SEQUENCE
        self.in_parent = RelationBlock(has_motion=False)
        self.in_world = RelationBlock(has_orientation=False)
        self._selected = (self.in_parent, self.in_world)
        self._held: list[tuple[QFrame, RelationBlock]] = []
        self.hold_button = push_button("Hold", kind="small")
        self.hold_button.setToolTip("Hold these read-outs: they stay when the selection changes")
        self.add_button = IconButton("plus", "Read out any frame relative to any other")
        self.hold_button.clicked.connect(self._hold_selected)
        self.add_button.clicked.connect(self._ask)
        self._column = QVBoxLayout()
        self.scroll_area = self._lay_out()
        hint = "Select a frame to see its numbers, or read out one relative to another."
        self.empty_state = EmptyState("ruler", "No read-outs", hint, "Add read-outs")
        self.empty_state.action_requested.connect(self._ask)
        self.addWidget(self.empty_state)
        self.addWidget(self.scroll_area)

    @property
    def held(self) -> tuple[RelationKey, ...]:
        """Held relations."""
        return tuple(block.key for _, block in self._held)

    @property
    def blocks(self) -> tuple[RelationBlock, ...]:
        """All visible blocks, from top to bottom."""
        selected = self._selected if self._has_frame() else ()
        return (*selected, *(block for _, block in self._held))

    def set_plan(self, plan: Plan) -> None:
        """Show another plan."""
        self.plan = plan
        self._snapshot = None
        for _, block in self._held:
            block.set_relation(plan, block.key)
        self._show_selected()

    def set_frame(self, name: str) -> None:
        """Show another frame; an empty name shows none."""
        self._name = name
        self._show_selected()

    def set_angle_unit(self, unit: str) -> None:
        """Show angles in "deg" or "rad"."""
        self._unit = unit
        for block in (*self._selected, *(block for _, block in self._held)):
            block.set_angle_unit(unit)
        self._show_again()

    def set_default_sequence(self, sequence: str) -> None:
        """Change the sequence of angles of frames without a sequence of their own."""
        self._sequence = sequence
        for block in (*self._selected, *(block for _, block in self._held)):
            block.set_default_sequence(sequence)
        self._show_again()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show all blocks at the snapshot's time."""
        self._snapshot = snapshot
        if self.isVisible() and self.currentWidget() is self.scroll_area:
            for block in self.blocks:
                block.show_snapshot(snapshot)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._catch_up()
        self._show_again()  # hidden blocks are not updated

    def hold(self, key: RelationKey) -> None:
        """Add read-outs that stay. Existing ones are not repeated."""
        if self.plan is None or key in self.held:
            return
        block = RelationBlock(is_held=True)
        block.set_angle_unit(self._unit)
        block.set_default_sequence(self._sequence)
        block.set_relation(self.plan, key)
        block.remove.clicked.connect(lambda: self._let_go(block))
        line = separator()
        for widget in (line, block):
            # above the stretch
            self._column.insertWidget(self._column.count() - 1, widget)
        self._held.append((line, block))
        self._show_selected()
        self._show_again()

    def _let_go(self, block: RelationBlock) -> None:
        line = next(line for line, other in self._held if other is block)
        self._held.remove((line, block))
        for widget in (line, block):
            self._column.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        self._show_selected()

    def _hold_selected(self) -> None:
        if self.plan is not None and self._has_frame():
            self.hold(usual_keys(self.plan, self._name)[0])

    def _ask(self) -> None:
        if self.plan is None:
            return
        name = self._name or WORLD
        dialog = RelationDialog(self.plan, RelationKey(name, WORLD, name), self.window())
        dialog.chosen.connect(self.hold)
        dialog.open()

    def _has_frame(self) -> bool:
        return self.plan is not None and self._name in self.plan.scene.frames and self._name != WORLD

    def _show_selected(self) -> None:
        has_frame = self._has_frame()
        self.setCurrentWidget(self.scroll_area if has_frame or self._held else self.empty_state)
        self.hold_button.setEnabled(has_frame)
        for widget in (*self._selected, self._line):
            widget.setVisible(has_frame)
        for i, (line, _) in enumerate(self._held):
            line.setVisible(has_frame or i > 0)
        self._is_late = has_frame
        if self.isVisible():
            self._catch_up()

    def _catch_up(self) -> None:
        """Show the relations of the selected frame in their blocks; a hidden panel does so when it is shown."""
        if self._is_late and self.plan is not None:
            self._is_late = False
            for block, key in zip(self._selected, usual_keys(self.plan, self._name), strict=True):
                block.set_relation(self.plan, key)

    def _show_again(self) -> None:
        if self._snapshot is not None:
            self.show_snapshot(self._snapshot)

    def _lay_out(self) -> QScrollArea:
        content = layouts.panel()
        self._line = separator()
        self._column = layouts.column(
            self.in_parent,
            self._line,
            self.in_world,
            layouts.STRETCH,
            on=content,
            margins=(METRICS.padding, METRICS.gap, METRICS.gap, METRICS.gap),
            spacing=METRICS.inner + 2,
        )
        return layouts.scroll_area(content, "read-outs")


_WIDTH = 320


class RelationDialog(QDialog):
    """Dialog to choose the three frames of a relation.

    Signals
    -------
    chosen(object)
        The `RelationKey`.
    """

    chosen = Signal(object)

    def __init__(self, plan: Plan, key: RelationKey, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("role", "panel")
        self.setWindowTitle("Add read-outs")
        self.setFixedWidth(_WIDTH)
        names = FrameNames(self)
        names.set_plan(plan)
        self.frames = FrameFields(names)
        self.of, self.relative_to, self.resolved_in = self.frames.fields.values()
        self.frames.set_frames(key.of, key.relative_to, key.resolved_in)
        self.of.line.selectAll()  # it has the keyboard when the dialog opens
        for field in self.frames.fields.values():
            field.returned.connect(self._on_returned)
        self.refusal = InlineMessage()
        self.frames.refused.connect(self.refusal.set_message)
        self.add = push_button("Add", kind="main", default=True)
        cancel = push_button("Cancel", autoDefault=False)
        self.add.clicked.connect(self._choose)
        cancel.clicked.connect(self.reject)
        buttons = layouts.row(layouts.STRETCH, cancel, self.add)
        parts = self.frames, self.refusal, buttons
        layouts.column(*parts, on=self, margins=METRICS.padding, spacing=METRICS.gap)

    def _on_returned(self, is_taken: bool) -> None:
        if not is_taken:
            self._choose()

    def _choose(self) -> None:
        of, relative_to, resolved_in = (field.name for field in self.frames.fields.values())
        self.chosen.emit(RelationKey(of, relative_to, resolved_in))
        self.accept()
