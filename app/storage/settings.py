"""Settings that are remembered between starts. A value that cannot be read counts as unset.

The user chooses some of them in the dialog of the settings, see `framescope.app.controllers.setting_rows`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar, cast

from PySide6.QtCore import QByteArray

from framescope.app.storage.settings_store import Store
from framescope.core.kernels.validation import SEQUENCES, USUAL_SEQUENCE
from framescope.core.orientation import QuaternionOrder
from framescope.ui.exports.options import COLOURS, QUALITIES, RATES, SIZES
from framescope.ui.scene_view.interaction.navigation import PRESETS, USUAL

T = TypeVar("T")
S = TypeVar("S", bound=str)
AngleUnit = Literal["deg", "rad"]
ThemeChoice = Literal["dark", "light", "system"]
"""A theme by its name, or the one of the desktop."""

LAST_TIME = ""
"""Value of a film's first option: as in the last export."""

AS_WINDOW = "window"
"""Colours of a film: those of the window."""

MIN_FONT_SCALE, MAX_FONT_SCALE = 0.75, 2.5
MAX_RECENT = 10

MAX_VIEWPOINTS = 50
"""Largest number of scene files whose viewpoints are remembered."""


class _Setting(Generic[T]):
    """Value under a key of the store; `read` converts it from its stored form, and `write` to it."""

    def __init__(self, key: str, read: Callable[[Any], T], write: Callable[[T], object] = lambda value: value) -> None:
        self.key, self._read, self._write = key, read, write

    @property
    def usual(self) -> T:
        """Value of an unset setting."""
        return self._read(None)

    def __get__(self, settings: Settings, _owner: type) -> T:
        return self._read(settings.store.value(self.key))

    def __set__(self, settings: Settings, value: T) -> None:
        settings.store.set_value(self.key, self._write(value))


def _one_of(values: Sequence[S], usual: S) -> Callable[[Any], S]:
    """Return a function that reads one of several texts."""
    return lambda value: next((known for known in values if known == value), usual)


def _scale(value: Any) -> float:
    try:
        scale = float(str(value))
    except ValueError:
        return 1.0
    return min(max(scale, MIN_FONT_SCALE), MAX_FONT_SCALE) if math.isfinite(scale) else 1.0


def _is_true(value: Any) -> bool:
    return str(value).strip().lower() == "true"


def _flag(is_on: bool) -> str:
    return "true" if is_on else "false"


def _texts(value: Any) -> tuple[str, ...]:
    """Return a list of texts; the store reads a list with one entry back as a text."""
    entries = cast("list[Any]", value) if isinstance(value, list) else [value]
    return tuple(text for text in entries if isinstance(text, str) and text)


def _files(value: Any) -> tuple[Path, ...]:
    paths = dict.fromkeys(Path(text) for text in _texts(value) if text.isprintable() and Path(text).is_absolute())
    return still_there(list(paths)[:MAX_RECENT])


def _json(value: Any) -> Any:
    try:
        return json.loads(str(value))
    except ValueError:
        return None


def _by_file(value: Any) -> dict[str, dict[str, object]]:
    data = _json(value)
    entries = cast("dict[str, Any]", data) if isinstance(data, dict) else {}
    return {path: entry for path, entry in entries.items() if isinstance(entry, dict)}


def _bytes(value: Any) -> QByteArray | None:
    return value if isinstance(value, QByteArray) and not value.isEmpty() else None


OLD_PLACES = {"Explore": "Build", "Teach": "Learn", "Debug": "Check"}
"""Places of the window by the names under which older versions remembered them."""


OLD_KEYS = {
    "font scale": "font-scale",
    "angle unit": "angle-unit",
    "quaternion order": "quaternion-order",
    "first start/done": "first-start/done",
    "recent files": "recent-files",
    "recent commands": "recent-commands",
}
"""Keys with a space, which older versions wrote and the settings file stores as `%20`, with their present names."""


def _rename_keys(store: Store) -> None:
    """Move the values under keys of older versions to their present keys."""
    for old, new in OLD_KEYS.items():
        value = store.value(old)
        if value is not None:
            if store.value(new) is None:
                store.set_value(new, value)
            store.remove(old)


def _rename_places(store: Store) -> None:
    """Move what an older version remembered of the places of the window to their present names."""
    name = store.value("window/preset")
    if name is not None:
        if store.value("window/place") is None:
            store.set_value("window/place", OLD_PLACES.get(str(name), ""))
        store.remove("window/preset")
    for old, new in OLD_PLACES.items():
        layout = store.value(f"layouts/{old}")
        if layout is not None:
            if store.value(f"layouts/{new}") is None:
                store.set_value(f"layouts/{new}", layout)
            store.remove(f"layouts/{old}")


