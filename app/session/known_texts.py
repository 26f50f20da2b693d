"""Known texts of a document: what its file held for each scene, so that undo brings comments and layout back, too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from framescope.core.errors import KeyPath
from framescope.core.scene.schema.model import ITEM_KINDS, Scene

MAX_TEXTS = 100
"""Texts that are kept: the first, and the newest."""

MAX_CHARACTERS = 40_000_000
"""Of all texts but the first and the last."""

_COMMENT = re.compile(r"(?:^|\s)(#.*)$")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*+"|\'[^\']*+\'')


@dataclass(frozen=True, eq=False)
class KnownText:
    """Text of a file, the line of every key in it, and the scene that it says; `era` counts changes by others."""

    scene: Scene
    text: str
    lines: Mapping[KeyPath, int]
    era: int


@dataclass(frozen=True)
class KnownTexts:
    """Texts that the file of a document has had, the oldest first.

    A text that another program has written begins an era: what stood there before is not written to the letter again.
    """

    texts: tuple[KnownText, ...] = ()
    era: int = 0

    def with_text(self, scene: Scene, text: str, lines: Mapping[KeyPath, int]) -> KnownTexts:
        """Return the texts with that of a scene, which takes the place of an older one of the same scene."""
        others = [each for each in self.texts if each.scene is not scene or each.era != self.era]
        texts = [*others, KnownText(scene, text, lines, self.era)]
        while len(texts) > MAX_TEXTS or sum(len(each.text) for each in texts[1:-1]) > MAX_CHARACTERS:
            del texts[1]
        return replace(self, texts=tuple(texts))

    def overtaken(self) -> KnownTexts:
        """Return the texts as they are known once another program has written the file."""
        return replace(self, era=self.era + 1)

    def text_of(self, scene: Scene) -> KnownText | None:
        """Return the newest text of the present era that says a scene, to the order of its items."""
        for each in self._present():
            if each.scene is scene:
                return each
        dumped = ""
        for each in self._present():
            if each.scene == scene:
                dumped = dumped or scene.model_dump_json(exclude_unset=True)
                if each.scene.model_dump_json(exclude_unset=True) == dumped:
                    return each
        return None

    def nearest(self, scene: Scene) -> KnownText | None:
        """Return the text of the present era that lacks least of what a scene has; of equal ones, the newest."""
        return min(self._present(), key=lambda each: _n_missing(scene, each.scene), default=None)

    def lost_comments(self, scene: Scene, text: str) -> tuple[str, ...]:
        """Return the comments that a text for a scene lacks although the scene has what they stand at."""
        base = self.nearest(scene)
        if base is None:
            return ()
        kept = {comment for _, comment in _rows_with_comments(text)}
        missing = {
            (kind, name) for kind in ITEM_KINDS for name in _items(scene, kind) if name not in _items(base.scene, kind)
        }
        lost: dict[str, None] = {}
        for known in reversed(self.texts):
            if known is not base and not any(_has(known.scene, owner) for owner in missing):
                continue
            for owner, comment in _comments(known):
                if known is not base:  # of older texts, what the present one has no place for
                    is_there = owner in missing
                else:
                    section = str(owner[0])
                    is_whole = section in ITEM_KINDS or _has_all_lists(scene, known.scene, section)
                    is_there = is_whole and _has(scene, owner)
                if is_there and comment not in kept and comment not in text:
                    lost[comment] = None
        return tuple(lost)

    def _present(self) -> Iterator[KnownText]:
        return (each for each in reversed(self.texts) if each.era == self.era)


def _n_missing(scene: Scene, other: Scene) -> tuple[int, int]:
    """Return how many items and entries of lists a scene has that another one lacks, and how many are different."""
    n_missing = n_different = 0
    for kind in ITEM_KINDS:
        items, others = _items(scene, kind), _items(other, kind)
        if items is not others:
            n_missing += sum(name not in others for name in items)
            n_different += sum(name in others and item is not others[name] for name, item in items.items())
    for field in type(scene.view).model_fields:
        entries, others = getattr(scene.view, field), getattr(other.view, field)
        if isinstance(entries, tuple) and entries is not others:
            n_missing += sum(entry not in others for entry in cast("tuple[object, ...]", entries))
    return n_missing, n_different


def _items(scene: Scene, kind: str) -> Mapping[str, Any]:
    return getattr(scene, kind)


def _has(scene: Scene, owner: KeyPath) -> bool:
    if len(owner) == 2:
        return owner[1] in _items(scene, str(owner[0]))
    return str(owner[0]) in scene.model_fields_set


def _has_all_lists(scene: Scene, before: Scene, section: str) -> bool:
    """Return whether no list of a section has become shorter: with an entry, its comments go."""
    new, old = getattr(scene, section, None), getattr(before, section, None)
    if new is old:
        return True
    lists = [name for name, value in vars(old).items() if isinstance(value, tuple)] if hasattr(old, "__dict__") else []
    return all(len(getattr(new, name, ())) >= len(getattr(old, name)) for name in lists)


def _comments(known: KnownText) -> Iterator[tuple[KeyPath, str]]:
    """Yield the comments of a text, with the item or the section that each stands at."""
    keys = sorted(
        ((path, line) for path, line in known.lines.items() if path), key=lambda entry: (entry[1], len(entry[0]))
    )
    i = 0
    rows = known.text.split("\n")
    for n, comment in _rows_with_comments(known.text):
        while i < len(keys) and keys[i][1] <= n:
            i += 1
        # A comment on a line of its own stands above what follows.
        is_alone = rows[n - 1].lstrip().startswith("#")
        at = keys[i] if is_alone and i < len(keys) else keys[i - 1] if i else None
        if at is not None:
            path = at[0]
            yield (path[:2] if path[0] in ITEM_KINDS and len(path) > 1 else path[:1]), comment


def _rows_with_comments(text: str) -> Iterator[tuple[int, str]]:
    """Yield the number of each line that has a comment, from 1, and the comment."""
    for n, row in enumerate(text.split("\n"), 1):
        if "#" in row:
            found = _COMMENT.search(_QUOTED.sub(lambda quoted: "x" * len(quoted[0]), row))
            if found is not None:
                yield n, row[found.start(1) :].strip()
