"""Rendering without a window: draws the same as the window and reads the pixels back."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from vtkmodules.vtkCommonCore import vtkUnsignedCharArray

from framescope.app.exporters.camera_modes import FilmCamera, fit_beside_cards, pose_in
from framescope.app.exporters.errors import ExportError
from framescope.app.exporters.layouts import Arrangement, PixelBox, arrange_parts
from framescope.app.exporters.rendering.alpha import with_alpha
from framescope.app.exporters.rendering.answer_board import AnswerBoard
from framescope.app.exporters.rendering.caption_band import CaptionBand
from framescope.app.exporters.rendering.offscreen_window import OffscreenWindow
from framescope.app.exporters.request import ExportRequest, frame_source_of
from framescope.core.errors import counted
from framescope.core.evaluation.drawn_frames import drawn_frames
from framescope.core.evaluation.evaluate import Plan, evaluate
from framescope.core.evaluation.signal_curves import trails
from framescope.core.snapshot import Snapshot
from framescope.ui.scene_view.base.scene_options import LARGE_CORNERS, SceneOption
from framescope.ui.scene_view.base.visual import BARE, VIDEO, Decorations
from framescope.ui.scene_view.camera.camera import CameraState, fit_narrow_picture
from framescope.ui.scene_view.geometry.sprites import PlacedText
from framescope.ui.scene_view.scene_renderer import Rect, SceneRenderer

LECTURE = Decorations(view_cube=False, tools=False)
"""Decorations of a lecture: no bar, and a large title and clock, as in the window's teaching mode."""


@dataclass(frozen=True, eq=False)
class DrawnMoment:
    """One picture to draw.

    Attributes
    ----------
    t
        Time of the scene, s.
    camera
        Camera; None for that of the request.
    plan
        Plan to draw, which has the frames of the request's plan; None for the request's plan itself.
    options
        Content shown besides the scene, and its values.
    areas
        Areas that names and values avoid: x, y, width and height, logical pixels from the upper left.
    """

    t: float
    camera: CameraState | None = None
    plan: Plan | None = None
    options: tuple[tuple[SceneOption[Any], Any], ...] = ()
    areas: tuple[Rect, ...] = ()
    has_texts: bool = True
    """Whether names, values and other marks in the plane of the picture are drawn."""


class Drawer(Protocol):
    """Drawer of the frames of a request in any order."""

    def frame(self, t: float) -> NDArray[np.uint8]:
        """Return the frame at a time of the request, s: (height, width, 3 or 4). The next call may overwrite it."""
        ...

    def close(self) -> None:
        """Release all resources."""


def open_renderer(request: ExportRequest) -> Drawer:
    """Return the drawer of a request's frames: of a feature whose option is set, or the one for scenes."""
    source = frame_source_of(request.options)
    return FrameRenderer(request) if source is None else source.open_renderer(request)


def rendered_frames(request: ExportRequest, times: NDArray[np.float64] | None = None) -> Iterator[NDArray[np.uint8]]:
    """Yield the frame at each of `times`, s, or at all times of the request: (height, width, 3), top row first.

    With alpha the frames are (height, width, 4). Without alpha each frame is a view that the next overwrites. A frame
    depends on its time alone. The request's progress counts a frame when the caller asks for the next one.

    Raises
    ------
    ExportCancelledError
        When the export was cancelled, before the next frame is drawn.
    """
    times = request.times if times is None else times
    with closing(open_renderer(request)) as renderer:
        for done, t in enumerate(times, 1):
            request.stop_if_cancelled()
            yield renderer.frame(float(t))
            request.progress(done, len(times))


def rendered_picture(
    request: ExportRequest, t: float | None = None, decorations: Decorations | None = None
) -> NDArray[np.uint8]:
    """Return one frame: at `t`, s, or at the moment of the request. `decorations` replaces the request's."""
    with closing(FrameRenderer(request, decorations)) as renderer:
        return renderer.frame(float(request.times[0]) if t is None else t)


