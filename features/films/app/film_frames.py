"""Frames of a film: each moment as pictures of variants of the scene, mixed, with lights, insets and texts over them.

An item of any kind fades by the same rule. The picture is the mean over thresholds of opacity, each with the items
above it. So items of n different opacities need n + 1 pictures of scenes in which some are hidden. The visible
silhouette of a lit item is the difference of two pictures, with the item and without it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

import numpy as np
from PIL import Image, ImageFilter

from framescope.app.exporters.camera_modes import CameraMode, pose_in
from framescope.app.exporters.layouts import Composed
from framescope.app.exporters.rendering.alpha import Pixels
from framescope.app.exporters.rendering.headless import DrawnMoment, FrameRenderer
from framescope.app.exporters.request import ExportRequest
from framescope.core.analysis.staged_rotation import StagedRotation, staged_rotation_of
from framescope.core.evaluation.drawn_frames import drawn_frames
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.features.films.app.overlays import Box, Canvas, Overlay, card_picture, lay_over, over_each_other
from framescope.features.films.app.shot_cameras import SceneEye, ShotCameras
from framescope.features.films.core.compiled_film import CompiledFilm, Item, compile_film
from framescope.features.films.core.moments import ItemLook, Moment, ShotMoment, frame_moment
from framescope.features.films.core.variants import UNNAMED, hidden_axes, hidden_variant
from framescope.ui.scene_view.base.scene_options import HIDDEN_AXES, SILENT_NAMES, STAGED_ROTATION
from framescope.ui.scene_view.base.visual import BARE, Decorations
from framescope.ui.scene_view.camera.camera import CameraState, Projection
from framescope.ui.scene_view.geometry.lathe_meshes import rgba

PLAIN = Decorations(view_cube=False, corners=False, cards=False, tools=False)
"""Decorations of the pictures of a film: ground and grid alone."""

MOST_RENDERERS, LARGE = 3, 2560 * 1440
"""Largest number of render windows of a size; each takes a hundred megabytes at 1080p. Above `LARGE` pixels, two."""

KEPT_PLANS = 32
KEPT_PICTURES = 4

DIM = 0.55
"""Share by which the rest of the picture fades towards the background where an item is lit."""

HALO, HALO_RADIUS = 0.7, 14.0
"""Opacity of the halo around a lit item, and its radius, logical pixels."""

LEAST_LIT = 60.0
"""Number of visible pixels of lit items below which the rest dims less: what cannot be seen dims nothing."""

DIFFERENT = 8
"""Difference of a colour component from which a pixel shows an item."""

Key = tuple[object, ...]


@dataclass(frozen=True)
class Absence:
    """What is absent from a picture: hidden items, and frames whose names are not drawn but keep their places."""

    hidden: frozenset[Item]
    silent: frozenset[str]


class FilmFrames:
    """Drawer of the frames of a film, in any order.

    Parameters
    ----------
    request
        Request of an export, prepared for the film.
    film
        The film; None to take it from the options of the request.
    """

    def __init__(self, request: ExportRequest, film: CompiledFilm | None = None) -> None:
        name = request.options.film or ""
        self.film = film or compile_film(request.plan, name, request.fps)[0]
        self._plan, self._size, self._fps = request.plan, request.size, request.fps
        self._canvas = Canvas(request.size, request.theme, request.scale, request.angles)
        self._is_clear = request.is_transparent
        self._scene = _Pictures(request, self.film)
        self._cameras = ShotCameras(self.film, SceneEye(self._plan, request.size, request.theme, request.scale))
        subtitles = self.film.film.subtitles
        self._has_captions = subtitles is None or subtitles.burnt
        self._overlays: dict[int, Overlay] = {}
        self._last: tuple[Key, Pixels] | None = None

    def frame(self, t: float) -> Pixels:
        """Return the frame at a time of the film, s: (h, w, 3 or 4). The next call may overwrite it."""
        return self.picture(frame_moment(self.film, round(t * self._fps)))

    def picture(self, moment: Moment) -> Pixels:
        """Return the picture of a moment; an equal moment is not drawn again."""
        key = self._content_of(moment)
        if self._last is None or self._last[0] != key:
            self._last = key, self._draw(moment)
        return self._last[1]

    def camera(self, moment: Moment) -> CameraState:
        """Return the camera of a moment, such as for a window that shows it."""
        return self._cameras.at(moment.shot.camera)

    def boxes(self, k: int) -> tuple[Box, ...]:
        """Return left, top, width and height of the texts and insets of a shot, pixels."""
        return self._overlay(k).boxes

    def close(self) -> None:
        """Release all render windows and widgets."""
        self._scene.close()
        for overlay in self._overlays.values():
            overlay.close()
        self._overlays.clear()

    def _content_of(self, moment: Moment) -> Key:
        """Return all that the picture of a moment depends on."""

        def of(shot: ShotMoment | None) -> Key:
            if shot is None:
                return ()
            camera = self._cameras.at(shot.camera)
            return shot.shot, shot.t, camera, shot.looks, shot.insets, shot.texts, shot.turns

        return of(moment.shot), of(moment.before), moment.share, moment.cover

    def _draw(self, moment: Moment) -> Pixels:
        if moment.before is None:
            return self._covered(self._draw_shot(moment.shot), moment.cover)
        before, shot = self._take_turns(moment.before, moment.shot, moment.share)
        return self._covered(mix(self._draw_shot(before), self._draw_shot(shot), moment.share), moment.cover)

    def _take_turns(self, before: ShotMoment, shot: ShotMoment, share: float) -> tuple[ShotMoment, ShotMoment]:
        """Return two mixed shots whose texts over each other are seen one after another, as both would be illegible.

        The earlier texts fade in the first half of a cross-fade, and the later ones appear in the second.
        """
        if not (before.texts and shot.texts and 0.0 < share < 1.0):
            return before, shot
        pairs = over_each_other(self._overlay(before.shot), before.texts, self._overlay(shot.shot), shot.texts)
        fading = max(1.0 - 2.0 * share, 0.0) / (1.0 - share)
        coming = max(2.0 * share - 1.0, 0.0) / share
        return (
            replace(before, texts=_scaled(before.texts, {i for i, _ in pairs}, fading)),
            replace(shot, texts=_scaled(shot.texts, {j for _, j in pairs}, coming)),
        )

    def _covered(self, pixels: Pixels, opacity: float) -> Pixels:
        """Return a picture below the background of some opacity."""
        if opacity <= 0.0:
            return pixels
        ground = np.zeros_like(pixels)
        if not self._is_clear:
            ground[:] = rgba(self._canvas.theme.scene_bottom)[:3]
        return mix(pixels, ground, opacity)

    def _draw_shot(self, moment: ShotMoment) -> Pixels:
        shot = self.film.shots[moment.shot]
        if shot.card is not None:
            return self._draw_card(moment.shot)
        overlay = self._overlay(moment.shot)
        scale = self._canvas.scale
        areas = tuple(_in_logical_pixels(box, scale) for box in overlay.boxes)
        pixels = self._scene.picture(moment, self._cameras.at(moment.camera), areas)
        pixels = self._covered(pixels, overlay.veil(moment.texts))
        overlay.draw_on(pixels, moment.t, moment.insets, moment.texts)
        return pixels

    def _overlay(self, k: int) -> Overlay:
        if k not in self._overlays:
            while len(self._overlays) > 3:
                self._overlays.pop(next(iter(self._overlays))).close()
            shot = self.film.shots[k]
            self._overlays[k] = Overlay(
                self._plan, shot, self._canvas, has_captions=self._has_captions, has_clock=self.film.film.clock
            )
        return self._overlays[k]

    def _draw_card(self, k: int) -> Pixels:
        card = self.film.shots[k].card
        width, height = self._size
        theme = self._canvas.theme
        if self._is_clear:
            pixels = np.zeros((height, width, 4), np.uint8)
        else:
            top, bottom = (np.array(rgba(color)[:3], float) for color in (theme.scene_top, theme.scene_bottom))
            rows = top + np.linspace(0.0, 1.0, height)[:, None] * (bottom - top)
            pixels = np.repeat(np.rint(rows).astype(np.uint8)[:, None], width, axis=1)
        if card is not None:
            image = card_picture(card, self._canvas)
            lay_over(pixels, image, ((width - image.width) // 2, (height - image.height) // 2))
        return pixels


class _Pictures:
    """Pictures of the scene of a film, with items shown, faded, lit and drawn on."""

    def __init__(self, request: ExportRequest, film: CompiledFilm) -> None:
        self._film, self._plan, self._theme = film, request.plan, request.theme
        self._size, self._scale = request.size, request.scale
        options = replace(request.options, film=None)
        plain = replace(
            request,
            options=options,
            start=self._plan.start,
            stop=self._plan.end,
            composed=Composed(),
            captions=(),
            seen_from=CameraMode(),
        )
        decorations = BARE if request.is_bare else replace(PLAIN, corners=film.film.clock, title=False)
        self._full = _Renderers(plain, decorations)
        half = max(request.size[0] // 2, 1), max(request.size[1] // 2, 1)
        small = replace(plain, size=half, scale=max(0.5 * request.scale, 0.25), is_transparent=False)
        self._small = _Renderers(small, replace(BARE, grid=decorations.grid, ground=True))
        self._plan_of = lru_cache(maxsize=KEPT_PLANS)(self._variant_plan)
        self._staged_plan_of = lru_cache(maxsize=2)(self._staged_plan)

    def close(self) -> None:
        """Release the render windows."""
        self._full.close()
        self._small.close()

    def picture(self, moment: ShotMoment, camera: CameraState, areas: tuple[Box, ...]) -> Pixels:
        """Return the picture of a moment from a camera, an array of its own; names avoid some areas."""
        looks = {look.item: look for look in moment.looks}
        growing = [look for look in moment.looks if 0.0 < look.drawn < 1.0 and look.opacity > 0.0]
        draw = _Drawing(self, moment, camera, areas)
        pixels = draw.faded(looks, without=growing)
        for k, look in enumerate(growing, 1):
            more = draw.faded(looks, without=growing[k:])
            pixels = self._reveal(pixels, more, look, moment, camera)
        lit = [look for look in moment.looks if max(look.light, look.glow) > 0.0 and look.opacity > 0.0]
        return self._light(pixels, draw, looks, lit) if lit else pixels

    # --- looks

    def _reveal(self, before: Pixels, after: Pixels, look: ItemLook, moment: ShotMoment, camera: CameraState) -> Pixels:
        """Return the picture in which an item has grown from its origin by its drawn share."""
        differs = (np.abs(before.astype(np.int16) - after) > DIFFERENT).any(axis=-1)
        rows, columns = np.nonzero(differs)
        if not len(rows):
            return after
        x, y = self._anchor(look.item, moment.t, camera)
        distances = np.hypot(columns - x, rows - y)
        nearest, reach = float(distances.min()), float(distances.max())
        edge = nearest + look.drawn * (reach - nearest)
        out = before.copy()
        is_grown = distances <= edge
        out[rows[is_grown], columns[is_grown]] = after[rows[is_grown], columns[is_grown]]
        return out

    def _anchor(self, item: Item, t: float, camera: CameraState) -> tuple[float, float]:
        """Return the pixel of the origin of an item's frame; the middle of the picture without one."""
        width, height = self._size
        kind, name, _ = item
        part = getattr(self._plan.scene, kind).get(name)
        frames = [name] if kind == "frames" else [getattr(part, key, None) for key in ("frame_b", "frame_a", "frame")]
        frame = next((name for name in frames if isinstance(name, str) and name in self._plan.index), "")
        pose = pose_in(drawn_frames(self._plan.tree, evaluate(self._plan, t)), frame)
        if pose is None:
            return 0.5 * width, 0.5 * height
        x, y, depth = Projection(camera, width, height, self._scale).project(pose[1]).tolist()
        return (x, height - y) if depth > 0.0 else (0.5 * width, 0.5 * height)

    def _light(self, pixels: Pixels, draw: _Drawing, looks: dict[Item, ItemLook], lit: Sequence[ItemLook]) -> Pixels:
        """Return the picture with lit items: the rest fades towards the background, and a halo surrounds them."""
        masks = [np.zeros(self._size[::-1], np.uint8) for _ in range(2)]
        for light, glow in sorted({(look.light, look.glow) for look in lit}):
            items = frozenset(look.item for look in lit if (look.light, look.glow) == (light, glow))
            silhouette = np.asarray(draw.silhouette(looks, items).resize(self._size, Image.Resampling.BILINEAR))
            for mask, share in zip(masks, (light, max(light, glow)), strict=True):
                np.maximum(mask, np.rint(share * silhouette).astype(np.uint8), out=mask)
        bright, halo = (Image.fromarray(mask) for mask in masks)
        dim = DIM * max(look.light for look in lit) * min(np.count_nonzero(masks[0]) / LEAST_LIT, 1.0)
        return light_up(pixels, bright, halo, dim, (self._theme.scene_bottom, self._theme.accent), self._scale)

    # --- variants

    def hidden_above(self, looks: dict[Item, ItemLook], threshold: float) -> Absence:
        """Return what is absent from a picture in which the items of a larger opacity are shown."""
        hidden = {(*key, "") for key in self._film.hidden}
        silent: set[str] = set()
        for item, look in looks.items():
            kind, name, part = item
            if look.opacity > threshold:
                hidden.discard(item)
            elif look.opacity > 0.0 and kind == "frames" and part in ("", "label"):
                hidden.discard(item)
                hidden |= {(kind, name, other) for other in UNNAMED if not part}
                silent.add(name)
            else:
                hidden.add(item)
        return Absence(frozenset(hidden), frozenset(silent))

    def draw(
        self,
        absence: Absence,
        moment: ShotMoment,
        camera: CameraState,
        areas: tuple[Box, ...],
        *,
        is_small: bool = False,
        has_texts: bool = True,
    ) -> Pixels:
        """Draw the scene without some items; the next call may overwrite the picture."""
        hidden, silent = absence.hidden, absence.silent
        plan, rotation = self._plan_of(hidden), None
        staging = self._film.shots[moment.shot].staging
        if staging is not None and moment.turns is not None:
            rotation = self._rotation(moment, staging.frame, staging.axes)
            plan = self._staged_plan_of(hidden, rotation)
        options = ((STAGED_ROTATION, rotation), (HIDDEN_AXES, hidden_axes(hidden)), (SILENT_NAMES, silent))
        renderers = self._small if is_small else self._full
        drawn = DrawnMoment(moment.t, camera, plan, options, areas, has_texts)
        staged = None if rotation is None else (rotation.frame, rotation.sequence)
        return renderers.picture((hidden, silent, staged), drawn)

    def _rotation(self, moment: ShotMoment, frame: str, axes: str) -> StagedRotation:
        rotation = staged_rotation_of(self._plan, evaluate(self._plan, moment.t), frame)
        return replace(rotation, turn_axes="fixed" if axes == "fixed" else "moving").at(moment.turns or 0.0)

    def _variant_plan(self, hidden: frozenset[Item]) -> Plan:
        return self._compile(hidden, None)

    def _staged_plan(self, hidden: frozenset[Item], rotation: StagedRotation) -> Plan:
        return self._compile(hidden, rotation)

    def _compile(self, hidden: frozenset[Item], rotation: StagedRotation | None) -> Plan:
        scene = hidden_variant(self._plan.scene, hidden)
        if rotation is not None:
            scene = rotation.edit().apply(scene)
        known = dict(self._plan.simulations)
        return compile_plan(scene, access=self._plan.context.access, run=known.get)


