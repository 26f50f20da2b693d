"""How long windows draw, which random use does not count as a pause: on software GL it is most of what they do.

Drawn are the scene, at another size too, for which Qt makes its buffers anew and draws at once, copies of it, and the
widgets of the windows, which Qt paints together: when it has asked for it, and when a window appears or what covered
it has gone. To dress every widget there is in another theme counts too, and is told on its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QWindow
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QWidget
from pyvistaqt.rwi import QVTKRenderWindowInteractor

from framescope.app.exporters.rendering import scene_picture
from framescope.features.table_import.ui.import_dialog import ImportDialog
from framescope.ui.dialogs.example_gallery import Gallery
from framescope.ui.dialogs.export.dialog import ExportDialog
from framescope.ui.help.log_view import LogView
from framescope.ui.help.manual_viewer import ManualViewer
from framescope.ui.help.shortcut_sheet import ShortcutSheet
from framescope.ui.scene_view.scene_view import SceneView
from framescope.ui.theme import current_theme
from framescope.ui.window.main_window import MainWindow

WINDOWS = (MainWindow, ExportDialog, Gallery, ImportDialog, LogView, ManualViewer, ShortcutSheet)
DRESSED_S: list[float] = []
"""What changes of theme took."""


class Stopwatch:
    """Adds up how long is drawn; what draws within it counts once."""

    def __init__(self) -> None:
        self._wall_s = self._cpu_s = 0.0
        self.is_running = False

    def read(self) -> tuple[float, float]:
        """Return how long has been drawn since the start, s by the clock and s of this thread."""
        return self._wall_s, self._cpu_s

    def timed(self, usual: Callable[..., Any], is_drawing: Callable[..., bool] = lambda *_: True) -> Callable[..., Any]:
        """Return the same as `usual`, timed where it draws."""

        def draw(*arguments: Any, **options: Any) -> Any:
            if self.is_running or not is_drawing(*arguments):
                return usual(*arguments, **options)
            start, cpu = time.perf_counter(), time.thread_time()
            self.is_running = True
            try:
                return usual(*arguments, **options)
            finally:
                self.is_running = False
                self._wall_s += time.perf_counter() - start
                self._cpu_s += time.thread_time() - cpu

        return draw


class _Exposing(QObject):
    """Times what windows paint of themselves."""

    def __init__(self, watch: Stopwatch) -> None:
        super().__init__()
        self._watch = watch
        self._expose = watch.timed(lambda window, event: window.event(event))

    def eventFilter(self, window: QWindow, event: QEvent) -> bool:
        if self._watch.is_running or event.type() != QEvent.Type.Expose:
            return False
        self._expose(window, event)
        return True


@contextmanager
def drawing_timed() -> Iterator[Stopwatch]:
    """Give a watch that runs whenever something is drawn."""
    watch = Stopwatch()
    exposing = _Exposing(watch)

    def heard(usual: Callable[[QWidget, QEvent], bool]) -> Callable[[QWidget, QEvent], bool]:
        paint = watch.timed(usual, lambda _window, event: event.type() == QEvent.Type.UpdateRequest)

        def hear(window: QWidget, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Show and window.isWindow():
                window.windowHandle().installEventFilter(exposing)
            return paint(window, event)

        return hear

    def dress(*arguments: Any) -> None:
        start = time.thread_time()
        usual_dress(*arguments)
        DRESSED_S.append(time.thread_time() - start)

    usual_paint, usual_picture, usual_dress = SceneView.paintGL, scene_picture.drawn_picture, current_theme.apply_theme
    SceneView.paintGL, scene_picture.drawn_picture = watch.timed(usual_paint), watch.timed(usual_picture)
    QVTKRenderWindowInteractor.resizeEvent = watch.timed(QOpenGLWidget.resizeEvent)  # what that of the scene goes on to
    current_theme.apply_theme = watch.timed(dress)
    for kind in WINDOWS:
        kind.event = heard(kind.event)
    try:
        yield watch
    finally:
        SceneView.paintGL, scene_picture.drawn_picture = usual_paint, usual_picture
        current_theme.apply_theme = usual_dress
        del QVTKRenderWindowInteractor.resizeEvent
        for kind in WINDOWS:
            del kind.event
