"""Importer of lessons. The window plays them; they cannot be converted to scenes."""

from __future__ import annotations

from pathlib import Path

from framescope.app import platforms
from framescope.app.errors import GraphicsError
from framescope.app.importers.contents import Contents
from framescope.app.importers.importer import Importer, import_later
from framescope.core.errors import FramescopeError
from framescope.features.lessons.core import SUFFIX


def is_lesson(path: Path) -> bool:
    """Return whether a path is a lesson file.

    >>> is_lesson(Path("gimbal.lesson.md")), is_lesson(Path("README.md"))
    (True, False)
    """
    return path.name.lower().endswith(SUFFIX)


def read(path: Path) -> Contents:
    """Raise an error that names the command for a page: a lesson is not a scene."""
    raise FramescopeError(f"{path.name} is a lesson, and no scene. This makes a page of it: {_page_command(path)}")


def refuse_without_display(path: Path) -> None:
    """Raise an error that names the command for a page of the lesson."""
    raise GraphicsError(f"There is no display to play a lesson on. This makes a page of it: {_page_command(path)}")


def _page_command(path: Path) -> str:
    page = f"{path.name[: -len(SUFFIX)]}.html"
    return platforms.quoted_words(["framescope", "lesson", "export", str(path), page])


IMPORTER = Importer(
    "lessons",
    (SUFFIX,),
    lambda _head, _size: False,
    read,
    claims=is_lesson,
    is_scene=True,
    opens="lesson",
    check=import_later("framescope.features.lessons.app.lesson_commands:check_file"),
    refuse_without_display=refuse_without_display,
)
