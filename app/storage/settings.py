"""Settings that are remembered between starts. What cannot be read counts as never set."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Literal, cast, get_args

from PySide6.QtCore import QByteArray

from framescope.app.storage.recent_files import MAX_RECENT, still_there
from framescope.app.storage.settings_store import Store
from framescope.ui.theme.tokens import DARK, LIGHT, Theme

AngleUnit = Literal["deg", "rad"]

MIN_FONT_SCALE, MAX_FONT_SCALE = 0.75, 2.5


class Settings:
    """Theme, window, layouts, units and files of the last time."""

    def __init__(self) -> None:
        self._store = Store()

    @property
    def theme(self) -> Theme:
        """The theme; dark at first."""
        return LIGHT if self._store.value("theme") == LIGHT.name else DARK

    @theme.setter
    def theme(self, theme: Theme) -> None:
        self._store.set_value("theme", theme.name)

    @property
    def font_scale(self) -> float:
        """How much larger than usual everything is written, 0.75 to 2.5; 1 at first."""
        try:
            scale = float(str(self._store.value("font scale", "1")))
        except ValueError:
            return 1.0
        return min(max(scale, MIN_FONT_SCALE), MAX_FONT_SCALE) if math.isfinite(scale) else 1.0

    @font_scale.setter
    def font_scale(self, scale: float) -> None:
        self._store.set_value("font scale", repr(float(scale)))

    @property
    def angle_unit(self) -> AngleUnit:
        """The unit that angles are shown and typed in; degrees at first."""
        return cast("AngleUnit", self._one_of("angle unit", get_args(AngleUnit)))

    @angle_unit.setter
    def angle_unit(self, unit: AngleUnit) -> None:
        self._store.set_value("angle unit", unit)

    @property
    def is_manual_beside(self) -> bool:
        """Whether the manual was last read beside the scene; in a window of its own at first."""
        return self._flag("manual/beside")

    @is_manual_beside.setter
    def is_manual_beside(self, is_beside: bool) -> None:
        self._store.set_value("manual/beside", "true" if is_beside else "false")

    @property
    def keeps_plots(self) -> bool:
        """Whether plots stay in presentations; not at first."""
        return self._flag("presentation/plots")

    @keeps_plots.setter
    def keeps_plots(self, is_on: bool) -> None:
        self._store.set_value("presentation/plots", "true" if is_on else "false")

    @property
    def is_first_start(self) -> bool:
        """Whether the three links of the first start are still to be shown."""
        return not self._flag("first start/done")

    @is_first_start.setter
    def is_first_start(self, is_first: bool) -> None:
        self._store.set_value("first start/done", "false" if is_first else "true")

    @property
    def recent(self) -> tuple[Path, ...]:
        """The files opened of late that are still there, the newest first."""
        paths: list[Path] = []
        for text in self._texts("recent files"):
            if text.isprintable() and Path(text).is_absolute() and Path(text) not in paths:
                paths.append(Path(text))
        return still_there(paths[:MAX_RECENT])

    @recent.setter
    def recent(self, paths: Sequence[Path]) -> None:
        self._store.set_value("recent files", [str(path) for path in paths][:MAX_RECENT])

    @property
    def recent_commands(self) -> tuple[str, ...]:
        """Titles of the commands chosen of late in the palette, the newest first."""
        return self._texts("recent commands")[:MAX_RECENT]

    @recent_commands.setter
    def recent_commands(self, titles: Sequence[str]) -> None:
        self._store.set_value("recent commands", list(titles)[:MAX_RECENT])

    @property
    def export_choice(self) -> object:
        """How something was exported last, as JSON has it; None at first."""
        try:
            return json.loads(str(self._store.value("export/choice", "null")))
        except ValueError:
            return None

    @export_choice.setter
    def export_choice(self, choice: dict[str, Any]) -> None:
        self._store.set_value("export/choice", json.dumps(choice))

    def export_entries_of(self, path: Path) -> dict[str, object]:
        """Return what was entered last to export a scene file; nothing for one of long ago."""
        return self._export_entries().get(str(path.absolute()), {})

    def set_export_entries_of(self, path: Path, entries: Mapping[str, object]) -> None:
        """Remember what was entered to export a scene file, or forget it when it is nothing."""
        key = str(path.absolute())
        others = {name: each for name, each in self._export_entries().items() if name != key}
        kept = {key: dict(entries), **others} if entries else others
        self._store.set_value("export/entries", json.dumps(dict(islice(kept.items(), MAX_RECENT))))

    def _export_entries(self) -> dict[str, dict[str, object]]:
        try:
            found: Any = json.loads(str(self._store.value("export/entries", "{}")))
        except ValueError:
            return {}
        entries = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
        return {path: each for path, each in entries.items() if isinstance(each, dict)}

    @property
    def geometry(self) -> QByteArray | None:
        """Place and size of the window."""
        return self._bytes("window/geometry")

    @geometry.setter
    def geometry(self, geometry: QByteArray) -> None:
        self._store.set_value("window/geometry", geometry)

    @property
    def preset(self) -> str:
        """The name of the preset that was on; empty when none was."""
        value = self._store.value("window/preset")
        return value if isinstance(value, str) else ""

    @preset.setter
    def preset(self, name: str) -> None:
        self._store.set_value("window/preset", name)

    def layout_of(self, preset: str) -> QByteArray | None:
        """Return where the docks of a preset were left; None when it was never changed."""
        return self._bytes(f"layouts/{preset}")

    def set_layout_of(self, preset: str, layout: QByteArray | None) -> None:
        """Remember the docks of a preset, or forget them."""
        if layout is None:
            self._store.remove(f"layouts/{preset}")
        else:
            self._store.set_value(f"layouts/{preset}", layout)

    def summary(self) -> dict[str, str]:
        """Return what may be said in a bug report: how the window is set, and nothing of files."""
        return {
            "theme": self.theme.name,
            "font scale": f"{self.font_scale:g}",
            "angle unit": self.angle_unit,
            "preset": self.preset or "none",
        }

    def _bytes(self, key: str) -> QByteArray | None:
        value = self._store.value(key)
        return value if isinstance(value, QByteArray) and not value.isEmpty() else None

    def _texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts; one that has a single entry is read back as a text."""
        value: Any = self._store.value(key)
        entries = cast("list[Any]", value) if isinstance(value, list) else [value]
        return tuple(text for text in entries if isinstance(text, str) and text)

    def _one_of(self, key: str, names: Sequence[str]) -> str:
        """Return the text of a key, the first of the names when it is none of them."""
        value = self._store.value(key)
        return value if isinstance(value, str) and value in names else names[0]

    def _flag(self, key: str) -> bool:
        return str(self._store.value(key, "false")).strip().lower() == "true"