class FrameRenderer:
    """Drawer of a request's frames in any order, for one thread; `close` releases its resources."""

    def __init__(self, request: ExportRequest, decorations: Decorations | None = None) -> None:
        self._band = CaptionBand(request)
        above = self._band.above(request)
        place = place_of(above)
        self._composition = None
        if above.composed.layout != "scene":
            from framescope.app.exporters.rendering.composition import Composition

            self._composition = Composition(above, place)
        self._pending: deque[DrawnMoment] = deque()
        moments = iter(self._pending.popleft, None)
        self._scenes = scene_frames(above, moments, place, decorations=decorations)
        self._t: float | None = None
        self._above: NDArray[np.uint8] | None = None

    def frame(self, t: float) -> NDArray[np.uint8]:
        """Return the frame at a time, s, as `rendered_frames` does; a repeated time is not drawn again."""
        if self._above is None or t != self._t:
            self._above = self.picture(DrawnMoment(t))
            self._t = t
        return self._band.below(self._above, t)

    def picture(self, moment: DrawnMoment) -> NDArray[np.uint8]:
        """Return the picture of a moment without captions, always drawn anew; the next call may overwrite it."""
        self._t = None
        self._pending.append(moment)
        snapshot, pixels = next(self._scenes)
        return pixels if self._composition is None else self._composition.frame(snapshot, pixels)

    def close(self) -> None:
        """Release the render window and the composition."""
        self._scenes.close()
        if self._composition is not None:
            self._composition.close()


def place_of(request: ExportRequest) -> Arrangement:
    """Return the places of all parts of a picture."""
    composed = request.composed
    if composed.layout == "scene":
        return Arrangement(request.scale, PixelBox(0, 0, *request.size))
    place = arrange_parts(composed.layout, request.size, len(composed.plots), request.scale)
    if place is None:
        raise ExportError("layout: the plots do not fit.")
    return place


def _decorations(request: ExportRequest) -> Decorations:
    if request.is_transparent and not request.options.bare:
        return replace(BARE, cards=True)
    return BARE if request.is_bare else LECTURE if request.composed.layout == "lecture" else VIDEO


def omitted_answers(request: ExportRequest) -> str:
    """Return a sentence on the answers that have no room beside the scene; empty if all have."""
    decorations = _decorations(request)
    n = len(request.plan.view_data.answers)
    if not n or not decorations.cards:
        return ""
    place = place_of(CaptionBand(request).above(request))
    size = place.scene.width, place.scene.height
    board = AnswerBoard(request.plan, request.theme, place.scale, size, decorations)
    missing = n - len(board.areas(_begin(request)))
    return f"{missing} of {counted(n, 'answer')} {'has' if missing == 1 else 'have'} no room here." if missing else ""


