"""Outline panel: the tree with its search field, its hint line, and edits of the selection."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QLabel, QMenu, QToolButton, QWidget

from framescope.core.errors import Problem, RefusedError
from framescope.core.evaluation import reparenting
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.frame_axes import PlanMotions
from framescope.core.kernels.validation import USUAL_SEQUENCE
from framescope.core.scene.edits import copies, items, new_items
from framescope.core.scene.edits.items import ItemEdit
from framescope.core.scene.edits.new_items import owner_of_kind
from framescope.core.scene.schema.model import ITEM_KINDS, NO_ITEM, WORLD, Frame, ItemKey, Scene
from framescope.core.scene.schema.references import item_of, owner_of
from framescope.core.snapshot import Snapshot
from framescope.ui.formatting.item_names import sentence
from framescope.ui.panels.outline.actions import OutlineActions
from framescope.ui.panels.outline.filter_bar import FilterBar, FilterButton
from framescope.ui.panels.outline.rows import (
    Filter,
    OutlineRow,
    compare_looks,
    filter_rows,
    look_of,
    matching_rows,
    rows_of,
    source_words,
)
from framescope.ui.panels.outline.tree import OutlineTree
from framescope.ui.qt_support.edit_sink import EditSink
from framescope.ui.theme import icons
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import IconButton
from framescope.ui.widgets.signal_mime import mime_for_item


class Outline(QWidget):
    """Tree of a scene with the actions on its items.

    Signals
    -------
    picked(object)
        The key of the selected item that panels show; `NO_ITEM` for none.
    selection_changed(object)
        The keys of all selected items.
    menu_opening(object, object)
        The context menu of one item is about to open: the menu and the key of the item.
    inserted()
        The user has added items of a template or an insertion, which are selected now.
    status(str, str)
        Kind and text for the status line: why an action is refused.
    """

    picked = Signal(object)
    selection_changed = Signal(object)
    menu_opening = Signal(object, object)
    inserted = Signal()
    status = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.edits = EditSink(self)
        layouts.lay_ground(self)
        self.sequence = USUAL_SEQUENCE
        """Axis sequence of inserted frames."""
        self._scene = Scene()
        self._snapshot: Snapshot | None = None
        self._rows: list[OutlineRow] = []
        self._severities: dict[ItemKey, str] = {}
        self._filter = Filter()
        self._plan: Plan | None = None
        self._pasted: tuple[str, ItemKey] = ("", NO_ITEM)
        """Text that was last pasted and the first of its items: pasted again, its copies stay beside each other."""
        self.text_takers: list[Callable[[str], bool]] = []
        """Functions that take a pasted text that has no items of a scene, or return False."""
        self.search, self.hint = FilterBar(), HintLine()
        self.tree = OutlineTree(self._rename)
        self.tree.naming.source_of = lambda key: source_words(self._scene, key)
        self.tree.rows_model.signals_of = lambda key: mime_for_item(self._scene, key)
        self.tree.naming.why_no_name = self._why_no_name
        self.actions_of_items = OutlineActions(self.tree)
        layouts.column(self.search, (self.tree, 1), self.hint, on=self, margins=0, spacing=0)
        self.setFocusProxy(self.tree)
        self._buttons = self._create_buttons()
        self.tree.chosen.connect(self._on_chosen)
        self.tree.eye_clicked.connect(self._on_eye)
        self.tree.carried.connect(self._on_carried)
        self.tree.dropped.connect(self._on_dropped)
        self.search.field.textChanged.connect(self._on_words)
        self.search.left.connect(self._on_search_left)
        self.actions_of_items.requested.connect(self._do)
        self.actions_of_items.insert_requested.connect(self.insert)
        self.actions_of_items.targets_wanted.connect(self.show_targets)
        self.actions_of_items.color_requested.connect(self._color)

    # Interface for the window

    def header_buttons(self) -> tuple[QWidget, ...]:
        """Return the buttons for the panel's header: add, and filter."""
        return self._buttons

    def set_plan(self, plan: Plan) -> None:
        """Show the items of a plan. The tree is rebuilt only if items or their places have changed."""
        old, self._scene = self._scene, plan.scene
        changed = compare_looks(old, plan.scene) if self._plan is not None else None
        self._plan = plan
        if changed is None:
            before, self._rows = self._rows, rows_of(plan.scene)
            self._show_rows()
            if _is_another(before, self._rows):
                self.tree.scrollToTop()
            return
        if changed:
            self._rows = rows_of(plan.scene)
        for key, look in changed.items():
            self.tree.set_look(key, *look)
        if old.view.hidden is not plan.scene.view.hidden:
            before, after = _hidden_keys(old), _hidden_keys(plan.scene)
            self.tree.set_hidden(before - after, False)
            self.tree.set_hidden(after - before, True)
        self._reset_parents()

    def _reset_parents(self) -> None:
        self._parents_now = {}
        self._show_parents_now()

    def set_problems(self, problems: Iterable[Problem]) -> None:
        """Mark items with a problem. Red overrides amber; notes are not marked."""
        worst: dict[ItemKey, str] = {}
        for problem in problems:
            if problem.severity != "note" and problem.item is not None and worst.get(problem.item) != "red":
                worst[problem.item] = problem.severity
        if worst == self._severities:
            return
        self._severities = worst
        if self._filter.only_problems:
            self._show_rows()
        else:
            self.tree.set_marks(worst)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Use the poses of a snapshot for moves to another parent, which keep them.

        Rows do not move when frames change their parent over time. Their text names the present parent.
        """
        self._snapshot = snapshot
        self._show_parents_now()

    def _show_parents_now(self) -> None:
        plan, snapshot = self._plan, self._snapshot
        if plan is None or snapshot is None or not plan.tree.switches:
            self._parents_now = {}
            return
        parents, before = plan.tree.parents_at(float(snapshot.t)), self._parents_now
        self._parents_now = {i: int(parents[i]) for i in plan.tree.switches}
        for i, parent in self._parents_now.items():
            if parent != before.get(i):
                key = "frames", plan.names[i]
                icon, kind = look_of(plan.scene, key)
                self.tree.set_look(key, icon, f"in {plan.names[parent]}" if parent >= 0 else kind)

    def set_current(self, key: ItemKey) -> None:
        """Select an item without a signal. If it is already selected among others, make it the current one."""
        keys = self.tree.selected_keys()
        self.tree.select_keys(keys if key in keys else (key,), key)

    def select_again(self, keys: Sequence[ItemKey]) -> None:
        """Select several items, the one that panels show first."""
        if set(keys) != set(self.tree.selected_keys()):
            self.tree.select_keys(keys, keys[0])
            self.selection_changed.emit(self.tree.selected_keys())

    def toggle(self, key: ItemKey) -> None:
        """Add an item to the selection, or take it away, as a click with Ctrl on its row does."""
        keys, shown = self.tree.selected_keys(), self.tree.primary_key()
        rest = tuple(each for each in keys if each != key)
        if key not in keys:
            self.tree.select_keys((*keys, key), key)
        else:
            self.tree.select_keys(rest, shown if shown in rest else next(iter(rest), NO_ITEM))
        self._on_chosen()

    # Searching and filtering

    def set_filter(self, row_filter: Filter) -> None:
        """Show only the rows that pass a filter."""
        if row_filter == self._filter:
            return
        self._filter = row_filter
        self._show_rows()
        self._filter_button.show_filter(row_filter)
        matches = matching_rows(self._shown, row_filter, self._severities.keys()) if row_filter.is_on else None
        self.search.show_count(None if matches is None else len(matches))

    def _on_words(self, text: str) -> None:
        self.set_filter(replace(self._filter, text=text.strip()))

    def _on_search_left(self, has_rows: bool) -> None:
        self.tree.setFocus()
        if has_rows and not self.tree.selected_keys() and self._shown:
            self.tree.setCurrentIndex(self.tree.rows_model.index(0, 0))

    def _show_rows(self) -> None:
        self._shown = filter_rows(self._rows, self._filter, self._severities.keys())
        hidden = _hidden_keys(self._scene)
        self.tree.set_rows(self._shown, self._severities, hidden.__contains__)
        self.tree.set_empty_text("" if self._shown else _why_empty(self._filter))
        self._reset_parents()

    _shown: Sequence[OutlineRow] = ()

    _parents_now: Mapping[int, int] = MappingProxyType({})
    """Current parent of each frame whose parent changes over time, by index."""

    # Selecting

    def _on_chosen(self) -> None:
        keys = self.tree.selected_keys()
        self.selection_changed.emit(keys)
        self.picked.emit(self.tree.primary_key())

    # Edits

    def _commit(self, make: Callable[[], ItemEdit]) -> ItemEdit | None:
        """Commit an edit and select its items, or report why it is refused. Return the edit if committed."""
        try:
            edit = make()
            edit.apply(self._scene)
        except RefusedError as error:
            self.status.emit("amber", sentence(error))
            return None
        self.edits.commit_items(edit)
        keys = [key for key in edit.keys if self.tree.index_of(key).isValid()]
        if keys and tuple(keys) != self.tree.selected_keys():
            self.tree.select_keys(keys, keys[0])
            self._on_chosen()
        return edit

    def show_targets(self) -> None:
        """Show in the actions to insert equipment and standard frames which frame gets them."""
        on = self._primary_first()

        def target_of(name: str) -> str:
            try:
                edit = new_items.insert_items(self._scene, name, on)
                item = item_of(edit.apply(self._scene), edit.keys[0])
            except RefusedError:
                return ""
            return item.parent if isinstance(item, Frame) else ""

        self.actions_of_items.show_targets(target_of)

    def insert(self, name: str) -> None:
        """Add the items of a template or an insertion to the selected item, and open the name to typing."""
        plan = self._plan
        motions = None if plan is None else PlanMotions(plan)
        on = self._primary_first()
        edit = self._commit(lambda: new_items.insert_items(self._scene, name, on, motions, self.sequence))
        if edit is not None:
            self.inserted.emit()
            if self.isVisible():
                self._begin_renaming()

    def _primary_first(self) -> tuple[ItemKey, ...]:
        """Return the selected items, with the one in the panels first."""
        keys, primary = self.tree.selected_keys(), self.tree.primary_key()
        return (primary, *(key for key in keys if key != primary)) if keys else ()

    def _do(self, name: str) -> None:
        """Run an action of `OutlineActions` by its name."""
        others: dict[str, Callable[[], object]] = {
            "rename": self._begin_renaming,
            "copy": lambda: self._copy(self.tree.selected_keys()),
            "cut": self._cut,
            "paste": self._paste,
            "hide": lambda: self._hide(self.tree.selected_keys(), with_below=False),
            "hide_below": lambda: self._hide(self.tree.selected_keys(), with_below=True),
            "move": lambda: self._begin_moving(self.tree.selected_keys()),
            "find": self.search.open,
        }
        if name in others:
            others[name]()
        else:
            self._commit(lambda: self._edit_for(name, self._scene, self.tree.selected_keys()))

    def _edit_for(self, name: str, scene: Scene, keys: Sequence[ItemKey]) -> ItemEdit:
        match name:
            case "duplicate":
                return copies.duplicate_items(scene, keys)
            case "show_all":
                return items.show_everything(scene)
            case "delete":
                return items.remove_items(scene, keys)
            case "delete_keeping":
                return reparenting.remove_keeping_children(scene, self._one_frame(keys), self._snapshot)
            case _:
                target = self._grandparent if name.startswith("outdent") else self._frame_before
                return self._move_edit(keys, target(keys), name.endswith("_local"))

    def _cut(self) -> None:
        keys = self.tree.selected_keys()
        if self._copy(keys):
            self._commit(lambda: items.remove_items(self._scene, keys))

    def _one_frame(self, keys: Sequence[ItemKey]) -> str:
        if len(keys) != 1 or keys[0][0] != "frames":
            raise RefusedError("select one frame to delete it without its children")
        return keys[0][1]

    def _copy(self, keys: Sequence[ItemKey]) -> bool:
        try:
            text = copies.items_text(self._scene, keys)
        except RefusedError as error:
            self.status.emit("amber", sentence(error))
            return False
        QGuiApplication.clipboard().setText(text)
        self.status.emit("good", f"Copied {items.selection_label(keys)} as scene text")
        return True

    def _paste(self) -> None:
        """Paste the clipboard as items; a text of something else goes to who takes it."""
        text = QGuiApplication.clipboard().text()
        try:
            edit = self._paste_edit(text)
        except RefusedError as error:
            if not any(take(text) for take in self.text_takers):
                self.status.emit("amber", sentence(error))
            return
        self._commit(lambda: edit)

    def _paste_edit(self, text: str) -> ItemEdit:
        key, (pasted, copied) = self.tree.primary_key(), self._pasted
        parent = owner_of_kind(self._scene, key, "frames") if key[0] and (text, key) != (pasted, copied) else None
        edit = copies.paste_items(text, self._scene, parent)
        self._pasted = text, edit.keys[0] if edit.keys else NO_ITEM
        return edit

    def _hide(self, keys: Sequence[ItemKey], with_below: bool) -> None:
        is_wanted = not all(items.is_hidden(self._scene, key) for key in keys)
        self._commit(lambda: items.set_hidden(self._scene, keys, is_wanted, with_below))

    def _on_eye(self, key: ItemKey, with_below: bool) -> None:
        keys = self.tree.selected_keys()
        keys = keys if key in keys else (key,)
        is_wanted = not items.is_hidden(self._scene, key)
        selected = self.tree.selected_keys(), self.tree.primary_key()
        try:
            edit = items.set_hidden(self._scene, keys, is_wanted, with_below)
        except RefusedError as error:
            self.status.emit("amber", sentence(error))
            return
        self.edits.commit_items(edit)
        self.tree.select_keys(*selected)

    def _color(self, color: str) -> None:
        keys = self.tree.selected_keys()
        self._commit(lambda: items.set_color(self._scene, keys, color))

    def _rename(self, key: ItemKey, name: str) -> str:
        self._commit(lambda: items.rename_item(self._scene, *key, name))
        return ""

    def _why_no_name(self, name: str) -> str:
        """Return and report why the renamed item cannot have a name."""
        key = self.tree.current_key()
        try:
            items.rename_item(self._scene, *key, name)
        except RefusedError as error:
            self.status.emit("amber", sentence(error))
            return sentence(error)
        return ""

    # Moving to another parent

    def _target(self, keys: Sequence[ItemKey], over: ItemKey) -> ItemKey:
        """Return the new parent of items that are dropped on a row."""
        kind_wanted = "bodies" if keys and all(kind == "points" for kind, _ in keys) else "frames"
        name = owner_of_kind(self._scene, over, kind_wanted) if over[0] in ITEM_KINDS else None
        return NO_ITEM if name is None else (kind_wanted, name)

    def _move_edit(self, keys: Sequence[ItemKey], target: ItemKey, is_local: bool) -> ItemEdit:
        if target == NO_ITEM:
            raise RefusedError("drop on a frame, or on one of its items")
        return reparenting.rehang(self._scene, keys, target, "local" if is_local else "world", self._snapshot)

    def _on_carried(self, keys: Sequence[ItemKey], over: ItemKey, is_local: bool) -> None:
        """Show in the hint line the effect of dropping here, and draw the target."""
        if not keys:
            self.hint.show_text("")
            self.tree.show_target(NO_ITEM)
            return
        target = self._target(keys, over)
        try:
            self._move_edit(keys, target, is_local)
        except RefusedError as error:
            has_begun = self.tree.is_moving and over in keys
            text = "Up and Down choose the new parent, Escape leaves" if has_begun else sentence(error)
            self.hint.show_text(text, is_refused=not has_begun)
            self.tree.show_target(NO_ITEM)
            return
        pose_note = "local pose kept" if is_local else "world pose kept (Alt: local pose)"
        verb = "Enter" if self.tree.is_moving else "drop"
        has_pose = any(kind in ("frames", "bodies") for kind, _ in keys)
        self.hint.show_text(f"{verb}: child of {target[1]}{', ' + pose_note if has_pose else ''}")
        self.tree.show_target(target)

    def _on_dropped(self, keys: Sequence[ItemKey], over: ItemKey, is_local: bool) -> None:
        self._commit(lambda: self._move_edit(keys, self._target(keys, over), is_local))

    def _begin_renaming(self) -> None:
        if self.tree.is_naming:
            return
        index = self.tree.index_of(self.tree.primary_key())
        if index.flags() & Qt.ItemFlag.ItemIsEditable:
            self.tree.edit(index)
        else:
            self.status.emit("amber", "Select an item to rename: the world keeps its name")

    def _begin_moving(self, keys: Sequence[ItemKey]) -> None:
        if not keys or ("frames", WORLD) in keys:
            self.status.emit("amber", "Select an item to move: the world cannot be moved")
            return
        self.tree.setFocus()
        self.tree.begin_moving(tuple(keys))

    def _grandparent(self, keys: Sequence[ItemKey]) -> ItemKey:
        item = item_of(self._scene, keys[0]) if keys else None
        parent = None if item is None else owner_of(item)
        of_parent = item_of(self._scene, parent) if parent is not None else None
        grandparent = None if of_parent is None else owner_of(of_parent)
        if grandparent is None:
            raise RefusedError("its parent is the world already" if keys else "nothing to move is selected")
        return grandparent

    def _frame_before(self, keys: Sequence[ItemKey]) -> ItemKey:
        index = self.tree.index_of(keys[0]) if keys else QModelIndex()
        for row in range(index.row() - 1, -1, -1):
            key: ItemKey = tuple(index.siblingAtRow(row).data(role=Qt.ItemDataRole.UserRole))
            if key[0] == "frames" and key not in keys:
                return key
        raise RefusedError("there is no frame before it that could be its parent")

    # Events

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        keys = self.tree.selected_keys()
        is_hidden = bool(keys) and all(items.is_hidden(self._scene, key) for key in keys)
        frames = {name for kind, name in keys if kind == "frames"}
        has_bodies = any(kind == "bodies" for kind, _ in keys) or any(
            body.frame in frames for body in self._scene.bodies.values()
        )
        where = event.globalPos()
        if event.reason() == QContextMenuEvent.Reason.Keyboard and self.tree.currentIndex().isValid():
            row = self.tree.visualRect(self.tree.currentIndex())
            where = self.tree.viewport().mapToGlobal(QPoint(row.left() + METRICS.padding, row.bottom()))
        menu = self.actions_of_items.context_menu(self, is_hidden, has_bodies)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if len(keys) == 1:
            self.menu_opening.emit(menu, keys[0])
        menu.popup(where)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.search.isVisible():
            self.search.close_field()
        else:
            super().keyPressEvent(event)

    def _create_buttons(self) -> tuple[QWidget, ...]:
        add = IconButton("plus", "Insert an item", size=METRICS.small_button)
        menu = QMenu(add)
        self.actions_of_items.fill_insert(menu)
        add.setMenu(menu)
        add.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._filter_button = FilterButton(self.actions_of_items.by_name["find"])
        self._filter_button.chosen.connect(self._on_filter)
        return add, self._filter_button

    def _on_filter(self, kinds: tuple[str, ...], only_problems: bool) -> None:
        self.set_filter(Filter(self._filter.text, kinds, only_problems))


def _is_another(before: Sequence[OutlineRow], after: Sequence[OutlineRow]) -> bool:
    """Return whether the rows belong to another scene. An edit keeps most rows."""
    stays = {row.key for row in before if row.key[0] in ITEM_KINDS and row.key != ("frames", WORLD)}
    return 2 * len(stays & {row.key for row in after}) < len(stays)


def _hidden_keys(scene: Scene) -> set[ItemKey]:
    return {(kind, name) for kind in ITEM_KINDS for name in getattr(scene.view.hidden, kind)}


def _why_empty(row_filter: Filter) -> str:
    """Return the reason for an empty list, and a way to list items again."""
    what = f'No listed item is called "{row_filter.text}".' if row_filter.text else "There are no such items."
    if row_filter.only_problems:
        what = f'Nothing called "{row_filter.text}" has a problem.' if row_filter.text else "No item has a problem."
    is_chosen = replace(row_filter, text="") != Filter()
    return f"{what}\n" + ("The filter above lists everything again." if is_chosen else "Esc closes the search.")


class HintLine(QWidget):
    """Hint below the tree; hidden while empty."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon, self._label = QLabel(), QLabel(wordWrap=True)
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        layouts.row(
            (self._icon, 0, Qt.AlignmentFlag.AlignVCenter),
            (self._label, 1),
            on=self,
            margins=(METRICS.padding, METRICS.inner, METRICS.gap, METRICS.inner),
            spacing=METRICS.gap,
        )
        self.hide()

    def show_text(self, text: str, *, is_refused: bool = False) -> None:
        """Show a hint. An empty text hides the line."""
        role = "warning" if is_refused else "hint"
        if self._label.property("role") != role:
            self._label.setProperty("role", role)
            self._label.style().unpolish(self._label)
            self._label.style().polish(self._label)
        name = ("triangle-alert", "amber") if is_refused else ("corner-down-right", "accent_text")
        self._icon.setPixmap(icons.pixmap(*name, METRICS.row_icon))
        self._label.setText(text)
        self.setVisible(bool(text))

    def text(self) -> str:
        """Return the hint."""
        return self._label.text()
