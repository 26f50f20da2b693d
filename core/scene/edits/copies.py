"""Copies of items: duplicates in a scene, text for the clipboard, and ghosts of other runs.

A copy includes all descendants of the items and their appearance. Copies get free names. References among the items
point to the copies; all other references are unchanged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from framescope.core.errors import SceneError
from framescope.core.scene.edits.items import (
    ItemEdit,
    RefusedError,
    check_sizes,
    free_name,
    selection_label,
    taken_names,
)
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.files.saving import scene_text
from framescope.core.scene.schema.base import FrozenDict, Item
from framescope.core.scene.schema.identifiers import words_in
from framescope.core.scene.schema.model import ITEM_KINDS, WORLD, Frame, Scene
from framescope.core.scene.schema.quantities import Quantity
from framescope.core.scene.schema.references import Key, hanging_on, item_of, keys_of, owner_field, owner_of, with_names
from framescope.core.scene.schema.view import FrameLook, Hidden, View

DRAWN = ("rings", "arcs", "stages", "trails")
"""Fields of the view whose drawings belong to a frame and are copied with the frame."""

MAX_TEXT = 2_000_000
"""Maximum number of characters of a pasted text."""

PALE = 0.35
"""Opacity of a ghost, as a fraction of the body's."""

UNSEEN = FrameLook(triad=False, label=False, link=False)
"""Appearance of a ghost's frames."""


def duplicate_items(scene: Scene, keys: Sequence[Key]) -> ItemEdit:
    """Return the edit that copies items and their descendants.

    Raises
    ------
    RefusedError
        When there is nothing to copy, or the scene would become too large.

    Examples
    --------
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world"}, "b": {"parent": "a"}}})
    >>> duplicated = duplicate_items(scene, [("frames", "a")]).apply(scene)
    >>> duplicated.frames["b_2"].parent
    'a_2'
    """
    part = part_of(scene, keys)
    originals = _roots(part)
    part, names = _use_free_names(part, scene)
    edit = _join_edit(scene, part, [names[key] for key in originals])
    return ItemEdit(f"Duplicated {selection_label(originals)}", edit.apply, edit.keys)


def items_text(scene: Scene, keys: Sequence[Key]) -> str:
    """Return items and their descendants as the text of a scene that contains nothing else.

    Parameters that their expressions use are included.
    """
    part = part_of(scene, keys)
    words = words_in(part)
    used = {name: value for name, value in scene.parameters.items() if name in words}
    return scene_text(part.model_copy(update={"parameters": FrozenDict(used)}) if used else part)


def paste_items(text: str, scene: Scene, parent: str | None = None) -> ItemEdit:
    """Return the edit that adds the items of a scene text, read within the bounds of a scene file.

    Parameters
    ----------
    text
        Text of the clipboard.
    scene
        Scene to paste into. References to items outside the text keep their names.
    parent
        New parent of the items whose owner is not in the text. The default is their own parent if it exists in the
        scene, else the world. It serves also where the new parent is one of the pasted frames: copies that are pasted
        onto their originals become siblings of these.

    Raises
    ------
    RefusedError
        When the text is not a scene or has no items; the message names the place of the error.
    """
    if len(text) > MAX_TEXT:
        raise RefusedError("the clipboard holds more text than a scene has")
    try:
        pasted, _ = parse_scene(text, "clipboard")
    except SceneError as error:
        raise RefusedError(f"the clipboard holds no items of a scene: {error.problems[0]}") from None
    return add_part(pasted, scene, None if parent in pasted.frames else parent)


def add_part(other: Scene, scene: Scene, parent: str | None = None, verb: str = "Pasted") -> ItemEdit:
    """Return the edit that adds the items of another scene; `parent` and errors are as in `paste_items`."""
    part = part_of(other, tuple(keys_of(other)))
    originals = _roots(part)
    # A frame of the scene may have the name of a pasted frame, so rename first, then set the parents.
    part, names = _use_free_names(part, scene)
    roots = [names[key] for key in originals]
    edit = _join_edit(scene, _attach(part, roots, parent, scene), roots, other.parameters)
    return ItemEdit(f"{verb} {selection_label(originals)}", edit.apply, edit.keys)


def add_ghost(run: Scene, name: str, scene: Scene) -> ItemEdit:
    """Return the edit that adds the frames and bodies of another run as ghosts, below one frame in the world.

    Hiding this frame with all below it hides the run, and moving it moves the run. The scene lasts as long as the
    longer of the two runs.

    Parameters
    ----------
    run
        The other run, for example the scene of a second result.
    name
        Name of the frame at the root of the run; a number is added if the name is taken.
    scene
        Scene to add the run to.

    Raises
    ------
    RefusedError
        When the scene would become too large.

    Examples
    --------
    >>> body = {"frame": "arm", "shape": {"form": "sphere", "radius": "1 cm"}}
    >>> frames = {"arm": {"parent": "world"}}
    >>> scene = Scene.model_validate({"framescope": 1, "frames": frames, "bodies": {"ball": body}})
    >>> compared = add_ghost(scene, "second", scene).apply(scene)
    >>> compared.frames["arm_2"].parent, compared.bodies["ball_2"].opacity
    ('second', 0.35)
    """
    edit = add_part(_ghost_of(run, name), scene)
    return ItemEdit(f"Added {name} as a ghost", lambda scene: lasting_as_long(edit.apply(scene), run), edit.keys)


def lasting_as_long(scene: Scene, other: Scene) -> Scene:
    """Return a scene that ends as late as the later of two."""
    end = other.time.end.si("time", ("time", "end"))
    if end <= scene.time.end.si("time", ("time", "end")):
        return scene
    return scene.model_copy(update={"time": scene.time.model_copy(update={"end": Quantity(end, "s")})})


