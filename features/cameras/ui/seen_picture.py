"""The picture that a frame sees: a second view of the scene in the window of the first, from the eye of the frame."""

from __future__ import annotations

from collections.abc import Callable

from framescope.core.evaluation.evaluate import Plan
from framescope.core.kernels.validation import Array
from framescope.core.snapshot import Snapshot
from framescope.features.cameras.core.looking_through import Eye, clear_view
from framescope.features.cameras.ui.picture_frame import PictureFrame
from framescope.features.cameras.ui.picture_place import PicturePlace
from framescope.ui.scene_view.base.layers import Viewport
from framescope.ui.scene_view.base.scene_options import SceneOption, nothing
from framescope.ui.scene_view.base.visual import Decorations
from framescope.ui.scene_view.camera.camera import CameraState, as_tuple
from framescope.ui.scene_view.scene_renderer import SceneRenderer
from framescope.ui.scene_view.scene_view import SceneView
from framescope.ui.scene_view.visuals.arrow_legend import ArrowScales
from framescope.ui.scene_view.visuals.corner_overlay import MARGIN
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import METRICS

CLEAR = Decorations(view_cube=False, ground=False, corners=False, cards=False, tools=False)
"""The scene with its grid, and nothing else."""

NO_VALUES = SceneOption(False, nothing, is_shared=False, hides_values=True)
"""Option that hides the values of arrows."""

CUBE = 104.0
"""Height of the view cube in the lower left corner, logical pixels."""

OWNER = "look through"
"""Owner of the area of the scene view that names avoid."""

NOTE = float(MARGIN + METRICS.padding)
"""Height of the note on the grid in the lower right corner, logical pixels."""


class SeenPicture:
    """An inset of a scene view, with its frame; see `framescope.ui.scene_view.interaction.inset.Inset`.

    It shows no selection, no problems and nothing else that the window adds to a scene.
    """

    def __init__(self, view: SceneView, eye: Eye, place: PicturePlace, escape: Callable[[], None]) -> None:
        self.eye = eye
        self.renderer = SceneRenderer(current_theme.current(), decorations=CLEAR)
        self.renderer.set_option(NO_VALUES, True)
        self.frame = PictureFrame(view, eye, place)
        self.escape = escape
        self._view = view
        self._plan: Plan | None = None
        self._known: Snapshot | None = None
        self.frame.placed.connect(self._on_placed)
        self.frame.closed.connect(escape)
        view.resized.connect(self.fit)
        view.number_size_changed.connect(self.fit)
        view.add_inset(self)
        self.fit()

    def close(self) -> None:
        """Remove the picture and its frame from the view."""
        self._view.resized.disconnect(self.fit)
        self._view.number_size_changed.disconnect(self.fit)
        had_focus = self.frame.hasFocus() or self.frame.isAncestorOf(self._view.window().focusWidget() or self._view)
        self._view.remove_inset(self)
        self._view.reserve_areas((), OWNER)
        self.frame.hide()
        self.frame.deleteLater()
        if had_focus:
            self._view.setFocus()

    def set_eye(self, eye: Eye) -> None:
        """Look with another field of view of the same frame."""
        if eye.view != self.eye.view:
            self._plan = None
        self.eye = eye
        self.frame.set_eye(eye)

    def fit(self) -> None:
        """Fit the frame into the view."""
        legend = self._view.renderer.visual(ArrowScales)
        projection = self._view.renderer.projection()
        top = 0.0 if legend is None else legend.top(projection) / self._view.devicePixelRatioF()
        magnification = self._view.renderer.magnification
        self.frame.set_scale(magnification)
        self.frame.set_heights_below(CUBE, max(NOTE * magnification, top) + METRICS.inner)

    def prepare(self) -> None:
        """Show the present moment of the scene from the present pose of the eye."""
        source, name = self._view.renderer, self.eye.frame
        self.renderer.match_look(source)
        pose, tick = source.pose_of(name), source.tick
        R_WE, p_WE = (None, None) if pose is None else self.eye.pose(*pose)
        self.frame.show_pose(R_WE)
        if R_WE is None or p_WE is None or tick is None:
            return
        if tick.plan is not self._plan:
            self._plan, self._known = tick.plan, None
            self.renderer.set_plan(clear_view(tick.plan, self.eye))
        if tick.known is not self._known:
            self._known = tick.known
            self.renderer.show(tick.known, tick.trails)
        self.renderer.set_camera(camera_of_eye(R_WE, p_WE, self.eye))
        self.renderer.prepare()

    def _on_placed(self) -> None:
        picture, width, height = self.frame.picture, self._view.width(), self._view.height()
        left, right = picture.left() / width, (picture.right() + 1) / width
        bottom, top = 1.0 - (picture.bottom() + 1) / height, 1.0 - picture.top() / height
        self.renderer.set_viewport(Viewport(left, bottom, right, top))
        box = self.frame.geometry()
        area = box.x(), box.y(), box.width(), box.height()
        self._view.reserve_areas(() if self.frame.place.is_full else (area,), OWNER)


def camera_of_eye(R_WE: Array, p_WE: Array, eye: Eye) -> CameraState:
    """Return the camera of the view for a pose of an eye in the world."""
    focal_point = as_tuple(p_WE + R_WE[:, 2])
    right, down = eye.center
    up = as_tuple(-R_WE[:, 1])
    return CameraState(as_tuple(p_WE), focal_point, up, eye.view_angle, center=(right, -down))
