"""Platform plugins of Qt: an unknown platform name would end the process as soon as Qt starts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QPluginLoader

from framescope.core.errors import did_you_mean


def platform_fault(value: str) -> str:
    """Return the error in a value of QT_QPA_PLATFORM; empty if Qt has one of the platforms in it.

    >>> platform_fault("offscreen;no such thing"), platform_fault("")
    ('', '')
    """
    names = [part.partition(":")[0].strip() for part in value.split(";") if part.strip()]
    platforms = sorted(set(_known_platforms())) if names else []
    if not platforms or any(name.lower() in platforms for name in names):
        return ""
    problem = f"QT_QPA_PLATFORM is {value}, and Qt has no platform of that name here."
    return f"{problem} {did_you_mean(names[0], platforms)} Or take that variable away."


def _known_platforms() -> Iterator[str]:
    """Yield the names of the platforms in all plugin folders."""
    plugins = QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath)
    for folder in dict.fromkeys([plugins, *QCoreApplication.libraryPaths()]):
        place = Path(folder) / "platforms"
        for file in sorted(place.iterdir()) if place.is_dir() else ():
            details = QPluginLoader(str(file)).metaData().get("MetaData")
            keys = details.get("Keys") if isinstance(details, dict) else None
            yield from (str(key).lower() for key in keys or ())
