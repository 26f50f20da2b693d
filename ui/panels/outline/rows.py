"""Rows of the outline as data: hierarchy, names, and filter."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from framescope.core.scene.schema.kinds.elements import ELEMENT_KINDS
from framescope.core.scene.schema.kinds.shapes import SHAPE_KINDS
from framescope.core.scene.schema.measured import MeasuredPose
from framescope.core.scene.schema.model import ITEM_KINDS, ITEM_WORDS, WORLD, Frame, ItemKey, Scene
from framescope.core.scene.schema.references import item_of, owner_of
from framescope.core.scene.schema.sources import PoseSource
from framescope.ui.formatting.item_names import frame_icon, frame_kind

ELEMENTS: ItemKey = ("group", "Elements")
"""Key of the row above all elements. They connect points and have no parent."""


@dataclass(frozen=True)
class OutlineRow:
    """Row: item, index of the parent row (-1: none), icon, and a short description of the kind."""

    key: ItemKey
    i_parent: int
    icon: str
    kind: str


@dataclass(frozen=True)
class Filter:
    """Filter of rows: words in name or kind, kinds of items, and only items with a problem."""

    text: str = ""
    kinds: tuple[str, ...] = ITEM_KINDS
    only_problems: bool = False

    @property
    def is_on(self) -> bool:
        """Whether the filter excludes anything."""
        return self != Filter()


def rows_of(scene: Scene) -> list[OutlineRow]:
    """Return all rows of a scene, each after its parent."""
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
    # Items without a valid parent, such as orphans and circles, follow below the world at the left edge.
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
    """Return the children of each frame and body."""
    children: dict[ItemKey, list[ItemKey]] = {}
    for kind in ("frames", "bodies", "sensors", "measured", "points", "notes"):
        for name, item in getattr(scene, kind).items():
            owner = owner_of(item)
            # A frame called world is a problem, not a frame.
            if owner is not None and (kind, name) != ("frames", WORLD):
                children.setdefault(owner, []).append((kind, name))
    return children


def look_of(scene: Scene, key: ItemKey) -> tuple[str, str]:
    """Return the icon of an item and a short description of its kind."""
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
            form = scene.sensors[name].form
            return "radar", "sensor" if form == "absolute" else f"{form} sensor"
        case "notes":
            return "message-square-text", "formula" if "$" in scene.notes[name].text else "text"
        case _:
            return "ruler", f"measured {scene.measured[name].form}"


def source_words(scene: Scene, key: ItemKey) -> str:
    """Return the entry of a file from which the pose of an item is read, with its direction; empty without one.

    >>> source = {"file": "chain.yaml", "entry": "cam0.T_cam_imu", "maps": "parent to frame"}
    >>> frames = {"imu": {"parent": "world"}, "cam": {"parent": "imu", "source": source}}
    >>> scene = Scene.model_validate({"frames": frames})
    >>> source_words(scene, ("frames", "cam"))
    'T_cam_imu of cam0 in chain.yaml takes points of imu to cam'
    """
    match item_of(scene, key):
        case Frame(source=PoseSource() as source, parent=parent):
            return source.words(key[1], parent)
        case MeasuredPose(source=PoseSource() as source, of=of, relative_to=relative_to):
            return source.words(of, relative_to)
        case _:
            return ""


def matching_rows(rows: Sequence[OutlineRow], row_filter: Filter, problems: Collection[ItemKey]) -> list[OutlineRow]:
    """Return the rows that pass a filter themselves, without their ancestors."""
    words = row_filter.text.casefold().split()
    return [row for row in rows if _passes(row, row_filter, words, problems)]


def _passes(row: OutlineRow, row_filter: Filter, words: Sequence[str], problems: Collection[ItemKey]) -> bool:
    if row.key[0] not in row_filter.kinds or (row_filter.only_problems and row.key not in problems):
        return False
    text = f"{row.key[1]} {row.kind} {ITEM_WORDS[row.key[0]]}".casefold()
    return all(word in text for word in words)


def filter_rows(rows: Sequence[OutlineRow], row_filter: Filter, problems: Collection[ItemKey]) -> list[OutlineRow]:
    """Return the rows that pass a filter, and their ancestors."""
    if not row_filter.is_on:
        return list(rows)
    words = row_filter.text.casefold().split()
    place = [-1] * len(rows)
    is_shown = [False] * len(rows)
    for i in range(len(rows) - 1, -1, -1):
        row = rows[i]
        if not is_shown[i]:
            is_shown[i] = _passes(row, row_filter, words, problems)
        if is_shown[i] and row.i_parent >= 0:
            is_shown[row.i_parent] = True
    filtered: list[OutlineRow] = []
    for i, row in enumerate(rows):
        if is_shown[i]:
            place[i] = len(filtered)
            filtered.append(replace(row, i_parent=place[row.i_parent] if row.i_parent >= 0 else -1))
    return filtered


def compare_looks(old: Scene, new: Scene) -> dict[ItemKey, tuple[str, str]] | None:
    """Return the changed icons and kinds of two scenes with the same rows, or None if the rows differ.

    Unchanged items are the same objects in both scenes, so that this is fast for large scenes.
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
