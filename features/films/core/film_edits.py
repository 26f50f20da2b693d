"""Edits of the films of a scene: new films, shots added, duplicated, moved and deleted, cameras as in the view.

The keys of cameras are added, moved and deleted, too.
"""

from __future__ import annotations

from collections.abc import Callable

from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.camera import MAX_KEYS, SeenFrom, camera_from
from framescope.core.scene.edits.fields import RefusedValueError
from framescope.core.scene.edits.items import free_name
from framescope.core.scene.edits.keyframes import with_key_moved
from framescope.core.scene.schema.films import (
    AnyShotCamera,
    DollyCamera,
    Easing,
    Film,
    FollowCamera,
    OrbitCamera,
    PathCamera,
    PoseCamera,
    Shot,
    ShotCameraKey,
)
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.quantities import Quantity
from framescope.core.scene.schema.view import Camera

NEW_SHOT_S, LEAST_SHOT_S = 5.0, 0.5
"""Durations of a new shot, s: the usual one, and the least that continues the last one."""

MAX_SHOTS = 200

SHORT_SIDE, MOST_SIDE = 1080, 7680
"""Shorter side of a film that states no size, and the longest side of a film, pixels."""

SAME_KEY_S = 1e-3
"""Difference of times up to which a key of a camera's path counts as the key of a moment, s."""


def has_film(scene: Scene) -> bool:
    """Return whether a scene has a film.

    >>> has_film(Scene()), has_film(Scene.model_validate({"film": {"f": {"shots": [{}]}}}))
    (False, True)
    """
    return bool(scene.film)


def is_same_but_films(a: Scene, b: Scene) -> bool:
    """Return whether two scenes have the very same parts, apart from their films; copies of parts count as others.

    >>> scene = Scene()
    >>> changed = scene.model_copy(update={"film": scene.film | {"f": Film(shots=(Shot(),))}})
    >>> is_same_but_films(scene, changed), is_same_but_films(scene, scene.model_copy(update={"title": "other"}))
    (True, False)
    """
    return all(getattr(a, name) is getattr(b, name) for name in Scene.model_fields if name != "film")


def add_film(scene: Scene, eye: SeenFrom) -> Edit:
    """Return the edit that adds a film of one shot, seen as in the view."""
    name = free_name(scene.film, "film")
    shot = Shot(start=Quantity(0.0, "s"), speed=1.0, duration=Quantity(NEW_SHOT_S, "s"), camera=_pose(eye, None))

    def apply(scene: Scene) -> Scene:
        return scene.model_copy(update={"film": scene.film | {name: Film(shots=(shot,))}})

    return Edit(f"Added {name}", apply)


def add_shot(name: str, k: int, eye: SeenFrom, span: tuple[float, float]) -> Edit:
    """Return the edit that adds a shot after shot `k`, which continues there and is seen as in the view.

    Parameters
    ----------
    name, k
        The film and the shot.
    eye
        Camera of the view.
    span
        Start of the scene, and its time left after shot `k`, s. With less than `LEAST_SHOT_S` left, the new shot begins
        at the start again.
    """
    first, left = span
    continues = left >= LEAST_SHOT_S
    duration = round(min(NEW_SHOT_S, left), 9) if continues else LEAST_SHOT_S
    start = None if continues else Quantity(first, "s")
    shot = Shot(start=start, speed=1.0, duration=Quantity(duration, "s"), camera=_pose(eye, None))
    return _edit_shots(name, f"Added shot {k + 2}", lambda shots: (*shots[: k + 1], shot, *shots[k + 1 :]))


def duplicate_shot(name: str, k: int) -> Edit:
    """Return the edit that adds a copy of a shot after it."""
    return _edit_shots(name, f"Duplicated shot {k + 1}", lambda shots: (*shots[: k + 1], *shots[k:]))


def move_shot(name: str, k: int, to: int) -> Edit:
    """Return the edit that moves a shot to another place.

    >>> film = {"shots": [{"title": "a"}, {"title": "b"}, {"title": "c"}]}
    >>> scene = Scene.model_validate({"film": {"f": film}})
    >>> [shot.title for shot in move_shot("f", 0, 2).apply(scene).film["f"].shots]
    ['b', 'c', 'a']
    """

    def moved(shots: tuple[Shot, ...]) -> tuple[Shot, ...]:
        others = (*shots[:k], *shots[k + 1 :])
        return (*others[:to], shots[k], *others[to:])

    return _edit_shots(name, f"Moved shot {k + 1} to place {to + 1}", moved)


