"""Known texts of a document: the file's text for each scene, so that undo also restores comments and layout."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from framescope.core.errors import KeyPath
from framescope.core.scene.schema.model import ITEM_KINDS, Scene

MAX_TEXTS = 100
"""Largest number of texts that are kept: the first and the newest."""

MAX_CHARACTERS = 40_000_000
"""Largest number of characters of all texts but the first and the last."""

_COMMENT = re.compile(r"(?:^|\s)(#.*)$")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*+"|\'[^\']*+\'')


@dataclass(frozen=True, eq=False)
class KnownText:
    """Text of a file, the line of every key, and its scene; `era` counts rewrites by other programs."""

    scene: Scene
    text: str
    lines: Mapping[KeyPath, int]
    era: int


@dataclass(frozen=True)
class KnownTexts:
    """Texts that a document's file has had, the oldest first.

    A text written by another program begins an era. Texts of earlier eras are not reproduced to the letter.
    """

    texts: tuple[KnownText, ...] = ()
    era: int = 0

    def with_text(self, scene: Scene, text: str, lines: Mapping[KeyPath, int]) -> KnownTexts:
        """Return the texts with a new one for `scene`, which replaces an older text of the same scene."""
        other_texts = [known for known in self.texts if known.scene is not scene or known.era != self.era]
        texts = [*other_texts, KnownText(scene, text, lines, self.era)]
        while len(texts) > MAX_TEXTS or sum(len(known.text) for known in texts[1:-1]) > MAX_CHARACTERS:
            del texts[1]
        return replace(self, texts=tuple(texts))

    def start_era(self) -> KnownTexts:
        """Return the texts with a new era, after another program has written the file."""
        return replace(self, era=self.era + 1)

    def text_of(self, scene: Scene) -> KnownText | None:
        """Return the newest text of this era for an equal scene with the same order of items; None without one."""
        for known in self._texts_of_era():
            if known.scene is scene:
                return known
        dumped = ""
        for known in self._texts_of_era():
            if known.scene == scene:
                dumped = dumped or scene.model_dump_json(exclude_unset=True)
                if known.scene.model_dump_json(exclude_unset=True) == dumped:
                    return known
        return None

    def nearest(self, scene: Scene) -> KnownText | None:
        """Return the text of this era that lacks the fewest parts of a scene; the newest of equal ones."""
        return min(self._texts_of_era(), key=lambda known: _n_missing(scene, known.scene), default=None)

    def lost_comments(self, scene: Scene, text: str) -> tuple[str, ...]:
        """Return the comments that a text for a scene lacks although the scene has their items."""
        base = self.nearest(scene)
        if base is None:
            return ()
        present = {comment for _, comment in _rows_with_comments(text)}
        missing = {
            (kind, name) for kind in ITEM_KINDS for name in _items(scene, kind) if name not in _items(base.scene, kind)
        }
        lost: dict[str, None] = {}
        for known in reversed(self.texts):
            if known is not base and not any(_has(known.scene, owner) for owner in missing):
                continue
            for owner, comment in _comments(known):
                if known is not base:  # from older texts, only comments of items that the base text lacks
                    is_in_scene = owner in missing
                else:
                    section = str(owner[0])
                    is_whole = section in ITEM_KINDS or _has_all_lists(scene, known.scene, section)
                    is_in_scene = is_whole and _has(scene, owner)
                if is_in_scene and comment not in present and comment not in text:
                    lost[comment] = None
        return tuple(lost)

    def _texts_of_era(self) -> Iterator[KnownText]:
        return (known for known in reversed(self.texts) if known.era == self.era)


def _n_missing(scene: Scene, other: Scene) -> tuple[int, int]:
    """Count the items and list entries that `other` lacks, and the items that differ."""
    n_missing = n_different = 0
    for kind in ITEM_KINDS:
        items, other_items = _items(scene, kind), _items(other, kind)
        if items is not other_items:
            n_missing += sum(name not in other_items for name in items)
            n_different += sum(name in other_items and item is not other_items[name] for name, item in items.items())
    for field in type(scene.view).model_fields:
        entries, other_items = getattr(scene.view, field), getattr(other.view, field)
        if isinstance(entries, tuple) and entries is not other_items:
            n_missing += sum(entry not in other_items for entry in cast("tuple[object, ...]", entries))
    return n_missing, n_different


def _items(scene: Scene, kind: str) -> Mapping[str, Any]:
    return getattr(scene, kind)


def _has(scene: Scene, owner: KeyPath) -> bool:
    if len(owner) == 2:
        return owner[1] in _items(scene, str(owner[0]))
    return str(owner[0]) in scene.model_fields_set


def _has_all_lists(scene: Scene, before: Scene, section: str) -> bool:
    """Return whether no list of a section is shorter: removing an entry also removes its comments."""
    new, old = getattr(scene, section, None), getattr(before, section, None)
    if new is old:
        return True
    lists = [name for name, value in vars(old).items() if isinstance(value, tuple)] if hasattr(old, "__dict__") else []
    return all(len(getattr(new, name, ())) >= len(getattr(old, name)) for name in lists)


def _comments(known: KnownText) -> Iterator[tuple[KeyPath, str]]:
    """Yield the comments of a text, each with the item or section that it belongs to."""
    keys = sorted(
        ((path, line) for path, line in known.lines.items() if path), key=lambda entry: (entry[1], len(entry[0]))
    )
    i = 0
    rows = known.text.split("\n")
    for n, comment in _rows_with_comments(known.text):
        while i < len(keys) and keys[i][1] <= n:
            i += 1
        # A comment on its own line belongs to the following key.
        is_alone = rows[n - 1].lstrip().startswith("#")
        at = keys[i] if is_alone and i < len(keys) else keys[i - 1] if i else None
        if at is not None:
            path = at[0]
            yield (path[:2] if path[0] in ITEM_KINDS and len(path) > 1 else path[:1]), comment


def _rows_with_comments(text: str) -> Iterator[tuple[int, str]]:
    """Yield the number, from 1, and the comment of each line with a comment."""
    for n, row in enumerate(text.split("\n"), 1):
        if "#" in row:
            match = _COMMENT.search(_QUOTED.sub(lambda quoted: "x" * len(quoted[0]), row))
            if match is not None:
                yield n, row[match.start(1) :].strip()
