"""Widget of the scene: camera, picking and handles by mouse and keyboard, one render per tick."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QChildEvent, QEvent, QPoint, QPointF, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPaintEvent,
    QRegion,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget
from vtkmodules.vtkCommonCore import vtkLogger
from vtkmodules.vtkRenderingCore import vtkRenderWindow

from framescope.core.analysis.staged_rotation import StagedRotation
from framescope.core.errors import Problem
from framescope.core.evaluation.evaluate import Plan, evaluate
from framescope.core.scene.schema.model import ItemKey
from framescope.core.snapshot import Snapshot
from framescope.ui.qt_support.edit_sink import EditSink
from framescope.ui.scene_view.base.layers import draw_in_parts
from framescope.ui.scene_view.base.scene_options import (
    ALSO_SELECTED,
    LARGE_CORNERS,
    SELECTED,
    STAGED_ROTATION,
    SceneOption,
    Value,
)
from framescope.ui.scene_view.interaction.active_passive_view import ActivePassive, ActivePassiveView
from framescope.ui.scene_view.interaction.camera_buttons import CameraTools
from framescope.ui.scene_view.interaction.camera_control import ZOOM_PER_STEP, CameraControl
from framescope.ui.scene_view.interaction.frame_manipulation import FrameManipulation
from framescope.ui.scene_view.interaction.hover import Hovering
from framescope.ui.scene_view.interaction.inset import Inset
from framescope.ui.scene_view.interaction.measuring_tool import MeasuringTool
from framescope.ui.scene_view.interaction.mouse_modes import Pointer
from framescope.ui.scene_view.interaction.navigation import NavigationPreset
from framescope.ui.scene_view.interaction.note_drag import NoteDrag
from framescope.ui.scene_view.qt_interactor import RenderWidget
from framescope.ui.scene_view.render_quality import Drawing
from framescope.ui.scene_view.scene_renderer import Rect, SceneRenderer
from framescope.ui.scene_view.visuals.corner_overlay import CLOCK_WIDTH, TOOLS_WIDTH
from framescope.ui.scene_view.visuals.lit_line import LIT, LitLine
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import METRICS, Theme
from framescope.ui.widgets.angle_unit import ANGLE_UNITS, AngleUnit

KEY_TURN = math.radians(5.0)

_KEY_TURNS = {
    Qt.Key.Key_Left: (-KEY_TURN, 0.0),
    Qt.Key.Key_Right: (KEY_TURN, 0.0),
    Qt.Key.Key_Up: (0.0, KEY_TURN),
    Qt.Key.Key_Down: (0.0, -KEY_TURN),
}
_KEYPAD_PRESETS = {Qt.Key.Key_1: "front", Qt.Key.Key_3: "right", Qt.Key.Key_7: "top", Qt.Key.Key_0: "isometric"}
_KEYPAD_FITS = (Qt.Key.Key_Period, Qt.Key.Key_Comma)
_KEY_ZOOMS = {
    Qt.Key.Key_Plus: ZOOM_PER_STEP,
    Qt.Key.Key_Equal: ZOOM_PER_STEP,
    Qt.Key.Key_Minus: 1.0 / ZOOM_PER_STEP,
}


NEEDED_GL = (3, 2)
_GL_RENDERER, _GL_VERSION = 0x1F01, 0x1F02


LEAST_TITLE = 60
"""Least width of a title beside a large clock and the tools, logical pixels."""


class SceneView(RenderWidget):
    """The scene in a window.

    Drags move the camera as the navigation preset says (see `PRESETS` in `navigation`). The wheel zooms to the pointer
    and a double click fits everything in. A click selects, and a second click at the same place selects the item
    behind. Ctrl and click adds an item to the selection, or takes it away. Arrow keys turn, + and - zoom, F fits
    everything, Shift+F the selection. R returns to the scene's own camera. 5 switches between perspective and parallel.
    1, 3, 7 and 0 of the number pad look from the front, the right, the top and a corner. Space plays, Home and End jump
    to the start and the end of the time. G shows the handles of the selected frame (see `FrameManipulation`), M
    measures, Escape leaves.

    Signals
    -------
    picked(object)
        The key of the clicked item; `NO_ITEM` if the click hit nothing.
    toggled(object)
        The key of an item that a click with Ctrl adds to the selection, or takes from it.
    status(str, str)
        Kind and text of a message for the status line.
    tools_changed()
        Handles, measuring, following or projection were switched.
    play_toggled()
        Space: play or pause.
    jumped(bool)
        Home, End: to the start or to the end of the time.
    axes_toggled()
        T: the next look of the axes of all frames.
    first_frame()
        The first picture is drawn.
    undrawable(str, str)
        No picture can be drawn: OpenGL is too old, with its version and renderer, or missing, with empty texts.
    angle_unit_changed()
        Angles are displayed in another unit.
    number_size_changed()
        The size of names and numbers has changed.
    resized()
        The size of the view has changed.
    areas_reserved(str)
        An owner covers other areas of the view, see `reserve_areas`.
    menu_requested(object, QPoint)
        A click with the right button, or the menu key: the key of the item, and the place on the screen.
    """

    picked = Signal(object)
    toggled = Signal(object)
    status = Signal(str, str)
    tools_changed = Signal()
    play_toggled = Signal()
    jumped = Signal(bool)
    axes_toggled = Signal()
    first_frame = Signal()
    undrawable = Signal(str, str)
    angle_unit_changed = Signal()
    number_size_changed = Signal()
    resized = Signal()
    areas_reserved = Signal(str)
    menu_requested = Signal(object, QPoint)

    hidden_areas: Callable[[], Iterable[QRect]] = tuple
    """Function that returns the areas that opaque widgets above hide."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("3D view of the scene")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        window = self.GetRenderWindow()
        interactor = window.GetInteractor()
        interactor.SetInteractorStyle(None)
        interactor.Enable()  # without this it would not render
        self.renderer = SceneRenderer(current_theme.current())
        self.renderer.set_live(True)
        self.renderer.layers.attach(window)
        self.active_passive = ActivePassiveView(self.renderer, window)
        self._wants_lecture = self._is_lecture = self._is_staged = self._is_tight = False
        self._handles_note = self._measuring_note = ""
        self._is_closed = self._is_on_hold = self._is_resized = self._is_undrawable = self._is_resizing = False
        self._insets: list[Inset] = []
        self.drawing = Drawing(self, window, self.renderer)
        self._plan: Plan | None = None
        self._variant: Plan | None = None
        self._vary: Callable[[Plan], Plan] | None = None
        self._shown: tuple[Snapshot, Mapping[str, NDArray[np.float64]]] | None = None
        self.lit = ""
        """Axis or arrow that is lit; empty for none."""
        self._selected: str | None = None
        self._also_selected: tuple[str, ...] = ()
        self.setMouseTracking(True)
        self.camera = CameraControl(self.renderer, lambda: self.selected_frames, self)
        self.camera.moved.connect(self._redraw)
        self.camera.switched.connect(self._on_tools)
        self.camera.status.connect(self.status)
        self.hovering = Hovering(self, self.renderer)
        self.edits = EditSink(self)
        self.manipulation = FrameManipulation(self.renderer, self.edits, self)
        self.manipulation.refused.connect(self._on_refused)
        self.manipulation.changed.connect(self._on_manipulation)
        self.tools = CameraTools(self)
        self.measuring = MeasuringTool(self, self.tools, self.renderer)
        self.note_drag = NoteDrag(self.renderer, EditSink(self))
        parts = self.camera, self.manipulation, self.hovering, self.measuring, self.note_drag
        self.pointer = Pointer(self, self.renderer, self.active_passive, *parts)
        self.pointer.picked.connect(self.picked)
        self.pointer.toggled.connect(self.toggled)
        self.pointer.measured.connect(self._on_tools)
        self.pointer.menu_requested.connect(self.menu_requested)
        self._connect_tools()

    def _connect_tools(self) -> None:
        tools = self.tools
        tools.fit.clicked.connect(self.camera.fit)
        tools.follow.clicked.connect(lambda is_on: self.camera.set_follow("origin" if is_on else ""))
        tools.parallel.clicked.connect(self.camera.set_parallel)
        tools.handles.clicked.connect(self.set_handles)
        tools.measure.clicked.connect(self.set_measuring)
        tools.axes.chosen.connect(lambda name: self.manipulation.set_axes_of(name.lower()))

    # Content

    def set_plan(self, plan: Plan) -> None:
        """Show another or an edited scene; its snapshot follows."""
        self._plan, self._shown = plan, None
        self._variant = None if self._vary is None else self._vary(plan)
        self.renderer.set_plan(self._variant or plan)

    def set_variant(self, vary: Callable[[Plan], Plan] | None) -> None:
        """Draw a variant of this and of all later scenes, such as with hidden items; None: the scenes themselves.

        A variant has the frames of its scene.
        """
        if vary is self._vary:
            return
        self._vary = vary
        if self._plan is not None:
            shown = self._shown
            self.set_plan(self._plan)
            if shown is not None:
                self.show_snapshot(*shown)

    def show_snapshot(self, snapshot: Snapshot, trails: Mapping[str, NDArray[np.float64]]) -> None:
        """Show a moment of the scene: arrays in place, then one render."""
        self._shown = snapshot, trails
        if self._variant is not None:
            snapshot = evaluate(self._variant, float(snapshot.t))
        self.renderer.show(snapshot, trails)
        if not self.manipulation.is_held:  # the camera stays still during a drag
            self.camera.follow()
        self.hovering.refresh()
        self._redraw()

    def set_selection(self, name: str | None) -> None:
        """Mark a frame as selected."""
        is_other = name != self._selected
        self._selected = self.pointer.selected = name
        self.renderer.set_option(SELECTED, name)
        self.manipulation.set_frame(name)
        if is_other:
            self.update()

    @property
    def selected_frames(self) -> tuple[str, ...]:
        """All selected frames, the one that panels show first."""
        shown = () if self._selected is None else (self._selected,)
        return shown + self._also_selected

    def set_also_selected(self, names: tuple[str, ...]) -> None:
        """Outline the frames that are selected beside the one that panels show."""
        self._also_selected = names
        self.set_option(ALSO_SELECTED, names)

    def set_selected_item(self, key: ItemKey) -> None:
        """Set the selected item, so that a second click can take the item behind it."""
        self.pointer.shown_key = key

    def set_staged_rotation(self, staged_rotation: StagedRotation | None) -> None:
        """Show a rotation turn by turn from the next snapshot on; None ends this."""
        self.renderer.set_option(STAGED_ROTATION, staged_rotation)
        self._is_staged = staged_rotation is not None
        self._make_room()

    def set_option(self, option: SceneOption[Value], value: Value) -> None:
        """Show additional data, such as the findings of the convention detective."""
        if self.renderer.set_option(option, value):
            self._redraw()

    def set_lecture(self, is_on: bool) -> None:
        """Draw title and clock large enough for the last row, where the view has the width for them."""
        self._wants_lecture = is_on
        self._make_room()

    def set_navigation(self, preset: NavigationPreset) -> None:
        """Move the camera by other gestures."""
        self.pointer.navigation = preset

    def set_number_size(self, size: int) -> None:
        """Enlarge names and numbers so that no number is smaller than `size`, logical px; 0 means the usual size."""
        if self.renderer.set_magnification(max(size / METRICS.secondary, 1.0)):
            self._make_room()
            self.number_size_changed.emit()

    def set_tight(self, is_tight: bool) -> None:
        """Hide title, clock and tools while widgets over the scene need the whole of a small picture."""
        if is_tight != self._is_tight:
            self._is_tight = is_tight
            self.renderer.set_tight(is_tight)
            self._make_room()

    def set_lit(self, name: str) -> None:
        """Light an axis or an arrow by its name, such as ``"z of arrow"``, and dim the rest; nothing if empty."""
        self.lit = name
        self.set_option(LIT, name)

    def line_at(self, at: QPoint) -> str:
        """Return the name of the axis or arrow at a place of the view; empty for none."""
        visual, ratio = self.renderer.visual(LitLine), self.devicePixelRatioF()
        if visual is None:
            return ""
        return visual.nearest(self.renderer.projection(), at.x() * ratio, (self.height() - at.y()) * ratio)

    def set_active_passive(self, active_passive: ActivePassive) -> None:
        """Show the rotation turn by turn as active or passive, or both side by side."""
        self.active_passive.set_active_passive(active_passive)
        self._redraw()

    def add_inset(self, inset: Inset) -> None:
        """Draw an inset on top of the scene; its owner covers its rectangle with a widget, which takes the mouse."""
        inset.renderer.layers.attach_above(self.GetRenderWindow())
        self._insets.append(inset)
        self.drawing.renderers.append(inset.renderer)
        self._redraw()

    def remove_inset(self, inset: Inset) -> None:
        """Remove an inset, unless the view has closed and removed it itself."""
        if inset in self._insets:
            self._insets.remove(inset)
            self.drawing.renderers.remove(inset.renderer)
            inset.renderer.detach()
            self._redraw()

    def _make_room(self) -> None:
        self.tools.setVisible(not self._is_tight)
        self._fit_corners()
        clock = round(CLOCK_WIDTH * self.renderer.magnification)
        self.tools.inset = clock if self._is_lecture or self._is_staged else 0
        self.tools.place()
        self._redraw()

    def _fit_corners(self) -> bool:
        """Draw a large clock only beside tools and title. Return whether this has changed."""
        needed = CLOCK_WIDTH * self.renderer.magnification + TOOLS_WIDTH + LEAST_TITLE
        is_large = self._wants_lecture and self.width() >= needed
        is_changed, self._is_lecture = is_large != self._is_lecture, is_large
        if is_changed:
            self.renderer.set_option(LARGE_CORNERS, is_large)
        return is_changed

    @property
    def angle_unit(self) -> AngleUnit:
        """Unit of angles and their rates."""
        return self.renderer.angle_unit

    def set_angle_unit(self, unit: Literal["deg", "rad"]) -> None:
        """Display angles and their rates in degrees or radians."""
        if ANGLE_UNITS[unit] == self.renderer.angle_unit:
            return
        self.renderer.set_angle_unit(ANGLE_UNITS[unit])
        self.hovering.refresh()
        self.angle_unit_changed.emit()
        self._redraw()

    def set_problems(self, problems: Iterable[Problem]) -> None:
        """Mark problems: tinted items, plates with the problem's text, and the gaps of open loops."""
        if self.renderer.set_problems(problems):
            self._redraw()

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        self.renderer.set_theme(theme)
        self.update()

    # Handles and measuring

    def set_handles(self, is_on: bool) -> None:
        """Show the handles of the selected frame, to turn and move it."""
        self.manipulation.set_on(is_on)
        if is_on:
            joint = self.manipulation.joint_handle()
            part = (
                "a ring or an arrow"
                if joint is None
                else f"the {'ring' if joint.kind == 'turn' else 'arrow'} of its joint"
            )
            instruction = f"Drag {part}" if self._selected else "Select a frame to turn and move it"
            axes = ", A changes the axes" if joint is None else ""
            self._handles_note = f"{instruction}. Shift and Ctrl snap{axes}, Escape leaves"
            self.status.emit("note", self._handles_note)

    def set_measuring(self, is_on: bool) -> None:
        """Measure from the selected frame to the frame clicked next."""
        self.measuring.set_on(is_on)
        if is_on:
            start = f"from {self._selected}" if self._selected else "from the selected frame"
            self._measuring_note = f"Click a frame to measure {start}. Escape leaves"
            self.status.emit("note", self._measuring_note)
        else:
            self.status.emit("", self._measuring_note)
        self._on_tools()

    def _on_refused(self, why: str) -> None:
        self.setCursor(Qt.CursorShape.ForbiddenCursor)
        self.status.emit("amber", why)
        self.hovering.show_message("Not by hand", why.split(": ", 1)[-1])

    def _on_manipulation(self) -> None:
        if not self.manipulation.is_on:
            self.status.emit("", self._handles_note)
        drag = self.manipulation.drag
        if drag is not None:
            self.hovering.show_message(*drag.texts)
        else:
            self.hovering.hide_card()
        self._on_tools()
        self._redraw()

    def _on_tools(self) -> None:
        """Update the state of the tool buttons."""
        tools = self.tools
        handles = self.manipulation
        tools.show_handles(handles.is_on, has_choice=handles.joint_handle() is None)
        tools.axes.set_choice(self.manipulation.axes_of.capitalize())
        tools.measure.setChecked(self.measuring.is_on)
        tools.follow.setChecked(bool(self.camera.follow_mode))
        tools.parallel.setChecked(self.camera.state.is_parallel)
        tools.place()
        self.measuring.follow()
        self.tools_changed.emit()

    def position_of(self, name: str) -> QPointF | None:
        """Return the position of a frame's origin in widget coordinates; None if it is not in the picture."""
        at = self.renderer.position_of(name)
        if at is None:
            return None
        ratio = self.devicePixelRatioF()
        return QPointF(at[0] / ratio, self.height() - at[1] / ratio)

    # Rendering

    def sizeHint(self) -> QSize:
        return QSize(740, 494)

    def initializeGL(self) -> None:
        context = self.context()
        if context.isOpenGLES() or context.format().version() < NEEDED_GL:  # VTK would end the process
            functions = context.functions()
            self._stop_drawing(functions.glGetString(_GL_VERSION), functions.glGetString(_GL_RENDERER))
            return
        super().initializeGL()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._is_undrawable or self._is_resizing:
            return
        super().paintEvent(event)
        if not self.isValid() and self.isVisible():
            self._stop_drawing()

    def _stop_drawing(self, version: str = "", name: str = "") -> None:
        """Stop drawing, and emit `undrawable` as soon as the event loop runs again."""
        if not self._is_undrawable:
            self._is_undrawable = True
            vtkLogger.SetStderrVerbosity(vtkLogger.VERBOSITY_OFF)  # VTK would report the same at length
            QTimer.singleShot(0, self, lambda: self.undrawable.emit(version or "", name or ""))

    def resizeGL(self, width: int, height: int) -> None:
        if self._is_undrawable:
            return
        self.renderer.set_scale(self.devicePixelRatioF())
        super().resizeGL(width, height)

    @contextmanager
    def hold_drawing(self) -> Generator[None]:
        """Delay all drawing until the end of the context, then draw once in the final size.

        Otherwise Qt would draw at every intermediate size while docks are moved one by one.
        """
        self._is_on_hold, self._is_resized = True, False
        try:
            yield
        finally:
            self._is_on_hold = False
            if self._is_resized:
                self.resizeEvent(QResizeEvent(self.size(), self.size()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self._is_on_hold:
            self._is_resized = True
            return
        self._is_resizing = True  # Qt would draw at once, and again with the rest of the window
        try:
            super().resizeEvent(event)
        finally:
            self._is_resizing = False
        self.update()
        if self._fit_corners():
            self._make_room()
        self.tools.place()
        self.measuring.follow()
        self.resized.emit()

    def paintGL(self) -> None:
        if self._is_closed or self._is_undrawable:
            return
        self.active_passive.prepare_scene()
        for inset in self._insets:
            inset.prepare()
        if not self.draws_layers:
            self.active_passive.prepare_overlay()
        super().paintGL()
        if self.drawing.note_picture():
            self.first_frame.emit()

    def draw_layers(self, window: vtkRenderWindow) -> None:
        """Draw the layers of the window; names and values are placed while software GL draws the scene below them."""

        def prepare_overlay() -> None:
            self.flush()
            self.active_passive.prepare_overlay()

        draw_in_parts(window, prepare_overlay)

    def reserve_areas(self, rects: tuple[Rect, ...], owner: str = "") -> None:
        """Keep names and values off areas covered by widgets, and fitted scenes beside them, as the renderer does.

        Areas that stay as they are cost no picture.
        """
        if self.renderer.reserved_areas.get(owner, ()) != rects:
            self.renderer.reserve_areas(rects, owner)
            self.areas_reserved.emit(owner)
            self._redraw()

    def seen_region(self) -> QRegion:
        """Return the region outside `hidden_areas`: Qt would paint the widgets there again with each picture."""
        seen = QRegion(self.rect())
        for area in self.hidden_areas():
            seen -= QRegion(area)
        return seen

    def _redraw(self) -> None:
        """Draw again after a change: fast now, and with smooth edges once everything is still."""
        self.drawing.hurry()
        self.measuring.follow()
        self.update()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._is_closed:
            self._is_closed = True
            self.drawing.stop()
            self.pointer.close()
            self.manipulation.cancel()
            for inset in self._insets:
                inset.renderer.detach()
            self._insets.clear()
            self.active_passive.close()
            self.renderer.detach()
        super().closeEvent(event)

    # Mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pointer.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.pointer.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.pointer.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.pointer.double_click(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.pointer.wheel(event)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QNativeGestureEvent) and self.pointer.pinch(event):
            return True
        return super().event(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        # The pointer asks for the menu of a click, after it knows that the button did not drag.
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            self.menu_requested.emit(self.pointer.shown_key, event.globalPos())

    # Keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, modifiers = Qt.Key(event.key()), event.modifiers()
        is_shifted = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
        is_keypad = bool(modifiers & Qt.KeyboardModifier.KeypadModifier)
        if self.manipulation.key(key, modifiers):
            return
        if key in _KEY_TURNS:
            self.camera.orbit(*_KEY_TURNS[key])
        elif key in _KEY_ZOOMS:
            ratio = self.devicePixelRatioF()
            at = self.active_passive.within(0.5 * self.width() * ratio, 0.5 * self.height() * ratio)
            self.camera.zoom(_KEY_ZOOMS[key], *at)
        elif is_keypad and key in _KEYPAD_PRESETS:
            self.camera.look_from(_KEYPAD_PRESETS[key])
        elif is_keypad and key in _KEYPAD_FITS:
            self.camera.fit_selection()
        elif key in self._commands:
            self._commands[key](is_shifted)
        elif not (key == Qt.Key.Key_Escape and self._leave()):
            event.ignore()

    @property
    def _commands(self) -> dict[Qt.Key, Callable[[bool], None]]:
        """Commands of single keys, called with whether Shift is pressed."""
        return {
            Qt.Key.Key_F: lambda is_shifted: self.camera.fit_selection() if is_shifted else self.camera.fit(),
            Qt.Key.Key_R: lambda _: self.camera.reset(),
            Qt.Key.Key_Home: lambda _: self.jumped.emit(False),
            Qt.Key.Key_End: lambda _: self.jumped.emit(True),
            Qt.Key.Key_Space: lambda _: self.play_toggled.emit(),
            Qt.Key.Key_T: lambda _: self.axes_toggled.emit(),
            Qt.Key.Key_G: lambda _: self.set_handles(not self.manipulation.is_on),
            Qt.Key.Key_M: lambda _: self.set_measuring(not self.measuring.is_on),
            Qt.Key.Key_5: lambda _: self.camera.set_parallel(not self.camera.state.is_parallel),
        }

    def _leave(self) -> bool:
        """Leave the active mode, the innermost first; return whether there was one."""
        if self.note_drag.is_held:
            self.note_drag.cancel()
        elif self.manipulation.escape():
            self.hovering.hide_card()
        elif self.measuring.is_on:
            self.set_measuring(False)
        elif self._insets:
            self._insets[-1].escape()
        else:
            return False
        return True

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        event.ignore()

    # The base class would pass these events to VTK's own interaction, which is not used here.

    def enterEvent(self, event: object) -> None:
        pass

    def leaveEvent(self, event: QEvent) -> None:  # noqa: ARG002
        self.pointer.leave()

    def childEvent(self, event: QChildEvent) -> None:
        super().childEvent(event)
        if hasattr(self, "hovering"):
            self.hovering.watch(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        pass
