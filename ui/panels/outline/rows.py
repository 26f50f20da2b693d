"""Rows of the outline as data: the hierarchy, names, and what a filter keeps."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from framescope.core.scene.schema.kinds.elements import ELEMENT_KINDS
from framescope.core.scene.schema.kinds.shapes import SHAPE_KINDS
from framescope.core.scene.schema.model import ITEM_KINDS, ITEM_WORDS, WORLD, ItemKey, Scene
from framescope.core.scene.schema.references import item_of, owner_of
from framescope.ui.formatting.item_names import frame_icon, frame_kind

ELEMENTS: ItemKey = ("group", "Elements")
"""Elements join points, and hang on none: they stand below a row of their own."""


@dataclass(frozen=True)
class OutlineRow:
    """A row: the item, the place of the row it hangs on (-1: none), an icon, and a word or two on what it is."""

    key: ItemKey
    i_parent: int
    icon: str
    kind: str


@dataclass(frozen=True)
class Filter:
    """Filter of rows: names or kinds with these words in them, items of some kinds, those with a problem alone."""

    text: str = ""
    kinds: tuple[str, ...] = ITEM_KINDS
    only_problems: bool = False

    @property
    def is_on(self) -> bool:
        """Whether it leaves anything out."""
        return self != Filter()


def rows_of(scene: Scene) -> list[OutlineRow]:
    """Return all rows of a scene, each after the one it hangs on."""
    under = children_of(scene)
    rows: list[OutlineRow] = []

    def add_tree(key: ItemKey, icon: str, kind: str) -> None:
        waiting = [(key, -1)]
        while waiting:
            key, i_parent = waiting.pop()
            if key != ("frames", WORLD):
                icon, kind = look_of(scene, key)
            rows.append(OutlineRow(key, i_parent, icon, kind))
            waiting += [(child, len(rows) - 1) for child in reversed(under.pop(key, ()))]

    add_tree(("frames", WORLD), "globe", "")
    # What hangs on nothing stands below the world, at the left edge: orphans, circles, and what is on them.
    for owner in [key for key in under if item_of(scene, key) is None]:
        for key in under.pop(owner, ()):
            add_tree(key, *look_of(scene, key))
    while under:
        owner = next(iter(under))
        for key in under.pop(owner):
            add_tree(key, *look_of(scene, key))
    if scene.elements:
        rows.append(OutlineRow(ELEMENTS, -1, "layers", str(len(scene.elements))))
        place = len(rows) - 1
        rows += [OutlineRow(("elements", name), place, *look_of(scene, ("elements", name))) for name in scene.elements]
    return rows


def children_of(scene: Scene) -> dict[ItemKey, list[ItemKey]]:
    """Return what hangs on each frame and body."""
    found: dict[ItemKey, list[ItemKey]] = {}
    for kind in ("frames", "bodies", "sensors", "measured", "points", "notes"):
        for name, item in getattr(scene, kind).items():
            owner = owner_of(item)
            # A frame called world is a problem, and no frame.
            if owner is not None and (kind, name) != ("frames", WORLD):
                found.setdefault(owner, []).append((kind, name))
    return found


def look_of(scene: Scene, key: ItemKey) -> tuple[str, str]:
    """Return the icon of an item, and a word or two on what it is."""
    kind, name = key
    match kind:
        case "frames":
            return frame_icon(scene.frames[name]), frame_kind(scene.frames[name])
        case "bodies":
            shape = scene.bodies[name].shape
            return SHAPE_KINDS.of(shape).icon, shape.form
        case "points":
            return "pin", f"point {scene.points[name].kind}"
        case "elements":
            element = scene.elements[name]
            return ELEMENT_KINDS.of(element).icon, element.form
        case "sensors":
            return "radar", f"{scene.sensors[name].form} sensor"
        case "notes":
            return "message-square-text", "formula" if "$" in scene.notes[name].text else "text"
        case _:
            return "ruler", f"measured {scene.measured[name].form}"


def filtered(rows: Sequence[OutlineRow], wanted: Filter, problems: Collection[ItemKey]) -> list[OutlineRow]:
    """Return the rows that a filter keeps, with those they hang on."""
    if not wanted.is_on:
        return list(rows)
    words = wanted.text.casefold().split()
    place = [-1] * len(rows)
    kept = [False] * len(rows)
    for i in range(len(rows) - 1, -1, -1):
        row = rows[i]
        if not kept[i] and row.key[0] in wanted.kinds and (not wanted.only_problems or row.key in problems):
            text = f"{row.key[1]} {row.kind} {ITEM_WORDS[row.key[0]]}".casefold()
            kept[i] = all(word in text for word in words)
        if kept[i] and row.i_parent >= 0:
            kept[row.i_parent] = True
    found: list[OutlineRow] = []
    for i, row in enumerate(rows):
        if kept[i]:
            place[i] = len(found)
            found.append(replace(row, i_parent=place[row.i_parent] if row.i_parent >= 0 else -1))
    return found


def changed_looks(old: Scene, new: Scene) -> dict[ItemKey, tuple[str, str]] | None:
    """Return the looks that differ between scenes of the same rows; None when the rows themselves do.

    Items that an edit left alone are the same objects, so that this is fast for large scenes, too.
    """
    changed: dict[ItemKey, tuple[str, str]] = {}
    for kind in ITEM_KINDS:
        before: Mapping[str, object] = getattr(old, kind)
        after: Mapping[str, object] = getattr(new, kind)
        if before is after:
            continue
        if len(before) != len(after) or any(a != b for a, b in zip(before, after, strict=True)):
            return None
        for name in _differing(before, after):
            key = (kind, name)
            if kind != "elements" and owner_of(getattr(old, kind)[name]) != owner_of(getattr(new, kind)[name]):
                return None
            look = look_of(new, key)
            if look != look_of(old, key):
                changed[key] = look
    return changed


def _differing(before: Mapping[str, object], after: Mapping[str, object]) -> Iterable[str]:
    return [name for name, item in after.items() if item is not before[name] and name != WORLD]