def scene_frames(
    request: ExportRequest,
    moments: Iterable[DrawnMoment],
    place: Arrangement,
    zoom: float = 1.0,
    texts: list[PlacedText] | None = None,
    decorations: Decorations | None = None,
) -> Generator[tuple[Snapshot, NDArray[np.uint8]]]:
    """Yield the snapshot and the picture of the scene at each moment, enlarged by `zoom`.

    `moments` is consumed lazily. When `texts` is given, texts are left out of the picture and appended to it with their
    places. `decorations` replaces the request's decorations.
    """
    size = round(zoom * place.scene.width), round(zoom * place.scene.height)
    canvas = OffscreenWindow(*size, None if request.moment is None else request.options.samples)
    decorations = decorations or _decorations(request)
    decorations = replace(decorations, ground=decorations.ground and not request.is_transparent)
    scale = zoom * place.scale
    renderer = SceneRenderer(request.theme, canvas.zoom * scale, decorations)
    renderer.set_angle_unit(request.angles)
    renderer.set_option(LARGE_CORNERS, request.composed.layout == "lecture")
    renderer.layers.attach(canvas.window)
    board = AnswerBoard(request.plan, request.theme, scale, size, decorations)
    on_colors = [canvas.buffer() for _ in range(2 if request.is_transparent else 1)]
    try:
        renderer.set_plan(request.plan)
        first_cards = board.areas(_begin(request))  # the same in all frames, so that the camera never jumps
        camera = _camera(request, renderer, place, first_cards, board.size)
        shown_plan = request.plan
        for moment in moments:
            t, plan = moment.t, moment.plan or request.plan
            if plan is not shown_plan:
                shown_plan = plan
                renderer.set_plan(plan)
            for option, value in moment.options:
                renderer.set_option(option, value)
            snapshot = evaluate(plan, t)
            if moment.camera is not None:
                renderer.set_camera(moment.camera)
            elif camera is None:
                renderer.reset_camera()
            else:
                renderer.set_camera(
                    camera.at(float(t), pose_in(drawn_frames(plan.tree, snapshot), request.seen_from.follow))
                )
            renderer.reserve_areas((*board.areas(float(t)), *moment.areas))  # a fitted camera leaves room for the cards
            renderer.show(snapshot, trails(plan, float(t)))
            if camera is None and moment.camera is None:
                renderer.set_camera(fit_beside_cards(renderer.camera(), board.size, first_cards))
            renderer.prepare()
            if not moment.has_texts:
                renderer.layers.set_overlaid(False)
            if texts is not None:
                texts += renderer.lift_texts()
            pixels = _read_pixels(canvas, renderer, on_colors)
            board.draw_on(pixels, float(t), texts)
            yield snapshot, pixels
    finally:
        renderer.detach()
        canvas.close()


def _read_pixels(
    canvas: OffscreenWindow, renderer: SceneRenderer, on_colors: list[vtkUnsignedCharArray]
) -> NDArray[np.uint8]:
    """Render and return the pixels: with alpha, from a picture on black and one on white, if there are two buffers."""
    if len(on_colors) == 1:
        return canvas.read(on_colors[0])
    pictures: list[NDArray[np.uint8]] = []
    for level, pixels in zip((0.0, 1.0), on_colors, strict=True):
        renderer.layers.clear_with((level, level, level))
        pictures.append(canvas.read(pixels))
    return with_alpha(*pictures)


def _begin(request: ExportRequest) -> float:
    """Return the time at which the camera of a film begins, s."""
    mode = request.seen_from
    begin = request.start if request.moment is None else request.moment
    return begin if mode.eye is None or mode.eye_time is None else mode.eye_time


def _camera(
    request: ExportRequest,
    renderer: SceneRenderer,
    place: Arrangement,
    cards: tuple[Rect, ...],
    size: tuple[float, float],
) -> FilmCamera | None:
    """Return the camera of the film; None to use the scene's camera path.

    A camera without a fixed pose shows everything at the start of the range, whichever time is drawn first.
    """
    mode = request.seen_from
    begin = _begin(request)
    snapshot = evaluate(request.plan, begin)
    renderer.reserve_areas(cards)
    renderer.show(snapshot, trails(request.plan, begin))
    base = renderer.camera() if mode.eye is None else mode.eye
    aspect = place.scene.width / place.scene.height
    is_placed = request.plan.view_data.camera is not None if mode.eye is None else request.moment is None
    if is_placed and mode.is_still:
        base = fit_beside_cards(base, size, cards)
    elif is_placed:
        base = fit_narrow_picture(base, aspect)
    if mode.leaves_to_scene and renderer.is_on_path:
        return None
    pose = pose_in(drawn_frames(request.plan.tree, snapshot), mode.follow)
    if mode.follow and pose is None:
        raise ExportError(f"follow: {mode.follow} has no pose at {begin:g} s, where the camera begins to follow it.")
    return FilmCamera(mode, base, pose, request.start, request.span)
