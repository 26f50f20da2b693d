"""Assembly of the window: first the scene, as soon as it can be drawn, then everything around it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt, QTimer

from framescope.app.controllers.data_docks import hide_lacking_docks
from framescope.app.controllers.viewpoints import restore_viewpoint
from framescope.app.session.document import Document
from framescope.app.session.session import Session
from framescope.app.storage.settings import Settings
from framescope.core.system.garbage_collection import pause_collector
from framescope.ui.scene_view.interaction.navigation import PRESETS
from framescope.ui.theme import current_theme
from framescope.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from framescope.app.controllers.wiring import Wiring

PATIENCE_MS = 1000
"""Longest wait for the first picture of a window that is not drawn, such as a minimized one, ms."""


class WindowAssembly:
    """Window of a document before it is complete: only the scene, in the remembered place.

    Parameters
    ----------
    document
        Document that the window opens.
    then
        Function that is called first once the window is complete, such as to report the opened file.
    is_as_left
        Whether to restore place, size and layout of the last session.

    Attributes
    ----------
    lack
        Reason and remedy if the window cannot draw; empty if it can.
    """

    def __init__(
        self, document: Document, then: Callable[[Wiring], None] = lambda _wiring: None, *, is_as_left: bool = True
    ) -> None:
        self._then = then
        self._settings = Settings()
        self.session = Session(document)
        self.window = MainWindow()
        self.session.setParent(self.window)
        self._wiring: Wiring | None = None
        self.lack = ""
        self.window.set_theme_icon(current_theme.current().is_dark)
        if is_as_left:
            _restore(self.window, self._settings)
            hide_lacking_docks(self.window, document.scene)
            self.window.fit_on_screen()
        session, view = self.session, self.window.scene_view
        self.window.set_title(document.shown_name, document.is_dirty)
        view.set_plan(session.plan)
        view.camera.reset()
        restore_viewpoint(document, view, self._settings)
        view.set_angle_unit(self._settings.angle_unit)
        view.set_navigation(PRESETS[self._settings.navigation])
        if not session.select_subject():
            session.select_first()
        view.set_selection(session.selected_frame() or None)
        view.show_snapshot(session.snapshot, {})

    @pause_collector()
    def finish(self) -> Wiring:
        """Fill the window and connect it to its session. Further calls do nothing."""
        from framescope.app.controllers.wiring import Wiring

        if self._wiring is None:
            self.window.furnish()
            self._wiring = Wiring(self.session, self.window, self._settings)
            self._then(self._wiring)
        return self._wiring

    def show(self, then: Callable[[Wiring], None]) -> None:
        """Show the window, and complete it after its first picture. Then call `then`.

        If nothing can be drawn, the program quits and `lack` has the reason.
        """

        def end(version: str, name: str) -> None:
            self.lack = lack_of(version, name)
            timer.stop()
            QCoreApplication.quit()

        def go_on() -> None:
            if self._wiring is None and self.window.isVisible():
                then(self.finish())

        timer = QTimer(self.window, interval=PATIENCE_MS, singleShot=True)
        timer.timeout.connect(go_on)
        self.window.scene_view.undrawable.connect(end)
        # Wait for one more turn of the event loop: the picture is drawn, but not on the screen yet.
        self.window.scene_view.first_frame.connect(lambda: timer.start(0))
        timer.start()
        self.window.show()


def lack_of(version: str, name: str) -> str:
    """Return a message that this version and renderer of OpenGL cannot draw, with a remedy."""
    from framescope.app import platforms
    from framescope.app.exporters.rendering.renderer_info import opengl_words

    return platforms.graphics_hint(opengl_words(version, name), platforms.this_host())


def _restore(window: MainWindow, settings: Settings) -> None:
    """Restore place, size and layout of the last session."""
    if settings.geometry is not None:
        window.restoreGeometry(settings.geometry)
        # A window never starts in full screen, which has no frame to leave it by.
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowFullScreen)
    remembered = {name: settings.layout_of(name) for name in window.commands.places}
    layouts = {name: layout for name, layout in remembered.items() if layout is not None}
    place = settings.place if settings.place in window.commands.places else window.place
    window.set_place(place, layouts)
