"""The inspector: all fields of the selected item, or of the whole scene, to view and edit."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Literal

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QLineEdit, QStackedWidget, QWidget

from framescope.core.errors import KeyPath
from framescope.core.evaluation.evaluate import Plan
from framescope.core.kernels.validation import USUAL_SEQUENCE
from framescope.core.scene.edits.camera import SeenFrom
from framescope.core.scene.schema.model import NO_ITEM, ItemKey, Scene
from framescope.core.scene.schema.references import keys_of
from framescope.core.snapshot import Snapshot
from framescope.ui.formatting.item_names import motion_text
from framescope.ui.panels.inspector.editors.card import CardView
from framescope.ui.panels.inspector.editors.editor import EditorContext
from framescope.ui.panels.inspector.editors.pages import FramePage, InspectorPage, ItemPage, ScenePage
from framescope.ui.panels.inspector.item_cards import card_of
from framescope.ui.panels.orientation import OrientationPanel
from framescope.ui.qt_support.edit_sink import EditSink
from framescope.ui.qt_support.kept_focus import end_typing
from framescope.ui.qt_support.tab_stops import tab_stops
from framescope.ui.widgets import layouts
from framescope.ui.widgets.angle_unit import ANGLE_UNITS
from framescope.ui.widgets.component_editor import ComponentEditor
from framescope.ui.widgets.number_field import NumberField


class Inspector(QWidget):
    """Panel with the selected item, or with the scene if no item or the world is selected.

    Signals
    -------
    picked(object)
        The key of another item to select.
    titled(str, str)
        Name of the item and its parent, for the header.
    consent_requested(object)
        Names of files outside the scene's folder that need the user's consent.
    """

    picked = Signal(object)
    titled = Signal(str, str)
    consent_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.edits = EditSink(self)
        self.plan: Plan | None = None
        self._snapshot: Snapshot | None = None
        self._key = NO_ITEM
        self._items: frozenset[ItemKey] = frozenset()
        """All items of the scene at the latest selection."""
        self._selected: tuple[ItemKey, ...] = ()
        self._eye: Callable[[], SeenFrom] | None = None
        self._sequence = USUAL_SEQUENCE
        self._memory: dict[str, bool] = {}
        self._order: list[QWidget] = []
        self.card = CardView(self)
        self.card.hide()
        self.card.picked.connect(self.picked)
        self._pages = QStackedWidget(self)
        self._kept: dict[str, InspectorPage] = {}
        # Create parents first, because Qt restyles a widget that gets another parent.
        self.frame_page = FramePage(self._memory, self._pages)
        self.orientation = OrientationPanel(self.frame_page.widget())
        self.frame_page.put_rotation(self.orientation)
        self.scene_page = ScenePage(self._memory, self._pages)
        self._keep("frames", self.frame_page)
        self._keep("", self.scene_page)
        layouts.column((self._pages, 1), on=self, margins=0, spacing=0)
        self.set_item(NO_ITEM)

    def set_plan(self, plan: Plan) -> None:
        """Show another plan. Its next snapshot updates the numbers."""
        self.plan, self._snapshot = plan, None
        self.orientation.set_plan(plan)
        self._show_item()

    def set_item(self, key: ItemKey) -> None:
        """Show another item. This ends typing and dragging; a refused number comes back with its item.

        Its page begins at the top if the item is of another kind, or if items were added or removed since the previous
        selection. Otherwise the page stays where the user has scrolled it, to compare items of one kind.
        """
        is_other, before = key != self._key, self.page
        if is_other:
            end_typing(before)  # before the item changes
            before.leave()
            self._key = key
        with layouts.laid_out_once(self):
            self._show_item()
        if is_other:
            items = frozenset() if self.plan is None else frozenset(keys_of(self.plan.scene))
            if self.page is not before or items != self._items:
                self.show_top()
            self._items = items

    def show_top(self) -> None:
        """Scroll to the beginning of the page."""
        self.page.verticalScrollBar().setValue(0)

    def focus_field(self, path: KeyPath) -> None:
        """Open the field of the value at a path in the shown item, scroll to it, and give it the keyboard."""
        field = self.page.field_of(path)
        if field is not None:
            field.setFocus(Qt.FocusReason.OtherFocusReason)
            QTimer.singleShot(0, field, lambda: self.page.ensureWidgetVisible(field))  # a fold is laid out by then

    @property
    def has_refused(self) -> bool:
        """Whether a field shows a text, or several fields numbers, that were refused and are no part of the scene."""
        lines = (line for line in self.findChildren(QLineEdit) if line.isVisible() and line.isModified())
        return any(line.property("invalid") for line in lines) or bool(self._drafts())

    def _drafts(self) -> list[ComponentEditor]:
        return [editor for editor in self.findChildren(ComponentEditor) if editor.has_draft and editor.isVisible()]

    def discard_refused(self) -> None:
        """Show the scene's values in place of refused texts and numbers, which are dropped."""
        for editor in self._drafts():
            editor.cancel()
        for field in self.orientation.findChildren(NumberField):
            if field.draft is not None and field.isModified():
                field.cancel()
        self.discard_typed()

    def discard_typed(self) -> None:
        """Show the scene's values in all fields and discard refused texts."""
        for page in self._kept.values():
            page.forget()
        self._show_item()

    def set_selected(self, keys: Iterable[ItemKey]) -> None:
        """Set the selected items. With several, the header shows their number."""
        self._selected = tuple(keys)
        self._show_header()

    def set_angle_unit(self, unit: Literal["deg", "rad"]) -> None:
        """Show angles in degrees or radians."""
        self.orientation.set_angle_unit(unit)
        self.card.set_angle_unit(ANGLE_UNITS[unit])
        if self._snapshot is not None:
            self.show_snapshot(self._snapshot)

    def set_default_sequence(self, sequence: str) -> None:
        """Change the axis sequence of new rotations, and of angles of frames without a sequence of their own."""
        self._sequence = sequence
        self.orientation.set_default_sequence(sequence)
        self._show_item()

    def set_eye(self, eye: Callable[[], SeenFrom]) -> None:
        """Set the function that returns the present camera of the view."""
        self._eye = eye
        self._show_item()

    def focusNextPrevChild(self, is_next: bool) -> bool:
        self.put_in_order()
        return super().focusNextPrevChild(is_next)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the item at the snapshot's time."""
        self._snapshot = snapshot
        page = self.page
        if self.plan is None:
            return
        if page is self.frame_page:
            self.orientation.show_snapshot(snapshot)
        page.show_time(self._context(self.plan))

    @property
    def page(self) -> InspectorPage:
        """Current page."""
        return self._kept[self._kind()]

    @property
    def frame(self) -> str:
        """Name of the shown frame; empty for other items."""
        return self._key[1] if self._kind() == "frames" else ""

    def _context(self, plan: Plan) -> EditorContext:
        return EditorContext(plan, self.edits, self._snapshot, self._eye, self.consent_requested.emit, self._sequence)

    def _kind(self) -> str:
        """Return the kind of the shown item, empty for the scene."""
        kind, name = self._key
        is_there = self.plan is not None and bool(kind) and name in getattr(self.plan.scene, kind)
        return kind if is_there else ""

    def _show_item(self) -> None:
        kind, (_, name) = self._kind(), self._key
        if kind not in self._kept:
            self._keep(kind, ItemPage(kind, self._memory, self.card, self._pages))
        page = self._kept[kind]
        if self.plan is None:
            return
        self._show_header()
        if kind == "frames":
            self.orientation.set_frame(name)
        page.show_item(self._context(self.plan), (kind, name))
        self._pages.setCurrentWidget(page)
        if self._snapshot is not None:
            self.show_snapshot(self._snapshot)

    def _show_header(self) -> None:
        if self.plan is None:
            return
        scene, kind, (_, name) = self.plan.scene, self._kind(), self._key
        if kind == "frames":
            frame = scene.frames[name]
            motion = motion_text(frame)
            self._show_title(scene, name, f"in {frame.parent}, {motion}" if motion else f"in {frame.parent}")
        elif kind:
            card = card_of(self.plan, self._key)
            self._show_title(scene, name, "" if card is None else card.subtitle)
        else:
            self.titled.emit("Scene", scene.title)

    def _show_title(self, scene: Scene, name: str, subtitle: str) -> None:
        """Show the item in the header, or the number of selected items."""
        n = sum(other in getattr(scene, kind) for kind, other in self._selected)
        if n > 1 and self._key in self._selected:
            self.titled.emit(f"{n} items selected", f"{name} is shown")
        else:
            self.titled.emit(name, subtitle)

    def _keep(self, kind: str, page: InspectorPage) -> None:
        page.picked.connect(self.picked)
        self._kept[kind] = page
        self._pages.addWidget(page)

    def put_in_order(self) -> None:
        """Order the Tab stops from top to bottom, independent of the order of creation."""
        order = [self.page, *tab_stops(self.page.widget())]
        if order != self._order:
            self._order = order
            for before, after in itertools.pairwise(order):
                QWidget.setTabOrder(before, after)
