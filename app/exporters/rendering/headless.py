"""Rendering without a window: the same drawing as in the window, read back as pixels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from framescope.app.exporters.camera_modes import FilmCamera, for_narrow, pose_in
from framescope.app.exporters.errors import ExportError
from framescope.app.exporters.layouts import Arrangement, PixelBox, arranged
from framescope.app.exporters.rendering.alpha import with_alpha
from framescope.app.exporters.rendering.caption_band import CaptionBand
from framescope.app.exporters.rendering.offscreen_window import OffscreenWindow
from framescope.app.exporters.request import ExportRequest
from framescope.core.evaluation.drawn_frames import drawn_frames
from framescope.core.evaluation.evaluate import evaluate
from framescope.core.evaluation.signal_curves import trails
from framescope.core.snapshot import Snapshot
from framescope.ui.scene_view.base.visual import BARE, VIDEO, Decorations
from framescope.ui.scene_view.geometry.sprites import PlacedText
from framescope.ui.scene_view.scene_renderer import SceneRenderer

LECTURE = Decorations(view_cube=False, tools=False)
"""Without a bar: title and clock are large, as in the window when teaching."""


def rendered_frames(request: ExportRequest, times: NDArray[np.float64] | None = None) -> Iterator[NDArray[np.uint8]]:
    """Yield the frame at each of `times`, or all of the request's (height, width, 3), top row first.

    With alpha they are (height, width, 4). Without, each is a view that the next one overwrites. A frame depends on
    its time alone, and not on those before it.
    """
    times = request.times if times is None else times
    band = CaptionBand(request)
    for t, pixels in _frames_above(band.above(request), times):
        yield band.below(pixels, t)


def _frames_above(request: ExportRequest, times: NDArray[np.float64]) -> Iterator[tuple[float, NDArray[np.uint8]]]:
    """Yield each moment with its picture, without captions; one that stands still is drawn once."""
    composed = request.composed
    place = place_of(request)
    changing, repeats = _repeated(times)
    if composed.layout == "scene":
        for (snapshot, pixels), n in zip(scene_frames(request, changing, place), repeats, strict=True):
            yield from ((float(snapshot.t), pixels) for _ in range(n))
        return
    from framescope.app.exporters.rendering.composition import Composition

    composition = Composition(request, place)
    try:
        for (snapshot, pixels), n in zip(scene_frames(request, changing, place), repeats, strict=True):
            frame = composition.frame(snapshot, pixels)
            yield from ((float(snapshot.t), frame) for _ in range(n))
    finally:
        composition.close()


def _repeated(times: NDArray[np.float64]) -> tuple[NDArray[np.float64], list[int]]:
    """Return times without those that are as the one before, and how often each was there in a row.

    >>> _repeated(np.array([0.0, 1.0, 2.0, 2.0, 2.0, 1.0]))
    (array([0., 1., 2., 1.]), [1, 1, 3, 1])
    """
    firsts = np.flatnonzero(np.diff(times, prepend=np.nan) != 0.0)
    return times[firsts], np.diff(firsts, append=len(times)).tolist()


def place_of(request: ExportRequest) -> Arrangement:
    """Return where everything stands in a picture."""
    composed = request.composed
    if composed.layout == "scene":
        return Arrangement(request.scale, PixelBox(0, 0, *request.size))
    place = arranged(composed.layout, request.size, len(composed.plots), request.scale)
    if place is None:
        raise ExportError("layout: the plots find no room.")
    return place


def _decorations(request: ExportRequest) -> Decorations:
    return BARE if request.is_bare else LECTURE if request.composed.layout == "lecture" else VIDEO


def scene_frames(
    request: ExportRequest,
    times: NDArray[np.float64],
    place: Arrangement,
    zoom: float = 1.0,
    texts: list[PlacedText] | None = None,
    decorations: Decorations | None = None,
) -> Iterator[tuple[Snapshot, NDArray[np.uint8]]]:
    """Yield the moment and the picture of the scene at each time, so many times larger than its place.

    `texts` gets the texts that are left out of the picture then, each with its place. `decorations` are drawn besides
    the scene; those that the request asks for when they are left out.
    """
    size = round(zoom * place.scene.width), round(zoom * place.scene.height)
    canvas = OffscreenWindow(*size, None if request.moment is None else request.options.samples)
    decorations = decorations or _decorations(request)
    decorations = replace(decorations, ground=decorations.ground and not request.is_transparent)
    renderer = SceneRenderer(request.theme, canvas.zoom * zoom * place.scale, decorations)
    renderer.set_angle_unit(request.angles)
    renderer.set_lecture(request.composed.layout == "lecture")
    renderer.layers.attach(canvas.window)
    on_colors = [canvas.buffer() for _ in range(2 if request.is_transparent else 1)]
    try:
        renderer.set_plan(request.plan)
        camera = _camera(request, renderer, place)
        for t in times:
            snapshot = evaluate(request.plan, t)
            if camera is None:
                renderer.reset_camera()
            else:
                renderer.set_camera(
                    camera.at(float(t), pose_in(drawn_frames(request.plan.tree, snapshot), request.seen_from.follow))
                )
            renderer.show(snapshot, trails(request.plan, float(t)))
            if camera is None:
                renderer.set_camera(for_narrow(renderer.camera(), place.scene.width / place.scene.height))
            renderer.prepare()
            if texts is not None:
                texts += renderer.lift_texts()
            if not request.is_transparent:
                yield snapshot, canvas.read(on_colors[0])
                continue
            pictures: list[NDArray[np.uint8]] = []
            for level, pixels in zip((0.0, 1.0), on_colors, strict=True):
                renderer.layers.clear_with((level, level, level))
                pictures.append(canvas.read(pixels))
            yield snapshot, with_alpha(*pictures)
    finally:
        renderer.detach()
        canvas.close()


def _camera(request: ExportRequest, renderer: SceneRenderer, place: Arrangement) -> FilmCamera | None:
    """Return the camera of the film; None where the scene has a path for it that is wanted.

    A camera that nobody placed shows everything at the start of the range, whichever moment is drawn first.
    """
    seen = request.seen_from
    begin = request.start if request.moment is None else request.moment
    begin = begin if seen.eye is None or seen.eye_time is None else seen.eye_time
    snapshot = evaluate(request.plan, begin)
    renderer.show(snapshot, trails(request.plan, begin))
    base = renderer.camera() if seen.eye is None else seen.eye
    aspect = place.scene.width / place.scene.height
    is_placed = request.plan.view_data.camera is not None if seen.eye is None else request.moment is None
    if is_placed:
        base = for_narrow(base, aspect)
    if seen.leaves_to_scene and renderer.is_on_path:
        return None
    pose = pose_in(drawn_frames(request.plan.tree, snapshot), seen.follow)
    if seen.follow and pose is None:
        raise ExportError(f"follow: {seen.follow} has no pose at {begin:g} s, where the camera begins to follow it.")
    return FilmCamera(seen, base, pose, request.start, request.span)