class _Drawing:
    """Pictures of one moment from one camera."""

    def __init__(self, pictures: _Pictures, moment: ShotMoment, camera: CameraState, areas: tuple[Box, ...]) -> None:
        self._pictures, self._moment, self._camera, self._areas = pictures, moment, camera, areas

    def faded(self, looks: dict[Item, ItemLook], without: Sequence[ItemLook]) -> Pixels:
        """Return the picture in which each item has its opacity, an array of its own; some items are left out."""
        looks = {**looks, **{look.item: replace(look, opacity=0.0) for look in without}}
        steps = [0.0, *sorted({look.opacity for look in looks.values() if 0.0 < look.opacity < 1.0}), 1.0]
        pixels = self._at(looks, steps[0])
        for low, high in pairwise(steps[1:]):
            pixels = mix(pixels, self._at(looks, low), 1.0 - low / high)
        return pixels

    def _at(self, looks: dict[Item, ItemLook], threshold: float) -> Pixels:
        absence = self._pictures.hidden_above(looks, threshold)
        return self._pictures.draw(absence, self._moment, self._camera, self._areas).copy()

    def silhouette(self, looks: dict[Item, ItemLook], items: frozenset[Item]) -> Image.Image:
        """Return where some items are visible: 255, at half the size of the picture."""
        shown = self._pictures.hidden_above(looks, 0.0)
        has_texts = any(part == "label" for _, _, part in items)
        pictures = [
            self._pictures.draw(
                absence, self._moment, self._camera, self._areas, is_small=True, has_texts=has_texts
            ).astype(np.int16)
            for absence in (shown, replace(shown, hidden=shown.hidden | items))
        ]
        differs = (np.abs(pictures[0] - pictures[1]) > DIFFERENT).any(axis=-1)
        return Image.fromarray(np.where(differs, np.uint8(255), np.uint8(0)))


