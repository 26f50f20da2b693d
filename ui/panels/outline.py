"""The outline: the tree of frames with the bodies on them, each with what it is and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QResizeEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView, QWidget

from framescope.core.errors import Problem
from framescope.core.evaluate import Plan
from framescope.core.scene.model import WORLD, Scene
from framescope.ui import appearance, fonts, icons
from framescope.ui.panels.wording import (
    ITEM_KINDS,
    NO_ITEM,
    SEVERITIES,
    ItemKey,
    body_icon,
    body_kind,
    element_icon,
    frame_icon,
    frame_kind,
    sensor_frame,
)
from framescope.ui.theme import METRICS

KEY_ROLE = Qt.ItemDataRole.UserRole
ICON_ROLE = Qt.ItemDataRole.UserRole + 1
KIND_ROLE = Qt.ItemDataRole.UserRole + 2
SEVERITY_ROLE = Qt.ItemDataRole.UserRole + 3

_ELEMENTS: ItemKey = ("group", "Elements")

Index = QModelIndex | QPersistentModelIndex


class Outline(QTreeView):
    """The tree of a scene.

    Signals
    -------
    picked(object)
        The key of the item that a person selected.
    """

    picked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = QStandardItemModel(self)
        self._items: dict[ItemKey, QStandardItem] = {}
        self._shape: object = None
        self._is_told = False
        self.setModel(self._model)
        self.setItemDelegate(OutlineDelegate(self))
        self.setHeaderHidden(True)
        self.setIndentation(METRICS.outline_indent)
        self.setUniformRowHeights(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("outline of the scene")
        self.setExpandsOnDoubleClick(True)
        self.selectionModel().currentChanged.connect(self._on_current)

    def set_plan(self, plan: Plan) -> None:
        """Show the items of a plan; the tree is built again only when its items or their kinds changed."""
        scene = plan.scene
        shape = tuple((key, parent, _look(scene, key)) for parent, keys in _children(scene).items() for key in keys)
        shape += tuple((("elements", name), _ELEMENTS, _look(scene, ("elements", name))) for name in scene.elements)
        if shape == self._shape:
            return
        self._shape = shape
        closed = {key for key, item in self._items.items() if not self.isExpanded(item.index())}
        selected = self.currentIndex().data(KEY_ROLE)
        self._is_told = True
        self._build(plan)
        self.expandAll()
        for key in closed & self._items.keys():
            if self._items[key].hasChildren():
                self.collapse(self._items[key].index())
        self._is_told = False
        self.set_current(tuple(selected) if selected else NO_ITEM)

    def set_problems(self, problems: Iterable[Problem]) -> None:
        """Mark the items that have a problem; red wins over amber, and a note is no mark."""
        worst: dict[ItemKey, str] = {}
        for problem in problems:
            if problem.severity != "note" and problem.item is not None and worst.get(problem.item) != "red":
                worst[problem.item] = problem.severity
        for key, item in self._items.items():
            if item.data(SEVERITY_ROLE) != worst.get(key):
                item.setData(worst.get(key), SEVERITY_ROLE)

    def index_of(self, key: ItemKey) -> QModelIndex:
        """Return where an item stands in the tree; an invalid index when it is not there."""
        item = self._items.get(key)
        return QModelIndex() if item is None else item.index()

    def set_current(self, key: ItemKey) -> None:
        """Show an item as selected, without emitting anything."""
        item = self._items.get(key)
        self._is_told = True
        if item is None:
            self.selectionModel().clear()
        else:
            flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Current
            self.selectionModel().setCurrentIndex(item.index(), flags)
            self.scrollTo(item.index())
        self._is_told = False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scrollTo(self.currentIndex() if self.currentIndex().isValid() else self.model().index(0, 0))

    def _build(self, plan: Plan) -> None:
        self._model.clear()
        self._items = {}
        scene = plan.scene
        root = self._add(None, ("frames", WORLD), "globe", "")
        under = _children(scene)

        def add_below(item: QStandardItem | None, parent: ItemKey) -> None:
            for key in under.pop(parent, ()):
                add_below(self._add(item, key, *_look(scene, key)), key)

        add_below(root, ("frames", WORLD))
        # What hangs on nothing stands below the world, at the left edge: orphans, circles, and what is on them.
        for kind, name in list(under):
            if name not in getattr(scene, kind):
                add_below(None, (kind, name))
        while under:
            add_below(None, next(iter(under)))
        if scene.elements:
            group = self._add(None, _ELEMENTS, "layers", str(len(scene.elements)))
            group.setSelectable(False)
            for name in scene.elements:
                self._add(group, ("elements", name), *_look(scene, ("elements", name)))

    def _add(self, parent: QStandardItem | None, key: ItemKey, icon: str, kind: str) -> QStandardItem:
        item = QStandardItem(key[1])
        item.setData(key, KEY_ROLE)
        item.setData(icon, ICON_ROLE)
        item.setData(kind, KIND_ROLE)
        item.setData(f"{key[1]}, {kind}" if kind else key[1], Qt.ItemDataRole.AccessibleTextRole)
        (parent or self._model.invisibleRootItem()).appendRow(item)
        self._items[key] = item
        return item

    def _on_current(self, current: QModelIndex, previous: QModelIndex) -> None:  # noqa: ARG002
        key = current.data(KEY_ROLE)
        if key is not None and key[0] in ITEM_KINDS and not self._is_told:
            self.picked.emit(tuple(key))


def _children(scene: Scene) -> dict[ItemKey, list[ItemKey]]:
    """Return what hangs on each frame and body; elements join points, and hang on none."""
    pairs: list[tuple[ItemKey, ItemKey]] = []
    # A frame called world is a problem, and no frame.
    pairs += [(("frames", each.parent), ("frames", name)) for name, each in scene.frames.items() if name != WORLD]
    pairs += [(("frames", each.frame), ("bodies", name)) for name, each in scene.bodies.items()]
    pairs += [(("frames", sensor_frame(each)), ("sensors", name)) for name, each in scene.sensors.items()]
    pairs += [(("frames", each.of), ("measured", name)) for name, each in scene.measured.items()]
    pairs += [(("bodies", each.body), ("points", name)) for name, each in scene.points.items()]
    found: dict[ItemKey, list[ItemKey]] = {}
    for parent, child in pairs:
        found.setdefault(parent, []).append(child)
    return found


def _look(scene: Scene, key: ItemKey) -> tuple[str, str]:
    """Return the icon of an item, and a word or two on what it is."""
    kind, name = key
    match kind:
        case "frames":
            return frame_icon(scene.frames[name]), frame_kind(scene.frames[name])
        case "bodies":
            return body_icon(scene.bodies[name]), body_kind(scene.bodies[name])
        case "points":
            return "pin", f"point {scene.points[name].kind}"
        case "elements":
            return element_icon(scene.elements[name]), scene.elements[name].form
        case "sensors":
            return "radar", f"{scene.sensors[name].form} sensor"
        case _:
            return "ruler", f"claimed {scene.measured[name].form}"


class OutlineDelegate(QStyledItemDelegate):
    """Paints a row: icon, name, what it is, and a mark for a problem; an accent bar at the selected one."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002
        return QSize(60, METRICS.outline_row)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        view: QWidget = option.widget  # type: ignore[attr-defined]
        row: QRect = option.rect  # type: ignore[attr-defined]
        state: QStyle.StateFlag = option.state  # type: ignore[attr-defined]
        is_selected = bool(state & QStyle.StateFlag.State_Selected)
        whole = QRect(0, row.top(), view.width(), row.height())
        if is_selected:
            painter.fillRect(whole, appearance.qcolor("selected_row"))
            painter.fillRect(QRect(0, row.top(), 2, row.height()), appearance.qcolor("accent"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(whole, appearance.qcolor("hover"))
        severity = index.data(SEVERITY_ROLE)
        x, size = row.left() + METRICS.inner, METRICS.row_icon
        top = row.top() + (row.height() - size) // 2
        painter.drawPixmap(x, top, icons.pixmap(index.data(ICON_ROLE), "text" if is_selected else "quiet", size))
        right = row.right() - METRICS.gap
        if severity:
            right -= size
            painter.drawPixmap(right, top, icons.pixmap(*SEVERITIES[severity], size))
            right -= METRICS.gap
        right = self._paint_kind(painter, index.data(KIND_ROLE), QRect(x, row.top(), right - x, row.height()))
        painter.setFont(fonts.text())
        painter.setPen(appearance.qcolor("text"))
        left = x + size + METRICS.gap
        area = QRect(left, row.top(), right - left - METRICS.gap, row.height())
        name = painter.fontMetrics().elidedText(index.data(), Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), name)
        painter.restore()

    def _paint_kind(self, painter: QPainter, kind: str, area: QRect) -> int:
        painter.setFont(fonts.text(METRICS.secondary))
        painter.setPen(appearance.qcolor("quiet"))
        painter.drawText(area, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), kind)
        return area.right() - painter.fontMetrics().horizontalAdvance(kind)
