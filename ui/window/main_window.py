"""Main window: the scene in the middle, docks around it, a menu bar, and a status line.

A new window has only the scene and empty docks. `MainWindow.furnish` fills them and imports their panels only then, so
that the user sees the scene early.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QCoreApplication, QEvent, QMimeData, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QCursor,
    QDragEnterEvent,
    QDropEvent,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import QApplication, QMainWindow, QScrollArea, QWidget
from shiboken6 import isValid

from framescope.ui.qt_support.thread_tasks import IS_CLOSED
from framescope.ui.scene_view.scene_view import SceneView
from framescope.ui.theme.tokens import METRICS
from framescope.ui.timeline.timeline import Timeline
from framescope.ui.widgets import layouts
from framescope.ui.widgets.dock_widget import (
    add_dock,
    end_dock_drag,
    fill_dock,
    order_tab_stops,
    place_in_dock,
    set_dock_header,
)
from framescope.ui.widgets.headings import DockHeader
from framescope.ui.widgets.larger_panel import ScaledPanel, enlarge_panel, enlarge_texts
from framescope.ui.widgets.notice import Notice
from framescope.ui.window.actions import PLACE_NAMES, Actions
from framescope.ui.window.blank_screen import BlankScreen
from framescope.ui.window.chosen_docks import ChosenDocks
from framescope.ui.window.dock_placement import AREAS, arrange, keep_dock, make_room, name_tabs
from framescope.ui.window.dock_state import Size, dock_sizes, restore_layout, save_layout
from framescope.ui.window.dock_table import BOTTOM_ROW, DOCKS, FURNISHED, INSTRUMENTS, STACK
from framescope.ui.window.kept_widths import KeptWidths
from framescope.ui.window.key_router import KeyRouter
from framescope.ui.window.large_dock import LargeDock
from framescope.ui.window.lecture_keys import Command
from framescope.ui.window.places import PLACES, Place, Presentation, readable_size
from framescope.ui.window.pointer_ring import PointerRing
from framescope.ui.window.screen_fit import fit_on_screen
from framescope.ui.window.shortcut_keys import ShortcutKeys
from framescope.ui.window.spotlight import Spotlight
from framescope.ui.window.status_bar import StatusLine
from framescope.ui.window.theme_sizes import ThemeSizes
from framescope.ui.window.title_bar import HeaderBar

if TYPE_CHECKING:
    from framescope.ui.panels.inspector.inspector import Inspector
    from framescope.ui.panels.outline import Outline
    from framescope.ui.panels.problems.panel import ProblemsPanel
    from framescope.ui.panels.question.question_bar import QuestionBar
    from framescope.ui.panels.relation.readouts_panel import ReadOuts
    from framescope.ui.plots.plot_panel import PlotPanel
    from framescope.ui.window.menus import Menus

SIZE, MINIMUM = QSize(1280, 800), QSize(900, 600)
"""Initial and minimum size of the window where the screen has room, logical pixels."""

PROBLEMS_SHARE = 0.55
"""Part of its column, with the panel below it, that the problems list takes at most by itself."""

PANEL_SHARE = 0.35
"""Largest part of the width of the screen that an enlarged panel takes in a presentation."""

EDITORS = ("outline", "inspector", "problems")
"""Panels that are used rather than read, whose texts keep their size in a presentation."""

SMALLER, N_SMALLER = 0.9, 9
"""Factor by which the texts of a large panel shrink until it needs no scrolling, and the number of trials."""

NO_PANEL = "Click into a panel first: it is shown large"
"""Message where no panel has the keyboard or the pointer, until one is large."""

LARGEST_HEADER = 1.5
"""Largest factor of the headers of docks in a presentation."""

SLACK = 8
"""Tolerance within which a dock counts as having its minimum size, logical pixels."""


class MainWindow(QMainWindow):
    """Window with all views and their actions. It does not know the session.

    Signals
    -------
    close_requested(object)
        The close event. A slot ignores it to keep the window open.
    files_dropped(list)
        Paths of files that were dropped onto the window.
    closed()
        The window is closed.
    place_changed(str)
        Another layout was chosen.
    instrument_seen(str)
        A dock in `INSTRUMENTS` has become visible, perhaps for the first time.
    export_cancel_requested()
        The user has pressed Escape during an export.
    presenting_changed(float)
        The presentation was entered or left; the value is the factor for the size of texts.
    """

    close_requested = Signal(object)
    files_dropped = Signal(list)
    closed = Signal()
    place_changed = Signal(str)
    layout_reset = Signal()
    instrument_seen = Signal(str)
    export_cancel_requested = Signal()
    presenting_changed = Signal(float)

    outline: Outline
    inspector: Inspector
    readouts: ReadOuts
    problems: ProblemsPanel
    question: QuestionBar
    plots: PlotPanel
    menus: Menus

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("framescope")
        self.resize(SIZE)
        self.fit_on_screen()
        self.setAcceptDrops(True)
        self.setDockOptions(QMainWindow.DockOption.AllowNestedDocks | QMainWindow.DockOption.AllowTabbedDocks)
        self.timeline = Timeline(self)
        self.status = StatusLine(self)
        self.scene_view = SceneView(self)
        self._leave_hint = Notice(
            "Press Escape or F11 to leave the full screen, Shift+F11 for the plots", self.scene_view
        )
        self._refusal = Notice("", self.scene_view)
        """Refusal or error that the hidden status line would show during a presentation."""
        self.status.shown.connect(self._show_refusal)
        self.setCentralWidget(self.scene_view)
        self.setStatusBar(self.status)
        self.commands = Actions(self)
        self.header = HeaderBar({name: place.purpose for name, place in PLACES.items()}, self)
        self.setMenuWidget(self.header)
        self.docks = {
            name: add_dock(self, name, dock.title, AREAS[dock.side], has_header=dock.has_header, tab=dock.tab)
            for name, dock in DOCKS.items()
        }
        fill_dock(self.docks["timeline"], self.timeline)
        self._presentation = Presentation(self, self.docks, self.scene_view.hold_drawing)
        self._chosen = ChosenDocks(self, self.docks, self.scene_view.hold_drawing)
        self._kept_widths = KeptWidths(self, self.docks)
        self._theme_sizes = ThemeSizes(self, self.docks, self.scene_view.hold_drawing)
        self._large = LargeDock(self, self.docks, self.scene_view, self.scene_view.hold_drawing)
        self._was_large: tuple[str, bool] = "", False
        """Dock that was large before the presentation began, and whether it was alone."""
        self.blank_screen = BlankScreen(self)
        self.pointer_ring = PointerRing(self)
        self.spotlight = Spotlight(self, self.scene_view)
        self.place = PLACE_NAMES[0]
        """Name of the current place."""
        self._front = PLACES[self.place].in_front
        self._layouts: dict[str, QByteArray] = {}
        self._has_opened_problems = False
        self._problems_height = 0, 0
        """Height of the problems list before it was enlarged, and the height that it was given."""
        self.is_furnished = False
        self.instruments: dict[str, QWidget] = {}
        self._seen: set[str] = set()
        self._asked_for = ""
        self._enlarged: dict[str, float] = {}
        """Factor of the texts of panels that were opened during the presentation, by name of the dock."""
        self._sizes_before: dict[tuple[str, str], Size] = {}
        """Sizes of neighbours before a dock was opened, by place and name of that dock."""
        for name in INSTRUMENTS:
            self.docks[name].visibilityChanged.connect(partial(self._on_instrument, name))
        self._arrange(PLACES[self.place])
        self.keys = self._make_keys()
        self.scene_view.setFocus()  # otherwise the first button would have the focus, and Space would press it

    def furnish(self) -> None:
        """Fill the docks and the menus."""
        from framescope.ui.panels.inspector.inspector import Inspector
        from framescope.ui.panels.outline import Outline
        from framescope.ui.panels.problems.panel import ProblemsPanel
        from framescope.ui.panels.question.question_bar import QuestionBar
        from framescope.ui.panels.relation.readouts_panel import ReadOuts
        from framescope.ui.plots.plot_panel import PlotPanel
        from framescope.ui.window.menus import Menus

        docks = self.docks
        # The remembered layout may not have fitted yet, since a window is maximized only when it is shown.
        layout = self._layouts.get(self.place, save_layout(self, docks))
        self.outline = Outline(docks["outline"])
        fill_dock(docks["outline"], self.outline, self.outline.header_buttons())
        self.inspector = Inspector(docks["inspector"])
        fill_dock(docks["inspector"], self.inspector)
        self.readouts = ReadOuts(docks["readouts"])
        fill_dock(docks["readouts"], self.readouts, (self.readouts.hold_button, self.readouts.add_button))
        self.problems = ProblemsPanel(docks["problems"])
        fill_dock(docks["problems"], self.problems, (self.problems.mend_all,), beside_title=self.problems.counts)
        self.question = QuestionBar(docks["question"])
        fill_dock(docks["question"], self.question)
        self.plots = PlotPanel(docks["plots"])
        fill_dock(docks["plots"], self.plots)
        for name in FURNISHED:
            getattr(self, name).setProperty("helpTopic", DOCKS[name].help_page)
        dock_actions = {name: self._dock_action(name) for name in docks}
        of_frame = self.inspector.orientation.actions_of_frame
        self.menus = Menus(self.header.menu_bar, self.commands, dock_actions, self.outline.actions_of_items, of_frame)
        self._connect()
        delete = QShortcut(QKeySequence.StandardKey.Delete, self.scene_view)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)  # cards over the scene delete themselves
        delete.activated.connect(self.outline.actions_of_items.by_name["delete"].trigger)
        ShortcutKeys(self, (*self.commands.undo.shortcuts(), *self.commands.redo.shortcuts()))
        restore_layout(self, docks, layout)
        self.is_furnished = True

    def fit_on_screen(self) -> None:
        """Limit the window to the available area of the screen, and move it completely onto the screen."""
        fit_on_screen(self, MINIMUM)

    def set_title(self, name: str, is_dirty: bool) -> None:
        """Show the document's name, and whether it has unsaved changes."""
        self.setWindowTitle(f"{name}[*] — Framescope")
        self.setWindowModified(is_dirty)
        self.header.set_name(name, is_dirty)

    def set_theme_icon(self, is_dark: bool) -> None:
        """Show on the theme button the theme that it switches to."""
        self.header.theme.set_icon("sun" if is_dark else "moon", f"{'Light' if is_dark else 'Dark'} theme")

    def show_problem_count(self, n_problems: int) -> None:
        """Show the number of problems in the tab of the problems list, which may be behind another panel."""
        title = DOCKS["problems"].tab or DOCKS["problems"].title
        self.docks["problems"].setWindowTitle(f"{title} ({n_problems})" if n_problems else title)

    def show_problems(self, has_problems: bool) -> None:
        """Raise the problems list, or the place's own front docks when there are no problems.

        A place that does not show the list at first opens it for problems and closes it after them.
        """
        problems = self.docks["problems"]
        if has_problems and problems.isHidden() and not self.has_chosen_docks:
            self._has_opened_problems = True
            self.bring_back_dock("problems")
        elif not has_problems and self._has_opened_problems:
            self._has_opened_problems = False
            problems.close()
        self._front = ("problems",) if has_problems else PLACES[self.place].in_front
        is_else_seen = self.isVisible() and self.docks["problems"].visibleRegion().isEmpty()
        if has_problems or not is_else_seen:
            self._raise_front()
        QTimer.singleShot(0, self, self._give_height_to_problems)  # the list is laid out by then

    def _give_height_to_problems(self) -> None:
        """Enlarge the problems list in its column until its sentences and buttons can be read, if there is room.

        For fewer problems it shrinks again, unless the user has resized it.
        """
        dock = self.docks["problems"]
        area = self.dockWidgetArea(dock)
        if dock.isFloating() or not dock.isVisible() or self.dockWidgetArea(self.docks["timeline"]) == area:
            return
        seen = [other for other in self.docks.values() if other.isVisible() and not other.isFloating()]
        others = [other for other in seen if self.dockWidgetArea(other) == area and other.y() > dock.y()]
        height = dock.height() - self.problems.height() + self.problems.needed_height
        room = dock.height() + (others[0].height() if others else 0)
        wanted = min(height, round(PROBLEMS_SHARE * room))
        before, given = self._problems_height
        if abs(dock.height() - given) > SLACK:  # the user, or another layout, has chosen this height
            before = dock.height()
        wanted = max(wanted, before)
        if others and abs(wanted - dock.height()) > SLACK:
            self.resizeDocks([dock, others[0]], [wanted, room - wanted], Qt.Orientation.Vertical)
            layouts.settle(self)
        self._problems_height = before, dock.height()

    def _raise_front(self) -> None:
        for name in self._front:
            if not self.docks[name].isHidden():
                self.docks[name].raise_()

    def set_dock_title(self, name: str, title: str, subtitle: str = "") -> None:
        """Set the title in a dock's header."""
        set_dock_header(self.docks[name], title, subtitle)

    def show_dock(self, name: str) -> None:
        """Open a dock and raise it."""
        self._note_size_before(name)
        self._asked_for = name
        is_first, is_new = self._is_first_at_its_side(name), self.docks[name].isHidden()
        if self.is_presenting:
            self._enlarge_panel(name)
        self.docks[name].show()
        self.docks[name].raise_()
        if is_first:
            self._give_width(name)
        elif is_new and DOCKS[name].share:
            self._share_row()
        self._make_room()

    def has_dock(self, name: str) -> bool:
        """Return whether a dock is open, possibly behind another."""
        return not self.docks[name].isHidden()

    def hide_dock(self, name: str) -> None:
        """Close a dock."""
        self.docks[name].close()

    def bring_back_dock(self, name: str) -> None:
        """Reopen a hidden dock in its place without raising it."""
        self._note_size_before(name)
        is_first = self._is_first_at_its_side(name)
        self.docks[name].show()
        if is_first:
            self._give_width(name)
        self._make_room()

    def _note_size_before(self, name: str) -> None:
        """Note the size of the neighbour of a dock that will open; with several in front, the size from before all."""
        neighbour = _neighbour_of(name)
        if not neighbour or not self.docks[name].isHidden():
            return
        layouts.settle(self)  # otherwise a place that was just arranged would not have its sizes yet
        size = dock_sizes(self, self.docks).get(neighbour)
        opened = (other for other in DOCKS if _neighbour_of(other) == neighbour and self.has_dock(other))
        sizes = (self._sizes_before.get((self.place, other)) for other in opened)
        before = next((before for before in sizes if before is not None), size)
        if before is not None:
            self._sizes_before[self.place, name] = before

    def _is_first_at_its_side(self, name: str) -> bool:
        """Return whether no other dock is open at the side of a dock at the left or right."""
        area = self.dockWidgetArea(self.docks[name])
        others = (dock for dock in self.docks.values() if not dock.isHidden() and not dock.isFloating())
        return DOCKS[name].side != "bottom" and all(self.dockWidgetArea(dock) != area for dock in others)

    def _give_width(self, name: str) -> None:
        """Make a dock as wide as its side is in the place; Qt would give it what is left."""
        place = PLACES[self.place]
        width = place.left if self.dockWidgetArea(self.docks[name]) == AREAS["left"] else place.right
        wanted = round(self._enlarged.get(name, 1.0) * max(width, DOCKS[name].width))
        self.resizeDocks([self.docks[name]], [wanted], Qt.Orientation.Horizontal)

    def _share_row(self) -> None:
        """Divide the row at the bottom as its docks need it; Qt would leave a new dock its minimum."""
        row = [name for name in BOTTOM_ROW if not self.docks[name].isHidden()]
        shares = [DOCKS[name].share for name in row]
        self.resizeDocks([self.docks[name] for name in row], shares, Qt.Orientation.Horizontal)

    @property
    def has_chosen_docks(self) -> bool:
        """Whether some docks are shown alone, in a lesson or in full screen."""
        return self._chosen.before is not None or self.is_presenting or bool(self._large.name)

    def show_chosen(self, *names: str) -> None:
        """Show these docks alone until another layout or `show_as_before`."""
        self.leave_large()
        self._chosen.show(names)
        self._make_room()

    def show_as_before(self) -> None:
        """Restore the docks from before some were shown alone or large."""
        self.leave_large()
        self._presentation.leave()
        self._chosen.restore()

    # Large docks

    def show_large(self, name: str, *, is_alone: bool = False) -> None:
        """Show a dock large, beside the scene or alone, until `leave_large`. Timeline and lesson stay with it."""
        staying = (other for other, dock in DOCKS.items() if "presentation" in dock.stays_in)
        self.status.show_message("", NO_PANEL)
        self._large.show(name, ("timeline", *staying), is_alone=is_alone)
        self._asked_for = ""
        self._size_large_texts()

    def leave_large(self) -> None:
        """Put the large dock back to its place, if there is one."""
        name = self._large.name
        if name:
            self._large.restore()
            self._enlarge_large(name, 1.0)
            enlarge_texts(self.docks[name].widget(), self._enlarged.get(name, 1.0))

    def switch_large(self, name: str, _is_checked: bool = False) -> None:
        """Show a dock large beside the scene, then alone, then in its place."""
        if not name:
            self.status.show_message("amber", NO_PANEL)
        elif self._large.name != name:
            self.show_large(name)
        elif not self._large.is_alone:
            self.show_large(name, is_alone=True)
        else:
            self.leave_large()

    @property
    def large_dock(self) -> str:
        """Name of the dock that is large; empty for none."""
        return self._large.name

    def _dock_in_use(self) -> str:
        """Return the dock that has the keyboard, else the one that is large or under the pointer; empty for none."""
        able = {name: dock for name, dock in self.docks.items() if name not in STACK}
        focused, pointed = QApplication.focusWidget(), QApplication.widgetAt(QCursor.pos())
        inside = (
            name
            for widget in (focused, pointed)
            for name, dock in able.items()
            if widget is not None and dock.isAncestorOf(widget)
        )
        visible = (name for name in INSTRUMENTS if not self.docks[name].visibleRegion().isEmpty())
        return self._large.name or next(chain(inside, visible), "")

    def _size_large_texts(self) -> None:
        """Enlarge the texts of the large dock as far as its width allows, and its height if that avoids scrolling."""
        name = self._large.name
        dock = DOCKS[name]
        self._enlarge_large(name, 1.0)
        least = self.instruments[name].minimumSizeHint().width() if name in self.instruments else 0
        side = getattr(PLACES[self.place], dock.side) if dock.side != "bottom" else 0
        usual, size = max(side, dock.width, least, METRICS.left), readable_size(self.height())
        largest = max(min(size / METRICS.number, self.docks[name].width() / usual), 1.0)
        areas = self.docks[name].findChildren(QScrollArea)
        for scale in (largest * SMALLER**i for i in range(N_SMALLER)):
            self._enlarge_large(name, max(scale, 1.0))
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
            if not any(area.isVisible() and area.verticalScrollBar().maximum() for area in areas):
                return
            if scale <= 1.0:
                break
        self._enlarge_large(name, largest)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)

    def _enlarge_large(self, name: str, scale: float) -> None:
        """Set the factor of the texts of a large panel, which some panels apply themselves."""
        panel = self.instruments.get(name)
        if name == "plots":
            usual = readable_size(self.height()) if self.is_presenting else 0
            self.plots.set_number_size(round(scale * METRICS.number) if scale > 1.0 else usual)
        elif isinstance(panel, ScaledPanel):
            panel.set_scale(max(scale, self.text_scale))
        else:
            enlarge_panel(self.docks[name].widget(), scale)

    def _leave_large_for_presentation(self) -> None:
        self._was_large = self._large.name, self._large.is_alone
        self.leave_large()

    def _show_large_again(self, is_presenting: bool) -> None:
        """Show the dock large in full screen that was large before. After the full screen, all is in its place."""
        name, is_alone = self._was_large
        self._was_large = "", False
        if name and is_presenting:
            self.show_large(name, is_alone=is_alone)

    def toggle_dock(self, name: str) -> None:
        """Close a visible dock. Open and raise a hidden or covered one."""
        dock = self.docks[name]
        if dock.isHidden() or dock.visibleRegion().isEmpty():
            self.show_dock(name)
        else:
            dock.close()

    def ground(self, name: str) -> QWidget:
        """Return the parent for an instrument's panel. Qt restyles a widget that changes its parent."""
        return self.docks[name].widget()

    def is_instrument_seen(self, name: str) -> bool:
        """Return whether an instrument is visible: neither closed nor behind another dock."""
        return name in self._seen

    def fill_dock(self, name: str, widget: QWidget, buttons: Iterable[QWidget] = ()) -> None:
        """Put the panel of an instrument into its dock and `buttons` into its header. Set its manual page for F1."""
        widget.setProperty("helpTopic", DOCKS[name].help_page)
        widget.setMinimumSize(DOCKS[name].width, DOCKS[name].height)
        place_in_dock(self.docks[name], widget, buttons)
        self.instruments[name] = widget
        self._make_room()  # its width is known only now
        if name == self._large.name:
            QTimer.singleShot(0, self, self._fit_large)  # the panel has its data by then

    def _make_room(self) -> None:
        """Stack docks where the row is too narrow for them, with the requested one in front."""
        make_room(self, self.docks)
        if self._asked_for:
            self.docks[self._asked_for].raise_()

    @property
    def is_presenting(self) -> bool:
        """Whether the window presents in full screen."""
        return self._presentation.is_on

    # Layouts

    def layouts(self) -> dict[str, QByteArray]:
        """Return the layouts that were shown, by name, and close a problems list that the scene alone has opened."""
        if self._has_opened_problems:
            self.show_problems(False)
        before = self._chosen.before or self._large.before
        return self._layouts | {self.place: before or save_layout(self, self.docks)}

    def set_place(self, name: str, layouts: dict[str, QByteArray] | None = None) -> None:
        """Show a layout as the user left it. `layouts` are remembered ones of an earlier session."""
        end_dock_drag(self.docks.values())
        self.show_as_before()
        if layouts is not None:
            self._layouts = dict(layouts)
            self._sizes_before.clear()
        else:
            self._layouts[self.place] = save_layout(self, self.docks)
        is_changed, self.place = name != self.place, name
        with self.scene_view.hold_drawing(), ExitStack() as open_docks:
            # Docks such as the manual stay open for a user who is reading.
            staying = (dock for dock in DOCKS.values() if "layouts" in dock.stays_in)
            for dock in staying if layouts is None else ():
                open_docks.enter_context(keep_dock(self, self.docks[dock.name]))
            # A remembered layout may lack a dock that was added since.
            if layouts is not None or name not in self._layouts:
                self._arrange(PLACES[name])
            if name in self._layouts:
                restore_layout(self, self.docks, self._layouts[name])
                self._forget_requests()
        name_tabs(self)
        self.header.places.set_choice(name)
        self.commands.places[name].setChecked(True)
        self.scene_view.set_lecture(PLACES[name].has_large_clock)
        if is_changed:
            self.place_changed.emit(name)

    def reset_layout(self) -> None:
        """Reset all docks of this layout to their defaults."""
        end_dock_drag(self.docks.values())
        self.show_as_before()
        self._layouts.pop(self.place, None)
        with self.scene_view.hold_drawing():
            self._arrange(PLACES[self.place])
        self.layout_reset.emit()

    def _arrange(self, place: Place) -> None:
        self._forget_requests()
        for name in DOCKS:
            self._sizes_before.pop((place.name, name), None)
        arrange(self, self.docks, place)
        self._raise_front()

    def _forget_requests(self) -> None:
        """Forget the docks that were requested in another layout."""
        self._asked_for = ""
        self._front = PLACES[self.place].in_front

    # Building

    def _make_keys(self) -> KeyRouter:
        """Return the router of plain keys, with the states and commands of the window."""
        keys, view = KeyRouter(self, self.scene_view), self.scene_view
        keys.states |= {
            "is_presenting": lambda: self.is_presenting,
            "is_lit": lambda: self.spotlight.is_on,
            "is_large": lambda: bool(self._large.name),
            "is_blank": lambda: self.blank_screen.is_on,
            "has_tool": lambda: view.manipulation.is_on,
            "is_measuring": lambda: view.measuring.is_on,
        }
        keys.drags = lambda: view.manipulation.drag is not None
        keys.commands |= {
            Command.PLAY: self.commands.play.trigger,
            Command.STEP_BACK: lambda: self.timeline.step.emit(-1),
            Command.STEP_FORWARD: lambda: self.timeline.step.emit(1),
            Command.BLANK: self.blank_screen.show_black,
            Command.UNBLANK: self.blank_screen.restore,
            Command.RING: self.pointer_ring.toggle,
            Command.LIGHT: self.spotlight.press,
            Command.UNLIGHT: self.spotlight.clear,
            Command.LEAVE_LARGE: self.leave_large,
            Command.LEAVE_FULL_SCREEN: self._presentation.leave,
        }
        keys.releases[Command.LIGHT] = self.spotlight.release
        return keys

    def _dock_action(self, name: str) -> QAction:
        """Return the menu action that toggles a dock. It is checked while the dock is open, possibly behind another."""
        action = QAction(DOCKS[name].title, self, checkable=True)
        view_action = self.docks[name].toggleViewAction()
        action.setChecked(view_action.isChecked())
        view_action.toggled.connect(action.setChecked)

        def toggle() -> None:
            self.toggle_dock(name)
            action.setChecked(not self.docks[name].isHidden())

        action.triggered.connect(toggle)
        return action

    def _raise_inspector(self) -> None:
        """Bring the inspector to the front of its tabs for a new item, if it is open."""
        if self.has_dock("inspector"):
            self.docks["inspector"].raise_()

    def _connect(self) -> None:
        self.outline.selection_changed.connect(self.inspector.set_selected)
        self.outline.inserted.connect(self._raise_inspector)
        # G opens the handles of the selected frame. Otherwise the tree would search for a name with that letter.
        handles = QShortcut(QKeySequence(Qt.Key.Key_G), self.outline.tree, context=Qt.ShortcutContext.WidgetShortcut)
        handles.activated.connect(self._show_handles)
        self.inspector.titled.connect(lambda *texts: set_dock_header(self.docks["inspector"], *texts))
        actions = self.inspector.orientation.actions_of_frame
        actions.paste.triggered.connect(self._paste_notation)
        for target, action in actions.copy.items():
            action.triggered.connect(partial(self._copy_code, target))
        self.header.places.chosen.connect(self.set_place)
        for name, action in self.commands.places.items():
            action.triggered.connect(lambda _is_checked=True, name=name: self.set_place(name))
        self.header.theme.clicked.connect(self.commands.theme.trigger)
        self.commands.layout_reset.triggered.connect(self.reset_layout)
        self.commands.present.triggered.connect(self._presentation.toggle)
        self.commands.keep_plots.toggled.connect(self._keep_plots)
        self.addAction(self.commands.keep_plots)  # its keys are wanted while the menu is hidden
        self.commands.blank.triggered.connect(self.blank_screen.show_black)
        self.commands.ring.triggered.connect(self.pointer_ring.toggle)
        self.commands.light.triggered.connect(self._light_by_menu)
        self.commands.large.triggered.connect(lambda: self.switch_large(self._dock_in_use()))
        for name, dock in self.docks.items():
            header = dock.titleBarWidget()
            if isinstance(header, DockHeader) and header.large is not None:
                header.large.clicked.connect(partial(self.switch_large, name))
        self._presentation.begun.connect(self._leave_large_for_presentation)
        self._presentation.changed.connect(self.commands.present.setChecked)
        self._presentation.changed.connect(self._size_numbers)
        self._presentation.changed.connect(self._leave_hint.show_for_a_while)
        self._presentation.changed.connect(self._take_keys)
        self._presentation.changed.connect(self._set_lecture)
        self._presentation.changed.connect(self._show_large_again)

    def _take_keys(self) -> None:
        """Pass keys to the router before the presentation, and give the keyboard back to the scene."""
        self.removeEventFilter(self.keys)
        self.installEventFilter(self.keys)
        self.scene_view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _set_lecture(self, is_on: bool) -> None:
        """Hide the cards of the scene in a presentation, and end its ring and its light after it."""
        self.scene_view.hovering.has_cards = not is_on
        self.scene_view.hovering.hide_card()
        if not is_on:
            self.end_lecture()

    def _light_by_menu(self) -> None:
        self.spotlight.press()
        self.spotlight.release()

    def end_lecture(self) -> None:
        """End the ring around the pointer, the light and the blank screen."""
        self.pointer_ring.set_on(False)
        self.spotlight.clear()
        self.blank_screen.restore()

    def _keep_plots(self, is_on: bool) -> None:
        self._presentation.set_kept_docks(("timeline", "plots") if is_on else ("timeline",))

    def _show_refusal(self, kind: str, text: str) -> None:
        """Show a refusal or an error over the scene during a presentation, until the next message."""
        is_shown = self.is_presenting and kind in ("amber", "red")
        self._refusal.show_text(text if is_shown else "")
        if is_shown:
            self._leave_hint.hide()

    def _size_numbers(self) -> None:
        """Enlarge numbers during a presentation so that the last row can read them."""
        size = readable_size(self.height()) if self._presentation.is_on else 0
        self.scene_view.set_number_size(size)
        self.timeline.set_number_size(size)
        if self.is_furnished:
            self.plots.set_number_size(size)
        if not self._presentation.is_on:
            for name in self._enlarged:
                self.docks[name].widget().setStyleSheet("")
            self._enlarged.clear()
        # Qt gives a dock the new height of its panel only with the next change.
        QTimer.singleShot(0, self, self._give_height_to_timeline)
        for notice in (self._leave_hint, self._refusal):
            notice.setStyleSheet(f"font-size: {size}px;" if size else "")
        for dock in self.docks.values():
            header = dock.titleBarWidget()
            if isinstance(header, DockHeader):
                header.set_scale(min(self.text_scale, LARGEST_HEADER))
        self.presenting_changed.emit(self.text_scale)

    @property
    def text_scale(self) -> float:
        """Factor for the size of texts: larger during a presentation."""
        return max(readable_size(self.height()) / METRICS.number, 1.0) if self.is_presenting else 1.0

    def _enlarge_panel(self, name: str) -> None:
        """Enlarge a panel at the side that is opened during a presentation, as far as the screen has the width."""
        dock = DOCKS[name]
        if dock.side == "bottom" or name in (*EDITORS, *self._enlarged) or "presentation" in dock.stays_in:
            return
        width = max(getattr(PLACES[self.place], dock.side), dock.width)
        size = readable_size(self.height())
        scale = max(min(size / METRICS.number, PANEL_SHARE * self.width() / width), 1.0)
        self._enlarged[name] = scale
        enlarge_texts(self.docks[name].widget(), scale)

    def _give_height_to_timeline(self) -> None:
        for widget in (self.docks["timeline"], self):
            layouts.settle(widget)

    def _paste_notation(self) -> None:
        if self._has_frame():
            self.show_dock("inspector")
            self.inspector.orientation.open_paste()

    def _copy_code(self, target: str, _is_checked: bool = False) -> None:
        if self._has_frame():
            self.inspector.orientation.copy_code(target)

    def _has_frame(self) -> bool:
        """Return whether a frame is selected. Report it where none is."""
        if not self.inspector.frame:
            self.status.show_message("amber", "No frame is selected. Select a frame first")
        return bool(self.inspector.frame)

    def _show_handles(self) -> None:
        """Toggle the handles of the selected frame, and focus the scene for their keys."""
        self.scene_view.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.commands.view.handles.trigger()

    def _on_instrument(self, name: str, is_seen: bool) -> None:
        if not isValid(self):
            return  # Qt destroys docks after their window
        name_tabs(self)
        if is_seen:
            self._seen.add(name)
            self.instrument_seen.emit(name)
        else:
            self._seen.discard(name)
        # Qt only moves a covered dock out of sight. Hiding its panel also stops the panel's updates.
        if name in self.instruments:
            self.instruments[name].setVisible(is_seen)
        if not is_seen and self.docks[name].isHidden():
            # Delayed, because a dock that the user drags out is hidden briefly while Qt moves it.
            QTimer.singleShot(0, self, partial(self._restore_sizes, name))

    def _restore_sizes(self, name: str) -> None:
        """Restore the size of the neighbour of a closed dock, unless the user has enlarged that dock."""
        dock = self.docks[name]
        if not dock.isHidden() or dock.isFloating() or self.has_chosen_docks:  # which return as they were
            return
        before = self._sizes_before.pop((self.place, name), None)
        if before is None:
            return
        neighbour, needed = self.docks[_neighbour_of(name)], dock.minimumSizeHint()
        width, height = before
        if height < dock.height() <= needed.height() + SLACK:
            self.resizeDocks([neighbour], [height], Qt.Orientation.Vertical)
        if width < dock.width() <= needed.width() + SLACK:
            self.resizeDocks([neighbour], [width], Qt.Orientation.Horizontal)

    # Events

    def focusNextPrevChild(self, is_next: bool) -> bool:
        """Skip docks behind other ones, so that the focused widget is visible."""
        if self.is_furnished:
            self.inspector.put_in_order()
        order_tab_stops(self.docks.values())
        first = QApplication.focusWidget()
        if first is not None and self.isAncestorOf(first) and not first.isVisible():
            # The widget is being hidden, and Qt would focus any button that follows.
            self.focus_home.setFocus(Qt.FocusReason.OtherFocusReason)
            return True
        while super().focusNextPrevChild(is_next):
            focused = QApplication.focusWidget()
            behind = (dock for dock in self.docks.values() if dock.visibleRegion().isEmpty())
            if focused in (None, first) or not any(dock.isAncestorOf(focused) for dock in behind):
                return True
        return False

    @property
    def focus_home(self) -> QWidget:
        """Widget that gets the focus of a widget that is hidden: the outline, where it is visible."""
        return self.outline if self.is_furnished and self.outline.isVisible() else self.scene_view

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.UpdateRequest:
            layouts.settle_all()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._kept_widths.follow()
        if self._presentation.is_on:
            self._size_numbers()
        if self._large.name:
            QTimer.singleShot(0, self, self._fit_large)  # once the docks have their places

    def _fit_large(self) -> None:
        if self._large.name:
            self._large.fit()
            self._size_large_texts()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._raise_front()  # docks that share a place cannot be ordered before they are shown

    def closeEvent(self, event: QCloseEvent) -> None:
        end_dock_drag(self.docks.values())
        self.leave_large()
        self._presentation.leave()  # leave the presentation, so that the layout before it is remembered
        self.close_requested.emit(event)
        if event.isAccepted():
            self.setProperty(IS_CLOSED, True)
            self.scene_view.close()
            super().closeEvent(event)
            self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Escape that no gesture and no field has handled.
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.is_furnished and self.plots.is_drag_shown:
            self.plots.dismiss_drag()
        elif self.status.progress.is_running:
            self.status.progress.cancelled.emit()
        elif self.status.export.is_running:
            self.export_cancel_requested.emit()
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _local_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        if paths := _local_files(event.mimeData()):
            self.files_dropped.emit(paths)
            event.acceptProposedAction()
        else:  # a program that ends with the drag no longer names its files
            event.ignore()
            self.status.show_message("amber", "The program that was dragged from no longer names its files")


def _neighbour_of(name: str) -> str:
    """Return the dock whose size a dock can change when it opens: the one behind it, or the plots beside it."""
    return DOCKS[name].behind or ("plots" if name in BOTTOM_ROW and name != "plots" else "")


def _local_files(data: QMimeData) -> list[str]:
    return [path for url in data.urls() if url.isLocalFile() and (path := url.toLocalFile())]