class _Renderers:
    """A few render windows of one size, each with the variant of the scene that it drew last."""

    def __init__(self, request: ExportRequest, decorations: Decorations) -> None:
        self._request, self._decorations = request, decorations
        width, height = request.size
        self._most = MOST_RENDERERS if width * height <= LARGE else 2
        self._made: OrderedDict[object, FrameRenderer] = OrderedDict()
        self._kept: OrderedDict[Key, Pixels] = OrderedDict()

    def picture(self, variant: object, moment: DrawnMoment) -> Pixels:
        """Return the picture of a moment of a variant; the last few pictures are not drawn again."""
        rotation = moment.options[0][1]
        key = (variant, moment.t, moment.camera, moment.areas, moment.has_texts, rotation)
        if key not in self._kept:
            while len(self._kept) >= KEPT_PICTURES:
                self._kept.popitem(last=False)
            self._kept[key] = self._renderer(variant).picture(moment).copy()
        self._kept.move_to_end(key)
        return self._kept[key]

    def _renderer(self, variant: object) -> FrameRenderer:
        """Return the window that drew a variant last, or a new one, or the one not used for the longest time."""
        if variant in self._made:
            self._made.move_to_end(variant)
        elif len(self._made) < self._most:
            self._made[variant] = FrameRenderer(self._request, self._decorations)
        else:
            _, oldest = self._made.popitem(last=False)
            self._made[variant] = oldest
        return self._made[variant]

    def close(self) -> None:
        """Release the windows."""
        for renderer in self._made.values():
            renderer.close()
        self._made.clear()
        self._kept.clear()


