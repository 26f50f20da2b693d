"""Edits of whole items: delete, rename, hide, colour. References to the items are updated in the whole scene."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from annotated_types import MaxLen
from pydantic import TypeAdapter, ValidationError

from framescope.core.errors import RefusedError
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.files.yaml_reading import MAX_ENTRIES
from framescope.core.scene.schema.base import FrozenDict, Name
from framescope.core.scene.schema.films import Film
from framescope.core.scene.schema.model import ITEM_KINDS, ITEM_WORDS, WORLD, Scene
from framescope.core.scene.schema.references import (
    Key,
    hanging_on,
    item_of,
    needing,
    owner_of,
    with_names,
    without_references,
)
from framescope.core.scene.schema.signals import count_charts
from framescope.core.scene.schema.view import Hidden, View

_COLOR = re.compile(r"neutral|own|frame|x|y|z|#[0-9a-fA-F]{6}")
_NUMBERED = re.compile(r"(.*[^\s_])([ _])(\d{1,9})\Z")
_NAME: TypeAdapter[str] = TypeAdapter(Name)


@dataclass(frozen=True)
class ItemEdit(Edit):
    """An edit with the `keys` of the items to select afterwards: new or renamed items, or owners of deleted items."""

    keys: tuple[Key, ...] = ()


def free_name(taken: Collection[str], wanted: str) -> str:
    """Return the wanted name if it is free, else the wanted name with the next free number.

    An underscore is before the number, or a space where the name has spaces.

    >>> free_name({"arm", "arm_2"}, "arm"), free_name({"arm 7"}, "arm 7"), free_name((), "arm")
    ('arm_3', 'arm 8', 'arm')
    >>> free_name({"left arm"}, "left arm")
    'left arm 2'
    """
    if wanted not in taken:
        return wanted
    match = _NUMBERED.match(wanted)
    stem, gap, number = (match[1], match[2], int(match[3]) + 1) if match else (wanted, gap_before_number(wanted), 2)
    while (name := f"{stem[: 199 - len(str(number))].rstrip()}{gap}{number}") in taken:
        number += 1
    return name


def gap_before_number(stem: str) -> str:
    """Return what is between a name and its number."""
    return " " if " " in stem else "_"


def new_name(taken: Collection[str], stem: str) -> str:
    """Return the name of a new item: the stem, or the stem with the next number if items are numbered from 1.

    >>> new_name({"arm"}, "frame"), new_name({"frame"}, "frame"), new_name({"frame 1"}, "frame")
    ('frame', 'frame_2', 'frame 2')
    """
    first = next((f"{stem}{gap}1" for gap in " _" if f"{stem}{gap}1" in taken), stem)
    return free_name(taken, first)


def taken_names(scene: Scene, kind: str) -> Collection[str]:
    """Return the names that a new item of a kind cannot have."""
    names: FrozenDict[Any] = getattr(scene, kind)
    return {WORLD, *names} if kind == "frames" else names


def selection_label(keys: Iterable[Key]) -> str:
    """Return the name of one item, or the number of several, for labels.

    >>> selection_label([("frames", "arm")]), selection_label([("frames", "a"), ("frames", "b")])
    ('arm', '2 items')
    """
    names = [name for _, name in keys]
    return names[0] if len(names) == 1 else f"{len(names)} items"


# --- Delete


def remove_items(scene: Scene, keys: Sequence[Key]) -> ItemEdit:
    """Return the edit that deletes items and everything that cannot exist without them.

    The latter are the descendants and all items that name a deleted item: sensors, elements, rings, plots and so on.

    Raises
    ------
    RefusedError
        When there is nothing to delete, or the items include the world.

    Examples
    --------
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world"}, "b": {"parent": "a"}}})
    >>> edit = remove_items(scene, [("frames", "a")])
    >>> edit.label, len(edit.apply(scene).frames)
    ('Deleted a with 1 item', 0)
    """
    if ("frames", WORLD) in keys:
        raise RefusedError("the world cannot be deleted: it is the root of all frames")
    chosen = [key for key in dict.fromkeys(keys) if item_of(scene, key) is not None]
    if not chosen:
        raise RefusedError("nothing to delete is selected")
    removed = needing(scene, chosen)
    others = "item" if len(chosen) == 1 else "more item"
    extras = [*_count_words(len(removed) - len(chosen), others), *_describe_marks(scene, removed)]
    with_it = f" with {' and '.join(filter(None, (', '.join(extras[:-1]), *extras[-1:])))}" if extras else ""
    before = _remaining_owner(scene, chosen[0], removed)
    label = f"Deleted {selection_label(chosen)}{with_it}"
    return ItemEdit(label, lambda scene: without_items(scene, needing(scene, chosen)), before)


def _describe_marks(scene: Scene, removed: Collection[Key]) -> Iterator[str]:
    """Yield the plots, cards and marks of removed items in words, for the label of the edit."""
    view = scene.view
    remaining = without_references(view, removed) or view
    yield from _count_words(_count_charts(scene, view) - _count_charts(scene, remaining), "plot")
    yield from _count_words(len(view.answers) - len(remaining.answers), "card")
    for marks in ("rings", "arcs", "stages"):  # not counted: the word means the several parts of a frame
        if len(getattr(remaining, marks)) < len(getattr(view, marks)):
            yield marks
    yield from _count_words(len(view.trails) - len(remaining.trails), "trail")


def _count_charts(scene: Scene, view: View) -> int:
    """Return the number of plots that the window draws."""
    return sum(count_charts(plot, plot.components, scene) for plot in view.plots)


def _count_words(n: int, word: str) -> Iterator[str]:
    """Yield a number with its word in singular or plural; nothing for zero."""
    if n:
        yield f"{n} {word}{'s' * (n > 1)}"


def without_items(scene: Scene, removed: Collection[Key]) -> Scene:
    """Return the scene without some items, and without the marks, plots and keys that name them."""
    changes: dict[str, Any] = {}
    for kind in ITEM_KINDS:
        items: FrozenDict[Any] = getattr(scene, kind)
        remaining = {
            name: without_references(item, removed) or item
            for name, item in items.items()
            if (kind, name) not in removed
        }
        if len(remaining) < len(items) or any(remaining[name] is not items[name] for name in remaining):
            changes[kind] = FrozenDict(remaining)
    view = without_references(scene.view, removed) or scene.view
    if view is not scene.view:
        changes["view"] = view
    films = FrozenDict({name: _film_without(film, removed) for name, film in scene.film.items()})
    if films != scene.film:
        changes["film"] = films
    return scene.model_copy(update=changes) if changes else scene


def _film_without(film: Film, removed: Collection[Key]) -> Film:
    """Return a film without the parts that name removed items, and without insets that then show nothing."""
    film = without_references(film, removed) or film
    shots = [
        shot.model_copy(update={"insets": tuple(inset for inset in shot.insets if not inset.is_empty)})
        if any(inset.is_empty for inset in shot.insets)
        else shot
        for shot in film.shots
    ]
    return film.model_copy(update={"shots": tuple(shots)}) if shots != [*film.shots] else film


def _remaining_owner(scene: Scene, key: Key, removed: Collection[Key]) -> tuple[Key, ...]:
    item = item_of(scene, key)
    owner = None if item is None else owner_of(item)
    is_there = owner is not None and (owner == ("frames", WORLD) or item_of(scene, owner) is not None)
    return (owner,) if owner is not None and is_there and owner not in removed else ()


# --- Rename


def check_item_name(name: str) -> None:
    """Check that a text can be the name of an item.

    Raises
    ------
    RefusedError
        When it cannot.
    """
    try:
        _NAME.validate_python(name)
    except ValidationError:
        raise RefusedError("a name has 1 to 200 printable characters") from None


def rename_item(scene: Scene, kind: str, old: str, new: str) -> ItemEdit:
    """Return the edit that renames an item everywhere in the scene.

    Raises
    ------
    RefusedError
        When the new name is invalid or taken, or the item is the world.

    Examples
    --------
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world"}, "b": {"parent": "a"}}})
    >>> rename_item(scene, "frames", "a", "arm").apply(scene).frames["b"].parent
    'arm'
    """
    if (kind, old) == ("frames", WORLD):
        raise RefusedError("the world keeps its name")
    if item_of(scene, (kind, old)) is None:
        raise RefusedError(f'there is no {ITEM_WORDS.get(kind, "item")} "{old}"')
    new = new.strip()
    check_item_name(new)
    if new != old and new in taken_names(scene, kind):
        raise RefusedError(f'there is a {ITEM_WORDS[kind]} "{new}" already')
    return ItemEdit(f"Renamed {old} to {new}", lambda scene: _rename_items(scene, {(kind, old): new}), ((kind, new),))


def _rename_items(scene: Scene, names: dict[Key, str]) -> Scene:
    scene = with_names(scene, lambda kind, name: names.get((kind, name), name))
    changes: dict[str, Any] = {}
    for kind in {kind for kind, _ in names}:
        items: FrozenDict[Any] = getattr(scene, kind)
        changes[kind] = FrozenDict({names.get((kind, name), name): item for name, item in items.items()})
    return scene.model_copy(update=changes)


# --- Look


def is_hidden(scene: Scene, key: Key) -> bool:
    """Return whether an item is not drawn."""
    return key[1] in getattr(scene.view.hidden, key[0], ())


def set_hidden(scene: Scene, keys: Sequence[Key], is_wanted: bool, with_below: bool = False) -> ItemEdit:
    """Return the edit that hides or shows items; `with_below` includes their descendants.

    Examples
    --------
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"a": {"parent": "world"}}})
    >>> edit = set_hidden(scene, [("frames", "a")], True)
    >>> edit.label, edit.apply(scene).view.hidden.frames
    ('Hid a', ('a',))
    """
    every = {**dict.fromkeys(keys), **(hanging_on(scene, keys) if with_below else {})}
    chosen = [key for key in every if key == ("frames", WORLD) or item_of(scene, key) is not None]
    if not chosen:
        raise RefusedError("nothing that is drawn is selected")
    what = f"{keys[0][1]} and all below" if with_below and len(keys) == 1 else selection_label(chosen)

    def apply(scene: Scene) -> Scene:
        hidden = scene.view.hidden
        names: dict[str, dict[str, None]] = {kind: dict.fromkeys(getattr(hidden, kind)) for kind in ITEM_KINDS}
        for kind, name in chosen:
            if is_wanted:
                names[kind][name] = None
            else:
                names[kind].pop(name, None)
        return _with_hidden(scene, Hidden(**{kind: tuple(some) for kind, some in names.items() if some}))

    return ItemEdit(f"{'Hid' if is_wanted else 'Showed'} {what}", apply, tuple(keys))


def show_everything(scene: Scene) -> ItemEdit:
    """Return the edit that shows all hidden items."""
    if scene.view.hidden == Hidden():
        raise RefusedError("nothing is hidden")
    return ItemEdit("Showed everything", lambda scene: _with_hidden(scene, Hidden()))


def _with_hidden(scene: Scene, hidden: Hidden) -> Scene:
    view = scene.view.model_copy(update={"hidden": hidden})
    if hidden == Hidden():  # files omit default values
        view.__pydantic_fields_set__.discard("hidden")
    return scene.model_copy(update={"view": view})


def set_color(scene: Scene, keys: Sequence[Key], color: str) -> ItemEdit:
    """Return the edit that gives bodies a colour; selected frames include their bodies.

    Parameters
    ----------
    scene, keys
        Bodies, or frames for all bodies on them.
    color
        ``neutral``, ``own``, ``frame``, ``x``, ``y``, ``z`` or ``#rrggbb``.
    """
    if not _COLOR.fullmatch(color):
        raise RefusedError(f'"{color}" is no colour: neutral, own, frame, x, y, z or #rrggbb')
    frames = {name for kind, name in keys if kind == "frames"}
    chosen = [name for name, body in scene.bodies.items() if ("bodies", name) in keys or body.frame in frames]
    if not chosen:
        raise RefusedError("only bodies have a colour, and none is selected")

    def apply(scene: Scene) -> Scene:
        bodies = {name: body for name, body in scene.bodies.items() if name in chosen}
        changed = {name: body.model_copy(update={"color": color}) for name, body in bodies.items()}
        return scene.model_copy(update={"bodies": scene.bodies | changed})

    what = selection_label([("bodies", name) for name in chosen])
    return ItemEdit(f"Coloured {what} {color}", apply, tuple(keys))


# --- Limits


def check_sizes(scene: Scene) -> Scene:
    """Return the scene; raise `RefusedError` if its file would exceed the limits for reading."""
    for kind in ITEM_KINDS:
        if len(getattr(scene, kind)) > MAX_ENTRIES:
            raise RefusedError(f"a scene has at most {MAX_ENTRIES} {kind}")
    for name, field in View.model_fields.items():
        value = getattr(scene.view, name)
        limit = next((constraint.max_length for constraint in field.metadata if isinstance(constraint, MaxLen)), None)
        if limit is not None and get_args(field.annotation) and len(value) > limit:
            raise RefusedError(f"a view has at most {limit} {name}")
    return scene
