"""Settings that are remembered between starts. What cannot be read counts as never set."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar, cast

from PySide6.QtCore import QByteArray

from framescope.app.storage.settings_store import Store
from framescope.ui.theme.tokens import DARK, LIGHT, Theme

T = TypeVar("T")
AngleUnit = Literal["deg", "rad"]

MIN_FONT_SCALE, MAX_FONT_SCALE = 0.75, 2.5
MAX_RECENT = 10


class _Setting(Generic[T]):
    """Value under a key of the store, as `read` makes it of what is stored, and `write` what is stored of it."""

    def __init__(self, key: str, read: Callable[[Any], T], write: Callable[[T], object] = lambda value: value) -> None:
        self._key, self._read, self._write = key, read, write

    def __get__(self, settings: Settings, _owner: type) -> T:
        return self._read(settings.store.value(self._key))

    def __set__(self, settings: Settings, value: T) -> None:
        settings.store.set_value(self._key, self._write(value))


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
    """Return a list of texts; one that has a single entry is read back as a text."""
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
    found = _json(value)
    entries = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
    return {path: each for path, each in entries.items() if isinstance(each, dict)}


def _bytes(value: Any) -> QByteArray | None:
    return value if isinstance(value, QByteArray) and not value.isEmpty() else None


class Settings:
    """Theme, window, layouts, units and files of the last time."""

    def __init__(self) -> None:
        self.store = Store()

    theme = _Setting[Theme]("theme", lambda name: LIGHT if name == LIGHT.name else DARK, lambda theme: theme.name)
    """The theme; dark at first."""
    font_scale = _Setting("font scale", _scale, lambda scale: repr(float(scale)))
    """How much larger than usual everything is written, 0.75 to 2.5; 1 at first."""
    angle_unit = _Setting[AngleUnit]("angle unit", lambda unit: "rad" if unit == "rad" else "deg")
    """The unit that angles are shown and typed in; degrees at first."""
    is_manual_beside = _Setting("manual/beside", _is_true, _flag)
    """Whether the manual was last read beside the scene; in a window of its own at first."""
    keeps_plots = _Setting("presentation/plots", _is_true, _flag)
    """Whether plots stay in presentations; not at first."""
    is_first_start = _Setting("first start/done", lambda done: not _is_true(done), lambda is_first: _flag(not is_first))
    """Whether the three links of the first start are still to be shown."""
    recent = _Setting("recent files", _files, lambda paths: [str(path) for path in paths][:MAX_RECENT])
    """The files opened of late that are still there, the newest first."""
    recent_commands = _Setting(
        "recent commands", lambda value: _texts(value)[:MAX_RECENT], lambda titles: list(titles)[:MAX_RECENT]
    )
    """Titles of the commands chosen of late in the palette, the newest first."""
    export_choice = _Setting[object]("export/choice", _json, json.dumps)
    """How something was exported last, as JSON has it; None at first."""
    geometry = _Setting("window/geometry", _bytes)
    """Place and size of the window."""
    preset = _Setting("window/preset", lambda name: name if isinstance(name, str) else "")
    """The name of the preset that was on; empty when none was."""
    _entries = _Setting("export/entries", _by_file, json.dumps)

    def export_entries_of(self, path: Path) -> dict[str, object]:
        """Return what was entered last to export a scene file; nothing for one of long ago."""
        return self._entries.get(str(path.absolute()), {})

    def set_export_entries_of(self, path: Path, entries: Mapping[str, object]) -> None:
        """Remember what was entered to export a scene file, or forget it when it is nothing."""
        key = str(path.absolute())
        others = {name: each for name, each in self._entries.items() if name != key}
        kept = {key: dict(entries), **others} if entries else others
        self._entries = dict(islice(kept.items(), MAX_RECENT))

    def layout_of(self, preset: str) -> QByteArray | None:
        """Return where the docks of a preset were left; None when it was never changed."""
        return _bytes(self.store.value(f"layouts/{preset}"))

    def set_layout_of(self, preset: str, layout: QByteArray | None) -> None:
        """Remember the docks of a preset, or forget them."""
        if layout is None:
            self.store.remove(f"layouts/{preset}")
        else:
            self.store.set_value(f"layouts/{preset}", layout)

    def summary(self) -> dict[str, str]:
        """Return what may be said in a bug report: how the window is set, and nothing of files."""
        scale, preset = f"{self.font_scale:g}", self.preset or "none"
        return {"theme": self.theme.name, "font scale": scale, "angle unit": self.angle_unit, "preset": preset}


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