def _scaled(opacities: tuple[float, ...], indices: set[int], factor: float) -> tuple[float, ...]:
    """Return opacities, some of them multiplied by a factor."""
    return tuple(factor * opacity if i in indices else opacity for i, opacity in enumerate(opacities))


def _in_logical_pixels(box: Box, scale: float) -> Box:
    x, y, width, height = (round(side / scale) for side in box)
    return x, y, width, height


def light_up(
    pixels: Pixels, bright: Image.Image, source: Image.Image, dim: float, colors: tuple[str, str], scale: float
) -> Pixels:
    """Return a picture (h, w, 3 or 4) in which a part stays bright and a halo surrounds a part.

    Parameters
    ----------
    pixels
        The picture.
    bright, dim
        Mask of what stays as it is, and the share by which all else fades to the first of the colours.
    source
        Mask of what has a halo, in the second of the colours.
    colors, scale
        Colours of the background and of the halo; device pixels per logical pixel.
    """
    ground, accent = (rgba(color)[:3] for color in colors)
    lit = Image.fromarray(np.ascontiguousarray(pixels[..., :3]))
    if dim > 0.0:
        lit = Image.composite(lit, Image.blend(lit, Image.new("RGB", lit.size, ground), dim), bright)
    quarter = max(source.width // 4, 1), max(source.height // 4, 1)
    soft = source.resize(quarter, Image.Resampling.BOX).filter(ImageFilter.GaussianBlur(0.25 * HALO_RADIUS * scale))
    strong = soft.point([min(round(2.2 * value), 255) for value in range(256)])
    glow = np.asarray(strong.resize(source.size, Image.Resampling.BICUBIC), np.uint16)
    halo = (glow * (255 - np.asarray(source, np.uint16)) // 255 * round(255 * HALO) // 255).astype(np.uint8)
    out = np.array(Image.composite(Image.new("RGB", lit.size, accent), lit, Image.fromarray(halo)))
    if pixels.shape[2] == 3:
        return out
    shown = np.maximum(np.asarray(bright, np.float32) / 255.0, 1.0 - dim)
    alpha = np.maximum(np.rint(pixels[..., 3] * shown), halo).astype(np.uint8)
    return np.dstack([np.where(pixels[..., 3:] > 0, out, np.array(accent, np.uint8)), alpha])


def mix(a: Pixels, b: Pixels, share: float) -> Pixels:
    """Return a picture on the way from `a` (0) to `b` (1); with alpha, colours count by their alpha.

    >>> mix(np.uint8([[[0, 100, 200]]]), np.uint8([[[100, 100, 100]]]), 0.5).tolist()
    [[[50, 100, 150]]]
    >>> mix(np.uint8([[[9, 9, 9, 0]]]), np.uint8([[[100, 100, 100, 200]]]), 0.5).tolist()
    [[[100, 100, 100, 100]]]
    """
    if share <= 0.0:
        return a
    if share >= 1.0:
        return b
    if a.shape[2] == 3:
        return np.array(Image.blend(Image.fromarray(a), Image.fromarray(b), share))
    out = np.empty_like(a)
    for first in range(0, len(a), 256):  # in strips of rows, as floats take memory
        rows = slice(first, first + 256)
        alphas = [(1.0 - share) * a[rows, :, 3].astype(np.float32), share * b[rows, :, 3].astype(np.float32)]
        alpha = alphas[0] + alphas[1]
        color = a[rows, :, :3] * alphas[0][..., None] + b[rows, :, :3] * alphas[1][..., None]
        out[rows, :, :3] = np.rint(color / np.maximum(alpha, 1e-6)[..., None])
        out[rows, :, 3] = np.rint(alpha)
    return out
