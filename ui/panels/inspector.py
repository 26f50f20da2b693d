"""The inspector: what there is to know and to change about the selected item."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from framescope.core.evaluate import Plan
from framescope.core.scene.bodies import Body
from framescope.core.scene.model import WORLD
from framescope.core.snapshot import Snapshot
from framescope.ui.panels.orientation import OrientationPanel
from framescope.ui.panels.wording import NO_ITEM, ItemKey, body_kind
from framescope.ui.theme import METRICS
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.empty_state import EmptyState


class Inspector(QWidget):
    """The selected item: the orientation of a frame, or what a body is.

    Signals
    -------
    picked(object)
        The key of another item to select.
    titled(str, str)
        The name of the item shown, and where it hangs, for the header.
    """

    picked = Signal(object)
    titled = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._plan: Plan | None = None
        self._snapshot: Snapshot | None = None
        self._key = NO_ITEM
        self.orientation = OrientationPanel()
        self._scroll = QScrollArea(widgetResizable=True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidget(self.orientation)
        self._body = _BodyCard()
        self._body.picked.connect(self.picked)
        self._nothing = EmptyState("crosshair", "Nothing selected", "Click a frame in the scene or in the outline.")
        self._world = EmptyState("globe", "world", "The root frame: it stands still, and every other hangs on it.")
        self._pages = QStackedWidget()
        for page in (self._scroll, self._body, self._nothing, self._world):
            self._pages.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._pages, 1)
        self.set_item(NO_ITEM)

    def set_plan(self, plan: Plan) -> None:
        """Show another plan."""
        self._plan = plan
        self.orientation.set_plan(plan)
        self._show_item()

    def set_item(self, key: ItemKey) -> None:
        """Show another item."""
        self._key = key
        self._show_item()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the item at the snapshot's time."""
        self._snapshot = snapshot
        if self._pages.currentWidget() is self._scroll:
            self.orientation.show_snapshot(snapshot)

    def _show_item(self) -> None:
        kind, name = self._key
        scene = None if self._plan is None else self._plan.scene
        frame = scene.frames.get(name) if scene is not None and kind == "frames" else None
        body = scene.bodies.get(name) if scene is not None and kind == "bodies" else None
        if frame is not None:
            self.titled.emit(name, f"in {frame.parent}")
            self.orientation.set_frame(name)
            self._pages.setCurrentWidget(self._scroll)
            if self._snapshot is not None and name in self._snapshot.index:
                self.orientation.show_snapshot(self._snapshot)
        elif body is not None:
            self.titled.emit(name, f"on {body.frame}")
            self._body.set_body(body)
            self._pages.setCurrentWidget(self._body)
        else:
            is_world = self._key == ("frames", WORLD)
            self.titled.emit("Inspector", "")
            self._pages.setCurrentWidget(self._world if is_world else self._nothing)


class _BodyCard(QWidget):
    """What a body is, and the way to its frame."""

    picked = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._frame = ""
        self._text = QLabel(wordWrap=True)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._button = push_button("Go to its frame", "axis-3d")
        self._button.clicked.connect(lambda: self.picked.emit(("frames", self._frame)))
        column = QVBoxLayout(self)
        column.setContentsMargins(METRICS.padding, METRICS.gap, METRICS.padding, METRICS.gap)
        column.setSpacing(METRICS.gap)
        column.addWidget(self._text)
        column.addWidget(self._button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)

    def set_body(self, body: Body) -> None:
        """Describe a body."""
        self._frame = body.frame
        sizes = body.shape.model_dump(exclude={"form"})
        lines = [f"{body_kind(body)}, attached to {body.frame}"]
        lines += [f"{key}  {value}" for key, value in sizes.items() if key not in ("size", "unit")]
        if "size" in sizes:
            lines.append("size  " + " × ".join(f"{x:g}" for x in sizes["size"]) + f" {sizes['unit'] or ''}")
        self._text.setText("\n".join(lines))