def part_of(scene: Scene, keys: Sequence[Key]) -> Scene:
    """Return the scene of some items, their descendants and their appearance."""
    chosen = hanging_on(scene, [key for key in keys if key != ("frames", WORLD)])
    if not chosen:
        raise RefusedError("nothing that can be copied is selected")
    of_kind = {kind: [name for of, name in chosen if of == kind] for kind in ITEM_KINDS}
    items = {kind: FrozenDict({n: getattr(scene, kind)[n] for n in names}) for kind, names in of_kind.items()}
    view = scene.view
    looks = {name: look for name, look in view.frames.items() if ("frames", name) in chosen}
    drawn = {key: tuple(mark for mark in getattr(view, key) if ("frames", mark.frame) in chosen) for key in DRAWN}
    hidden = {kind: tuple(n for n in getattr(view.hidden, kind) if (kind, n) in chosen) for kind in ITEM_KINDS}
    of_view: dict[str, Any] = {"frames": FrozenDict(looks), **drawn, "hidden": _hidden(hidden)}
    parts = {kind: some for kind, some in items.items() if some}
    view_keys = {key: value for key, value in of_view.items() if value not in ({}, (), Hidden())}
    return Scene.model_validate({**parts, **({"view": View.model_validate(view_keys)} if view_keys else {})})


def _roots(part: Scene) -> tuple[Key, ...]:
    """Return the items of a part whose owner is not in it."""
    items = ((key, item_of(part, key)) for key in keys_of(part))
    owners = {key: owner_of(item) for key, item in items if item is not None}
    roots = tuple(key for key, owner in owners.items() if owner is None or owner not in owners)
    return roots or tuple(owners)[:1]  # frames in a circle


def _attach(part: Scene, roots: Sequence[Key], parent: str | None, scene: Scene) -> Scene:
    """Return a part with its roots attached to a frame of the scene."""
    changes: dict[str, dict[str, Item]] = {}
    for kind, name in roots:
        item = item_of(part, (kind, name))
        owner = None if item is None else owner_of(item)
        if item is None or owner is None or owner[0] != "frames" or not owner[1]:
            continue  # items without an owner, such as a note of the whole picture, get none
        is_there = owner[1] == WORLD or owner[1] in scene.frames
        target = parent if parent is not None else owner[1] if is_there else WORLD
        field = owner_field(type(item))
        if getattr(item, field) != target:
            changes.setdefault(kind, {})[name] = item.model_copy(update={field: target})
    return part.model_copy(update={kind: getattr(part, kind) | some for kind, some in changes.items()})


def _use_free_names(part: Scene, scene: Scene) -> tuple[Scene, dict[Key, Key]]:
    """Return a part with names that are free in a scene, and the new key of each item."""
    names: dict[Key, Key] = {}
    for kind in ITEM_KINDS:
        taken = set(taken_names(scene, kind))
        for name in getattr(part, kind):
            free = free_name(taken, name)
            names[kind, name] = kind, free
            taken.add(free)
    renamed = with_names(part, lambda kind, name: names.get((kind, name), (kind, name))[1])
    items = {
        kind: FrozenDict({names[kind, name][1]: item for name, item in getattr(renamed, kind).items()})
        for kind in ITEM_KINDS
    }
    return renamed.model_copy(update=items), names


def _join_edit(
    scene: Scene, part: Scene, roots: Sequence[Key], parameters: Mapping[str, float] | None = None
) -> ItemEdit:
    """Return the edit that adds all items of a part, whose names are free in the scene."""
    new = {kind: getattr(part, kind) for kind in ITEM_KINDS}
    needed = words_in(part) if parameters else frozenset[str]()
    more = {name: value for name, value in (parameters or {}).items() if name in needed}

    def apply(scene: Scene) -> Scene:
        changes: dict[str, Any] = {kind: getattr(scene, kind) | some for kind, some in new.items() if some}
        missing = {name: value for name, value in more.items() if name not in scene.parameters}
        if missing:
            changes["parameters"] = scene.parameters | missing
        view = _join_views(scene.view, part.view)
        if view is not scene.view:
            changes["view"] = view
        return check_sizes(scene.model_copy(update=changes))

    apply(scene)
    return ItemEdit("", apply, tuple(roots))


def _join_views(view: View, more: View) -> View:
    changes: dict[str, Any] = {key: (*getattr(view, key), *getattr(more, key)) for key in DRAWN if getattr(more, key)}
    if more.frames:
        changes["frames"] = view.frames | more.frames
    if more.hidden != Hidden():
        hidden = {kind: (*getattr(view.hidden, kind), *getattr(more.hidden, kind)) for kind in ITEM_KINDS}
        changes["hidden"] = _hidden({kind: tuple(dict.fromkeys(names)) for kind, names in hidden.items()})
    return view.model_copy(update=changes) if changes else view


def _hidden(names: Mapping[str, tuple[str, ...]]) -> Hidden:
    return Hidden.model_validate({kind: some for kind, some in names.items() if some})


def _ghost_of(run: Scene, name: str) -> Scene:
    root = name if name not in run.frames else f"{name} run"
    frames = {
        key: frame.model_copy(update={"parent": root}) if frame.parent == WORLD else frame
        for key, frame in run.frames.items()
    }
    bodies = {
        key: body.model_copy(
            update={"opacity": PALE * body.opacity, "frame": root if body.frame == WORLD else body.frame}
        )
        for key, body in run.bodies.items()
    }
    looks = FrozenDict(dict.fromkeys((root, *frames), UNSEEN))
    return Scene(
        time=run.time,
        parameters=run.parameters,
        robots=run.robots,
        frames=FrozenDict({root: Frame(parent=WORLD), **frames}),
        bodies=FrozenDict(bodies),
        view=View(frames=looks),
    )
