"""Recent files: the newest first, each once, and only those that are still there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

MAX_RECENT = 10


def with_recent(recent: Sequence[Path], path: Path) -> tuple[Path, ...]:
    """Return the list with a file at its head.

    >>> [path.name for path in with_recent([Path("/a.yaml"), Path("/b.yaml")], Path("/b.yaml"))]
    ['b.yaml', 'a.yaml']
    """
    path = path.absolute()
    return (path, *(other for other in recent if other != path))[:MAX_RECENT]


def still_there(recent: Sequence[Path]) -> tuple[Path, ...]:
    """Return those of the files that exist."""
    return tuple(path for path in recent if _is_file(path))


def menu_texts(recent: Sequence[Path]) -> tuple[str, ...]:
    """Return how each file is named in a menu: by its name, and by its folder too where names are alike.

    >>> menu_texts([Path("/a/x.yaml"), Path("/b/x.yaml"), Path("/b/y & z.yaml")])
    ('x.yaml  (a)', 'x.yaml  (b)', 'y && z.yaml')
    """
    names = [path.name for path in recent]
    texts = [path.name if names.count(path.name) == 1 else f"{path.name}  ({path.parent.name})" for path in recent]
    return tuple(text.replace("&", "&&") for text in texts)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False