def delete_shot(name: str, k: int) -> Edit:
    """Return the edit that deletes a shot; with its last shot the film goes, too."""

    def apply(scene: Scene) -> Scene:
        if len(_shots(scene, name)) == 1:
            return scene.model_copy(update={"film": scene.film.without(name)})
        return _with_shots(scene, name, lambda shots: (*shots[:k], *shots[k + 1 :]))

    return Edit(f"Deleted shot {k + 1}", apply)


def set_shot_camera(name: str, k: int, eye: SeenFrom, elapsed: float) -> Edit:
    """Return the edit that gives the camera of a shot the pose of the view.

    A camera that moves starts there; a path gets a key `elapsed` seconds after the start of the shot.
    """

    def changed(shots: tuple[Shot, ...]) -> tuple[Shot, ...]:
        return _with_camera(shots, k, _seen_camera(shots[k].camera, eye, elapsed))

    return _edit_shots(name, f"Set the camera of shot {k + 1} to the present view", changed)


def set_film_aspect(name: str, width: int, height: int) -> Edit:
    """Return the edit that gives a film a shape, such as 16 to 9, with the length of its shorter side.

    >>> scene = Scene.model_validate({"film": {"f": {"shots": [{}], "size": [1280, 720]}}})
    >>> set_film_aspect("f", 9, 16).apply(scene).film["f"].size, set_film_aspect("f", 4, 3).apply(scene).film["f"].size
    ((720, 1280), (960, 720))
    """

    def apply(scene: Scene) -> Scene:
        _shots(scene, name)
        film = scene.film[name]
        short = min(film.size or (SHORT_SIDE,))
        long = min(round(short * max(width, height) / min(width, height) / 2) * 2, MOST_SIDE)
        size = (long, short) if width > height else (short, long)
        return scene.model_copy(update={"film": scene.film | {name: film.model_copy(update={"size": size})}})

    return Edit(f"Made {name} {width}:{height}", apply)


def add_camera_key(name: str, k: int, eye: SeenFrom, elapsed: float, first: SeenFrom) -> Edit:
    """Return the edit that adds a key to the path of the camera of a shot: the present view, at a time of the shot, s.

    A key at this time is replaced. A camera at rest, or that of the scene, becomes a path that begins at `first`.
    """

    def changed(shots: tuple[Shot, ...]) -> tuple[Shot, ...]:
        before = shots[k].camera
        if isinstance(before, PathCamera):
            path = _with_key(before, eye, elapsed)
        elif moves_by_itself(before):
            raise RefusedValueError(f"The camera of shot {k + 1} moves by itself. Make it a path first.")
        else:
            start = (_key_from(first, 0.0, "m"),) if elapsed > SAME_KEY_S else ()
            blend = None if before is None else before.blend
            path = PathCamera(keys=(*start, _key_from(eye, elapsed, "m")), unit="m", blend=blend)
        return _with_camera(shots, k, path)

    return _edit_shots(name, f"Added a camera key to shot {k + 1} at {elapsed:.6g} s", changed)


def moves_by_itself(camera: AnyShotCamera | None) -> bool:
    """Return whether a camera moves without keys, such as on an orbit."""
    return isinstance(camera, OrbitCamera | FollowCamera | DollyCamera)


def move_shot_key(name: str, k: int, i_key: int, elapsed: float) -> Edit:
    """Return the edit that moves a key of the camera of a shot to a time of the shot, s, at most up to its neighbours.

    >>> key = {"position": [1, 0, 0], "focal_point": [0, 0, 0]}
    >>> path = {"form": "path", "unit": "m", "keys": [{"time": "0 s", **key}, {"time": "2 s", **key}]}
    >>> scene = Scene.model_validate({"film": {"f": {"shots": [{"camera": path}]}}})
    >>> [str(key.time) for key in move_shot_key("f", 0, 0, 9.0).apply(scene).film["f"].shots[0].camera.keys]
    ['1.999 s', '2 s']
    """
    return _edit_keys(
        name,
        k,
        i_key,
        f"Moved camera key {i_key + 1} of shot {k + 1} to {elapsed:.6g} s",
        lambda keys: with_key_moved(keys, i_key, elapsed),
    )


