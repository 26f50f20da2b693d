"""What is remembered between starts, in the platform's own place."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QSettings

from framescope.ui.theme import DARK, LIGHT, Theme


class Settings:
    """Theme, window and layout of the last time."""

    def __init__(self) -> None:
        self._store = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "Framescope", "framescope")

    @property
    def theme(self) -> Theme:
        """The theme; dark at first."""
        return LIGHT if self._store.value("theme") == LIGHT.name else DARK

    @theme.setter
    def theme(self, theme: Theme) -> None:
        self._store.setValue("theme", theme.name)

    @property
    def geometry(self) -> QByteArray | None:
        """Place and size of the window."""
        return self._bytes("window/geometry")

    @geometry.setter
    def geometry(self, geometry: QByteArray) -> None:
        self._store.setValue("window/geometry", geometry)

    @property
    def layout(self) -> QByteArray | None:
        """Where the docks are."""
        return self._bytes("window/layout")

    @layout.setter
    def layout(self, layout: QByteArray) -> None:
        self._store.setValue("window/layout", layout)

    def _bytes(self, key: str) -> QByteArray | None:
        value = self._store.value(key)
        return value if isinstance(value, QByteArray) and not value.isEmpty() else None
