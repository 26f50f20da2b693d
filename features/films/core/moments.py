"""Moments of a film: everything that a frame shows at an instant, without drawing.

A moment depends on the film and the instant alone. Times within a shot count from its start, so the moments of a shot
stay the same wherever it is in the film.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from framescope.features.films.core.compiled_film import PULSE_S, CompiledCue, CompiledFilm, CompiledShot, Item
from framescope.features.films.core.easing import smooth


@dataclass(frozen=True)
class ItemLook:
    """Look of an item, or of a part of it; all numbers are from 0 to 1.

    Attributes
    ----------
    item
        The item.
    opacity, drawn
        Its opacity, and the share that is drawn.
    light
        Strength of the light on it, which dims all else.
    glow
        Strength of a halo alone.
    """

    item: Item
    opacity: float = 1.0
    light: float = 0.0
    drawn: float = 1.0
    glow: float = 0.0


@dataclass(frozen=True)
class CameraMoment:
    """Camera at an instant: of the shot, mixed with that of the shot before by `share`.

    Attributes
    ----------
    shot, elapsed, t
        Index of the shot, time since its start, s, and time of the scene, s.
    share
        1 for the camera of the shot alone.
    before
        The camera of the shot before, if `share` is less than 1.
    """

    shot: int
    elapsed: float
    t: float
    share: float = 1.0
    before: CameraMoment | None = None


@dataclass(frozen=True)
class ShotMoment:
    """What one shot shows at an instant.

    Attributes
    ----------
    shot, elapsed
        Index of the shot, and time since its start, s.
    t
        Time of the scene, s.
    camera
        The camera.
    looks
        Looks of the items that differ from the scene, sorted.
    insets, texts
        Opacities of the insets and of the texts, by index.
    turns
        Number of turns of the rotation shown turn by turn; None without one.
    """

    shot: int
    elapsed: float
    t: float
    camera: CameraMoment
    looks: tuple[ItemLook, ...] = ()
    insets: tuple[float, ...] = ()
    texts: tuple[float, ...] = ()
    turns: float | None = None


@dataclass(frozen=True)
class Moment:
    """What a film shows at an instant.

    Attributes
    ----------
    shot
        The present shot.
    before
        The earlier shot during a cross-fade.
    share
        Opacity of the present shot over the earlier one.
    cover
        Opacity of the background over everything, during a fade.
    """

    shot: ShotMoment
    before: ShotMoment | None = None
    share: float = 1.0
    cover: float = 0.0


def moment_at(film: CompiledFilm, t: float) -> Moment:
    """Return the moment of a film at a time of the film, s."""
    t = min(max(t, 0.0), film.duration)
    k = max((k for k, shot in enumerate(film.shots) if shot.begin <= t + 1e-9), default=0)
    return moment_in_shot(film, k, max(t - film.shots[k].begin, 0.0))


def frame_moment(film: CompiledFilm, i: int) -> Moment:
    """Return the moment of a frame of a film."""
    k = film.shot_at_frame(i)
    return moment_in_shot(film, k, (i - film.shots[k].first) / film.fps)


def moment_in_shot(film: CompiledFilm, k: int, elapsed: float) -> Moment:
    """Return the moment of a film `elapsed` seconds after the start of a shot."""
    shot = film.shots[k]
    before, share, cover = None, 1.0, 0.0
    if shot.transition == "cross-fade" and elapsed < shot.transition_s:
        share = smooth(elapsed / shot.transition_s)
        before = shot_moment(film, k - 1, film.shots[k - 1].duration + elapsed)
    elif shot.transition == "fade":
        own = shot.transition_s if k == 0 else 0.5 * shot.transition_s
        cover = 1.0 - smooth(elapsed / own) if own > 0.0 and elapsed < own else 0.0
    remaining = shot.duration - elapsed
    if shot.fade_out > 0.0 and remaining < shot.fade_out:
        cover = max(cover, 1.0 - smooth(remaining / shot.fade_out))
    return Moment(shot_moment(film, k, elapsed), before, share, cover)


def shot_moment(film: CompiledFilm, k: int, elapsed: float) -> ShotMoment:
    """Return what a shot shows `elapsed` seconds after its start; after its end it continues."""
    shot = film.shots[k]
    return ShotMoment(
        shot=k,
        elapsed=elapsed,
        t=_scene_time(film, k, elapsed),
        camera=_camera(film, k, elapsed),
        looks=tuple(_looks(film, shot, elapsed)),
        insets=tuple(window.share(elapsed) for _, window in shot.insets),
        texts=tuple(window.share(elapsed) for _, window in shot.texts),
        turns=None if shot.staging is None else shot.staging.progress(elapsed),
    )


def _scene_time(film: CompiledFilm, k: int, elapsed: float) -> float:
    return film.shots[k].scene_time(elapsed, film.start, film.end)


def _camera(film: CompiledFilm, k: int, elapsed: float) -> CameraMoment:
    camera = CameraMoment(k, elapsed, _scene_time(film, k, elapsed))
    blend = film.shots[k].camera.blend
    if k == 0 or elapsed >= blend:
        return camera
    # The earlier camera continues, so that the motion has no jolt. Its own blend is over by then.
    beyond = film.shots[k - 1].duration + elapsed
    before = CameraMoment(k - 1, beyond, _scene_time(film, k - 1, beyond))
    return CameraMoment(k, elapsed, camera.t, smooth(elapsed / blend), before)


def _looks(film: CompiledFilm, shot: CompiledShot, elapsed: float) -> list[ItemLook]:
    """Return the looks of all items of the cues of a shot that differ from the scene."""
    cues: dict[Item, list[CompiledCue]] = {}
    for cue in shot.cues:
        for item in cue.items:
            cues.setdefault(item, []).append(cue)
    looks: list[ItemLook] = []
    for item in sorted(cues):
        usual = 0.0 if item[:2] in film.hidden else 1.0
        look = _look(item, cues[item], usual, elapsed)
        if look != ItemLook(item, usual):
            looks.append(look)
    return looks


def _look(item: Item, cues: list[CompiledCue], usual: float, elapsed: float) -> ItemLook:
    """Return the look of an item with some cues; `usual` is its opacity in the scene."""
    shown = [_shown(cue, elapsed) for cue in cues if cue.look in ("shown", "drawn on")]
    opacity = max(shown, default=usual)
    light, drawn, glow = 0.0, 1.0, 0.0
    for cue in cues:
        share = cue.window.share(elapsed)
        match cue.look:
            case "hidden":
                opacity *= 1.0 - share
            case "faint":
                opacity *= 1.0 - share * (1.0 - cue.opacity)
            case "lit":
                light = max(light, share)
            case "pulse":
                since = elapsed - (cue.window.start or 0.0)
                glow = max(glow, share * (0.5 - 0.5 * math.cos(2.0 * math.pi * since / PULSE_S)))
            case "drawn on":
                drawn = min(drawn, _grown(cue, elapsed))
            case "shown":
                pass
    return ItemLook(item, opacity, light, drawn, glow)


def _shown(cue: CompiledCue, elapsed: float) -> float:
    """Return the opacity of an item that a cue shows."""
    if cue.look == "shown":
        return cue.window.share(elapsed)
    is_over = cue.window.end is not None and elapsed > cue.window.end
    return 0.0 if is_over or _grown(cue, elapsed) == 0.0 else 1.0


def _grown(cue: CompiledCue, elapsed: float) -> float:
    """Return the drawn share of an item that is drawn on."""
    since, fade = elapsed - (cue.window.start or 0.0), cue.window.fade
    return smooth(since / fade) if fade > 0.0 else float(since >= 0.0)