def delete_shot_key(name: str, k: int, i_key: int) -> Edit:
    """Return the edit that deletes a key of the camera of a shot; the last one cannot be deleted."""

    def without(keys: tuple[ShotCameraKey, ...]) -> tuple[ShotCameraKey, ...]:
        if len(keys) == 1:
            raise RefusedValueError(f"The camera of shot {k + 1} keeps its last key. Choose another camera instead.")
        return (*keys[:i_key], *keys[i_key + 1 :])

    return _edit_keys(name, k, i_key, f"Deleted camera key {i_key + 1} of shot {k + 1}", without)


def set_key_easing(name: str, k: int, i_key: int, easing: Easing) -> Edit:
    """Return the edit that sets the easing of the way from a key of the camera of a shot to the next key."""
    return _edit_keys(
        name,
        k,
        i_key,
        f"Set the easing after camera key {i_key + 1} of shot {k + 1} to {easing}",
        lambda keys: (*keys[:i_key], keys[i_key].model_copy(update={"easing": easing}), *keys[i_key + 1 :]),
    )


def _edit_keys(
    name: str, k: int, i_key: int, label: str, change: Callable[[tuple[ShotCameraKey, ...]], tuple[ShotCameraKey, ...]]
) -> Edit:
    def changed(shots: tuple[Shot, ...]) -> tuple[Shot, ...]:
        camera = shots[k].camera if k < len(shots) else None
        if not isinstance(camera, PathCamera) or i_key >= len(camera.keys):
            raise RefusedValueError(f"Shot {k + 1} does not have this camera key any more, so nothing is changed.")
        return _with_camera(shots, k, camera.model_copy(update={"keys": change(camera.keys)}))

    return _edit_shots(name, label, changed)


def _with_camera(shots: tuple[Shot, ...], k: int, camera: AnyShotCamera) -> tuple[Shot, ...]:
    return (*shots[:k], shots[k].model_copy(update={"camera": camera}), *shots[k + 1 :])


def _with_key(path: PathCamera, eye: SeenFrom, elapsed: float) -> PathCamera:
    key = _key_from(eye, elapsed, path.unit or "m")
    others = [other for other in path.keys if abs(_seconds(other) - elapsed) > SAME_KEY_S]
    keys = tuple(sorted((*others, key), key=_seconds))
    if len(keys) > MAX_KEYS:
        raise RefusedValueError(f"The path of a camera has at most {MAX_KEYS} keys.")
    return path.model_copy(update={"keys": keys, "unit": path.unit or "m"})


def _key_from(eye: SeenFrom, elapsed: float, unit: str) -> ShotCameraKey:
    pose = camera_from(eye, Camera(position=(1, 0, 0), focal_point=(0, 0, 0), unit=unit))
    return ShotCameraKey(
        time=Quantity(round(elapsed, 3), "s"),
        position=pose.position,
        focal_point=pose.focal_point,
        up=pose.up,
        view_angle=pose.view_angle,
    )


def _seen_camera(before: AnyShotCamera | None, eye: SeenFrom, elapsed: float) -> AnyShotCamera:
    match before:
        case OrbitCamera() | FollowCamera() | DollyCamera():
            return before.model_copy(update={"pose": camera_from(eye, before.pose)})
        case PathCamera():
            return _with_key(before, eye, elapsed)
        case PoseCamera():
            return _pose(eye, before)
        case _:
            return _pose(eye, None, None if before is None else before.blend)


def _pose(eye: SeenFrom, before: PoseCamera | None, blend: Quantity | None = None) -> PoseCamera:
    camera = camera_from(eye, before)
    values: dict[str, object] = {key: getattr(camera, key) for key in Camera.model_fields}
    blend = blend if before is None else before.blend
    return PoseCamera.model_validate(values if blend is None else {**values, "blend": blend})


def _seconds(key: ShotCameraKey) -> float:
    return key.time.si("time", ("time",))


def _edit_shots(name: str, label: str, change: Callable[[tuple[Shot, ...]], tuple[Shot, ...]]) -> Edit:
    return Edit(label, lambda scene: _with_shots(scene, name, change))


def _with_shots(scene: Scene, name: str, change: Callable[[tuple[Shot, ...]], tuple[Shot, ...]]) -> Scene:
    shots = change(_shots(scene, name))
    if len(shots) > MAX_SHOTS:
        raise RefusedValueError(f"A film has at most {MAX_SHOTS} shots.")
    film = scene.film[name].model_copy(update={"shots": shots})
    return scene.model_copy(update={"film": scene.film | {name: film}})


def _shots(scene: Scene, name: str) -> tuple[Shot, ...]:
    if name not in scene.film:
        raise RefusedValueError(f"The film {name} is not there any more, so nothing is changed.")
    return scene.film[name].shots
