"""Overlay of the staged mode over the scene."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFrame, QWidget

from framescope.core.analysis.staged_rotation import StagedRotation, TurnAxes
from framescope.ui.panels.staged.caption import StagedCaption
from framescope.ui.panels.staged.stage_bar import StagedBar
from framescope.ui.scene_view.interaction.active_passive_view import ActivePassive
from framescope.ui.scene_view.scene_view import SceneView
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets.segmented_control import Segmented

CAPTION_TOP, SWITCH_TOP = 44, 52
"""Distance from the top of the scene to the caption and to the switch, logical pixels.

Both are multiplied by the factor for the size of title and clock.
"""

BELOW_SWITCH = 32
"""Distance from the top of the switch to the captions of both readings, logical pixels."""

TIGHT, TIGHT_BOTH, TIGHT_HEIGHT = 560, 640, 360
"""Minimum width for one reading and for both, and minimum height, to show title, clock and tools, logical pixels."""

BESIDE, BESIDE_ROW = 440, 560
"""Minimum scene width for a caption beside the switches: in two rows, and in one row, logical pixels."""

AROUND, ABOVE = 48, 20
"""Margins beside and above the rotation for letters and values, logical pixels."""

CUBE = 104
"""Size of the view cube in the lower left corner, logical pixels."""


class StagedOverlay(QObject):
    """Bar, switches and captions over a scene view. Visible during a staged rotation.

    Attributes
    ----------
    bar : StagedBar
        Bar with the requests of the user.

    Signals
    -------
    turn_axes_chosen(str)
        Request for turns about ``"moving"`` or ``"fixed"`` axes.
    """

    turn_axes_chosen = Signal(str)

    def __init__(self, view: SceneView) -> None:
        super().__init__(view)
        self._view = view
        self._step: StagedRotation | None = None
        self.bar = StagedBar(view)
        self.switch = ActivePassiveSwitch(view)
        self.active, self.passive = StagedCaption("active", view), StagedCaption("passive", view)
        self._divider = QFrame(view)
        self._divider.setProperty("role", "separator")
        self._divider.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.axes = TurnAxesSwitch(view)
        self.switch.chosen.connect(self._on_active_passive)
        self.axes.chosen.connect(lambda: self.turn_axes_chosen.emit(self.axes.turn_axes))
        for switch in (self.switch, self.axes):
            # Otherwise a click would focus the scene.
            switch.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
            switch.setFocusProxy(self.bar)
        view.angle_unit_changed.connect(self._on_angle_unit)
        view.number_size_changed.connect(self._on_number_size)
        view.resized.connect(self._on_resized)
        self._on_angle_unit()
        self._show_widgets()

    @property
    def is_on(self) -> bool:
        """Whether a rotation is shown turn by turn."""
        return self._step is not None

    def has_keys_of(self, widget: QWidget) -> bool:
        """Return whether keys in a widget are keys of the bar."""
        return widget is self.bar

    def take_key(self, key: Qt.Key) -> bool:
        """Handle a key of the bar. Return whether there is a use for it."""
        return self.bar.take_key(key)

    def show_step(self, step: StagedRotation | None) -> None:
        """Show a rotation's present state here and in the scene; None restores the scene."""
        is_entered = self._step is None and step is not None
        is_left = self._step is not None and step is None
        had_focus = self.bar.isAncestorOf(self._view.window().focusWidget() or self._view) or self.bar.hasFocus()
        self._step = step
        self._view.set_staged_rotation(step)
        if step is None:
            self._view.set_tight(False)
        if step is not None:
            self.axes.show_turn_axes(step.turn_axes)
        if is_entered:
            self._view.set_active_passive(self.switch.active_passive)
        if is_left:
            self._view.set_active_passive("active")
        if is_entered or is_left:
            self._show_widgets()
        self._place()
        if is_entered:
            self._fit()
        if is_left:
            self._view.camera.go_home()
            self._view.active_passive.reserve_areas((), ())
        if is_entered:
            self.bar.setFocus(Qt.FocusReason.OtherFocusReason)
        elif is_left and had_focus:
            self._view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_angle_unit(self) -> None:
        self.bar.set_angle_unit(self._view.angle_unit)
        self._place()

    def _on_number_size(self) -> None:
        self.bar.set_scale(self._view.renderer.magnification)
        for switch in (self.switch, self.axes):
            switch.set_scale(self._view.renderer.magnification)
        self._place()
        if self._view.camera.is_visiting:
            self._fit()

    def _on_resized(self) -> None:
        self._place()
        if self._view.camera.is_visiting:
            self._fit()

    def _on_active_passive(self) -> None:
        self._view.set_active_passive(self.switch.active_passive)
        self._show_widgets()
        self._place()
        self._fit()

    def _show_widgets(self) -> None:
        is_on, active_passive = self._step is not None, self.switch.active_passive
        self.bar.setVisible(is_on)
        self.switch.setVisible(is_on)
        self.axes.setVisible(is_on)
        self.active.setVisible(is_on and active_passive != "passive")
        self.passive.setVisible(is_on and active_passive != "active")
        self._divider.setVisible(is_on and active_passive == "both")

    def _place(self) -> None:
        step, width, height = self._step, self._view.width(), self._view.height()
        if step is None:
            return
        margin, is_both = METRICS.padding, self.switch.active_passive == "both"
        is_tight = width < (TIGHT_BOTH if is_both else TIGHT) or height < TIGHT_HEIGHT
        self._view.set_tight(is_tight)
        room = width - CUBE - margin
        self.bar.show_step(step, room)
        x = max((width - self.bar.width()) // 2, min(CUBE, width - margin - self.bar.width()))
        self.bar.move(x, height - margin - self.bar.height())
        for switch in (self.switch, self.axes):
            switch.adjustSize()
        larger = self._view.renderer.magnification
        switch_top = METRICS.gap if is_tight else round(SWITCH_TOP * larger)
        self.switch.move(width - margin - self.switch.width(), switch_top)
        needed = self.switch.width() + METRICS.gap + self.axes.width() + 2 * margin
        is_one_row = (is_tight or is_both) and needed <= width
        axes_top = switch_top if is_one_row else switch_top + self.switch.height() + METRICS.inner
        right = self.switch.x() - METRICS.gap if is_one_row else width - margin
        self.axes.move(right - self.axes.width(), axes_top)
        below = axes_top + self.axes.height() + METRICS.gap // 2
        is_beside = not is_both and width >= (BESIDE_ROW if is_one_row else BESIDE)
        top = max(below, switch_top + BELOW_SWITCH if is_both and not is_tight else 0)
        if is_beside:
            top = METRICS.gap if is_tight else round(CAPTION_TOP * larger)
        widest = width // 2 - margin if is_both else width - margin
        if is_beside:
            widest -= 2 * margin + width - margin - min(self.switch.x(), self.axes.x())
        for caption, left in ((self.active, 0), (self.passive, width // 2 if is_both else 0)):
            caption.show_step(step, widest, is_low=height < TIGHT_HEIGHT, scale=larger)
            caption.move(left + margin - METRICS.gap, top)
        self._reserve(width // 2 if is_both else width)
        self._divider.setGeometry(width // 2, 0, 1, height)
        self._divider.lower()
        for widget in (self.active, self.passive, self.switch, self.axes, self.bar):
            widget.raise_()

    def _fit(self) -> None:
        """Move the camera until all stages of the rotation are visible between captions and bar."""
        if self._step is None:
            return
        height, ratio = self._view.height(), self._view.devicePixelRatioF()
        width = self._view.width() // 2 if self.switch.active_passive == "both" else self._view.width()
        captions = [w for w in (self.active, self.passive, self.switch, self.axes) if w.isVisibleTo(self._view)]
        top = height - max(caption.geometry().bottom() for caption in captions) - ABOVE
        bottom = height - self.bar.y() + ABOVE
        area = tuple(side * ratio for side in (AROUND, bottom, width - AROUND, max(top, bottom + ABOVE)))
        camera = self._view.renderer.fitted_to_steps(self._step, area)
        if camera is not None:
            self._view.camera.visit(camera)

    def _reserve(self, half: int) -> None:
        """Keep names and values of the scene away from the overlay, in its left and right half."""
        over = (self.bar, self.switch, self.axes, self.active, self.passive)
        rects = [w.geometry() for w in over if w.isVisibleTo(self._view)]
        first = tuple((r.x(), r.y(), r.width(), r.height()) for r in rects if r.x() < half)
        second = tuple((r.x() - half, r.y(), r.width(), r.height()) for r in rects if r.right() >= half)
        self._view.active_passive.reserve_areas(first, second)


ACTIVE_PASSIVE: dict[str, ActivePassive] = {"Active": "active", "Passive": "passive", "Both": "both"}


class ActivePassiveSwitch(Segmented):
    """Switch between active, passive and both."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__([*ACTIVE_PASSIVE], "reading of the rotation", parent)
        self.setToolTip(
            "Active: the frame turns in its parent. Passive: the frame is fixed and its parent turns back.\n"
            "The numbers are the same"
        )

    @property
    def active_passive(self) -> ActivePassive:
        """Selected reading."""
        return ACTIVE_PASSIVE[self.choice]


TURN_AXES: dict[str, TurnAxes] = {"Moving axes": "moving", "Fixed axes": "fixed"}


class TurnAxesSwitch(Segmented):
    """Switch between turns about moving and fixed axes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__([*TURN_AXES], "axes of the turns", parent)
        self.setToolTip(
            "Moving axes: each turn is about an axis of the frame, as moved by the earlier turns.\n"
            "Fixed axes: each turn is about an axis of the parent; in the opposite order the result is the same"
        )

    @property
    def turn_axes(self) -> TurnAxes:
        """Selected axes."""
        return TURN_AXES[self.choice]

    def show_turn_axes(self, turn_axes: TurnAxes) -> None:
        """Select the axes without a signal."""
        self.set_choice(next(text for text, key in TURN_AXES.items() if key == turn_axes))
