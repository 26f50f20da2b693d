"""The window: the scene in the middle, docks around it, a menu, and a status line."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, Qt, Signal
from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMainWindow, QWidget

from framescope.ui.docks import add_dock, set_dock_header
from framescope.ui.panels.inspector import Inspector
from framescope.ui.panels.outline import Outline
from framescope.ui.panels.problems import ProblemsPanel
from framescope.ui.panels.readouts import ReadOuts
from framescope.ui.plots.plot_panel import PlotPanel
from framescope.ui.statusline import StatusLine
from framescope.ui.theme import METRICS
from framescope.ui.timeline import Timeline
from framescope.ui.view.scene_view import SceneView
from framescope.ui.view_actions import ViewActions
from framescope.ui.widgets.buttons import IconButton

SIZE = (1280, 800)
LAYOUT_VERSION = 1


class MainWindow(QMainWindow):
    """All views, with their actions; it knows no session.

    Signals
    -------
    close_asked(object)
        The close event, to be ignored when the window is to stay.
    files_dropped(list)
        Paths of files that were dropped onto the window.
    closed()
        The window is closed.
    """

    close_asked = Signal(object)
    files_dropped = Signal(list)
    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("framescope")
        self.resize(*SIZE)
        self.setMinimumSize(900, 600)
        self.setAcceptDrops(True)
        self.setDockOptions(QMainWindow.DockOption.AllowNestedDocks | QMainWindow.DockOption.AllowTabbedDocks)
        self.outline, self.inspector = Outline(), Inspector()
        self.readouts, self.problems = ReadOuts(), ProblemsPanel()
        self.timeline, self.plots = Timeline(), PlotPanel()
        self.status = StatusLine()
        self.scene_view = SceneView()
        self.setCentralWidget(self.scene_view)
        self.setStatusBar(self.status)
        self._add_docks()
        self._add_actions()
        self._add_menus()
        self._add_corner()
        self._first_layout: QByteArray = self.saveState(LAYOUT_VERSION)

    def set_title(self, name: str, is_dirty: bool) -> None:
        """Show the document's name, and whether it has unsaved changes."""
        self.setWindowTitle(f"{name}[*] – Framescope")
        self.setWindowModified(is_dirty)
        self._name.setText(f"{name} ●" if is_dirty else name)
        self._name.setToolTip("Unsaved changes" if is_dirty else "")

    def set_undo_labels(self, undo: str | None, redo: str | None) -> None:
        """Name what undo and redo would do."""
        for action, verb, label in ((self.undo, "Undo", undo), (self.redo, "Redo", redo)):
            action.setEnabled(label is not None)
            action.setText(verb if label is None else f"{verb}: {label}")

    def set_theme_icon(self, is_dark: bool) -> None:
        """Show what the theme button leads to."""
        self._theme_button.set_icon("sun" if is_dark else "moon", f"{'Light' if is_dark else 'Dark'} theme")

    def show_problems(self, has_problems: bool) -> None:
        """Bring the problems list to the front, or the read-outs when there is nothing wrong."""
        dock = self._docks["problems"] if has_problems else self._docks["readouts"]
        if not dock.isHidden():
            dock.raise_()

    def reset_layout(self) -> None:
        """Put every dock back where it was at first."""
        self.restoreState(self._first_layout, LAYOUT_VERSION)
        self._size_docks()

    # Building

    def _add_docks(self) -> None:
        area = Qt.DockWidgetArea
        self.setCorner(Qt.Corner.BottomLeftCorner, area.LeftDockWidgetArea)
        self.setCorner(Qt.Corner.BottomRightCorner, area.BottomDockWidgetArea)
        self._docks = {
            "outline": add_dock(self, "outline", "Outline", self.outline, area.LeftDockWidgetArea),
            "inspector": add_dock(self, "inspector", "Inspector", self.inspector, area.LeftDockWidgetArea),
            "readouts": add_dock(self, "readouts", "Read-outs", self.readouts, area.RightDockWidgetArea),
            "problems": add_dock(self, "problems", "Problems", self.problems, area.RightDockWidgetArea),
            "timeline": add_dock(
                self, "timeline", "Timeline", self.timeline, area.BottomDockWidgetArea, has_header=False
            ),
            "plots": add_dock(self, "plots", "Plots", self.plots, area.BottomDockWidgetArea, has_header=False),
        }
        self.splitDockWidget(self._docks["outline"], self._docks["inspector"], Qt.Orientation.Vertical)
        self.splitDockWidget(self._docks["timeline"], self._docks["plots"], Qt.Orientation.Vertical)
        self.tabifyDockWidget(self._docks["readouts"], self._docks["problems"])
        self._docks["readouts"].raise_()
        self.inspector.titled.connect(lambda *texts: set_dock_header(self._docks["inspector"], *texts))
        self._size_docks()

    def _size_docks(self) -> None:
        docks, horizontal, vertical = self._docks, Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        self.resizeDocks([docks["outline"], docks["readouts"]], [METRICS.left, METRICS.right], horizontal)
        self.resizeDocks([docks["outline"], docks["inspector"]], [264, 472], vertical)
        self.resizeDocks(
            [docks["timeline"], docks["plots"]], [METRICS.timeline, METRICS.bottom - METRICS.timeline], vertical
        )

    def _add_actions(self) -> None:
        keys = QKeySequence.StandardKey
        self.open = self._action("Open…", keys.Open)
        self.save = self._action("Save", keys.Save)
        self.save_as = self._action("Save As…", QKeySequence("Ctrl+Shift+S"))
        self.copy_picture = self._action("Copy the picture", QKeySequence("Ctrl+Shift+C"))
        self.save_picture = self._action("Save a picture…")
        self.quit = self._action("Quit", keys.Quit)
        self.undo = self._action("Undo", keys.Undo)
        self.redo = self._action("Redo", QKeySequence("Ctrl+Shift+Z"))
        self.play = self._action("Play or pause", QKeySequence("Ctrl+Space"))
        self.fit = self._action("Fit the scene", QKeySequence("Ctrl+0"))
        self.authored_camera = self._action("The scene's own camera", QKeySequence("Ctrl+1"))
        self.view_actions = ViewActions(self)
        self.simulate = self._action("Run the simulation again")
        self.simulate.setEnabled(False)
        self.theme = self._action("Switch dark and light", QKeySequence("Ctrl+T"))
        self.layout_reset = self._action("Reset the layout")
        self.layout_reset.triggered.connect(self.reset_layout)
        self.about = self._action("About Framescope")

    def _add_menus(self) -> None:
        bar = self.menuBar()
        bar.setFixedHeight(METRICS.menu)
        file = bar.addMenu("&File")
        file.addAction(self.open)
        self.examples = file.addMenu("Examples")
        file.addSeparator()
        file.addActions([self.save, self.save_as])
        file.addSeparator()
        file.addActions([self.copy_picture, self.save_picture])
        file.addSeparator()
        file.addAction(self.quit)
        bar.addMenu("&Edit").addActions([self.undo, self.redo])
        view = bar.addMenu("&View")
        view.addActions([self.play, self.simulate])
        view.addSeparator()
        view.addActions([self.fit, self.view_actions.fit_selection, self.authored_camera])
        self.view_actions.add_to(view)
        view.addSeparator()
        view.addActions([dock.toggleViewAction() for dock in self._docks.values()])
        view.addAction(self.layout_reset)
        view.addSeparator()
        view.addAction(self.theme)
        bar.addMenu("&Help").addAction(self.about)

    def _add_corner(self) -> None:
        """At the right end of the menu bar: the document's name and the theme."""
        corner = QWidget(self.menuBar())
        corner.setFixedHeight(METRICS.menu - 1)
        row = QHBoxLayout(corner)
        row.setContentsMargins(0, 0, METRICS.gap, 0)
        row.setSpacing(METRICS.gap)
        self._name = QLabel()
        self._name.setTextFormat(Qt.TextFormat.PlainText)
        self._name.setProperty("role", "quiet")
        self._theme_button = IconButton("sun", "Light theme")
        self._theme_button.clicked.connect(self.theme.trigger)
        row.addWidget(self._name)
        row.addWidget(self._theme_button)
        self.menuBar().setCornerWidget(corner)

    def _action(self, text: str, key: QKeySequence | QKeySequence.StandardKey | None = None) -> QAction:
        action = QAction(text, self)
        if key is not None:
            action.setShortcut(key)
        self.addAction(action)
        return action

    # Events

    def closeEvent(self, event: QCloseEvent) -> None:
        self.close_asked.emit(event)
        if event.isAccepted():
            self.scene_view.close()
            super().closeEvent(event)
            self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Escape that no gesture and no field has taken.
        if event.key() == Qt.Key.Key_Escape and self.status.progress.is_running:
            self.status.progress.cancelled.emit()
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        self.files_dropped.emit([url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()])
        event.acceptProposedAction()