class Settings:
    """Theme, window, layouts, units and files of the previous session."""

    def __init__(self) -> None:
        self.store = Store()
        _rename_keys(self.store)
        _rename_places(self.store)

    theme = _Setting[ThemeChoice]("theme", _one_of(("dark", "light", "system"), "dark"))
    """The theme; dark by default."""
    font_scale = _Setting("font-scale", _scale, lambda scale: repr(float(scale)))
    """Scale of all text, 0.75 to 2.5; 1 by default."""
    angle_unit = _Setting[AngleUnit]("angle-unit", _one_of(("deg", "rad"), "deg"))
    """Unit in which angles are shown and typed; degrees by default."""
    quaternion_order = _Setting[QuaternionOrder]("quaternion-order", _one_of(("xyzw", "wxyz"), "xyzw"))
    """Order in which panels show quaternions; scalar last by default."""
    sequence = _Setting("sequence", _one_of(SEQUENCES, USUAL_SEQUENCE))
    """Axis sequence of new rotations, and of angles of frames without a sequence of their own."""
    navigation = _Setting("navigation", _one_of(tuple(PRESETS), USUAL.key))
    """Key of the navigation preset of the 3D view."""
    film_size = _Setting("film/size", _one_of((LAST_TIME, *SIZES), LAST_TIME))
    """Name of the size that the export dialog offers first for videos."""
    film_rate = _Setting("film/rate", _one_of((LAST_TIME, *map(str, RATES)), LAST_TIME))
    """Frames a second that the export dialog offers first for videos."""
    film_quality = _Setting("film/quality", _one_of((LAST_TIME, *QUALITIES.values()), LAST_TIME))
    """Quality that the export dialog offers first."""
    film_colours = _Setting("film/colours", _one_of((LAST_TIME, AS_WINDOW, *COLOURS.values()), LAST_TIME))
    """Colours that the export dialog offers first."""
    is_manual_beside = _Setting("manual/beside", _is_true, _flag)
    """Whether the manual was last read beside the scene; by default it has its own window."""
    keeps_plots = _Setting("presentation/plots", _is_true, _flag)
    """Whether plots stay visible in presentations; false by default."""
    is_first_start = _Setting("first-start/done", lambda done: not _is_true(done), lambda is_first: _flag(not is_first))
    """Whether the three links of the first start are still to be shown."""
    recent = _Setting("recent-files", _files, lambda paths: [str(path) for path in paths][:MAX_RECENT])
    """Recently opened files that still exist, the newest first."""
    recent_commands = _Setting(
        "recent-commands", lambda value: _texts(value)[:MAX_RECENT], lambda titles: list(titles)[:MAX_RECENT]
    )
    """Titles of commands recently chosen in the palette, the newest first."""
    export_choice = _Setting[object]("export/choice", _json, json.dumps)
    """Options of the last export, as JSON data; None by default."""
    geometry = _Setting("window/geometry", _bytes)
    """Position and size of the window."""
    place = _Setting("window/place", lambda name: name if isinstance(name, str) else "")
    """Name of the current place of the window; empty for none."""
    _entries = _Setting("export/entries", _by_file, json.dumps)
    _viewpoints = _Setting("window/viewpoints", _by_file, json.dumps)

    def export_entries_of(self, path: Path) -> dict[str, object]:
        """Return the last entries for exporting a scene file; empty for a file that was not exported recently."""
        return self._entries.get(str(path.absolute()), {})

    def set_export_entries_of(self, path: Path, entries: Mapping[str, object]) -> None:
        """Remember the entries for exporting a scene file; empty entries are forgotten."""
        self._entries = _with_entries(self._entries, path, entries, MAX_RECENT)

    def viewpoint_of(self, path: Path) -> dict[str, object]:
        """Return the fields of the camera that the user left in a scene file; empty if there is none."""
        return self._viewpoints.get(str(path.absolute()), {})

    def set_viewpoint_of(self, path: Path, camera: Mapping[str, object]) -> None:
        """Remember the fields of the camera of a scene file; empty fields are forgotten."""
        if camera or self.viewpoint_of(path):
            self._viewpoints = _with_entries(self._viewpoints, path, camera, MAX_VIEWPOINTS)

    def layout_of(self, place: str) -> QByteArray | None:
        """Return the last layout of a place's docks; None when the user never changed it."""
        return _bytes(self.store.value(f"layouts/{place}"))

    def set_layout_of(self, place: str, layout: QByteArray | None) -> None:
        """Remember the layout of a place's docks, or forget it."""
        if layout is None:
            self.store.remove(f"layouts/{place}")
        else:
            self.store.set_value(f"layouts/{place}", layout)

    def summary(self) -> dict[str, str]:
        """Return the settings that a bug report may contain: the window's, and nothing about files."""
        scale, place = f"{self.font_scale:g}", self.place or "none"
        return {"theme": self.theme, "font scale": scale, "angle unit": self.angle_unit, "place": place}


def _with_entries(
    present: Mapping[str, dict[str, object]], path: Path, entries: Mapping[str, object], most: int
) -> dict[str, dict[str, object]]:
    """Return the entries of files with those of one file first; empty ones are left out."""
    key = str(path.absolute())
    others = {name: entry for name, entry in present.items() if name != key}
    every = {key: dict(entries), **others} if entries else others
    return dict(islice(every.items(), most))


def with_recent(recent: Sequence[Path], path: Path) -> tuple[Path, ...]:
    """Return the list with a file at its start.

    >>> [path.name for path in with_recent([Path("/a.yaml"), Path("/b.yaml")], Path("/b.yaml"))]
    ['b.yaml', 'a.yaml']
    """
    path = path.absolute()
    return (path, *(other for other in recent if other != path))[:MAX_RECENT]


def still_there(recent: Sequence[Path]) -> tuple[Path, ...]:
    """Return the files that exist."""
    return tuple(path for path in recent if _is_file(path))


def menu_texts(recent: Sequence[Path]) -> tuple[str, ...]:
    """Return a text for each file in a menu: its name, with its folder where names are equal.

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
